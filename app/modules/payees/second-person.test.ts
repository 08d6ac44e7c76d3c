import { expect, test } from "vitest";
import { type BankDetailChange, bankDetailsEditors, isOwnWork } from "./second-person";

const payee = {
  name: "Wattle",
  accountName: "Wattle Creek",
  bsb: "062000",
  accountNumber: "12345678",
  createdById: "creator",
};
const change = (userId: string | null, field: string, oldValue: string, newValue: string): BankDetailChange => ({
  field,
  oldValue,
  newValue,
  userId,
});
const entered = (...changes: BankDetailChange[]) => [...bankDetailsEditors(payee, changes)].sort();

test("who added the payee entered what was never changed", () => {
  expect(entered()).toEqual(["creator"]);
});

test("a colleague's edit of the name does not take the account off the person who entered it", () => {
  expect(
    entered(
      change("thief", "bsb", "033000", "062000"),
      change("thief", "accountNumber", "87654321", "12345678"),
      change("colleague", "accountName", "Wattle Crek", "Wattle Creek"),
    ),
  ).toEqual(["colleague", "thief"]);
});

test("sending a value away and back again takes nobody off", () => {
  expect(
    entered(
      change("thief", "accountNumber", "87654321", "012345678"),
      change("colleague", "accountNumber", "012345678", "99999999"),
      change("colleague", "accountNumber", "99999999", "12345678"),
    ),
  ).toEqual(["colleague", "creator", "thief"]);
});

test("a person whose value is gone may approve again", () => {
  const fields = [
    change("second", "accountName", "A", "Wattle Creek"),
    change("first", "bsb", "082000", "033000"),
    change("second", "bsb", "033000", "062000"),
    change("second", "accountNumber", "87654321", "12345678"),
  ];
  expect(entered(...fields)).toEqual(["second"]);
});

test("the person who gave the payee its name entered it; the person who only spelled it otherwise did not", () => {
  const named = (...changes: BankDetailChange[]) =>
    [...bankDetailsEditors({ ...payee, name: "Borealis Mining" }, changes)].sort();
  const renamed = change("renamer", "name", "B Miller", "Borealis Mining Pty Ltd");
  const spelled = change("speller", "name", "Borealis Mining Pty Ltd", "Borealis Mining P/L");
  const short = change("shortener", "name", "Borealis Mining P/L", "Borealis Mining");
  expect(named(renamed, spelled, short)).toEqual(["creator", "renamer", "shortener"]);
  expect([...bankDetailsEditors({ ...payee, name: "BOREALIS MINING P/L" }, [renamed, spelled])].sort()).toEqual([
    "creator",
    "renamer",
  ]);
  const back = change("second", "name", "Borealis Mining", "B Miller");
  expect([...bankDetailsEditors({ ...payee, name: "B Miller" }, [renamed, back])].sort()).toEqual([
    "creator",
    "second",
  ]);
});

test("the system is nobody", () => {
  expect([...bankDetailsEditors({ ...payee, createdById: null }, [])]).toEqual([]);
});

test.each([
  ["entered the details", { enteredBy: new Set(["p"]) }, true],
  ["asked for the verification", { requestedById: "p" }, true],
  ["recorded the payment", { recordedBy: ["other", "p"] }, true],
  ["did none of it", {}, false],
])("a person who %s approves their own work: %s", (_, part, own) => {
  expect(isOwnWork({ enteredBy: new Set(), requestedById: null, recordedBy: [], ...part }, "p")).toBe(own);
});
