import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contrast, type Oklch } from "../../../tests/support/contrast";

const css = readFileSync(new URL("../../tailwind.css", import.meta.url), "utf8");
const colour = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`;
const declaration = new RegExp(String.raw`--([a-z-]+): light-dark\(${colour}, ${colour}\)`, "g");

const tokens = new Map<string, { light: Oklch; dark: Oklch }>();
for (const [, name, ...numbers] of css.matchAll(declaration)) {
  const [l1, c1, h1, l2, c2, h2] = numbers.map(Number) as [number, number, number, number, number, number];
  tokens.set(name ?? "", {
    light: { lightness: l1, chroma: c1, hue: h1 },
    dark: { lightness: l2, chroma: c2, hue: h2 },
  });
}

const sheets = ["paper", "surface", "sunken"];
const washes = ["accent-wash", "verified-wash", "pending-wash", "review-wash"];

/** Text needs 4.5:1. */
const text: [ink: string, grounds: string[]][] = [
  ["ink", [...sheets, ...washes, "mark"]],
  ["ink-soft", [...sheets, ...washes]],
  ["accent-text", [...sheets, "accent-wash"]],
  ["verified", [...sheets, "verified-wash"]],
  ["pending", [...sheets, "pending-wash"]],
  ["review", [...sheets, "review-wash"]],
  ["on-accent", ["accent", "accent-strong", "danger", "danger-strong"]],
  ["on-band", ["band"]],
  ["on-band-soft", ["band"]],
];

/** Borders of controls, focus rings and graphics need 3:1. */
const graphics: [ink: string, grounds: string[]][] = [
  ["control", sheets],
  ["accent", sheets],
  ["accent-text", sheets],
  ["danger", ["surface"]],
  ["verified-fill", sheets],
  ["pending-fill", sheets],
  ["review-fill", sheets],
  ["pending", ["mark"]],
];

function pairs(list: typeof text) {
  return list.flatMap(([ink, grounds]) =>
    grounds.flatMap((ground) => (["light", "dark"] as const).map((scheme) => ({ ink, ground, scheme }))),
  );
}

function measured(ink: string, ground: string, scheme: "light" | "dark"): number {
  const one = tokens.get(ink);
  const other = tokens.get(ground);
  if (!one || !other) throw new Error(`No such token: ${one ? ground : ink}`);
  return contrast(one[scheme], other[scheme]);
}

test("black on white measures 21 to 1", () => {
  const at = (lightness: number) => ({ lightness, chroma: 0, hue: 0 });
  expect(contrast(at(0), at(1))).toBeCloseTo(21, 3);
});

test("the stylesheet declares every colour for both schemes", () => {
  expect(tokens.size).toBeGreaterThan(30);
});

describe("text reaches 4.5 to 1", () => {
  test.each(pairs(text))("$ink on $ground in $scheme", ({ ink, ground, scheme }) => {
    expect(measured(ink, ground, scheme)).toBeGreaterThanOrEqual(4.5);
  });
});

describe("controls and drawings reach 3 to 1", () => {
  test.each(pairs(graphics))("$ink on $ground in $scheme", ({ ink, ground, scheme }) => {
    expect(measured(ink, ground, scheme)).toBeGreaterThanOrEqual(3);
  });
});

/** The colours of a rule in the stylesheet: the last `text-` and `bg-` of its `@apply`. */
function coloursOf(selector: string): { ink: string | undefined; ground: string | undefined } {
  const rule = new RegExp(
    String.raw`\n\s*${selector.replaceAll(/[.[\]"]/g, String.raw`\$&`)} \{\s*@apply ([^;]+);`,
  ).exec(css)?.[1];
  if (rule === undefined) throw new Error(`No such rule: ${selector}`);
  const named = (prefix: string) =>
    rule
      .split(/\s+/)
      .filter((word) => word.startsWith(prefix) && tokens.has(word.slice(prefix.length)))
      .at(-1)
      ?.slice(prefix.length);
  return { ink: named("text-"), ground: named("bg-") };
}

describe("the bell is readable", () => {
  const schemes = ["light", "dark"] as const;
  test.each(schemes)("its number on its own ground in %s", (scheme) => {
    const { ink = "none", ground = "none" } = coloursOf(".rail-count");
    expect(measured(ink, ground, scheme)).toBeGreaterThanOrEqual(4.5);
  });
  test.each(schemes)(
    "its drawing and word on the rail in %s, while it is pointed at, and while its page is shown",
    (scheme) => {
      const { ink = "none" } = coloursOf(".rail-link");
      const { ground: rail = "none" } = coloursOf(".rail");
      const current = coloursOf('.rail-page[aria-current="page"]');
      expect(measured(ink, rail, scheme)).toBeGreaterThanOrEqual(4.5);
      expect(measured("ink", "sunken", scheme)).toBeGreaterThanOrEqual(4.5);
      expect(measured(current.ink ?? "none", current.ground ?? "none", scheme)).toBeGreaterThanOrEqual(4.5);
    },
  );
});
