import type { organizationIntegrations } from "@db/schema";
import type { SystemActor } from "~/kernel/actor";
import { DAY_MS } from "~/kernel/dates";
import { AccessLost, type BillsPage, type ContactsPage, type PaymentsPage } from "~/ports/accounting";
import { billsSlice } from "./bills-slice.server";
import { contactsSlice, type ListEdits } from "./contacts-slice.server";
import { billsRefused } from "./failure-words";
import { paymentsSlice } from "./payments-slice.server";
import { findSeenToMatch } from "./seen-to-match.server";
import { NO_COUNTS } from "./sync-counts";
import type { Reading } from "./sync-failures.server";
import { placeAfter, readPaymentsPage, readPlace, type SyncPlace, writePaymentsPage } from "./sync-phase";
import type { SyncSlice } from "./sync-slice.server";
import { type Accounting, withAccess } from "./tokens.server";

/** What was made there longer ago is no outcome of a payment that is still open here. */
const PAYMENTS_BACK_MS = 60 * DAY_MS;

type Read =
  | { phase: "contacts"; page: ContactsPage }
  | { phase: "bills"; page: BillsPage }
  | { phase: "payments"; page: PaymentsPage };

/** A page as it was read; `none`: there was nothing to read. */
export type FetchedPage = {
  read: Read | { phase: "bills" | "payments"; page: null };
  /** What the connection remembers of it. */
  set?: Partial<typeof organizationIntegrations.$inferInsert>;
  /** Why bills and payments are not read, in a sentence. The sync ends with it. */
  refusal?: string;
};

/** Asks for the page that the sync is at. @throws AccessLost, UpstreamError */
export async function fetchPage(services: Accounting, { integration, system }: Reading): Promise<FetchedPage> {
  const { phase, page } = readPlace(integration.syncPage);
  if (phase === "contacts") {
    const asked = { page, since: integration.syncSince };
    const contacts = await withAccess(services, integration, (access, adapter) => adapter.listContacts(access, asked));
    return { read: { phase, page: contacts } };
  }
  try {
    return phase === "bills"
      ? await fetchBills(services, { integration, system }, page)
      : await fetchPayments(services, { integration, system }, page);
  } catch (error) {
    // Consent that does not cover bills is no reason to stop reading suppliers.
    if (!(error instanceof AccessLost) || error.reason !== "not_permitted") throw error;
    return { read: { phase, page: null }, refusal: billsRefused(system) };
  }
}

/** Bills are read from their beginning whenever suppliers are, and when they were not read before. */
const billsSince = ({ integration: { syncSince, billsReadTo } }: Reading) => (syncSince === null ? null : billsReadTo);

async function fetchBills(services: Accounting, reading: Reading, page: string | null): Promise<FetchedPage> {
  const { integration } = reading;
  const since = billsSince(reading);
  const asked = { page, since, tag: since === null ? null : integration.billsTag };
  const bills = await withAccess(services, integration, (access, adapter) => adapter.listBills(access, asked));
  if (!bills) return { read: { phase: "bills", page: null } };
  const isWholeInOne = page === null && bills.next === null;
  return { read: { phase: "bills", page: bills }, set: { billsTag: isWholeInOne ? bills.tag : null } };
}

async function fetchPayments(services: Accounting, reading: Reading, place: string | null): Promise<FetchedPage> {
  const { integration } = reading;
  const { since, page } = readPaymentsPage(place) ?? { since: await paymentsSince(services, reading), page: place };
  const payments = await withAccess(
    services,
    integration,
    async (access, adapter) => (await adapter.listPayments?.(access, { page, since })) ?? null,
  );
  if (!payments) return { read: { phase: "payments", page: null } };
  const next = payments.next && writePaymentsPage({ since, page: payments.next });
  return { read: { phase: "payments", page: { ...payments, next } } };
}

/** From when on payments are read: earlier where a payment recorded here meanwhile may be one that was seen before. */
async function paymentsSince(services: Accounting, reading: Reading): Promise<number> {
  const { organizationId, syncStartedAt } = reading.integration;
  const from = billsSince(reading);
  const backTo = (syncStartedAt ?? services.clock.now()) - PAYMENTS_BACK_MS;
  if (from === null) return backTo;
  const paidAt = await findSeenToMatch(services, { organizationId, system: reading.system }, { from, backTo });
  return paidAt === null ? from : Math.min(from, paidAt - DAY_MS);
}

/** Where the sync goes on; undefined when this page was its last. */
export const placeAfterPage = ({ read, refusal }: FetchedPage): SyncPlace | undefined =>
  refusal ? undefined : placeAfter(read.phase, read.page?.next ?? null);

type Slicing = { reading: Reading; fetched: FetchedPage; listEdits: ListEdits };

/** What is to be written of a page, as things stand now. */
export async function toSlice(
  services: Accounting,
  actor: SystemActor,
  { reading: { integration, system }, fetched: { read }, listEdits }: Slicing,
): Promise<SyncSlice> {
  if (read.page === null) return { statements: [], audit: [], parts: [], counts: NO_COUNTS };
  const { organizationId } = actor;
  switch (read.phase) {
    case "contacts":
      return contactsSlice(services, actor, { integration, system, contacts: read.page.contacts }, listEdits);
    case "bills": {
      const startedAt = integration.syncStartedAt ?? services.clock.now();
      return billsSlice(services, { organizationId, system }, { page: read.page, startedAt });
    }
    case "payments":
      return paymentsSlice(services, actor, { system, payments: read.page.payments });
  }
}
