import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { ACCOUNT, aPayee, aPayment, NOW, VERIFIED } from "../../../tests/support/payment-facts";
import { noteOfReason, RULES, runRules } from "./";
import { type AccountStanding, describeTrust, standingClause } from "./account-standing";
import { currentRuleSet, replayDecision, textOfRuleSet } from "./decision-record.statements.server";
import type { BillFact, InvoiceFact, PayeeFacts, PaymentFacts } from "./facts";
import { holdSentence, isHoldCause } from "./payment-holds";

/** The exact sentence and evidence of each rule, at the threshold where it fires and one step before it. */

const ZONE = "Australia/Sydney";
const PAYEE = aPayee();

const pay = aPayment;
const to = (payee: Partial<PayeeFacts>, given: Partial<PaymentFacts> = {}) =>
  pay({ payee: { ...PAYEE, ...payee }, ...given });
const untrusted = (payee: Partial<PayeeFacts> = {}, given: Partial<PaymentFacts> = {}) =>
  to({ whitelisted: false, latest: null, latestDecided: null, ...payee }, given);
const waiting = (outcome?: NonNullable<PayeeFacts["latest"]>["outcome"], over: Partial<PayeeFacts> = {}) =>
  untrusted({ latest: { ...VERIFIED, id: "v2", status: "pending", ...(outcome ? { outcome } : {}) }, ...over });
const verifiedAt = (completedAt: number | null, payee: Partial<PayeeFacts> = {}, given: Partial<PaymentFacts> = {}) =>
  to(
    { latestDecided: { ...VERIFIED, createdAt: NOW - 800 * DAY_MS, completedAt }, lastPaymentDate: null, ...payee },
    given,
  );

const bill = (given: Partial<BillFact> = {}): BillFact => ({
  system: "xero",
  number: "INV-1042",
  supplier: "Riverbend Timber",
  status: "open",
  amountDue: 125_000,
  amountPaid: 0,
  isOwn: true,
  bsb: "062000",
  maskedAccountNumber: "•••••678",
  ...given,
});
const ITS_ACCOUNT = { bsb: "062000", maskedAccountNumber: "•••••678", isPaid: true };
const OTHER_ACCOUNT = { bsb: "083170", maskedAccountNumber: "•••••412", isPaid: false };
const invoice = (given: Partial<InvoiceFact> = {}): InvoiceFact => ({
  id: "i1",
  version: 2,
  number: "INV-1042",
  supplier: "Riverbend Timber Pty Ltd",
  receivedAt: NOW - DAY_MS,
  totalCents: 125_000,
  by: "reference",
  isOwn: true,
  accounts: [ITS_ACCOUNT],
  stop: null,
  paid: null,
  ...given,
});
const invoices = (...seen: InvoiceFact[]) => pay({ invoices: seen });
const bills = (...named: BillFact[]) => pay({ bills: { named, others: null } });
const others = (count: number, totalCents = 90_000) =>
  pay({ bills: { named: [], others: { system: "myob", count, totalCents, isFitting: false } } });
const change = {
  system: "xero",
  noticedAt: NOW - DAY_MS,
  editedBy: null,
  bsb: "033002",
  maskedAccountNumber: "•••••001",
};
const ownLimit = (given: Partial<NonNullable<PaymentFacts["ownLimit"]>> = {}) => ({
  ...{ by: "trust" as const, limitCents: 1_000_000, sameDayCents: 0, sameFileCents: 0 },
  ...given,
});
const hours = { opensAtMinute: 8 * 60, closesAtMinute: 18 * 60, worksWeekends: false };
/** This many minutes after midnight in Sydney on a Friday; `days` moves it to other days. */
const at = (minute: number, days = 0) => Date.UTC(2026, 10, 19, 13, minute) + days * DAY_MS;
const YEAR_AGO = Date.UTC(2025, 10, 20, 3, 0);
const register = (state: "active" | "cancelled" | "not_found", ...names: string[]) => ({
  register: { abn: "51824753556", state, names },
});
const registered = (since: number | null) => ({
  emailDomain: { domain: "riverbend.example", registration: { since, lookedUpAt: NOW - DAY_MS } },
});
const withoutDmarc = (hadAt?: number) => ({
  emailDomain: { domain: "riverbend.example", noDmarc: { lookedUpAt: NOW - DAY_MS, hadAt } },
});
const verifiedStanding: AccountStanding = { state: "verified", how: "confirmed by the bank", at: YEAR_AGO };

