import type { BankDetails } from "~/kernel/payee";

/** A payment that somebody wants to record, checked and normalised. */
export type NewPayment = {
  to: { payeeId: string } | BankDetails;
  /** Integer cents, Australian dollars. */
  amount: number;
  reference: string;
  description: string | null;
};
