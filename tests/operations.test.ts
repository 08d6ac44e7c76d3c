import { readFileSync } from "node:fs";
import { variables } from "@workers/env";
import { expect, test } from "vitest";

/** Compares the operators' documentation with the variables that the app reads. */

const COLUMNS = 7;
const rows = readFileSync("docs/operations/variables.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim().replace(/^\|\s*|\s*\|$/g, "")),
  );
const nameOf = ([cell = ""]: readonly string[]) => cell.replaceAll("`", "");
const rowOf = (name: string) => rows.find((row) => nameOf(row) === name) ?? [];

test("each variable of workers/env.ts has a row, once, and no other has one", () => {
  expect(rows.map(nameOf).sort()).toEqual(Object.keys(variables.shape).sort());
});

test.each(Object.keys(variables.shape))(
  "%s: meaning, source, format, how to make it, what without it, rotation",
  (name) => {
    const row = rowOf(name);
    expect(row).toHaveLength(COLUMNS);
    expect(row.filter((cell) => cell.length < 2)).toEqual([]);
  },
);

test.each(Object.entries(variables.shape))(
  "%s: the page says truly whether the app starts without it",
  (name, schema) => {
    const [, , , , , without = ""] = rowOf(name);
    expect(without === "refuses to start").toBe(!schema.safeParse(undefined).success);
  },
);

test.each(Object.entries(variables.shape))("%s: the page says whether it is a list", (name, schema) => {
  const [, , , format = ""] = rowOf(name);
  const parsed = [
    "sk_1,sk_2",
    `${"a".repeat(32)},${"b".repeat(32)}`,
    "whsec_dGVzdC13ZWJob29r,whsec_dGVzdC13ZWJob29s",
    "a,b",
  ]
    .map((text) => schema.safeParse(text))
    .some(({ data }) => Array.isArray(data));
  const isKeys = name.endsWith("_KEYS") && name !== "XERO_WEBHOOK_KEYS";
  expect(format.startsWith("list")).toBe(parsed || isKeys);
});
