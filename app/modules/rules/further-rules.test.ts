import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { ACCOUNT, aPayee, aPayment, NOW } from "../../../tests/support/payment-facts";
import { runRules } from "./";
import type { BillFact, BillsFact, FurtherFacts, PayeeFacts, PaymentFacts } from "./facts";

/** Rules whose facts are known only for some payments. */
const PAYEE = aPayee({ latest: null, latestDecided: null });

const facts = (given: Partial<FurtherFacts>, more: Partial<PaymentFacts> = {}): PaymentFacts =>
  aPayment({ payee: PAYEE, ...given, ...more });

const bill = (given: Partial<BillFact> = {}): BillFact => ({
  system: "xero",
  number: "INV-1042",
  supplier: "Riverbend Timber",
  status: "open",
  amountDue: 125_000,
  amountPaid: 0,
  isOwn: true,
  bsb: "062000",
  maskedAccountNumber: "*****678",
  ...given,
});
const withBills = (named: BillFact[], others: BillsFact["others"] = null) => facts({ bills: { named, others } });
const others = (isFitting: boolean) => ({ system: "myob", count: 2, totalCents: 900_00, isFitting });
const ANOTHER = bill({ isOwn: false, supplier: "Wattle", bsb: "033002" });

const fired = (of: PaymentFacts) => runRules(of, {}).map(({ rule, level }) => `${rule} ${level}`);
const HOURS = { opensAtMinute: 8 * 60, closesAtMinute: 18 * 60, worksWeekends: false };
const toWise = { account: { ...ACCOUNT, bsb: "774001" } };
const ORIGIN = {
  system: "xero",
  cameAt: NOW - DAY_MS,
  editedBy: null,
  isEditorKnown: false,
  isFirstPayment: true,
  isOnePerson: false,
};
const LONG = "Riverbend Timber and Hardware Supplies Pty Ltd";

const FORMER = {
  formerHolder: {
    ...{ payeeId: "p2", name: "Cassowary Cleaning", changedAt: NOW - DAY_MS },
    account: {
      standing: { state: "none" as const },
      now: { bsb: "062000", maskedAccountNumber: "*****788", standing: { state: "none" as const } },
    },
  },
};
const approved = (over: Partial<PayeeFacts> = {}): PayeeFacts => {
  const latest = { ...ACCOUNT, id: "v1", status: "verified" as const, createdAt: 1, completedAt: 2 };
  return { ...PAYEE, latest, latestDecided: latest, ...over };
};

const cases: [string, PaymentFacts, string[]][] = [
  ["another payee's former account, trusted by hand", facts(FORMER), ["former_account hold"]],
  ["another payee's former account, approved by a person", facts(FORMER, { payee: approved() }), []],
  [
    "another payee's former account, approved when the payee had another one",
    facts(FORMER, { payee: approved({ accountNumber: "87654321" }) }),
    ["former_account hold"],
  ],
  ["a bill of this amount", withBills([bill()]), []],
  ["a bill of another amount", withBills([bill({ amountDue: 125_001 })]), ["bill_amount_differs hold"]],
  ["a bill of which this is left to pay", withBills([bill({ amountDue: 125_000, amountPaid: 500 })]), []],
  [
    "a bill that was paid with this amount",
    withBills([bill({ status: "paid", amountDue: 0, amountPaid: 125_000 })]),
    [],
  ],
  [
    "a bill that was paid with another amount",
    withBills([bill({ status: "paid", amountDue: 0, amountPaid: 1 })]),
    ["bill_amount_differs hold"],
  ],
  ["a voided bill", withBills([bill({ status: "void" })]), ["bill_amount_differs hold"]],
  ["a bill that is listed no more, of this amount", withBills([bill({ status: "gone" })]), []],
  [
    "a bill that is listed no more, of another",
    withBills([bill({ status: "gone", amountDue: 7 })]),
    ["bill_amount_differs hold"],
  ],
  ["one of two bills with the number fits", withBills([bill({ amountDue: 7 }), bill()]), []],
  ["a bill of another supplier", withBills([ANOTHER]), ["bill_account_differs hold"]],
  ["a bill of another supplier without an account", withBills([{ ...ANOTHER, bsb: null }]), []],
  ["a bill of the payee and one of another supplier", withBills([bill(), ANOTHER]), []],
  ["other bills that add up to it", withBills([], others(true)), []],
  ["other bills that do not", withBills([], others(false)), ["bill_amount_differs hold"]],
  ["nothing further is known", facts({}), []],
  ["another title in the file", facts({ otherTitles: ["Someone Else"] }), ["shared_account hold"]],
  ["a first payment to an account from Xero", facts({ accountingOrigin: ORIGIN }), []],
  [
    "one person alone behind an account from Xero",
    facts({ accountingOrigin: { ...ORIGIN, isOnePerson: true } }),
    ["one_person hold"],
  ],
  ["no other title", facts({ otherTitles: [] }), []],
  ["a staff account", facts({ isStaffAccount: true }), ["staff_account hold"]],
  ["an earlier equal line", facts({ earlierLine: 7 }), ["duplicate_payment hold"]],
  [
    "a cancelled ABN",
    facts({ register: { abn: "1", state: "cancelled", names: ["Riverbend Timber"] } }),
    ["abn_inactive warn"],
  ],
  [
    "an ABN of somebody else",
    facts({ register: { abn: "1", state: "active", names: ["Quill"] } }),
    ["abn_inactive warn"],
  ],
  ["an active ABN", facts({ register: { abn: "1", state: "active", names: ["Quill", "Riverbend Timber"] } }), []],
  ["an ABN that is not there", facts({ register: { abn: "1", state: "not_found", names: [] } }), ["abn_inactive warn"]],
  ["a look-alike domain", facts({ lookalikeDomain: { domain: "a", known: "b" } }), ["lookalike_domain hold"]],
  [
    "a new email domain",
    facts({ emailDomain: { domain: "a.example", registration: { since: null, lookedUpAt: 1 } } }),
    ["domain_new warn"],
  ],
  [
    "an email domain without DMARC, which no rule warns of unless it is turned on",
    facts({ emailDomain: { domain: "a.example", noDmarc: { lookedUpAt: 1 } } }),
    [],
  ],
  ["two edits in a day", facts({ editsInLastDay: 2 }), []],
  ["three edits in a day", facts({ editsInLastDay: 3 }), ["many_changes hold"]],
  ["a mark for new details", facts({ newDetails: true }), ["marked_new_details warn"]],
  ["an amount at the limit", facts({ approvalLimitCents: 125_000 }), ["just_under_limit warn"]],
  ["an amount five per cent under the limit", facts({ approvalLimitCents: 131_578 }), ["just_under_limit warn"]],
  ["an amount further under the limit", facts({ approvalLimitCents: 131_600 }), []],
  ["an amount above the limit", facts({ approvalLimitCents: 124_999 }), []],
  ["a bank before, a payment company now", facts({ formerBsbs: ["062000"] }, toWise), ["payment_company hold"]],
  ["a payment company before and now", facts({ formerBsbs: ["774001"] }, toWise), []],
  ["a payment company from the first day", facts({ formerBsbs: [] }, toWise), []],
  ["within working hours", facts({ workingHours: HOURS }), []],
  ["before working hours", facts({ workingHours: HOURS }, { now: NOW - 7 * 3_600_000 }), ["outside_hours warn"]],
  ["on a Saturday", facts({ workingHours: HOURS }, { now: NOW + DAY_MS }), ["outside_hours warn"]],
  ["on a working Saturday", facts({ workingHours: { ...HOURS, worksWeekends: true } }, { now: NOW + DAY_MS }), []],
  [
    "a long name cut at the width of its field",
    facts({ nameWidth: 32 }, { givenName: LONG.slice(0, 32), payee: { ...PAYEE, accountName: LONG } }),
    [],
  ],
  [
    "the same beginning where names are not cut",
    facts({ nameWidth: null }, { givenName: LONG.slice(0, 30), payee: { ...PAYEE, accountName: LONG } }),
    ["name_differs hold"],
  ],
];