const formerly = (
  payeeId: string,
  now: { bsb: string; maskedAccountNumber: string; standing: AccountStanding } | null,
) => ({
  formerHolder: {
    ...{ payeeId, name: "Cassowary Cleaning", changedAt: NOW - DAY_MS },
    account: { standing: verifiedStanding, now },
  },
});
const elsewhere = { bsb: "033002", maskedAccountNumber: "•••••001", standing: verifiedStanding };
const lastChange = {
  changedAt: NOW - DAY_MS,
  standing: verifiedStanding,
  former: { ...elsewhere, until: NOW - DAY_MS },
};

/** Rule id -> its cases. */
const CASES: Record<string, [string, PaymentFacts][]> = {
  account_changed: [
    ["nothing is new", pay({})],
    ["a new account about which a person decided", pay({ lastChange })],
    ["one about which nobody has decided yet", untrusted({ bankDetailsChangedAt: NOW - DAY_MS }, { lastChange })],
    ["no payee", pay({ payee: null, lastChange })],
  ],
  bank_answer: [
    ["no bank said anything", pay({})],
    [
      "the bank said that it is another's",
      pay({
        bankAnswer: {
          ...{ verificationId: "v9", outcome: "no_match", answeredAt: NOW - DAY_MS },
          ...{ askedName: "Riverbend Timber", said: "The account has another name.", bankName: "J Smith" },
        },
      }),
    ],
  ],
  former_account: [
    ["nobody's before", pay({})],
    ["another payee's before, approved by a person", pay(formerly("p2", elsewhere))],
    ["another payee's before, whitelisted only", to({ latestDecided: null }, formerly("p2", elsewhere))],
    ["its own, which was approved before the payee was archived", pay(formerly("p1", null))],
    [
      "paid under the name of its former owner",
      pay({
        payee: null,
        ...formerly("p2", elsewhere),
        namesakes: [{ ...elsewhere, payeeId: "p2", name: "Cassowary Cleaning" }],
      }),
    ],
    [
      "paid under the name of a third one",
      pay({
        payee: null,
        ...formerly("p2", elsewhere),
        namesakes: [{ ...elsewhere, payeeId: "p3", name: "Wattle Creek" }],
      }),
    ],
    ["paid under a name that was not looked for", pay({ payee: null, ...formerly("p2", elsewhere) })],
  ],
  known_name_new_account: [
    ["under nobody's name", pay({ payee: null, namesakes: [] })],
    [
      "under the name of a payee",
      pay({ payee: null, namesakes: [{ ...elsewhere, payeeId: "p2", name: "Wattle Creek" }] }),
    ],
  ],
  one_person: [
    ["not from an accounting system", pay({})],
    [
      "one person alone",
      pay({
        accountingOrigin: {
          ...{ system: "xero", cameAt: NOW - DAY_MS, editedBy: null },
          ...{ isEditorKnown: false, isFirstPayment: true, isOnePerson: true },
        },
      }),
    ],
  ],
  above_own_limit: [
    ["nobody's approvals are limited", pay({})],
    ["at the limit", pay({ ownLimit: ownLimit({ limitCents: 125_000 }) })],
    ["a cent above it", pay({ ownLimit: ownLimit({ limitCents: 124_999 }) })],
    [
      "at the limit alone, and above it with others",
      pay({ ownLimit: ownLimit({ limitCents: 125_000, sameDayCents: 1 }) }),
    ],
    ["at the limit with others", pay({ ownLimit: ownLimit({ sameDayCents: 800_000, sameFileCents: 75_000 }) })],
    ["a cent above it with those of the day", pay({ ownLimit: ownLimit({ sameDayCents: 875_001 }) })],
    ["a cent above it with those of the file", pay({ ownLimit: ownLimit({ sameFileCents: 875_001 }) })],
    ["above it with both", pay({ ownLimit: ownLimit({ sameDayCents: 800_000, sameFileCents: 75_001 }) })],
    ["above the limit of who approved it", pay({ ownLimit: ownLimit({ by: "approval", limitCents: 100 }) })],
    [
      "above that of who approved the payments before it",
      pay({ ownLimit: ownLimit({ by: "payments", limitCents: 100 }) }),
    ],
    [
      "above that of who records it, to a payee of a rule",
      pay({ ownLimit: ownLimit({ by: "rule", limitCents: 100 }) }),
    ],
    ["to an account that is no payee's", pay({ payee: null, ownLimit: ownLimit({ by: "approval", limitCents: 100 }) })],
  ],
  payee_not_trusted: [
    ["whitelisted", pay({})],
    ["verified", to({ whitelisted: false })],
    ["waiting", waiting()],
    ["waiting, and the bank confirmed it", waiting("match")],
    ["waiting, and the bank has a similar name", waiting("close_match")],
    ["waiting, and the bank could not answer", waiting("unable")],
    ["waiting, and the bank said no", waiting("no_match")],
    ["never asked", untrusted()],
    ["rejected", untrusted({ latest: { ...VERIFIED, status: "rejected" } })],
    ["failed", untrusted({ latest: { ...VERIFIED, status: "failed" } })],
    ["taken off", untrusted({ latest: VERIFIED, takenOffWhitelistAt: NOW })],
    ["changed", waiting(undefined, { bankDetailsChangedAt: NOW })],
    ["renamed", waiting(undefined, { renamedAt: NOW })],
    ["renamed after its details changed", waiting(undefined, { renamedAt: NOW, bankDetailsChangedAt: NOW - 1 })],
    ["renamed with its details", waiting(undefined, { renamedAt: NOW, bankDetailsChangedAt: NOW })],
    [
      "rejected under its new name",
      untrusted({ renamedAt: NOW - 60 * DAY_MS, latest: { ...VERIFIED, status: "rejected" } }),
    ],
    ["details changed after it was renamed", waiting(undefined, { renamedAt: NOW - 1, bankDetailsChangedAt: NOW })],
    ["a draft", untrusted({ draftSince: 0 })],
    ["archived", untrusted({ archivedAt: 0, draftSince: 0 })],
    ["no payee", pay({ payee: null })],
    ["no payee, at a BSB that no institution has", pay({ payee: null, account: { ...ACCOUNT, bsb: "999999" } })],
    [
      "a payee's until it was changed, in facts of before that was a rule",
      pay({ payee: null, formerHolder: { payeeId: "p2", name: "Cassowary Cleaning", changedAt: NOW } }),
    ],
  ],
  bill_amount_differs: [
    ["no bill", pay({})],
    ["of this amount", bills(bill())],
    ["one cent more is due", bills(bill({ amountDue: 125_001 }))],
    ["one cent less is due", bills(bill({ amountDue: 124_999 }))],
    ["paid with this amount", bills(bill({ status: "paid", amountDue: 0, amountPaid: 125_000 }))],
    ["paid with another amount", bills(bill({ status: "paid", amountDue: 0, amountPaid: 1 }))],
    ["voided, of this amount", bills(bill({ status: "void" }))],
    ["listed no more", bills(bill({ status: "gone", amountDue: 7 }))],
    ["another supplier's, of another amount", bills(bill({ isOwn: false, amountDue: 7 }))],
    [
      "nothing is due on it, and nothing is paid",
      pay({ amount: 0, bills: { named: [bill({ amountDue: 0 })], others: null } }),
    ],
    ["one other", others(1)],
    ["two others", others(2)],
    ["others of an account that is no payee", { ...others(1), payee: null }],
  ],
  bill_account_differs: [
    ["another supplier's", bills(bill({ isOwn: false, supplier: "Wattle", bsb: "033002" }))],
    ["another supplier's without an account", bills(bill({ isOwn: false, bsb: null }))],
    ["its own and another's", bills(bill(), bill({ isOwn: false }))],
  ],
  accounting_account_differs: [
    ["no change", pay({})],
    ["changed", pay({ accountingChange: change })],
    ["changed by somebody", pay({ accountingChange: { ...change, system: "myob", editedBy: "Sam Ito" } })],
    ["unreadable", pay({ accountingChange: { ...change, bsb: null } })],
    ["unreadable, by somebody", pay({ accountingChange: { ...change, bsb: null, editedBy: "Sam Ito" } })],
    ["no payee", pay({ payee: null, accountingChange: change })],
  ],
  payment_returned: [
    ["none came back", pay({ lastReturned: null })],
    ["one came back", pay({ lastReturned: { id: "r1", returnedAt: NOW - DAY_MS, reason: null } })],
    ["with a reason", pay({ lastReturned: { id: "r1", returnedAt: NOW - DAY_MS, reason: "Account closed" } })],
    ["no payee", pay({ payee: null, lastReturned: { id: "r1", returnedAt: NOW, reason: null } })],
  ],
  marked_new_details: [
    ["not marked", pay({ newDetails: false })],
    ["marked", pay({ newDetails: true })],
  ],
  payment_company: [
    ["a bank's before and now", pay({ formerBsbs: ["033002"] })],
    ["a payment company's now", pay({ account: { ...ACCOUNT, bsb: "774001" }, formerBsbs: ["033002"] })],
    ["of a BSB that nobody knows before", pay({ account: { ...ACCOUNT, bsb: "774001" }, formerBsbs: ["999999"] })],
    [
      "a payment company's before too",
      pay({ account: { ...ACCOUNT, bsb: "774001" }, formerBsbs: ["033002", "774001"] }),
    ],
    ["none before", pay({ account: { ...ACCOUNT, bsb: "774001" }, formerBsbs: [] })],
    ["no payee", pay({ payee: null, account: { ...ACCOUNT, bsb: "774001" }, formerBsbs: ["033002"] })],
  ],
  shared_account: [
    ["one title", pay({ otherTitles: [] })],
    ["six others", pay({ otherTitles: ["A", "B", "C", "D", "E", "F"] })],
  ],
  repeated_after_restore: [
    ["nothing was lost", pay({})],
    ["the same was lost", pay({ lostPayment: { id: "p1", recordedAt: NOW - DAY_MS } })],
  ],
  staff_account: [
    ["nobody's", pay({ isStaffAccount: false })],
    ["somebody's", pay({ isStaffAccount: true })],
  ],
  abn_inactive: [
    ["known under the payee's name", pay(register("active", "Riverbend Timber"))],
    ["known under the account's name", to({ name: "Something else" }, register("active", "X", "Riverbend Timber P/L"))],
    ["known under the payee's name only", to({ accountName: "J Smith" }, register("active", "Riverbend Timber"))],
    ["known under another", pay(register("active", "Wattle Holdings"))],
    ["known under none", pay(register("active"))],
    ["cancelled", pay(register("cancelled", "Riverbend Timber"))],
    ["not there", pay(register("not_found"))],
    ["no payee", pay({ payee: null, ...register("not_found") })],
  ],
  lookalike_domain: [
    ["none", pay({ lookalikeDomain: null })],
    ["one", pay({ lookalikeDomain: { domain: "riverbemd.example", known: "riverbend.example" } })],
    ["no payee", pay({ payee: null, lookalikeDomain: { domain: "a.example", known: "b.example" } })],
  ],
  domain_new: [
    ["no fact", pay({})],
    ["registered 12 days before", pay(registered(NOW - 12 * DAY_MS))],
    ["registered the day before", pay(registered(NOW - DAY_MS))],
    ["registered 89 days before", pay(registered(NOW - 89 * DAY_MS))],
    ["registered 90 days before", pay(registered(NOW - 90 * DAY_MS))],
    ["not registered", pay(registered(null))],
    ["only without DMARC", pay(withoutDmarc())],
    ["no payee", pay({ payee: null, ...registered(null) })],
  ],
  domain_without_dmarc: [
    ["none", pay(withoutDmarc())],
    ["none any more", pay(withoutDmarc(NOW - 40 * DAY_MS))],
    ["only new", pay(registered(NOW - DAY_MS))],
    ["no payee", pay({ payee: null, ...withoutDmarc() })],
  ],
  duplicate_payment: [
    ["an earlier line", pay({ earlierLine: 3 })],
    [
      "recorded before",
      pay({ duplicate: { id: "d1", reference: "inv 1042", status: "authorised", createdAt: NOW - DAY_MS } }),
    ],
    [
      "recorded without a reference",
      pay({ duplicate: { id: "d1", reference: null, status: "rejected", createdAt: NOW } }),
    ],
    ["no payee", pay({ payee: null, duplicate: { id: "d1", reference: null, status: "held", createdAt: NOW } })],
  ],
  verification_stale: [
    ["verified a year ago to the millisecond", verifiedAt(YEAR_AGO)],
    ["verified a millisecond earlier", verifiedAt(YEAR_AGO - 1)],
    ["opened long ago, and never completed", verifiedAt(null)],
    ["paid a year ago to the millisecond", verifiedAt(YEAR_AGO - 1, { lastPaymentDate: YEAR_AGO })],
    ["paid a millisecond earlier", verifiedAt(YEAR_AGO - 1, { lastPaymentDate: YEAR_AGO - 1 })],
    ["verified 28 days ago, looked at every month", verifiedAt(NOW - 28 * DAY_MS, {}, { reverifyAfterMonths: 1 })],
    ["verified 31 days ago, looked at every month", verifiedAt(NOW - 31 * DAY_MS - 1, {}, { reverifyAfterMonths: 1 })],
    ["rejected", to({ latestDecided: { ...VERIFIED, status: "rejected", completedAt: 1 }, lastPaymentDate: null })],
    ["no payee", pay({ payee: null })],
  ],
  outside_hours: [
    ["at eight", pay({ workingHours: hours, now: at(8 * 60) })],
    ["a minute before", pay({ workingHours: hours, now: at(8 * 60 - 1) })],
    ["a minute before six", pay({ workingHours: hours, now: at(18 * 60 - 1) })],
    ["at six", pay({ workingHours: hours, now: at(18 * 60) })],
    ["on Saturday", pay({ workingHours: hours, now: at(12 * 60, 1) })],
    ["on Saturday, where people work", pay({ workingHours: { ...hours, worksWeekends: true }, now: at(12 * 60, 1) })],
    ["at any time", pay({ workingHours: null, now: at(0) })],
  ],
  name_differs: [
    ["in capitals", pay({ givenName: "RIVERBEND TIMBER PTY LTD" })],
    ["the same to a bank", pay({ givenName: "Riverbend Timber P/L" })],
    ["similar", pay({ givenName: "Riverbend Timbers" })],
    ["another", pay({ givenName: "Wattle Creek" })],
    ["cut where the field ends", pay({ givenName: "Riverbend", nameWidth: 10 })],
    ["cut elsewhere", pay({ givenName: "Riverbend", nameWidth: 9 + 15 })],
    ["shorter where nothing is cut", pay({ givenName: "Riverbend", nameWidth: null })],
    ["another, where the field is short", pay({ givenName: "Wattle Creek", nameWidth: 10 })],
    ["as long as the field", to({ accountName: "Riverbend T" }, { givenName: "Riverbend", nameWidth: 11 })],
  ],
  just_under_limit: [
    ["no limit", pay({ approvalLimitCents: null })],
    ["at the limit", pay({ approvalLimitCents: 125_000 })],
    ["a cent above it", pay({ approvalLimitCents: 124_999 })],
    ["five per cent below it", pay({ amount: 95_000, approvalLimitCents: 100_000 })],
    ["a cent more than that", pay({ amount: 94_999, approvalLimitCents: 100_000 })],
  ],
  contact_and_bank_changed: [
    ["the contact alone", to({ contactChangedAt: NOW })],
    ["the details alone", to({ bankDetailsChangedAt: NOW })],
    ["30 days apart", to({ contactChangedAt: NOW - 30 * DAY_MS, bankDetailsChangedAt: NOW })],
    ["a millisecond more", to({ contactChangedAt: NOW - 30 * DAY_MS - 1, bankDetailsChangedAt: NOW })],
    ["30 days ago", to({ contactChangedAt: NOW - 30 * DAY_MS, bankDetailsChangedAt: NOW - 30 * DAY_MS })],
    ["31 days ago", to({ contactChangedAt: NOW - 31 * DAY_MS, bankDetailsChangedAt: NOW - 31 * DAY_MS })],
    ["no payee", pay({ payee: null })],
  ],
  details_changed: [
    ["details", untrusted({ bankDetailsChangedAt: NOW - DAY_MS })],
    ["the name", untrusted({ renamedAt: NOW - DAY_MS })],
    ["both", untrusted({ bankDetailsChangedAt: NOW - DAY_MS, renamedAt: NOW })],
    ["whitelisted since", to({ bankDetailsChangedAt: NOW - DAY_MS })],
    ["decided at that moment", to({ whitelisted: false, bankDetailsChangedAt: NOW - 39 * DAY_MS })],
    ["decided a millisecond before", to({ whitelisted: false, bankDetailsChangedAt: NOW - 39 * DAY_MS + 1 })],
    [
      "decided without a time",
      to({ whitelisted: false, bankDetailsChangedAt: 1, latestDecided: { ...VERIFIED, completedAt: null } }),
    ],
    [
      "decided about another account",
      to({
        whitelisted: false,
        bankDetailsChangedAt: 1,
        latestDecided: { ...VERIFIED, accountNumber: "87654321", completedAt: NOW },
      }),
    ],
    ["no payee", pay({ payee: null })],
  ],
  many_changes: [
    ["not known", pay({})],
    ["two", pay({ editsInLastDay: 2 })],
    ["three", pay({ editsInLastDay: 3 })],
    ["no payee", pay({ payee: null, editsInLastDay: 3 })],
  ],
  invoice_account_differs: [
    ["not known", pay({})],
    ["none was seen", invoices()],
    ["its account", invoices(invoice())],
    ["another account", invoices(invoice({ accounts: [OTHER_ACCOUNT] }))],
    [
      "several, and none of them",
      invoices(invoice({ accounts: [OTHER_ACCOUNT, { ...OTHER_ACCOUNT, bsb: "012003" }] })),
    ],
    ["several, its own among them", invoices(invoice({ accounts: [OTHER_ACCOUNT, ITS_ACCOUNT] }))],
    ["no account, such as BPAY", invoices(invoice({ accounts: [] }))],
    ["stopped and not decided", invoices(invoice({ stop: "open" }))],
    ["stopped by a person", invoices(invoice({ stop: "decided", number: null, supplier: null }))],
    ["the second of them stopped", invoices(invoice(), invoice({ id: "i2", stop: "open" }))],
  ],
  invoice_amount_differs: [
    ["not known", pay({})],
    ["its total", invoices(invoice())],
    ["another total", invoices(invoice({ totalCents: 99 }))],
    ["one of two has the total", invoices(invoice({ totalCents: 99 }), invoice())],
    ["no total was read", invoices(invoice({ totalCents: null }))],
    ["another supplier's", invoices(invoice({ totalCents: 99, isOwn: false }))],
    ["found by its amount", invoices(invoice({ totalCents: 99, by: "amount" }))],
  ],
  invoice_paid_before: [
    ["not known", pay({})],
    ["not paid", invoices(invoice())],
    ["paid", invoices(invoice({ paid: { id: "m0", createdAt: NOW - 200 * DAY_MS } }))],
    [
      "the second of two is paid",
      invoices(invoice(), invoice({ id: "i2", paid: { id: "m0", createdAt: NOW - DAY_MS } })),
    ],
  ],
  no_invoice_seen: [
    ["not asked for", pay({})],
    ["one was seen", invoices(invoice())],
    ["none was seen", invoices()],
  ],
  bsb_unusable: [
    ["usable", pay({})],
    ["closed", pay({ bsbProblem: "It was closed." })],
  ],
  round_first_amount: [
    ["round", to({ paymentCount: 0 }, { amount: 500_000 })],
    ["a cent more", to({ paymentCount: 0 }, { amount: 500_001 })],
    ["paid once", to({ paymentCount: 1 }, { amount: 500_000 })],
    ["no payee", pay({ payee: null, amount: 500_000 })],
  ],
  first_payment_limit: [
    ["at the limit", to({ paymentCount: 0 }, { amount: 1_000_000 })],
    ["a cent above it", to({ paymentCount: 0 }, { amount: 1_000_001 })],
    ["paid once", to({ paymentCount: 1 }, { amount: 1_000_001 })],
    ["no payee", pay({ payee: null, amount: 1_000_001 })],
  ],
  unusual_amount: [
    ["usual", pay({})],
    ["far above the largest", pay({ amount: 99_000_000 })],
    ["nothing to compare with", to({ largestRecentAmount: null }, { amount: 99_000_000 })],
  ],
  supplier_unknown: [
    ["a bill without an account", pay({ payee: null, account: { ...ACCOUNT, bsb: "", accountNumber: "" } })],
    ["an account that is no payee's", pay({ payee: null })],
  ],
  payee_disputed: [
    ["disputed", to({ disputedAt: NOW - DAY_MS })],
    ["no payee", pay({ payee: null })],
  ],
};

