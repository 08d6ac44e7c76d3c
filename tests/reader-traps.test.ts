import { afterAll, expect, test } from "vitest";
import { TRAPS } from "./support/documents/traps";
import { read, stopReader } from "./support/reader";

/** Invoices that were made to deceive: each is named or refused, and what nobody sees is never read with certainty. */

afterAll(stopReader);

test.each(TRAPS)("$name", async ({ bytes, never, seen, named }) => {
  const answer = await read(await bytes());
  if (answer.status === "unreadable") {
    expect(named).not.toEqual([]);
    return;
  }
  const certain = answer.accounts
    .filter((account) => account.certain)
    .map(({ bsb, accountNumber }) => bsb + accountNumber);
  expect(certain.filter((digits) => never.includes(digits))).toEqual([]);
  if (seen) expect(certain).toContain(seen);
  const codes: string[] = answer.findings.map(({ code }) => code);
  if (named.length > 0) expect(codes.filter((code) => named.includes(code))).not.toEqual([]);
});
