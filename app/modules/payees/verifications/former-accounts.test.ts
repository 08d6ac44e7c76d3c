import { expect, test } from "vitest";
import { formerAccounts } from "./evidence.server";
import { formerHolderSentence, ownFormerAccountSentence } from "./standing";

const NOW = { bsb: "083004", accountNumber: "98765432" };
const aChange = (field: string, oldValue: string, createdAt: number) => ({ field, oldValue, createdAt });

test("a payee whose account never changed had no other", () => {
  expect(formerAccounts(NOW, [])).toEqual([]);
});

test("BSB and account number of one edit are one former account", () => {
  const changes = [aChange("accountNumber", "12345678", 5), aChange("bsb", "062000", 5)];
  expect(formerAccounts(NOW, changes)).toEqual([{ bsb: "062000", accountNumber: "12345678", changedAt: 5 }]);
});

test("of several edits each tells the account before it", () => {
  const changes = [aChange("bsb", "062001", 9), aChange("accountNumber", "12345678", 5), aChange("bsb", "062000", 5)];
  expect(formerAccounts(NOW, changes)).toEqual([
    { bsb: "062001", accountNumber: "98765432", changedAt: 9 },
    { bsb: "062000", accountNumber: "12345678", changedAt: 5 },
  ]);
});

const UNTIL = Date.UTC(2026, 10, 23);

test("whose account it was is one sentence, and a payee's own former account is told in other words", () => {
  const holder = { name: "Cassowary Cleaning", until: UNTIL, isArchived: false };
  expect(formerHolderSentence(holder, "Australia/Sydney")).toBe(
    "This account was Cassowary Cleaning's until 23 Nov 2026.",
  );
  expect(formerHolderSentence({ ...holder, isArchived: true }, "Australia/Sydney")).toBe(
    "This account belongs to Cassowary Cleaning, a payee that was archived on 23 Nov 2026.",
  );
  expect(ownFormerAccountSentence(UNTIL, "Australia/Sydney")).toBe(
    "The payee went back to one of its former accounts: it had this one until 23 Nov 2026.",
  );
});
