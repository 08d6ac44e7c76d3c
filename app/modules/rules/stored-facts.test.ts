import fc from "fast-check";
import { expect, test } from "vitest";
import { type PayeeFacts, type PaymentFacts, paymentFacts } from "./facts";
import { readFacts, readFactsOfLines, UnreadableFacts, writeFacts, writeFactsOfLines } from "./stored-facts";

const readLines = (text: string) => [...readFactsOfLines(text)].map(([line, read]) => [line, read()]);
const readLine = (text: string, line: number) => readFactsOfLines(text).get(line)?.();

const ACCOUNT = { accountName: "Riverbend Timber Pty Ltd", bsb: "062000", accountNumber: "12345678" };

const text = fc.constantFrom("", "Riverbend Timber Pty Ltd", "Wattle Creek", "062000", "12345678");
const instant = fc.option(fc.integer({ min: 0, max: 2_000_000_000_000 }));
const account = fc.oneof(
  fc.constant(ACCOUNT),
  fc.record({ accountName: text, bsb: text, accountNumber: text }),
) as fc.Arbitrary<typeof ACCOUNT>;
const verification = (decided: boolean) =>
  fc
    .tuple(
      account,
      fc.record({
        id: text,
        status: fc.constantFrom("verified" as const, "rejected" as const, "pending" as const),
        createdAt: fc.nat(),
      }),
      instant,
    )
    .map(([details, rest, completedAt]) => ({ ...details, ...rest, ...(decided ? { completedAt } : {}) }));

const payee = fc.tuple(account, fc.boolean(), fc.boolean()).chain(([details, isSame, isKnown]) =>
  fc.record({
    ...Object.fromEntries(Object.entries(details).map(([key, value]) => [key, fc.constant(value)])),
    id: text,
    name: text,
    version: fc.integer({ min: 1, max: 3 }),
    whitelisted: fc.boolean(),
    disputedAt: instant,
    bankDetailsChangedAt: instant,
    takenOffWhitelistAt: instant,
    contactChangedAt: instant,
    paymentCount: fc.nat(3),
    lastPaymentDate: instant,
    largestRecentAmount: instant,
    latest: isKnown ? verification(isSame) : fc.constant(null),
    latestDecided: isKnown ? verification(true) : fc.constant(null),
  }),
) as unknown as fc.Arbitrary<PayeeFacts>;

const standing = fc.oneof(
  fc.constant({ state: "none" as const }),
  fc.record({ state: fc.constantFrom("rejected" as const, "disputed" as const), at: fc.nat() }),
  fc.record({ state: fc.constant("verified" as const), how: text, at: fc.nat() }),
  fc.record({ state: fc.constant("taken_off" as const), how: text, verifiedAt: fc.nat(), at: fc.nat() }),
);
const known = { bsb: text, maskedAccountNumber: text, standing };

const further = fc.record(
  {
    nameWidth: fc.option(fc.constant(32)),
    otherTitles: fc.array(text, { maxLength: 2 }),
    earlierLine: fc.option(fc.nat()),
    isStaffAccount: fc.boolean(),
    register: fc.record({ abn: text, state: fc.constant("active" as const), names: fc.array(text, { maxLength: 2 }) }),
    lookalikeDomain: fc.option(fc.record({ domain: text, known: text })),
    emailDomain: fc.record(
      {
        domain: text,
        registration: fc.record({ since: fc.option(fc.nat()), lookedUpAt: fc.nat() }),
        noDmarc: fc.record({ lookedUpAt: fc.nat(), hadAt: fc.nat() }, { requiredKeys: ["lookedUpAt"] }),
      },
      { requiredKeys: ["domain"] },
    ),
    namesakes: fc.array(
      fc.record(
        { payeeId: text, name: text, ...known },
        { requiredKeys: ["payeeId", "name", "bsb", "maskedAccountNumber"] },
      ),
    ),
    formerHolder: fc.record(
      {
        ...{ payeeId: text, name: text, changedAt: fc.nat() },
        account: fc.record({ standing, now: fc.option(fc.record(known)) }),
      },
      { requiredKeys: ["payeeId", "name", "changedAt"] },
    ),
    bankAnswer: fc.record({
      ...{ verificationId: text, askedName: text, said: text, bankName: fc.option(text), answeredAt: fc.nat() },
      outcome: fc.constantFrom("no_match" as const, "account_closed" as const),
    }),
    lastChange: fc.record({ changedAt: fc.nat(), standing, former: fc.record({ ...known, until: fc.nat() }) }),
    newDetails: fc.boolean(),
    approvalLimitCents: fc.option(fc.nat()),
    editsInLastDay: fc.nat(2),
    lastReturned: fc.option(fc.record({ id: text, returnedAt: fc.nat(), reason: fc.option(text) })),
    formerBsbs: fc.array(text, { maxLength: 2 }),
    workingHours: fc.option(fc.constant({ opensAtMinute: 480, closesAtMinute: 1_080, worksWeekends: true })),
  },
  { requiredKeys: [] },
);

