import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { agents, feature, features } from "caniuse-lite";
import { transform } from "esbuild";
import { expect, inject, test } from "vitest";
import { SUPPORTED_BROWSERS } from "~/routes/_public+/help";

/** The built styles and scripts against the browsers that the help page names: nothing newer, except what has a fallback. */

const { origin } = inject("app");
const ROOT = path.resolve(import.meta.dirname, "../..");
const BUILT = path.join(ROOT, "public/build");
const built = (ending: string) =>
  readdirSync(BUILT, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, text: readFileSync(path.join(BUILT, name), "utf8") }));
const styles = built(".css")
  .map(({ text }) => text)
  .join("\n");
const scripts = built(".js");

const versionOf = (name: string) => SUPPORTED_BROWSERS.find((browser) => browser.name === name)?.from ?? "";
/** As caniuse names them; Safari on phones has versions of its own. */
const OLDEST = {
  chrome: versionOf("Chrome"),
  edge: versionOf("Edge"),
  firefox: versionOf("Firefox"),
  safari: `${versionOf("Safari")}.0`,
  ios_saf: `${versionOf("Safari")}.0`,
};

/** What the styles use that is younger than the first of these browsers' engines, and where caniuse speaks of it. */
const USED = [
  { name: "light-dark()", pattern: /light-dark\(/, since: [123, 123, 120, 17.5] },
  { name: "oklch()", pattern: /oklch\(/, id: "css-lch-lab" },
  { name: "color-mix()", pattern: /color-mix\(/, since: [111, 111, 113, 16.2] },
  { name: ":has()", pattern: /:has\(/, id: "css-has" },
  { name: "@layer", pattern: /@layer/, id: "css-cascade-layers" },
  { name: "@property", pattern: /@property/, since: [85, 85, 128, 16.4] },
  { name: "dvh", pattern: /\d(?:dvh|svh|lvh)\b/, id: "viewport-unit-variants" },
  { name: "scripting", pattern: /\(scripting:/, since: [120, 120, 113, 17] },
  { name: "aspect of pointers", pattern: /\(any-pointer:/, id: "css-media-interaction" },
  { name: "one transform by itself", pattern: /[;{](?:scale|translate|rotate):/, since: [104, 104, 72, 14.1] },
  { name: "clip", pattern: /overflow(?:-x|-y)?:clip/, since: [90, 90, 81, 16] },
  { name: "container queries", pattern: /@container/, id: "css-container-queries" },
  { name: ":popover-open", pattern: /:popover-open/, since: [114, 114, 125, 17] },
] as const;

/** What is newer than some of them, and what stands in its place there. */
const WITH_FALLBACK: Record<string, string> = {
  "field-sizing": "rows of the text box",
  "text-wrap:balance": "headings break where the line ends",
  "::details-content": "what is folded stays folded on paper",
};

/** Every rule, function and pseudo-class of the styles: one that is not here yet is looked up, and listed above if it is young. */
const KNOWN = {
  rules: "@container @font-face @keyframes @layer @media @page @property @supports",
  functions:
    "blur calc circle clamp color-mix cubic-bezier format has inset is light-dark linear-gradient local min minmax not nth-child oklch polygon repeat rgb rotate translate url var where",
};

test("nothing in the styles is newer than the oldest of these browsers", () => {
  const versions = [OLDEST.chrome, OLDEST.edge, OLDEST.firefox, OLDEST.safari].map(Number);
  const missing: string[] = [];
  for (const used of USED) {
    if (!used.pattern.test(styles)) continue;
    if ("since" in used) {
      if (used.since.some((since, at) => (versions[at] ?? 0) < since)) missing.push(used.name);
      continue;
    }
    const { stats } = feature(features[used.id as string] ?? "");
    for (const [browser, version] of Object.entries(OLDEST)) {
      const known = Object.entries(stats[browser] ?? {}).find(([range]) => holds(range, version))?.[1];
      if (!known?.startsWith("y")) missing.push(`${used.name} in ${browser} ${version}: ${known}`);
    }
  }
  expect(missing).toEqual([]);
});

/** Whether "18.0-18.1" or "18.0" holds a version. */
const holds = (range: string, version: string) => {
  const [first = "", last = first] = range.split("-");
  return Number(first) <= Number(version) && Number(version) <= Number(last);
};

test("every rule and function of the styles is known, and what is newer has its fallback", () => {
  const found = (pattern: RegExp) => [...new Set(styles.match(pattern))];
  expect(found(/(?<!\\)@[a-z]+(?:-[a-z]+)*/g).filter((rule) => !KNOWN.rules.split(" ").includes(rule))).toEqual([]);
  const functions = found(/(?<![\w-])[a-z][a-z-]*(?=\()/g);
  expect(functions.filter((name) => !KNOWN.functions.split(" ").includes(name) && name !== "and")).toEqual([]);
  const young = [
    "field-sizing",
    "text-wrap:balance",
    "::details-content",
    "interpolate-size",
    "anchor-name",
    "position-area",
    "text-box-trim",
  ];
  expect(young.filter((each) => styles.includes(each)).filter((each) => !(each in WITH_FALLBACK))).toEqual([]);
});

test("no script is written in a newer language", async () => {
  const target = SUPPORTED_BROWSERS.map(({ name, from }) => `${name.toLowerCase()}${from}`);
  const options = { minify: true, legalComments: "none" } as const;
  for (const { name, text } of scripts) {
    const [newest, supported] = await Promise.all([
      transform(text, { ...options, target: "esnext" }),
      transform(text, { ...options, target }),
    ]);
    expect([name, supported.code === newest.code]).toEqual([name, true]);
  }
});

const TWO_YEARS_S = 2 * 365 * 86_400;

/** Functions of the platform that one of these browsers does not have. */
const TOO_NEW =
  /\b(?:Promise\.try|RegExp\.escape|Iterator\.(?:from|prototype)|Uint8Array\.fromBase64|Math\.sumPrecise|Error\.isError|Temporal\.|navigation\.(?:navigate|addEventListener)|startViewTransition|requestIdleCallback|scheduler\.(?:yield|postTask)|Atomics\.waitAsync|\.toBase64\(|CloseWatcher|\.moveBefore\()/g;

test("no script calls what is newer, unless it asks first", () => {
  const found = scripts.flatMap(({ name, text }) => (text.match(TOO_NEW) ?? []).map((call) => `${name}: ${call}`));
  // React Router asks whether the browser can animate a change of pages before it does.
  expect(found.filter((call) => !call.endsWith("startViewTransition"))).toEqual([]);
});

test("every version of the last two years is among them, and README and help name them", async () => {
  const dates = (browser: string) => agents[browser]?.release_date ?? {};
  const newest = Math.max(...Object.values(dates("chrome")).map(Number));
  for (const [browser, version] of Object.entries(OLDEST)) {
    const released = Object.entries(dates(browser)).find(([range]) => holds(range, version))?.[1];
    expect([browser, Number(released) > 0 && Number(released) <= newest - TWO_YEARS_S]).toEqual([browser, true]);
  }
  const sentence = SUPPORTED_BROWSERS.map(({ name, from }) => `${name} ${from}`).join(", ");
  expect(readFileSync(path.join(ROOT, "README.md"), "utf8")).toContain(`${sentence} and newer`);
  expect(await (await fetch(`${origin}/help`)).text()).toContain(sentence);
});
