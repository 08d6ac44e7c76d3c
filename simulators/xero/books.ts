import type { SimulatorContext } from "../party";
import { FIRST_TENANT } from "./state";

/** Amounts in integer cents. */
export type Bill = {
  invoiceId: string;
  tenantId: string;
  contactId: string;
  number: string;
  status: "DRAFT" | "AUTHORISED" | "PAID" | "VOIDED" | "DELETED";
  total: number;
  amountPaid: number;
  updatedAt: number;
};

export type Payment = {
  paymentId: string;
  invoiceId: string;
  amount: number;
  date: number;
  /** The account that was paid, as free text. */
  bankAccount: string;
  isReconciled: boolean;
  status: "AUTHORISED" | "DELETED";
  updatedAt: number;
};

/** Bills and the payments made on them, and the notes that apps wrote, by the key of the call. */
export type XeroBooks = { bills: Bill[]; payments: Payment[]; noteKeys: Record<string, string> };

const FIRST_BILLS = [
  [1, "WS-5501", 540_000, "AUTHORISED"],
  [3, "IB-2207", 88_050, "AUTHORISED"],
  [1, "WS-5502", 12_500, "DRAFT"],
] as const;

export function xeroBooks(context: SimulatorContext): XeroBooks {
  return context.slice<XeroBooks>("xero-books", () => ({
    bills: FIRST_BILLS.map(([supplier, number, total, status], index) => ({
      invoiceId: `b0000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`,
      tenantId: FIRST_TENANT,
      contactId: `c0000000-0000-4000-8000-${String(supplier).padStart(12, "0")}`,
      number,
      status,
      total,
      amountPaid: 0,
      updatedAt: context.now(),
    })),
    payments: [],
    noteKeys: {},
  }));
}

export const dueOf = ({ status, total, amountPaid }: Bill): number =>
  status === "VOIDED" || status === "DELETED" ? 0 : total - amountPaid;
