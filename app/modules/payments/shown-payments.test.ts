import { expect, test } from "vitest";
import * as z from "zod";
import { DAY_MS } from "~/kernel/dates";
import { findPaymentFlags } from "./payment";
import { accountPaymentFormSchema, payeePaymentFormSchema } from "./payment-fields.server";
import { paymentsHref } from "./payment-list";
import { toPaymentView } from "./payment-page.server";

const NOW = Date.UTC(2026, 10, 20, 3, 0);
const ACCOUNT = { accountName: "Riverbend Timber Pty Ltd", bsb: "062000", accountNumber: "12345678" };

const readForPayee = (fields: object) => payeePaymentFormSchema.safeParse(fields);
const readForAccount = (fields: object) => accountPaymentFormSchema.safeParse(fields);
const problemsOf = ({ error }: { error?: z.ZodError }) => error && z.flattenError(error).fieldErrors;

test("a form for a payee is read in dollars", () => {
  const fields = { payeeId: "p1", amount: " $1,250.00 ", reference: " INV  1001 ", description: "" };
  expect(readForPayee(fields).data).toEqual({
    to: { payeeId: "p1" },
    amount: 125_000,
    reference: "INV 1001",
    description: null,
  });
});

test("a form for an account is normalised", () => {
  const fields = { bsb: "062-000", accountNumber: "1234 5678", accountName: "Acme", amount: "1", reference: "A" };
  expect(readForAccount(fields).data).toMatchObject({
    to: { bsb: "062000", accountNumber: "12345678", accountName: "Acme" },
    amount: 100,
  });
});

test.each([
  ["", "Enter the amount"],
  ["0", "The amount must be at least one cent"],
  ["-5", "Enter an amount in dollars, such as 1,234.50"],
  ["12.345", "Enter an amount in dollars, such as 1,234.50"],
  ["100000000", "The largest amount is $99,999,999.99"],
])("the amount %j is refused by the field", (amount, sentence) => {
  expect(problemsOf(readForPayee({ payeeId: "p1", amount, reference: "INV-1" }))).toEqual({ amount: [sentence] });
});

test("everything missing is said at once", () => {
  expect(problemsOf(readForAccount({ bsb: "06200" }))).toEqual({
    bsb: ["A BSB has 6 digits, such as 062-000"],
    accountNumber: ["Enter the account number"],
    accountName: ["Enter the account name"],
    amount: ["Enter the amount"],
    reference: ["Enter a reference"],
  });
});

const payee = {
  id: "p1",
  name: "Riverbend Timber",
  version: 3,
  whitelisted: true,
  disputedAt: null,
  bankDetailsChangedAt: null,
  renamedAt: null,
  takenOffWhitelistAt: null,
  contactChangedAt: null,
  createdById: null,
  accountingOrigins: null,
  paymentCount: 0,
  lastPaymentDate: null,
  ...ACCOUNT,
};

const payment = {
  ...ACCOUNT,
  id: "x1",
  organizationId: "o1",
  payeeId: "p1",
  amount: 125_000,
  reference: "INV-1001",
  description: null,
  status: "authorised" as const,
  verificationId: null,
  failureReason: null,
  processedAt: null,
  createdAt: NOW - DAY_MS,
  updatedAt: NOW - DAY_MS,
  version: 1,
  reasons: [],
  recordedById: null,
  recordedBy: { firstName: "Dana", lastName: "Wu", email: "dana@harbour.example" },
  payee,
  latest: null,
  lastStep: null,
};

test("an authorised payment shows what has come up about its payee since", () => {
  expect(findPaymentFlags(payment, NOW)).toEqual([]);
  expect(findPaymentFlags({ ...payment, payee: { ...payee, disputedAt: NOW } }, NOW)).toEqual(["disputed"]);
  const moved = { ...payee, accountNumber: "87654321", whitelisted: false, bankDetailsChangedAt: NOW };
  expect(findPaymentFlags({ ...payment, payee: moved }, NOW)).toEqual(["account_changed", "details_changed"]);
});

test("a held payment does not say twice what its reasons say", () => {
  const disputed = { ...payment, status: "held" as const, payee: { ...payee, disputedAt: NOW } };
  expect(findPaymentFlags({ ...disputed, reasons: [{ rule: "payee_disputed" }] }, NOW)).toEqual([]);
  expect(findPaymentFlags({ ...disputed, reasons: [{ rule: "duplicate_payment" }] }, NOW)).toEqual(["disputed"]);
  const both = [{ rule: "duplicate_payment" }, { rule: "payee_disputed" }];
  expect(findPaymentFlags({ ...disputed, reasons: both }, NOW)).toEqual([]);
  // A person approved the payment knowing of a dispute, but the page still says that the payee disputes its details
  // today.
  expect(findPaymentFlags({ ...disputed, status: "authorised", reasons: both }, NOW)).toEqual(["disputed"]);
});

