import { type GrantState, noGrants } from "../accounting/grants";
import type { SimulatorContext } from "../party";

/** A connection of an app to one organisation there. */
type Connection = { id: string; grantId: string; tenantId: string; createdAt: number };

export type Contact = {
  contactId: string;
  tenantId: string;
  name: string;
  email: string;
  /** One free string, as a person typed it. */
  bankAccount: string;
  bankAccountName: string;
  taxNumber: string;
  phone: string;
  isSupplier: boolean;
  status: "ACTIVE" | "ARCHIVED";
  mergedTo: string | null;
  updatedAt: number;
  history: { changes: string; user: string; at: number; details: string }[];
};

export type XeroState = GrantState & {
  tenants: { tenantId: string; name: string }[];
  connections: Connection[];
  contacts: Contact[];
  /** Instants of the calls of the last minute, by organisation there. */
  calls: Record<string, number[]>;
  eventSequence: number;
  /** What the app answered to the last events, newest first. */
  deliveries: { at: number; what: string; status: number }[];
};

export const FIRST_TENANT = "b1f2c9d0-0000-4000-8000-000000000001";
export const SECOND_TENANT = "b1f2c9d0-0000-4000-8000-000000000002";

/** Suppliers that are there when nobody has changed anything. */
const FIRST_CONTACTS = [
  ["Wattle Stationery Pty Ltd", "accounts@wattle.example", "062-000 11223344", "53 004 085 616"],
  ["Kookaburra Couriers", "pay@kookaburra.example", "033-002 445566", ""],
  ["Ironbark Timber Pty Ltd", "office@ironbark.example", "082001 987654321", "51 824 753 556"],
  ["Bluegum Cleaning", "hello@bluegum.example", "", ""],
] as const;

export function xeroState(context: SimulatorContext): XeroState {
  return context.slice<XeroState>("xero", () => ({
    ...noGrants(),
    tenants: [
      { tenantId: FIRST_TENANT, name: "Alpha Trading (Xero)" },
      { tenantId: SECOND_TENANT, name: "Alpha Property (Xero)" },
    ],
    connections: [],
    contacts: FIRST_CONTACTS.map(([name, email, bankAccount, taxNumber], index) => ({
      contactId: `c0000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`,
      tenantId: FIRST_TENANT,
      name,
      email,
      bankAccount,
      bankAccountName: "",
      taxNumber,
      phone: "",
      isSupplier: true,
      status: "ACTIVE",
      mergedTo: null,
      updatedAt: context.now(),
      history: [{ changes: "Created", user: "Sam Lee", at: context.now(), details: "" }],
    })),
    calls: {},
    eventSequence: 0,
    deliveries: [],
  }));
}