const findingsOf = (id: string) => {
  const rule = RULES.find((each) => each.id === id);
  return Object.fromEntries((CASES[id] ?? []).map(([name, facts]) => [name, rule?.find(facts) ?? null]));
};

test.each(Object.keys(CASES))("what %s says", (id) => {
  expect(findingsOf(id)).toMatchSnapshot();
});

test("a bill without an account is held for that alone, whatever an organisation made of the rules", () => {
  const facts = pay({ payee: null, account: { ...ACCOUNT, bsb: "", accountNumber: "" }, bsbProblem: "It is unknown." });
  const levels = Object.fromEntries(RULES.filter(({ isFixed }) => !isFixed).map(({ id }) => [id, "off" as const]));
  for (const each of [{}, levels]) {
    expect(runRules(facts, each).map(({ rule, level }) => [rule, level])).toEqual([["supplier_unknown", "hold"]]);
  }
});

test("every rule is in the table", () => {
  expect(RULES.map(({ id }) => id).filter((id) => !CASES[id])).toEqual([]);
});

test("a draft is held whatever the organisation pays otherwise, and nothing else is", () => {
  const off = { payee_not_trusted: "off" } as const;
  const levelOf = (facts: PaymentFacts) => runRules(facts, off).find(({ rule }) => rule === "payee_not_trusted")?.level;
  expect(levelOf(untrusted({ draftSince: 0 }))).toBe("hold");
  expect(levelOf(untrusted())).toBeUndefined();
  expect(levelOf(pay({ payee: null }))).toBeUndefined();
});

