import { maskAccountNumber } from "~/kernel/account-number";
import type { VerificationStatus } from "~/kernel/enums";
import { type BankDetails, type PayeeStatus, payeeStatus } from "~/kernel/payee";

/** What the page that records a payment draws. */

export const PAYMENT_FIELDS = ["amount", "reference", "description", "bsb", "accountNumber", "accountName"] as const;
export type PaymentField = (typeof PAYMENT_FIELDS)[number];
export type PaymentFormValues = Record<PaymentField, string>;

export const EMPTY_PAYMENT = Object.fromEntries(PAYMENT_FIELDS.map((field) => [field, ""])) as PaymentFormValues;

/** A form as it comes back: what was typed, and what is wrong with it. */
export type PaymentFormAnswer = {
  values: PaymentFormValues;
  errors: Partial<Record<PaymentField, string[]>>;
  formErrors: string[];
  /** True when there is no live subscription. */
  needsSubscription: boolean;
};

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
