import type { PaymentStatus, VerificationStatus } from "~/kernel/enums";
import { type BankDetails, findRedFlags, payeeStatus, type RedFlag } from "~/kernel/payee";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import { hasOtherAccount } from "./decide";
import { isOpenPayment } from "./payment";

/** What is to be known of a payment now that its rules ran some time ago. Pure: no database, no clock. */

export type PaymentFlag = RedFlag | "account_changed";

type Payee = BankDetails & {
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  renamedAt: number | null;
  takenOffWhitelistAt: number | null;
  contactChangedAt: number | null;
};

type Subject = BankDetails & {
  status: PaymentStatus;
  reasons: readonly Pick<PaymentReason, "rule">[];
  payee: Payee | null;
  latest: (BankDetails & { status: VerificationStatus; createdAt: number; formerHolders: number }) | null;
};

/** The reason that already says what the flag would. */
const SAID_BY: Partial<Record<PaymentFlag, string>> = {
  disputed: "payee_disputed",
  details_changed: "details_changed",
  former_account: "former_account",
  renamed: "details_changed",
  contact_and_bank_changed: "contact_and_bank_changed",
};

/**
 * What has come up about the payee, as it is at this moment. Nothing once the money has gone or will not go; nothing that
 * the payment's own reasons already say while it is held for them.
 *
 * @param now epoch milliseconds
 */
export function findPaymentFlags(payment: Subject, now: number): PaymentFlag[] {
  const { payee, latest, status, reasons } = payment;
  if (!payee || !isOpenPayment(status)) return [];
  const flags: PaymentFlag[] = hasOtherAccount(payment) ? ["account_changed"] : [];
  for (const flag of findRedFlags(payee, payeeStatus(payee, latest), now, latest)) {
    const isSaid = status !== "authorised" && reasons.some(({ rule }) => rule === SAID_BY[flag]);
    if (!isSaid) flags.push(flag);
  }
  return flags;
}
