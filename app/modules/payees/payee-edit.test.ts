import fc from "fast-check";
import { expect, test } from "vitest";
import { BANK_FIELDS, PAYEE_FIELDS, type PayeeDetails } from "~/kernel/payee";
import { decideEdit, describeSlip, maskChange, showChange } from "./payee-edit";

const current: PayeeDetails = {
  name: "Acme",
  accountName: "Acme Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  abn: null,
  email: "pay@acme.example",
  phone: null,
  address: null,
};

test("nothing changed decides nothing", () => {
  expect(decideEdit(current, { ...current })).toEqual({
    changes: [],
    bankDetailsChanged: false,
    renamed: false,
    endsTrust: false,
    contactChanged: false,
    accountChanged: false,
  });
});

test.each([
  [{ name: "Acme Group" }, false, false, false],
  [{ abn: "51824753556" }, false, false, false],
  [{ address: "1 King St" }, false, false, false],
  [{ email: null }, false, true, false],
  [{ phone: "+61412345678" }, false, true, false],
  [{ accountName: "ACME PTY LTD" }, true, false, false],
  [{ bsb: "062001" }, true, false, true],
  [{ accountNumber: "12345679" }, true, false, true],
  [{ accountNumber: "012345678" }, true, false, false],
  [{ accountNumber: "12345679", email: "new@acme.example" }, true, true, true],
] as const)("%j: bank details %s, contact %s, account %s", (patch, bank, contact, account) => {
  const decision = decideEdit(current, { ...current, ...patch });
  expect(decision).toMatchObject({
    bankDetailsChanged: bank,
    contactChanged: contact,
    accountChanged: account,
  });
  expect(decision.changes.map((change) => change.field).sort()).toEqual(Object.keys(patch).sort());
});

/** Payee names as people correct them, and as somebody would rename a payee to another one. */
test.each([
  ["Borealis Mining", "BOREALIS MINING", false],
  ["Borealis Mining Pty Ltd", "Borealis Mining Pty. Limited", false],
  ["Borealis Mining Pty Ltd", "Borealis Mining P/L", false],
  ["Borealis Mining", "The Borealis Mining", false],
  ["Smith & Sons", "Smith and Sons", false],
  ["Café Nord", "Cafe Nord", false],
  ["Mr John Smith", "John Smith", false],
  ["Smith, John", "John Smith", false],
  ["B Miller", "Borealis Mining", true],
  ["Borealis Mining", "Boreal Mining", true],
  ["Borealis Mining", "Borealis Mining Pty Ltd", true],
  ["Borealis Mining Pty Ltd", "Borealis Mining Holdings Pty Ltd", true],
  ["Borealis Mining", "Borealis Mining Trust", true],
  ["Borealis Mining", "Borealis Minlng", true],
  ["Borealis Mining", "Воrealis Mining", true],
  ["B Miller", "B Miller trading as Borealis Mining", true],
  ["Borealis Mining 1", "Borealis Mining 2", true],
  ["John Smith", "Jack Smith", true],
])("%s, then %s: another name is %s, and ends the trust", (from, to, isAnother) => {
  const decision = decideEdit({ ...current, name: from }, { ...current, name: to });
  expect(decision).toMatchObject({ renamed: isAnother, endsTrust: isAnother, bankDetailsChanged: false });
  expect(decision.changes).toEqual([{ field: "name", from, to }]);
});

test("each differing field is one change, and trust ends exactly when a bank field or another name is among them", () => {
  const patch = fc.record(
    {
      name: fc.string(),
      accountName: fc.string(),
      bsb: fc.stringMatching(/^\d{6}$/),
      accountNumber: fc.stringMatching(/^\d{4,9}$/),
      email: fc.option(fc.string()),
      phone: fc.option(fc.string()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(patch, (given) => {
      const next: PayeeDetails = { ...current, ...given };
      const { changes, bankDetailsChanged, renamed, endsTrust } = decideEdit(current, next);
      expect(changes.map((change) => change.field)).toEqual(
        PAYEE_FIELDS.filter((field) => current[field] !== next[field]),
      );
      expect(endsTrust).toBe(bankDetailsChanged || renamed);
      expect(renamed && next.name === current.name).toBe(false);
      expect(bankDetailsChanged).toBe(BANK_FIELDS.some((field) => current[field] !== next[field]));
    }),
  );
});

test("only account numbers are masked, on both sides", () => {
  expect(maskChange({ field: "accountNumber", from: "12345678", to: null })).toEqual({
    field: "accountNumber",
    from: "•••••678",
    to: null,
  });
  const bsb = { field: "bsb", from: "062000", to: "062001" } as const;
  expect(maskChange(bsb)).toEqual(bsb);
});

test.each([
  ["one digit of the present number", "12345679", "One digit differs from the current number (•••••678)."],
  [
    "two digits exchanged",
    "12345687",
    "Two neighbouring digits are swapped compared with the current number (•••••678).",
  ],
  ["one digit of a former number", "87654322", "One digit differs from a former number of this payee (•••••321)."],
  ["another number", "11112222", undefined],
  ["the same number with its zero", "012345678", undefined],
])("a possible typo: %s", (_, typed, sentence) => {
  const found = describeSlip(typed, ["12345678", "87654321"]);
  if (sentence === undefined) expect(found).toBeNull();
  else expect(found).toContain(sentence);
});

test.each([
  ["bsb", "062000", null, "BSB", "062-000", null],
  ["abn", null, "51824753556", "ABN", null, "51 824 753 556"],
  ["phone", "+61412000001", "+61298765432", "Phone", "0412 000 001", "(02) 9876 5432"],
  ["name", "Wattle", "Wattle Creek", "Payee name", "Wattle", "Wattle Creek"],
  ["gone_since", "a", "b", "gone_since", "a", "b"],
])("a change of %s from %s to %s is shown as people write it", (field, from, to, label, shownFrom, shownTo) => {
  expect(showChange({ field, from, to })).toEqual({ field: label, from: shownFrom, to: shownTo });
});