test("a payment that has gone shows no flags", () => {
  const gone = { ...payment, status: "successful" as const, payee: { ...payee, disputedAt: NOW } };
  expect(findPaymentFlags(gone, NOW)).toEqual([]);
});

const viewing = {
  verdict: null,
  grade: null,
  origin: null,
  isOwn: true,
  canWrite: true,
  secondPersonRequired: false,
  approvalLimitCents: null,
  timeZone: "Australia/Sydney",
  now: NOW,
};
const held = { ...payment, status: "held" as const };

test("the page offers exactly what is allowed", () => {
  const decisionsOf = (of: Parameters<typeof toPaymentView>[0], who = viewing) => toPaymentView(of, [], who).decisions;
  expect(decisionsOf(held)).toEqual(["approve", "reject", "request_verification"]);
  expect(decisionsOf(held, { ...viewing, secondPersonRequired: true })).toEqual(["reject", "request_verification"]);
  expect(decisionsOf({ ...held, payee: null, payeeId: null })).toEqual(["approve", "reject"]);
  expect(decisionsOf({ ...held, payee: { ...payee, bsb: "062001" } })).toEqual(["reject"]);
  expect(decisionsOf(held, { ...viewing, canWrite: false })).toEqual([]);
  expect(decisionsOf(payment)).toEqual([]);
  expect(toPaymentView(payment, [], viewing).hasOutcome).toBe(true);
  expect(toPaymentView(payment, [], { ...viewing, canWrite: false }).hasOutcome).toBe(false);
  expect(toPaymentView(held, [], viewing).hasOutcome).toBe(false);
});

test("the page says why approving is not possible", () => {
  const second = toPaymentView(held, [], { ...viewing, secondPersonRequired: true });
  expect(second.approvalBar).toBe("second_person_required");
  expect(toPaymentView({ ...held, payee: { ...payee, bsb: "062001" } }, [], viewing).approvalBar).toBe(
    "account_changed",
  );
  expect(toPaymentView(held, [], viewing).approvalBar).toBeNull();
});

test("a payment that is held again says so first, keeps the reasons it was recorded with, and can be ended", () => {
  const lastStep = { fromStatus: "authorised", toStatus: "held", reason: "Other details.", createdAt: NOW } as const;
  const warning = { rule: "unusual_amount", level: "warn" as const, message: "Large.", evidence: {} };
  const view = toPaymentView({ ...held, reasons: [warning], lastStep }, [], viewing);
  expect(view.reasons.map(({ rule, message }) => [rule, message])).toEqual([
    ["details_changed_since", "Other details."],
    ["unusual_amount", "Large."],
  ]);
  expect(view.hasOutcome).toBe(true);
});

test("a reason leads to the payment that is repeated, or to the invoice", () => {
  const linkOf = (rule: string, evidence: Record<string, unknown>) =>
    toPaymentView({ ...held, reasons: [{ rule, level: "hold" as const, message: "Twice.", evidence }] }, [], viewing)
      .reasons[0]?.link;
  expect(linkOf("duplicate_payment", { paymentId: "x0" })?.to).toBe("/payments/x0");
  expect(linkOf("other", { paymentId: "x0" })).toBeNull();
  expect(linkOf("invoice_paid_before", { invoiceId: "i0", paymentId: "x0" })?.to).toBe("/invoices/i0");
});

test("the history begins with the recording and names the system where nobody acted", () => {
  const returned = {
    id: "t1",
    fromStatus: "verification_requested",
    toStatus: "held",
    reason: "Ended",
    userName: null,
  } as const;
  const { steps } = toPaymentView(held, [{ ...returned, createdAt: NOW }], viewing);
  expect(steps.map(({ to, who, note }) => [to, who, note])).toEqual([
    [null, "Dana Wu", null],
    ["held", "PayeeProof", "Ended"],
  ]);
});

test("the address of a list says only what is not the default", () => {
  expect(paymentsHref({ filter: "all" })).toBe("/payments");
  expect(paymentsHref({ filter: "held", after: "k" })).toBe("/payments?status=held&after=k");
});
