import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Checks statements in the documents about the code, as far as a program can. */

const DOCUMENTS = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
  ...["docs/decisions", "docs/operations"].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`)),
];
const textOf = (file: string) => readFileSync(file, "utf8");

/** Paths in back-ticks that begin with a folder of the repository, and the targets of links inside it. */
function pathsIn(file: string): string[] {
  const text = textOf(file);
  const quoted = [
    ...text.matchAll(/`((?:app|db|workers|simulators|tests|bench|scripts|docs|public)\/[\w./$+[\]-]+)`/g),
  ];
  const linked = [...text.matchAll(/\]\((?!https?:)([\w./-]+)\)/g)];
  return [
    ...quoted.map(([, name = ""]) => name),
    ...linked.map(([, name = ""]) => path.posix.join(path.dirname(file), name)),
  ].filter((name) => !/NAME|FILE|PATH/.test(name));
}

test.each(DOCUMENTS)("%s names only files that exist", (file) => {
  expect(pathsIn(file).filter((name) => !existsSync(name))).toEqual([]);
});

test.each(DOCUMENTS.filter((file) => file.includes("decisions/")))(
  "%s has its number, its date and at most a page",
  (file) => {
    const [title, , date] = textOf(file).split("\n");
    expect(title).toMatch(new RegExp(`^# ${path.basename(file).slice(0, 4)} [A-Z]`));
    expect(date).toMatch(/^\d+ November 2026/);
    expect(textOf(file).split(/\s+/).length).toBeLessThan(720);
  },
);

test("a decision that is referred to by its number exists", () => {
  const numbers = new Set(readdirSync("docs/decisions").map((name) => name.slice(0, 4)));
  const named = DOCUMENTS.flatMap((file) =>
    [...textOf(file).matchAll(/[ (](0\d{3})(?=[),.;:])/g)].map(([, n = ""]) => n),
  );
  expect(named.filter((number) => !numbers.has(number))).toEqual([]);
});

test("npm commands that are named exist", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  const named = DOCUMENTS.flatMap((file) =>
    [...textOf(file).matchAll(/npm run (?:-s )?([a-z:-]+)/g)].map(([, n = ""]) => n),
  );
  expect(named.filter((name) => !scripts[name])).toEqual([]);
});

/** The areas of ARCHITECTURE.md's table with those that each builds on. */
const table = [...textOf("ARCHITECTURE.md").matchAll(/^\| `([a-z-]+)` \| [^|]+ \|([^|]*)\|$/gm)].map(
  ([, area = "", on = ""]) => [area, on.trim()],
);

function importsOf(area: string): string[] {
  const folder = `app/modules/${area}`;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  );
  const imports = files.flatMap((name) =>
    [
      ...textOf(path.join(folder, name)).matchAll(/^import (?!type )([^;]*?) from "~\/modules\/([a-z-]+)["/]/gm),
    ].flatMap(([, names = "", to = ""]) => (/^\{(\s*type \w+,?)+\s*\}$/.test(names) ? [] : [to])),
  );
  return [...new Set(imports)].filter((to) => to !== area);
}

test("the table of areas in ARCHITECTURE.md is what the code imports, in the order of the areas", () => {
  const order = table.map(([area]) => area);
  expect([...order].sort()).toEqual(readdirSync("app/modules").sort());
  const byCode = order.map((area = "") => [
    area,
    importsOf(area)
      .sort((a, b) => order.indexOf(a) - order.indexOf(b))
      .join(", "),
  ]);
  expect(table).toEqual(byCode);
});
