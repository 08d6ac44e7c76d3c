import fc from "fast-check";
import { expect, test } from "vitest";
import type { SharedAccount, SharedBankData, SharedIdentity } from "~/ports/bank-data";
import { type CheckResult, compareWithBank } from "./compare-with-bank";

const SUBMITTED = { accountName: "Harbour Joinery Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const AT = 1_790_000_000_000;

const anAccount = (account: Partial<SharedAccount> = {}): SharedAccount => ({
  id: "a1",
  connectionId: "c1",
  bsb: "062000",
  accountNumber: "12345678",
  combinedNumber: "06200012345678",
  accountHolder: "HARBOUR JOINERY PTY LTD",
  status: "available",
  isOwned: true,
  ownership: "one",
  institutionName: "Commonwealth Bank",
  ...account,
});

const anIdentity = (identity: Partial<SharedIdentity> = {}): SharedIdentity => ({ connectionId: "c1", ...identity });

const compare = (accounts: SharedAccount[], identities: SharedIdentity[] = [], submitted = SUBMITTED) =>
  compareWithBank(submitted, { accounts, identities }, AT);

const summary = ({ outcome, reasonCode, resultData }: CheckResult) => ({
  outcome,
  reasonCode,
  verifiedName: resultData?.accountName ?? null,
});

const NUMBER: [string, Partial<SharedAccount>][] = [
  ["as submitted", {}],
  ["with a leading zero", { accountNumber: "012345678", combinedNumber: "062000012345678" }],
  ["in one with its BSB", { bsb: undefined, accountNumber: undefined }],
  [
    "in one with its BSB and a leading zero",
    { bsb: undefined, accountNumber: undefined, combinedNumber: "062000012345678" },
  ],
];

test.each(NUMBER)("an account is found with its number %s", (_, account) => {
  const result = compare([anAccount(account)]);
  expect(summary(result)).toEqual({ outcome: "match", reasonCode: null, verifiedName: "HARBOUR JOINERY PTY LTD" });
  expect(result.resultData).toEqual({
    source: "basiq",
    accountName: "HARBOUR JOINERY PTY LTD",
    bsb: "062000",
    accountNumber: "12345678",
    institution: "Commonwealth Bank",
    institutionDiffers: false,
    ownership: "one",
    checkedAt: AT,
  });
});

test.each<[string, Partial<SharedAccount>, object]>([
  ["the BSB's own", {}, { institution: "Commonwealth Bank", institutionDiffers: false }],
  [
    "another than the BSB's",
    { institutionName: "Riverbend Mutual" },
    { institution: "Riverbend Mutual", institutionDiffers: true },
  ],
])("the verified institution is the provider's own answer: %s", (_, account, facts) => {
  for (const status of ["available", "closed"] as const) {
    expect(compare([anAccount({ status, ...account })]).resultData).toMatchObject(facts);
  }
});

test("the institution of an account that may be another one is told, and not compared", () => {
  const masked = { accountNumber: undefined, combinedNumber: undefined, visibleDigits: "678" };
  const { resultData } = compare([anAccount({ ...masked, institutionName: "Riverbend Mutual" })]);
  expect(resultData?.institution).toBe("Riverbend Mutual");
  expect(resultData).not.toHaveProperty("institutionDiffers");
});

test("no institution is told where the provider names none", () => {
  const { resultData } = compare([anAccount({ institutionName: undefined })]);
  expect(resultData).not.toHaveProperty("institution");
  expect(resultData).not.toHaveProperty("institutionDiffers");
});

const UNFOUND: [string, SharedAccount[], string][] = [
  ["nothing was shared", [], "account_not_shared"],
  [
    "another account was shared",
    [anAccount({ accountNumber: "87654321", combinedNumber: undefined })],
    "account_not_shared",
  ],
  ["one digit differs", [anAccount({ accountNumber: "12345679", combinedNumber: undefined })], "account_number_slip"],
  [
    "two digits are swapped",
    [anAccount({ accountNumber: "12345687", combinedNumber: undefined })],
    "account_number_slip",
  ],
  ["the BSB differs", [anAccount({ bsb: "062001", combinedNumber: undefined })], "bsb_differs"],
  ["the bank says that it is somebody else's", [anAccount({ isOwned: false })], "not_owned"],
];

test.each(UNFOUND)("an account counts as not shared when %s, and nothing of the others is kept", (_, accounts, why) => {
  expect(compare(accounts)).toEqual({
    outcome: "account_not_shared",
    reasonCode: why,
    resultData: null,
    match: null,
  });
});

test("a slip is not looked for across branches, and a slip in a closed account is still a slip", () => {
  const slip = { accountNumber: "12345679", combinedNumber: undefined };
  expect(compare([anAccount({ ...slip, bsb: "062001" })]).reasonCode).toBe("account_not_shared");
  expect(compare([anAccount({ ...slip, status: "closed" })]).reasonCode).toBe("account_number_slip");
});

test("an account of which the bank's word for its state is not known is neither open nor closed", () => {
  const unclear = anAccount({ status: "unknown" });
  const told = { outcome: "unable", reasonCode: "account_state_unclear" };
  expect(compare([unclear])).toMatchObject({ ...told, match: null });
  expect(compare([anAccount({ status: "closed" }), unclear])).toMatchObject(told);
  expect(compare([unclear, anAccount({ id: "a2" })]).outcome).toBe("match");
});

test("a closed account is closed whatever its name, and an open connection to it outweighs a closed one", () => {
  const closed = anAccount({ status: "closed" });
  expect(summary(compare([closed]))).toEqual({
    outcome: "account_closed",
    reasonCode: "account_closed",
    verifiedName: null,
  });
  expect(compare([closed, anAccount({ id: "a2" })]).outcome).toBe("match");
});

test("an owner's connection outweighs that of a person who only sees the account", () => {
  expect(compare([anAccount({ isOwned: false }), anAccount({ id: "a2" })]).outcome).toBe("match");
  expect(compare([anAccount({ isOwned: undefined })]).outcome).toBe("match");
});

const HIDDEN = { accountNumber: undefined, combinedNumber: undefined };
const MASKED: [string, Partial<SharedAccount>, string][] = [
  ["the visible digits fit", { ...HIDDEN, bsb: undefined, visibleDigits: "5678" }, "number_masked"],
  ["no digit is visible", { ...HIDDEN, bsb: undefined }, "number_masked"],
  ["the BSB is missing", { bsb: undefined, combinedNumber: undefined }, "number_masked"],
  ["the visible digits differ", { ...HIDDEN, bsb: undefined, visibleDigits: "5679" }, "account_not_shared"],
  ["the visible BSB differs", { ...HIDDEN, bsb: "062001", visibleDigits: "5678" }, "account_not_shared"],
];

test.each(MASKED)("a number that is not shown whole, where %s, ends as %s", (_, account, reasonCode) => {
  expect(compare([anAccount(account)]).reasonCode).toBe(reasonCode);
});

test("a masked account that fits is unable and keeps the digits that were visible", () => {
  const { outcome, resultData, match } = compare([anAccount({ ...HIDDEN, visibleDigits: "5678" })]);
  expect({ outcome, match }).toEqual({ outcome: "unable", match: null });
  expect(resultData).toMatchObject({ visibleDigits: "5678", bsb: "062000" });
  expect(resultData).not.toHaveProperty("accountNumber");
});

const PTY = "Harbour Joinery Pty Ltd";
const NAMES: [string, string | undefined, SharedIdentity[], ReturnType<typeof summary>][] = [
  ["the holder alone", PTY, [], { outcome: "match", reasonCode: null, verifiedName: PTY }],
  [
    "no name at all",
    undefined,
    [anIdentity({ abn: "51824753556" })],
    { outcome: "unable", reasonCode: "name_withheld", verifiedName: null },
  ],
  [
    "the identity of another connection",
    undefined,
    [anIdentity({ connectionId: "c2", legalName: PTY })],
    { outcome: "unable", reasonCode: "name_withheld", verifiedName: null },
  ],
  [
    "only the organisation's legal name",
    undefined,
    [anIdentity({ legalName: PTY, fullName: "Dana Wu" })],
    { outcome: "match", reasonCode: "compared_with_identity", verifiedName: PTY },
  ],
  [
    "a legal and a business name, the business name fitting",
    undefined,
    [anIdentity({ legalName: "DW Holdings Pty Ltd", businessName: PTY })],
    { outcome: "match", reasonCode: "compared_with_identity", verifiedName: PTY },
  ],
  [
    "only a person's name",
    undefined,
    [anIdentity({ fullName: "Dana Wu" })],
    { outcome: "no_match", reasonCode: "compared_with_identity", verifiedName: "Dana Wu" },
  ],
  [
    "a shortened holder and the legal name in full",
    "HARBOUR JOINERY",
    [anIdentity({ legalName: PTY })],
    { outcome: "match", reasonCode: null, verifiedName: PTY },
  ],
  [
    "a holder that contradicts the legal name",
    "Dana Wu",
    [anIdentity({ legalName: PTY })],
    { outcome: "no_match", reasonCode: null, verifiedName: "Dana Wu" },
  ],
  [
    "a holder and a person who signed in under the submitted name",
    "Dana Wu",
    [anIdentity({ fullName: PTY })],
    { outcome: "no_match", reasonCode: null, verifiedName: "Dana Wu" },
  ],
  [
    "two identities that disagree",
    undefined,
    [anIdentity({ legalName: PTY }), anIdentity({ legalName: "Bluegum Freight Pty Ltd" })],
    { outcome: "no_match", reasonCode: "compared_with_identity", verifiedName: "Bluegum Freight Pty Ltd" },
  ],
];

test.each(NAMES)("names: %s", (_, accountHolder, identities, expected) => {
  expect(summary(compare([anAccount({ accountHolder })], identities))).toEqual(expected);
});

test("two connections that name different holders give the less favourable answer, in either order", () => {
  const mine = anAccount();
  const other = anAccount({ id: "a2", connectionId: "c2", accountHolder: "Bluegum Freight Pty Ltd" });
  expect(compare([mine, other]).outcome).toBe("no_match");
  expect(compare([other, mine]).outcome).toBe("no_match");
});

test("a connection without a holder does not weaken one that names the holder", () => {
  const silent = anAccount({ id: "a2", connectionId: "c2", accountHolder: undefined });
  const identity = anIdentity({ connectionId: "c2", fullName: "Dana Wu" });
  expect(compare([silent, anAccount()], [identity]).outcome).toBe("match");
});

test("a joint account is close to one of its holders, names the other and says how it is owned", () => {
  const account = anAccount({ accountHolder: "ANA RUIZ & TOMAS RUIZ", ownership: "two" });
  const { outcome, resultData } = compare([account], [], { ...SUBMITTED, accountName: "Ana Ruiz" });
  expect(outcome).toBe("close_match");
  expect(resultData?.ownership).toBe("two");
});

test("the ABN of the owner is kept where the bank gave it", () => {
  const { resultData } = compare([anAccount()], [anIdentity({ fullName: "Dana Wu", abn: "51824753556" })]);
  expect(resultData?.abn).toBe("51824753556");
});

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: min, maxLength: max });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anySharedAccount: fc.Arbitrary<SharedAccount> = fc.record({
  id: fc.string(),
  connectionId: fc.constantFrom("c1", "c2"),
  bsb: maybe(fc.oneof(fc.constant("062000"), digits(6, 6))),
  accountNumber: maybe(fc.oneof(fc.constant("12345678"), digits(4, 9))),
  combinedNumber: maybe(fc.oneof(fc.constant("06200012345678"), digits(10, 15))),
  visibleDigits: maybe(fc.oneof(fc.constant("678"), digits(1, 5))),
  accountHolder: maybe(fc.constantFrom(PTY, "Harbour Joinery", "Dana Wu", "Bluegum Freight")),
  status: fc.constantFrom("available" as const, "closed" as const, "unknown" as const),
  isOwned: maybe(fc.boolean()),
  ownership: fc.constantFrom("one" as const, "two" as const, "many" as const, "unknown" as const),
  institutionId: fc.string(),
});
const anyShared: fc.Arbitrary<SharedBankData> = fc.record({
  accounts: fc.array(anySharedAccount, { maxLength: 4 }),
  identities: fc.array(
    fc.record({
      connectionId: fc.constantFrom("c1", "c2"),
      fullName: maybe(fc.constantFrom("Dana Wu", PTY)),
      businessName: maybe(fc.constantFrom("Harbour Joinery", "Bluegum Freight")),
      legalName: maybe(fc.constantFrom(PTY, "Bluegum Freight Pty Ltd")),
    }),
    { maxLength: 3 },
  ),
});

