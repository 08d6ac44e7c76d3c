import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Comparison, Labelled } from "~/routes/_public+/name-matching";
import labelled from "./labelled.json";
import measured from "./measured.json";

const PAGE = "app/routes/_public+/name-matching.tsx";
const html = renderToStaticMarkup(<Comparison />);
const share = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} %`;
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test.each(measured.subjects)("the row of $name says what was measured", (subject) => {
  const row = html.split("<tr>").find((part) => textOf(part).trim().startsWith(subject.name)) ?? "";
  expect(textOf(row)).toContain(
    [
      subject.name,
      subject.tradition,
      share(subject.right, measured.pairs),
      share(subject.differentCalledExact, measured.different),
      `${subject.timesAsLong} ×`,
    ].join(" "),
  );
});

test("the page has no figure of its own", () => {
  const figures = textOf(html).match(/\d[\d,.]*\d|\d/g) ?? [];
  const known = new Set([
    ...measured.subjects.flatMap(({ right, differentCalledExact, timesAsLong }) => [
      share(right, measured.pairs).replace(" %", ""),
      share(differentCalledExact, measured.different).replace(" %", ""),
      String(timesAsLong),
    ]),
    measured.pairs.toLocaleString("en-AU"),
    measured.different.toLocaleString("en-AU"),
    String(measured.slowestPercentMicroseconds),
    measured.slowestHostile.ms.toFixed(1),
    ...measured.measuredOn.split("-").map((part) => String(Number(part))),
    // "99 of 100 pairs"
    "99",
    "100",
  ]);
  expect(figures.filter((figure) => !known.has(figure))).toEqual([]);
  expect(readFileSync(PAGE, "utf8")).not.toMatch(/\d+(\.\d+)? ?(%|times|×|µs|ms)/);
});

test("the lower figures stand on the page with what they were measured on, and the record says the same", () => {
  const text = textOf(renderToStaticMarkup(<Labelled />));
  const record = readFileSync("docs/decisions/0003-name-matching.md", "utf8");
  for (const { name, what, rightPercent, withGuidancePercent, differentCalledExact } of labelled.sets) {
    expect(text).toContain(`${name} ${what} ${rightPercent} % ${withGuidancePercent} % ${differentCalledExact}`);
    expect(record).toContain(`${rightPercent} %`);
    expect(record).toContain(`${withGuidancePercent} %`);
    expect(rightPercent).toBeLessThan((100 * (measured.subjects[0]?.right ?? 0)) / measured.pairs);
  }
  expect(text).toContain("A language model labelled each pair");
});

test("at least six libraries of three traditions are compared, and what is claimed of the matcher holds", () => {
  const [own, reasons, ...libraries] = measured.subjects;
  expect([own?.tradition, reasons?.tradition]).toEqual(["this product", "this product"]);
  expect(libraries.length).toBeGreaterThanOrEqual(6);
  expect(new Set(libraries.map(({ tradition }) => tradition)).size).toBeGreaterThanOrEqual(3);
  expect(own?.differentCalledExact).toBe(0);
  expect(libraries.every(({ right }) => right < (own?.right ?? 0))).toBe(true);
});

test("the readme says what was measured", () => {
  const of = (name: string) => measured.subjects.find((subject) => subject.name === name);
  const row =
    readFileSync("README.md", "utf8")
      .split("\n")
      .find((line) => line.startsWith("| name pairs per second")) ?? "";
  expect(row).toContain((of("PayeeProof")?.pairsPerSecond ?? 0).toLocaleString("en-AU"));
  expect(row).toContain(`${of("fuzzball WRatio")?.timesAsLong} x fuzzball's WRatio`);
  expect(row).toContain(`${of("fastest-levenshtein")?.timesAsLong} x a bare edit distance`);
});