test.each([
  [
    "payee_not_trusted",
    { bsb: "062000", accountNumber: "•••••678", institution: "Commonwealth Bank" },
    "Commonwealth Bank, 062-000 •••••678",
  ],
  ["payee_not_trusted", { bsb: "062000", accountNumber: "•••••678", institution: null }, "062-000 •••••678"],
  ["payee_not_trusted", { bsb: "062000", accountNumber: null }, undefined],
  ["payee_not_trusted", { bsb: null, accountNumber: "•••••678" }, undefined],
  ["name_differs", { score: 81 }, "Name match 81% (Strong)"],
  ["name_differs", { score: null }, undefined],
  ["gone_since", {}, undefined],
])("the note of %s with %j", (rule, evidence, note) => {
  expect(noteOfReason({ rule, evidence })).toBe(note);
});

test.each([
  "bank_details_changed",
  "payee_renamed",
  "payee_disputed",
  "verification_rejected",
  "taken_off_whitelist",
  "accounting_account_differs",
] as const)("a payment that is held again says so: %s", (cause) => {
  expect(isHoldCause(cause)).toBe(true);
  expect(holdSentence(cause, "Riverbend Timber")).toMatchSnapshot();
});

test("what is no cause of holding again is none", () => {
  expect(["other", "toString", 7, null, undefined].filter(isHoldCause)).toEqual([]);
});

