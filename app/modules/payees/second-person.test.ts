import { expect, test } from "vitest";
import { hasUnknownEditor, originOf } from "~/kernel/bank-account";
import type { DetailsOrigin } from "~/kernel/payee";
import { isOnePerson } from "~/modules/payments/payment-facts/facts.server";
import { type BankDetailChange, bankDetailsEditors, isOwnWork } from "./second-person.server";

const payee = {
  name: "Wattle",
  accountName: "Wattle Creek",
  bsb: "062000",
  accountNumber: "12345678",
  createdById: "creator",
  accountingOrigins: null,
};
const change = (
  userId: string | null,
  field: string,
  oldValue: string | null,
  newValue: string | null,
): BankDetailChange => ({
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

test("who gave the account a name that is gone did not name the payee, and neither did who filled in an empty field", () => {
  expect(
    entered(
      change("clerk", "accountName", "J Miller", "Wattle"),
      change("second", "accountName", "Wattle", "Wattle Creek"),
      change("first", "name", null, "Wattle"),
      change("last", "name", "Wattle", null),
    ),
  ).toEqual(["creator", "second"]);
});

test("whoever filled in a number that was not there entered it, and whoever emptied it did not", () => {
  const changes = [
    change("eraser", "accountNumber", "87654321", null),
    change("writer", "accountNumber", null, "12345678"),
  ];
  expect(entered(...changes)).toEqual(["creator", "writer"]);
  expect(entered(change("writer", "accountNumber", null, "12345678"))).toEqual(["creator", "writer"]);
});

test("the system is nobody", () => {
  expect([...bankDetailsEditors({ ...payee, createdById: null }, [])]).toEqual([]);
});

const fromXero: DetailsOrigin = {
  system: "xero",
  bsb: "062000",
  accountNumber: "012345678",
  cameAt: 1,
  editedBy: "Jo Nguyen",
  editorIds: ["clerk"],
  isEditorKnown: true,
  connectedById: "connector",
};
const synced = (...accountingOrigins: DetailsOrigin[]) => ({ ...payee, createdById: null, accountingOrigins });
const unknown = { ...fromXero, editorIds: [], isEditorKnown: false };
const OTHER_NUMBER = { ...fromXero, accountNumber: "99999999" };
const OTHER_BRANCH = { ...fromXero, bsb: "033002" };
const OTHER_ACCOUNT = { ...OTHER_NUMBER, bsb: "033002" };

test.each<[string, DetailsOrigin[], string[], { cameFrom: boolean; isUnknown: boolean }]>([
  ["no person entered it there", [], [], { cameFrom: false, isUnknown: false }],
  ["the clerk edited the supplier", [fromXero], ["clerk", "connector"], { cameFrom: true, isUnknown: false }],
  ["its history says nothing", [unknown], ["connector"], { cameFrom: true, isUnknown: true }],
  [
    "its history names the clerk and a stranger",
    [{ ...fromXero, isEditorKnown: false }],
    ["clerk", "connector"],
    { cameFrom: true, isUnknown: true },
  ],
  ["it is not kept who connected", [{ ...unknown, connectedById: null }], [], { cameFrom: true, isUnknown: true }],
  ["another account came from there before", [OTHER_ACCOUNT], [], { cameFrom: false, isUnknown: false }],
  ["only the number was corrected here", [OTHER_NUMBER], ["clerk", "connector"], { cameFrom: false, isUnknown: false }],
  ["only the BSB was corrected here", [OTHER_BRANCH], ["clerk", "connector"], { cameFrom: false, isUnknown: false }],
  [
    "it came twice, once by nobody knows whom",
    [unknown, fromXero],
    ["clerk", "connector"],
    { cameFrom: true, isUnknown: true },
  ],
])("an account from Xero where %s is the work of %s", (_, origins, people, { cameFrom, isUnknown }) => {
  expect([...bankDetailsEditors(synced(...origins), [])].sort()).toEqual(people);
  expect([originOf(synced(...origins)) !== undefined, hasUnknownEditor(synced(...origins))]).toEqual([
    cameFrom,
    isUnknown,
  ]);
});

test("restoring details that came from Xero is the work of whoever entered them there, though another account stands now", () => {
  const former = { accountName: "Wattle Creek", bsb: "062000", accountNumber: "12345678" };
  const changed = { ...synced(fromXero), bsb: "033002", accountNumber: "99999999" };
  const changes = [
    change("colleague", "bsb", "062000", "033002"),
    change("colleague", "accountNumber", "12345678", "99999999"),
  ];
  expect([...bankDetailsEditors(changed, changes)]).toEqual(["colleague"]);
  expect([...bankDetailsEditors({ ...changed, ...former }, changes)].sort()).toEqual(["clerk", "connector"]);
});

test("who took a changed account over from Xero is its editor too, beside whoever edited it there", () => {
  const takenOver = [
    change("colleague", "bsb", "033000", "062000"),
    change("colleague", "accountNumber", "1111", "12345678"),
  ];
  expect([...bankDetailsEditors({ ...payee, accountingOrigins: [fromXero] }, takenOver)].sort()).toEqual([
    "clerk",
    "colleague",
    "connector",
    "creator",
  ]);
});

test("an account that people here entered came from no accounting system", () => {
  expect(originOf(payee)).toBeUndefined();
  expect(hasUnknownEditor(payee)).toBe(false);
});

test.each([
  ["the recorder approved the payee", "clerk", "clerk", true],
  ["a colleague approved the payee", "colleague", "clerk", false],
  ["a rule trusts the payee", null, "clerk", false],
  ["nobody trusts the payee", undefined, "clerk", false],
  ["no person recorded the payment", null, null, false],
])("one person alone stands behind a payment where %s: %s", (_, trustedById, recordedById, expected) => {
  expect(isOnePerson(trustedById, recordedById)).toBe(expected);
});

test.each([
  ["entered the details", { enteredBy: new Set(["p"]) }, true],
  ["asked for the verification", { requestedById: "p" }, true],
  ["recorded the payment", { recordedBy: ["other", "p"] }, true],
  ["did none of it", {}, false],
])("a person who %s approves their own work: %s", (_, part, own) => {
  expect(isOwnWork({ enteredBy: new Set(), requestedById: null, recordedBy: [], ...part }, "p")).toBe(own);
});