test("whatever is shared, a comparison is only made of an open account of this very number", () => {
  fc.assert(
    fc.property(anyShared, (shared) => {
      const { outcome, match, resultData } = compareWithBank(SUBMITTED, shared, AT);
      const isCompared = ["match", "close_match", "no_match"].includes(outcome);
      expect(match !== null).toBe(isCompared);
      if (!isCompared) return;
      const open = shared.accounts.filter((account) => account.status === "available" && account.isOwned !== false);
      const whole = open.map(({ bsb, accountNumber, combinedNumber }) =>
        bsb && accountNumber ? bsb + accountNumber.padStart(9, "0") : (combinedNumber ?? ""),
      );
      expect(whole.some((number) => /^0620000*12345678$/.test(number))).toBe(true);
      expect(resultData?.accountName).toBeDefined();
    }),
  );
});

test("the order in which accounts and identities come changes no outcome", () => {
  fc.assert(
    fc.property(anyShared, (shared) => {
      const turned = { accounts: [...shared.accounts].reverse(), identities: [...shared.identities].reverse() };
      const a = compareWithBank(SUBMITTED, shared, AT);
      const b = compareWithBank(SUBMITTED, turned, AT);
      expect([b.outcome, b.match?.score]).toEqual([a.outcome, a.match?.score]);
    }),
  );
});
