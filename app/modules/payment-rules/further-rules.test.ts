import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import type { FurtherFacts, PayeeFacts, PaymentFacts } from "./facts";
import { runRules } from "./index";

/** Rules whose facts are not known of every payment. 20 November 2026 is a Friday; 3:00 UTC is 2 pm in Sydney. */
const NOW = Date.UTC(2026, 10, 20, 3, 0);
const ACCOUNT = { accountName: "Riverbend Timber Pty Ltd", bsb: "062000", accountNumber: "12345678" };

const PAYEE: PayeeFacts = {
  ...ACCOUNT,
  id: "p1",
  name: "Riverbend Timber",
  version: 1,
  whitelisted: true,
  disputedAt: null,
  bankDetailsChangedAt: null,
  takenOffWhitelistAt: null,
  contactChangedAt: null,
  paymentCount: 4,
  lastPaymentDate: NOW - 20 * DAY_MS,
  largestRecentAmount: 125_000,
  latest: null,
  latestDecided: null,
};

const facts = (given: Partial<FurtherFacts>, more: Partial<PaymentFacts> = {}): PaymentFacts => ({
  now: NOW,
  timeZone: "Australia/Sydney",
  reverifyAfterMonths: 12,
  firstPaymentLimitCents: 1_000_000,
  bsbProblem: null,
  amount: 125_000,
  reference: "INV-1042",
  givenName: null,
  account: ACCOUNT,
  payee: PAYEE,
  duplicate: null,
  ...given,
  ...more,
});

const fired = (of: PaymentFacts) => runRules(of, {}).map(({ rule, level }) => `${rule} ${level}`);
const HOURS = { opensAtMinute: 8 * 60, closesAtMinute: 18 * 60, worksWeekends: false };
const toWise = { account: { ...ACCOUNT, bsb: "774001" } };
const LONG = "Riverbend Timber and Hardware Supplies Pty Ltd";

const cases: [string, PaymentFacts, string[]][] = [
  ["nothing further is known", facts({}), []],
  ["another title in the file", facts({ otherTitles: ["Someone Else"] }), ["shared_account hold"]],
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
    "You know Riverbend Timber with another account, 062-000 •••••678. Call them on a number you knew before.",
  );
});
