import { maskAccountNumber } from "~/kernel/account-number";
import type { VerificationStatus } from "~/kernel/enums";
import { type BankDetails, type PayeeStatus, payeeStatus } from "~/kernel/payee";

/** What the page that records a payment draws. */

const PAYMENT_FIELDS = ["amount", "reference", "description", "bsb", "accountNumber", "accountName"] as const;
type PaymentField = (typeof PAYMENT_FIELDS)[number];
export const EMPTY_PAYMENT = Object.fromEntries(PAYMENT_FIELDS.map((field) => [field, ""])) as Record<
  PaymentField,
  string
>;

/** A payee to choose. The account number arrives masked. */
export type PayeeChoice = {
  id: string;
  name: string;
  accountName: string;
  bsb: string;
  maskedAccountNumber: string;
  status: PayeeStatus;
};

type Payee = BankDetails & {
  id: string;
  name: string;
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  renamedAt: number | null;
  takenOffWhitelistAt: number | null;
};

export function toPayeeChoice(
  payee: Payee,
  latest: (BankDetails & { status: VerificationStatus; createdAt: number }) | null,
): PayeeChoice {
  return {
    id: payee.id,
    name: payee.name,
    accountName: payee.accountName,
    bsb: payee.bsb,
    maskedAccountNumber: maskAccountNumber(payee.accountNumber),
    status: payeeStatus(payee, latest),
  };
}