test.each<AccountStanding>([
  { state: "none" },
  verifiedStanding,
  { state: "taken_off", how: "confirmed by the bank", verifiedAt: YEAR_AGO - DAY_MS, at: YEAR_AGO },
  { state: "whitelisted", at: YEAR_AGO },
  { state: "disputed", at: YEAR_AGO },
  { state: "rejected", at: YEAR_AGO },
])("an account that is $state is told as such", (standing) => {
  expect([standingClause(standing, ZONE), describeTrust(standing, ZONE)]).toMatchSnapshot();
});

test("a rule set names every rule's version, and equal ones have one text", () => {
  const set = currentRuleSet({ name_differs: "warn", abn_inactive: "off" });
  expect(set.versions).toEqual(Object.fromEntries(RULES.map(({ id, version }) => [id, version])));
  const turned = {
    versions: Object.fromEntries(Object.entries(set.versions).reverse()),
    levels: { abn_inactive: "off", name_differs: "warn" },
  } as const;
  expect(textOfRuleSet(turned)).toBe(textOfRuleSet(set));
  expect(textOfRuleSet({ ...set, levels: {} })).not.toBe(textOfRuleSet(set));
  expect(textOfRuleSet({ versions: { b: 1, a: 2 }, levels: { c: "hold" } })).toBe('[[["a",2],["b",1]],[["c","hold"]]]');
});

