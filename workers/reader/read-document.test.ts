import { expect, test } from "vitest";
import { numbersInXml } from "./read-document";

const numbersIn = (xml: string) => numbersInXml(Buffer.from(xml)).map(({ accountNumber }) => accountNumber);

test("the numbers of accounts in an XML file", () => {
  expect(numbersIn('<ram:ProprietaryID schemeID="x">9988 7766</ram:ProprietaryID><BIC>12</BIC>')).toEqual(["99887766"]);
});

test("a name that never ends does not keep the reader busy", () => {
  const started = performance.now();
  expect(numbersIn(`<${"account".repeat(28_000)}`)).toEqual([]);
  // Without a limit it takes more than nine seconds, and now a few milliseconds.
  expect(performance.now() - started).toBeLessThan(4_000);
});
