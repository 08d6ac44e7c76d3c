import { NO_LIMITS, type PaymentLimits } from "~/modules/payments/payment-facts/payment-limits";
import type { CsvMapping } from "./csv/columns";
import type { PayerDetails } from "./payer";

/** What an organisation has chosen for its payment files. */
export type FileSettings = PaymentLimits & {
  /** Columns of tables, by the signature of their headings. */
  mappings: Record<string, CsvMapping>;
  payer: PayerDetails | null;
  /** Payees are told by email of payments that were made to them. */
  sendsRemittances: boolean;
};

export const DEFAULT_SETTINGS: FileSettings = { ...NO_LIMITS, mappings: {}, payer: null, sendsRemittances: false };
