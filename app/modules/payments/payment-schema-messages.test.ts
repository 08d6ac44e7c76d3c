import { expect, test } from "vitest";
import {
  newPayeeSchema,
  payeePatchSchema,
  payeePostSchema,
  versionSchema,
  whitelistSchema,
} from "~/modules/payees/payee-fields.server";
import { messagesOfWrongValues, PROGRAMMERS_WORDS } from "../../../tests/support/wrongly-typed";
import {
  accountPaymentFormSchema,
  accountPaymentSchema,
  decisionSchema,
  outcomeSchema,
  payeePaymentFormSchema,
  payeePaymentSchema,
  paymentPostSchema,
} from "./payment-fields.server";
import { limitsFormSchema } from "./payment-files/settings.server";

const ACCOUNT = { accountName: "Riverbend Timber Pty Ltd", bsb: "062-000", accountNumber: "12345678" };
const CONTACT = { abn: "51824753556", email: "pay@acme.example", phone: "0412345678", address: "1 King St" };
const PAYEE = { name: "Riverbend Timber", ...ACCOUNT, ...CONTACT };
const PAYMENT = { amount: 125_000, reference: "INV-1001", description: "Timber" };
const FORM = { ...PAYMENT, amount: "1,250.00" };
const REASON = "Confirmed by phone";
const SUBMISSION = { submissionId: "x", basis: "1:1" };

test.each([
  ["POST /api/payees", newPayeeSchema, PAYEE],
  ["PATCH /api/payees/{id}", payeePatchSchema, { ...PAYEE, version: 1 }],
  ["POST /api/payees/{id}/whitelist", whitelistSchema, { reason: REASON, version: 1 }],
  ["the edit form's version", versionSchema, { version: "1" }],
  ["the payee's page", payeePostSchema, { intent: "whitelist", reason: REASON, version: "1" }],
  ["POST /api/payments to a payee", payeePaymentSchema, { payeeId: "p1", ...PAYMENT }],
  ["POST /api/payments to both", payeePaymentSchema, { payeeId: "p1", ...ACCOUNT, ...PAYMENT }],
  ["POST /api/payments to an account", accountPaymentSchema, { ...ACCOUNT, ...PAYMENT }],
  ["the form for a payee", payeePaymentFormSchema, { payeeId: "p1", ...FORM }],
  ["the form for an account", accountPaymentFormSchema, { ...ACCOUNT, ...FORM }],
  ["POST /api/payments/{id}/decision: approve", decisionSchema, { decision: "approve", reason: REASON }],
  ["POST /api/payments/{id}/decision: reject", decisionSchema, { decision: "reject", reason: REASON }],
  ["POST /api/payments/{id}/decision: verify", decisionSchema, { decision: "request_verification", reason: REASON }],
  [
    "POST /api/payments/{id}/outcome",
    outcomeSchema,
    { status: "failed", reason: REASON, processedAt: "2026-11-20T05:31:00Z" },
  ],
  ["the payment's page: approve", paymentPostSchema, { intent: "approve", reason: REASON, ...SUBMISSION }],
  [
    "the payment's page: failed",
    paymentPostSchema,
    { intent: "failed", reason: REASON, processedOn: "2026-11-20", ...SUBMISSION },
  ],
] as const)("%s answers wrongly typed values with sentences for people", (_, schema, body) => {
  const messages = [...new Set(messagesOfWrongValues(schema, body))];
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.filter((message) => PROGRAMMERS_WORDS.test(message) || !/^[A-Z]\w* .+/.test(message))).toEqual([]);
});

test("weekends are ticked without working hours: the form says so, and does not forget them in silence", () => {
  const form = { intent: "limits", memberLimit: "", adminLimit: "", opensAt: "", closesAt: "", worksWeekends: "on" };
  expect(limitsFormSchema.safeParse(form).error?.issues).toMatchObject([{ path: ["opensAt"] }]);
  const { worksWeekends: _, ...none } = form;
  expect(limitsFormSchema.parse(none).limits.workingHours).toBeNull();
  const hours = { opensAt: "08:30", closesAt: "17:30" };
  expect(limitsFormSchema.parse({ ...form, ...hours }).limits.workingHours).toMatchObject({ worksWeekends: true });
});