test.each(cases)("%s", (_, of, rules) => {
  expect(fired(of)).toEqual(rules);
});

test("an unknown account under a payee's name points to the payee, its number masked", () => {
  const namesakes = [{ payeeId: "p1", name: "Riverbend Timber", bsb: "062000", maskedAccountNumber: "•••••678" }];
  const reasons = runRules(facts({ namesakes }, { payee: null }), {});
  expect(reasons.map(({ rule }) => rule)).toEqual(["payee_not_trusted", "known_name_new_account"]);
  expect(reasons[1]?.message).toBe(
    "You know Riverbend Timber with a different account, 062-000 •••••678. Call them on a number you knew before.",
  );
});

test("a bill is named with its supplier, its amount and the difference, and never with a whole account number", () => {
  const say = (of: PaymentFacts) => runRules(of, {}).map(({ message }) => message);
  expect(say(withBills([bill({ amountDue: 120_000 })]))).toEqual([
    "$1,200.00 is due on bill INV-1042 of Riverbend Timber in Xero. This payment is for $1,250.00, $50.00 more.",
  ]);
  expect(say(withBills([ANOTHER]))).toEqual([
    "Bill INV-1042 in Xero is from Wattle, which has the account 033-002 *****678 there. This payment goes to a different account, in the name of Riverbend Timber Pty Ltd.",
  ]);
  expect(say(withBills([], others(false)))).toEqual([
    "None of the 2 approved bills of Riverbend Timber in MYOB, $900.00 in all, has this amount or number, nor do any of them add up to it.",
  ]);
});

test.each(["off", "warn"] as const)(
  "what is above the limit of everybody behind it, or was perhaps paid before a restore, is held although the rules were set to %s",
  (level) => {
    const ownLimit = { by: "trust" as const, limitCents: 100, sameDayCents: 0, sameFileCents: 0 };
    const lostPayment = { id: "m1", recordedAt: NOW - DAY_MS };
    const levels = { above_own_limit: level, repeated_after_restore: level };
    expect(runRules(facts({ ownLimit, lostPayment }), levels).map(({ rule, level }) => `${rule} ${level}`)).toEqual([
      "above_own_limit hold",
      "repeated_after_restore hold",
    ]);
  },
);

test.each(["off", "warn"] as const)("one person alone is held although an organisation set the rule to %s", (level) => {
  const [reason] = runRules(facts({ accountingOrigin: { ...ORIGIN, isOnePerson: true } }), { one_person: level });
  expect(reason).toMatchObject({ rule: "one_person", level: "hold" });
  expect(reason?.message).toBe(
    "The bank details of Riverbend Timber came from Xero on 19 Nov 2026, and it is not known who entered them there. The person who recorded this payment also approved them, so another person has to approve the payment.",
  );
});
