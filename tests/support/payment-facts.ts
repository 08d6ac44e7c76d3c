import { DAY_MS } from "~/kernel/dates";
import type { PayeeFacts, PaymentFacts } from "~/modules/rules/facts";

/** 2 pm on a Friday in Sydney. */
export const NOW = Date.UTC(2026, 10, 20, 3, 0);
export const ACCOUNT = { accountName: "Riverbend Timber Pty Ltd", bsb: "062000", accountNumber: "12345678" };
export const VERIFIED = { ...ACCOUNT, id: "v1", status: "verified" as const, createdAt: NOW - 40 * DAY_MS };

/** A payee that was verified, whitelisted and paid four times. */
export const aPayee = (given: Partial<PayeeFacts> = {}): PayeeFacts => ({
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
  latest: VERIFIED,
  latestDecided: { ...VERIFIED, completedAt: NOW - 39 * DAY_MS },
  ...given,
});

/** A payment to it on which no rule fires. */
export const aPayment = (given: Partial<PaymentFacts> = {}): PaymentFacts => ({
  now: NOW,
  timeZone: "Australia/Sydney",
  reverifyAfterMonths: 12,
  firstPaymentLimitCents: 1_000_000,
  bsbProblem: null,
  amount: 125_000,
  reference: "INV-1042",
  givenName: null,
  account: ACCOUNT,
  payee: aPayee(),
  duplicate: null,
  ...given,
});
