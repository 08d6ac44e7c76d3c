import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuilt } from "../scripts/lib/build.mjs";

/**
 * Safari's engine lets no row, head or body of a table hold what is positioned in it: a link that covers its row covers
 * the whole page there, and a press on any row opens the last one's record. So nothing may rest on that.
 */

await ensureBuilt();

type Rule = { selector: string; declarations: string; conditions: string[] };

/** The rules of a minified style sheet, each with the conditions around it. */
function* rulesOf(css: string, conditions: string[] = []): Generator<Rule> {
  let from = 0;
  let depth = 0;
  let opened = 0;
  for (let at = 0; at < css.length; at++) {
    const character = css[at];
    if (character === '"' || character === "'") at = css.indexOf(character, at + 1);
    else if (character === ";" && depth === 0) from = at + 1;
    else if (character === "{" && depth++ === 0) opened = at;
    else if (character === "}" && --depth === 0) {
      const head = css.slice(from, opened).trim();
      const body = css.slice(opened + 1, at);
      from = at + 1;
      if (/^@(media|layer|supports|container)/.test(head)) yield* rulesOf(body, [...conditions, head]);
      else if (!head.startsWith("@")) yield { selector: head, declarations: body, conditions };
    }
  }
}

const folder = "public/build/_assets";
const [sheet = ""] = readdirSync(folder).filter((name) => name.endsWith(".css"));
const rules = [...rulesOf(readFileSync(path.join(folder, sheet), "utf8"))];

/** Declarations that make a box the containing block of positioned content. */
const HOLDS =
  /(?:^|;)(?:position:(?:relative|absolute|fixed|sticky)|(?:transform|translate|scale|rotate|perspective|filter|backdrop-filter|contain|container-type|will-change):(?!none))/;
/** A row with a different display type is not a table row. */
const IS_BLOCK = /(?:^|;)display:(?:block|grid|flex)/;

const escaped = (name: string) => `.${name.replace(/[^\w-]/g, "\\$&")}`;
const isOf = (name: string) => (rule: Rule) =>
  rule.selector.split(",").some((each) => each === escaped(name) || each.startsWith(`${escaped(name)}:`));

/** Conditions under which a class makes a table's row hold what is positioned in it. */
function findHolding(name: string, all: readonly Rule[]): string[] {
  const own = all.filter(isOf(name)).filter(({ selector }) => !/::?(before|after)/.test(selector));
  return own
    .filter(({ declarations }) => HOLDS.test(declarations))
    .filter(({ declarations }) => !IS_BLOCK.test(declarations))
    .map(({ selector, conditions }) =>
      [...conditions.filter((each) => /^@(media|container)/.test(each)), selector].join(" "),
    );
}

const drawn = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsx") && !name.startsWith("emails/"))
  .map((name) => readFileSync(path.join("app", name), "utf8"));

/** The class names of every row, head, body and foot of a table. */
const classNames = [
  ...new Set(
    drawn
      .flatMap((source) => [...source.matchAll(/<(?:tr|thead|tbody|tfoot)\b([^>]*)>/g)])
      .flatMap(([, attributes = ""]) =>
        [...attributes.matchAll(/"([^"]+)"/g)].flatMap(([, names = ""]) => names.split(" ")),
      ),
  ),
];

test("no row, head or body of a table holds what is positioned in it", () => {
  expect(classNames).toEqual(expect.arrayContaining(["line", "max-sm:block"]));
  expect(classNames.flatMap((name) => findHolding(name, rules))).toEqual([]);
});

test("no style is written for the rows, heads and bodies themselves that would", () => {
  const ofElements = rules.filter(({ selector }) => /(^|[\s,>(])(tr|thead|tbody|tfoot)\b(?![-\w]*\))/.test(selector));
  expect(ofElements.filter(({ declarations }) => HOLDS.test(declarations))).toEqual([]);
});

test("the cell holds the row's link where a row is a row, and the row where it is a block", () => {
  const wide = rules.filter(isOf("cell")).filter(({ declarations }) => HOLDS.test(declarations));
  expect(wide.map(({ conditions }) => conditions.at(-1))).toEqual(["@container main (min-width:54rem)"]);
  const narrow = rules.filter(isOf("line")).filter(({ declarations }) => HOLDS.test(declarations));
  expect(narrow.map(({ conditions }) => conditions.at(-1))).toEqual(["@container main not (min-width:54rem)"]);
});

test("a row that holds its link would be found", () => {
  const former = [
    ...rulesOf(".line{position:relative}.line-link:after{position:absolute}@media (min-width:64rem){.x{translate:0}}"),
  ];
  expect(findHolding("line", former)).toEqual([".line"]);
  expect(findHolding("x", former)).toEqual(["@media (min-width:64rem) .x"]);
  expect(findHolding("line", [...rulesOf("@media print{.line{display:grid;position:relative}}")])).toEqual([]);
});