const facts: fc.Arbitrary<PaymentFacts> = fc
  .tuple(
    fc.record({
      now: fc.nat(),
      timeZone: fc.constantFrom("Australia/Sydney", "Australia/Perth"),
      reverifyAfterMonths: fc.constantFrom(6, 12),
      firstPaymentLimitCents: fc.constantFrom(0, 1_000_000),
      amount: fc.nat(),
      reference: text,
      givenName: fc.option(text),
      account,
      bsbProblem: fc.option(text),
      payee: fc.option(payee),
      duplicate: fc.option(
        fc.record({ id: text, status: fc.constant("held" as const), reference: fc.option(text), createdAt: fc.nat() }),
      ),
    }),
    further,
  )
  .map(([known, rest]) => ({ ...known, ...rest }));

test("facts are read as they were written, whatever they are", () => {
  fc.assert(
    fc.property(facts, (seen) => {
      expect(readFacts(writeFacts(seen))).toEqual(seen);
    }),
  );
});

test("facts of lines that were decided together are read as they were written", () => {
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 4 }), (given) => {
      const decided = given.map((seen, index) => ({ line: index + 2, facts: seen }));
      expect(readLines(writeFactsOfLines(decided))).toEqual(decided.map(({ line, facts }) => [line, facts]));
    }),
  );
});

const ID = "02000000-0000-7000-8000-000000009500";

/** The facts of a typical line. */
function usualFacts(paid: {
  paymentCount: number;
  lastPaymentDate: number | null;
  largestRecentAmount: number | null;
}) {
  const verified = { ...ACCOUNT, id: ID, status: "verified" as const, createdAt: 1, completedAt: 2 };
  const never = { disputedAt: null, bankDetailsChangedAt: null, takenOffWhitelistAt: null, contactChangedAt: null };
  const { accountName: name } = ACCOUNT;
  const payee = { ...ACCOUNT, ...never, ...paid, id: "p1", name, version: 3, whitelisted: true };
  const file = { nameWidth: 32, otherTitles: [], earlierLine: null, newDetails: false };
  const limits = {
    timeZone: "Australia/Perth",
    reverifyAfterMonths: 12,
    firstPaymentLimitCents: 5,
    workingHours: null,
  };
  const quiet = { bsbProblem: null, duplicate: null, isStaffAccount: false, lookalikeDomain: null };
  return {
    ...{ ...limits, ...file, ...quiet, now: 9, approvalLimitCents: null, amount: 7, reference: "R-1" },
    ...{ account: ACCOUNT, givenName: name, formerBsbs: [], editsInLastDay: 0, lastReturned: null },
    payee: { ...payee, latest: verified, latestDecided: verified },
  };
}

const paid = fc.record({ paymentCount: fc.nat(), lastPaymentDate: instant, largestRecentAmount: instant });

test("usual facts take few characters, and are read as they were written", () => {
  fc.assert(
    fc.property(paid, (values) => {
      const seen = usualFacts(values);
      const first = writeFactsOfLines([{ line: 2, facts: seen }]);
      const both = writeFactsOfLines([
        { line: 2, facts: seen },
        { line: 3, facts: seen },
      ]);
      expect(both.length - first.length).toBeLessThan(400);
      expect(readLine(both, 3)).toEqual(seen);
    }),
  );
});

const OF_FACTS = Object.keys(usualFacts({ paymentCount: 0, lastPaymentDate: null, largestRecentAmount: null }));
const OF_PAYEE = Object.keys(usualFacts({ paymentCount: 0, lastPaymentDate: null, largestRecentAmount: null }).payee);
const OTHER_FACTS = [
  "register",
  "namesakes",
  "formerHolder",
  "accountingChange",
  "accountingOrigin",
  "bills",
  "ownLimit",
];
const OTHER_OF_PAYEE = ["archivedAt", "draftSince"];
const other = fc.constantFrom<unknown>(undefined, null, true, 8, "8", ["8"], [], {
  ...ACCOUNT,
  id: "; -",
  status: "verified",
});

