import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** The files that a reader opens for one act, as docs/decisions/0021 lists them. */

const DECISION = "docs/decisions/0021-the-structure-in-figures.md";
const MOST_FILES = 8;

/** Files that no import leads to: a queue's message, and the company behind a port. */
const NOT_IMPORTED = /^(workers\/queues|app\/adapters)\//;

const inRepository = (name: string) =>
  /^(routes|http|adapters)\//.test(name) ? `app/${name}` : name.startsWith("workers/") ? name : `app/modules/${name}`;

const journeys = [...readFileSync(DECISION, "utf8").matchAll(/^\| ([A-Z][a-z ]+) \((\d)\) \| (.*) \|$/gm)].map(
  ([, name = "", count = "", files = ""]) => ({
    name,
    count: Number(count),
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => inRepository(file)),
  }),
);

function importsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/from "([^"]+)"/g)].map(([, from = ""]) => {
    const at = from.startsWith("~/") ? `app/${from.slice(2)}` : path.join(path.dirname(file), from);
    return [`${at}.ts`, `${at}.tsx`, `${at}/index.ts`].find((candidate) => existsSync(candidate)) ?? "";
  });
}

test("five journeys are listed", () => {
  expect(journeys.map(({ name }) => name)).toEqual([
    "Add a payee",
    "Bank check",
    "Record a payment",
    "Sign in",
    "Review",
  ]);
});

test.each(journeys)("$name: each file is there, and is reached from a file before it", ({ count, files }) => {
  expect(files).toHaveLength(count);
  expect(count).toBeLessThanOrEqual(MOST_FILES);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const notReached = files.slice(1).filter((file, index) => {
    const before = files.slice(0, index + 1);
    return !NOT_IMPORTED.test(file) && !before.some((from) => importsOf(from).includes(file));
  });
  expect(notReached).toEqual([]);
});
