import { type GrantState, noGrants } from "../accounting/grants";
import type { SimulatorContext } from "../party";

export type Supplier = {
  uid: string;
  businessId: string;
  name: string;
  email: string;
  bsb: string;
  accountNumber: string;
  accountName: string;
  abn: string;
  isActive: boolean;
  lastModified: number;
};

/** Amounts in integer cents. */
export type Bill = {
  uid: string;
  businessId: string;
  supplierUid: string;
  number: string;
  supplierNumber: string;
  total: number;
  balance: number;
};

export type MyobBooks = { bills: Bill[]; lastNumber: number };

export type MyobState = GrantState & {
  files: { id: string; name: string }[];
  suppliers: Supplier[];
  /** Instants of the calls of the last second. */
  calls: number[];
  /** MYOB has switched the key of the app off, for every customer. */
  isKeyInactive?: boolean;
};

export const FIRST_FILE = "f1000000-0000-4000-8000-000000000001";

const FIRST_SUPPLIERS = [
  ["Banksia Plumbing Pty Ltd", "office@banksia.example", "062-000", "22334455", "53 004 085 616"],
  ["Magpie Freight", "accounts@magpie.example", "033-002", "998877", ""],
  ["Gumnut Catering", "", "", "", ""],
] as const;

export function myobState(context: SimulatorContext): MyobState {
  return context.slice<MyobState>("myob", () => ({
    ...noGrants(),
    files: [
      { id: FIRST_FILE, name: "Alpha Trading (MYOB)" },
      { id: "f1000000-0000-4000-8000-000000000002", name: "Alpha Property (MYOB)" },
    ],
    suppliers: FIRST_SUPPLIERS.map(([name, email, bsb, accountNumber, abn], index) => ({
      uid: `d0000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`,
      businessId: FIRST_FILE,
      name,
      email,
      bsb,
      accountNumber,
      accountName: "",
      abn,
      isActive: true,
      lastModified: context.now(),
    })),
    calls: [],
  }));
}

export const myobBooks = (context: SimulatorContext): MyobBooks =>
  context.slice<MyobBooks>("myob-books", () => ({
    lastNumber: 1,
    bills: [
      {
        uid: "e0000000-0000-4000-8000-000000000001",
        businessId: FIRST_FILE,
        supplierUid: "d0000000-0000-4000-8000-000000000001",
        number: "00000001",
        supplierNumber: "BP-310",
        total: 77_000,
        balance: 77_000,
      },
    ],
  }));
