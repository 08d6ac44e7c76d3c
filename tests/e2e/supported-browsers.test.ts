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

/** What is newer than some of them, and what they use in its place. */
const WITH_FALLBACK: Record<string, string> = {
  "field-sizing": "rows of the text box",
  "text-wrap:balance": "headings break where the line ends",
  "::details-content": "what is folded stays folded on paper",
  ":open": "the attribute beside it, in a list that forgives",
};

/**
 * Every rule, function, property, pseudo-class, condition and unit of the styles that is old enough: one that is not here
 * is looked up, and is added, or listed above if some browsers of today are too old for it. What browsers call by a name of
 * their own (`-webkit-`) is for one of them.
 */
const KNOWN = {
  rules: "@container @font-face @keyframes @layer @media @page @property @supports",
  functions:
    "attr blur calc circle clamp color-mix cubic-bezier fit-content format has inset is light-dark linear-gradient local min minmax not nth-child oklch polygon repeat rgb rotate translate url var where",
  properties:
    "accent-color align-content align-items align-self animation animation-delay animation-direction " +
    "animation-duration animation-fill-mode animation-iteration-count animation-name animation-play-state " +
    "animation-timing-function appearance ascent-override aspect-ratio backdrop-filter backface-visibility background " +
    "background-attachment background-clip background-color background-image background-origin background-position " +
    "background-repeat background-size block-size bottom box-decoration-break box-shadow box-sizing break-after " +
    "break-before break-inside caption-side caret-color clear clip-path color color-scheme column-count column-fill " +
    "column-gap column-rule column-span column-width columns container container-name container-type content " +
    "content-visibility counter-increment counter-reset cursor descent-override direction display empty-cells fill " +
    "filter flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-display " +
    "font-family font-feature-settings font-kerning font-size font-stretch font-style font-variant " +
    "font-variant-ligatures font-variant-numeric font-variation-settings font-weight forced-color-adjust gap grid " +
    "grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end grid-column-start grid-row " +
    "grid-row-end grid-row-start grid-template grid-template-areas grid-template-columns grid-template-rows height " +
    "hyphens inherits initial-value inline-size inset isolation justify-content justify-items justify-self left " +
    "letter-spacing line-break line-gap-override line-height list-style list-style-image list-style-position " +
    "list-style-type mask-composite mask-image max-block-size max-height max-inline-size max-width min-block-size " +
    "min-height min-inline-size min-width mix-blend-mode object-fit object-position opacity order orphans outline " +
    "outline-color outline-offset outline-style outline-width overflow overflow-wrap overflow-x overflow-y " +
    "overscroll-behavior overscroll-behavior-x overscroll-behavior-y perspective place-content place-items place-self " +
    "pointer-events position print-color-adjust quotes resize right rotate row-gap scale scroll-behavior " +
    "scroll-snap-align scroll-snap-type size-adjust src stroke stroke-dasharray stroke-dashoffset stroke-linecap " +
    "stroke-linejoin stroke-width syntax tab-size table-layout text-align text-align-last text-decoration " +
    "text-decoration-color text-decoration-line text-decoration-style text-decoration-thickness text-indent " +
    "text-overflow text-shadow text-size-adjust text-transform text-underline-offset text-wrap top touch-action " +
    "transform transform-origin transform-style transition transition-delay transition-duration transition-property " +
    "transition-timing-function translate unicode-bidi unicode-range vertical-align visibility white-space widows " +
    "width will-change word-break word-spacing writing-mode z-index",
  selectors:
    ":active :after :before :checked :disabled :empty :enabled :first-child :first-letter :first-of-type :focus :focus-visible :focus-within :has :host :hover :is :last-child :not :nth-child :only-child :popover-open :root :target :where ::after ::backdrop ::before ::file-selector-button ::marker ::placeholder ::selection",
  conditions:
    "any-pointer forced-colors hover input max-height max-width min-height min-width pointer prefers-color-scheme prefers-reduced-motion scripting",
  units: "ch cm cqi cqw deg dvh em fr in lh lvh mm ms pt px rem s svh turn vh vw",
};

/** A side of a box, or its start and end: the same for each of these. */
const SIDES =
  /^(?:border|margin|padding|inset|scroll-margin|scroll-padding)(?:-(?:top|right|bottom|left|block|inline|start|end|color|style|width|radius|collapse|spacing))*$/;

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

/** A declaration: its property and its value. */
const DECLARED = /(?<=[{;])([a-z-]+):([^{};]*)(?=[;}])/g;

test("whatever the styles use is known to be old enough, and what is newer has its fallback", () => {
  const plain = styles
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '""')
    .replace(/\\./g, "_");
  const declared = [...plain.matchAll(DECLARED)].map(([, property = "", value = ""]) => ({ property, value }));
  const values = declared.map(({ value }) => value.replace(/#[\da-f]+|--[\w-]+/gi, "")).join(" ");
  const conditions = (plain.match(/@(?:media|container)[^{]*/g) ?? []).join(" ");
  const selectors = plain.replace(DECLARED, "").replace(/@[^{;]*/g, "");
  const unknown = (kind: keyof typeof KNOWN, found: Iterable<string>) =>
    [...new Set(found)].filter((each) => !KNOWN[kind].split(" ").includes(each) && !(each in WITH_FALLBACK));
  const all = (text: string, pattern: RegExp) => text.match(pattern) ?? [];
  const properties = declared
    .map(({ property }) => property)
    .filter((name) => !name.startsWith("-") && !SIDES.test(name));
  expect(unknown("rules", all(plain, /@[a-z]+(?:-[a-z]+)*/g))).toEqual([]);
  expect(unknown("functions", all(plain, /(?<![\w-])(?!and\()[a-z][a-z-]*(?=\()/g))).toEqual([]);
  expect(unknown("properties", properties)).toEqual([]);
  expect(unknown("selectors", all(selectors, /::?(?!-)[a-z-]+/g))).toEqual([]);
  expect(unknown("conditions", all(conditions, /(?<=\()(?!not\b)[a-z-]+/g))).toEqual([]);
  expect(unknown("units", all(values, /(?<=[\d.])[a-z]+\b/g))).toEqual([]);
  const young = ["text-wrap:balance", "text-wrap:pretty", "width:stretch", "height:stretch", "display:masonry"];
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