test("a decision that is run again is the same, unless a record was altered; a rule with a new version is not compared", () => {
  const facts = untrusted({ disputedAt: NOW - DAY_MS });
  const ruleSet = currentRuleSet({});
  const reasons = runRules(facts, {});
  expect(reasons.map(({ rule }) => rule)).toEqual(["payee_disputed", "payee_not_trusted"]);
  expect(replayDecision({ facts, ruleSet, reasons })).toEqual({ isSame: true, different: [], changed: [] });
  expect(replayDecision({ facts, ruleSet, reasons: reasons.slice(1) })).toEqual({
    isSame: false,
    different: ["payee_disputed"],
    changed: [],
  });
  const altered = reasons.map((reason) => ({ ...reason, message: "Nothing" }));
  expect(replayDecision({ facts, ruleSet, reasons: altered }).different).toEqual([
    "payee_disputed",
    "payee_not_trusted",
  ]);
  const older = { ...ruleSet, versions: { ...ruleSet.versions, payee_disputed: 0 } };
  expect(replayDecision({ facts, ruleSet: older, reasons: reasons.slice(1) })).toEqual({
    isSame: true,
    different: [],
    changed: ["payee_disputed"],
  });
  expect(replayDecision({ facts, ruleSet: older, reasons }).isSame).toBe(true);
  expect(replayDecision({ facts, ruleSet: older, reasons: altered }).different).toEqual(["payee_not_trusted"]);
  const { payee_disputed: _, ...without } = ruleSet.versions;
  const unknown = { versions: without, levels: {} };
  expect(replayDecision({ facts, ruleSet: unknown, reasons: reasons.slice(1) })).toEqual({
    isSame: true,
    different: [],
    changed: [],
  });
  expect(
    replayDecision({ facts, ruleSet: { ...ruleSet, levels: { payee_disputed: "off" } }, reasons }).different,
  ).toEqual(["payee_disputed"]);
});