test("facts that differ from the usual ones in any one of them are read as they were written, or refused where they are none", () => {
  const change = fc.oneof(
    fc.record({ of: fc.constant("facts"), key: fc.constantFrom(...OF_FACTS, ...OTHER_FACTS), value: other }),
    fc.record({ of: fc.constant("payee"), key: fc.constantFrom(...OF_PAYEE, ...OTHER_OF_PAYEE), value: other }),
  );
  // Every record contains the account and the payee.
  const always = ["id", "name", ...Object.keys(ACCOUNT)];
  const isPossible = ({ of, key, value }: { of: string; key: string; value: unknown }) =>
    of === "facts"
      ? !["account", "payee"].includes(key) && (key !== "givenName" || value !== undefined)
      : !always.includes(key) || typeof value === "string";
  const isWhole = (one: { of: string; key: string; value: unknown }) =>
    isPossible(one) && !(one.key.startsWith("latest") && one.value !== null);
  fc.assert(
    fc.property(paid, change.filter(isWhole), (values, { of, key, value }) => {
      const usual = usualFacts(values);
      const changed =
        of === "facts" ? { ...usual, [key]: value } : { ...usual, payee: { ...usual.payee, [key]: value } };
      const seen = changed as unknown as PaymentFacts;
      const text = writeFactsOfLines([
        { line: 9, facts: usual },
        { line: 2, facts: seen },
      ]);
      if (paymentFacts.safeParse(seen).success) expect(readLine(text, 2)).toEqual(seen);
      else expect(() => readLine(text, 2)).toThrow(UnreadableFacts);
      expect(readLine(text, 9)).toEqual(usual);
    }),
    { numRuns: 1_000 },
  );
});

test("a line that was not decided with the others has no facts", () => {
  expect(readLine(writeFactsOfLines([]), 2)).toBe(undefined);
});

const STORED =
  '{"v":1,"now":1795348722645,"amount":10000,"reference":"INV-1","account":{"accountName":"Riverbend Timber Pty Ltd","bsb":"062000","accountNumber":"12345678"},"payee":{"id":"p1","paymentCount":4,"latest":{"id":"v1","createdAt":1,"completedAt":2}}}';

test("a record is read for ever: what is usual never changes under it", () => {
  const verified = { ...ACCOUNT, id: "v1", status: "verified", createdAt: 1, completedAt: 2 };
  const seen = {
    now: 1_795_348_722_645,
    timeZone: "Australia/Sydney",
    reverifyAfterMonths: 12,
    firstPaymentLimitCents: 1_000_000,
    approvalLimitCents: null,
    workingHours: null,
    nameWidth: null,
    amount: 10_000,
    reference: "INV-1",
    account: ACCOUNT,
    givenName: "Riverbend Timber Pty Ltd",
    otherTitles: [],
    earlierLine: null,
    newDetails: false,
    bsbProblem: null,
    duplicate: null,
    isStaffAccount: false,
    formerBsbs: [],
    editsInLastDay: 0,
    lastReturned: null,
    lookalikeDomain: null,
    payee: {
      id: "p1",
      name: "Riverbend Timber Pty Ltd",
      ...ACCOUNT,
      version: 1,
      whitelisted: true,
      disputedAt: null,
      bankDetailsChangedAt: null,
      takenOffWhitelistAt: null,
      contactChangedAt: null,
      paymentCount: 4,
      lastPaymentDate: null,
      largestRecentAmount: null,
      latest: verified,
      latestDecided: verified,
    },
  };
  expect(readFacts(STORED)).toEqual(seen);
  expect(writeFacts(seen as PaymentFacts)).toBe(STORED);
});

test("the facts that lines share are kept once", () => {
  const stored = `{"v":1,"shared":{"now":1795348722645,"nameWidth":32},"lines":[[2,{${STORED.slice('{"v":1,"now":1795348722645,'.length, -1)}}]]}`;
  expect(readLine(stored, 2)).toEqual({ ...readFacts(STORED), nameWidth: 32 });
});

test("a format that is not known is refused, not guessed", () => {
  expect(() => readFacts(STORED.replace('"v":1', '"v":2'))).toThrow(RangeError);
  expect(() => readFactsOfLines('{"v":2,"shared":{},"lines":[]}')).toThrow(RangeError);
  expect(() => readFacts(STORED.replace('"v":1,', ""))).toThrow(RangeError);
});

test.each([
  ["an amount that is no number", '"amount":10000', '"amount":"10000"'],
  ["no amount", '"amount":10000,', ""],
  ["no account", '"account":{', '"accounts":{'],
  ["an account without a BSB", '"bsb":"062000",', ""],
  ["a payee without an id", '"id":"p1",', ""],
  ["a payee that is a text", /"payee":.*$/, '"payee":"p1"}'],
  ["a verification of another kind", '"createdAt":1', '"createdAt":"yesterday"'],
  ["an unknown status", '"createdAt":1', '"createdAt":1,"status":"perhaps"'],
  ["half of the text", /"payee":.*$/, ""],
])("facts with %s are refused, and no rule runs on them", (_, what, other) => {
  const damaged = STORED.replace(what, other);
  expect(damaged).not.toBe(STORED);
  expect(() => readFacts(damaged)).toThrow(UnreadableFacts);
});
