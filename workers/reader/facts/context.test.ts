import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { findLabels } from "./labels";
import { findLooseNumbers } from "./loose-numbers";
import { findBpay } from "./other-numbers";
import { readPageFacts } from "./page-facts";

test("a long line with many labels does not keep the reader busy", () => {
  const lines = linesOfText("BSB 062-000 Account 12345678 ".repeat(400));
  const started = performance.now();
  expect(findLabels(lines)).toHaveLength(800);
  // If the line were split for each label, it would take more than ten seconds.
  expect(performance.now() - started).toBeLessThan(4_000);
});

test("a text with too many labels and numbers is refused instead of read for minutes", () => {
  const words = "BSB 062-000 Account 12345678";
  expect(() => readPageFacts(linesOfText(`${words} `.repeat(400)))).toThrow("too_slow");
  expect(readPageFacts(linesOfText(`${words}\n`.repeat(50))).accounts.length).toBeGreaterThan(0);
});

/** Some of them took more than a minute. */
test.each(["BSB\n", "bsb ", "062-\n", "BSB 062-\n", "1\t2\t3\t4\n", "Biller Code\n"])(
  "the time that a message of nothing but %j takes grows with its length only",
  (words) => {
    const lines = linesOfText(words.repeat(100_000 / words.length));
    const { user } = process.cpuUsage();
    findLooseNumbers(lines, readPageFacts(lines));
    findBpay(lines);
    expect(process.cpuUsage().user - user).toBeLessThan(6_000_000);
  },
);

test("bills with thousands of biller codes take no minutes", () => {
  const { user } = process.cpuUsage();
  const lines = linesOfText(Array.from({ length: 5_000 }, (_, at) => `Biller Code: ${10_000 + at}`).join("\n"));
  expect(findBpay(lines).length).toBeGreaterThan(20);
  expect(process.cpuUsage().user - user).toBeLessThan(4_000_000);
});
