import { accountingPayments, insertRows, type organizationIntegrations, paymentRecords } from "@db/database";
import { and, eq, gte, min, sql } from "drizzle-orm";
import { type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import { DAY_MS } from "~/kernel/dates";
import type { CommandAudit, CommandPart } from "~/modules/core/commands/run-command.server";
import { countSuccess, movePayment, paymentIsUnchanged } from "~/modules/payments/payment.server";
import { queueRemittances } from "~/modules/payments/remittances.server";
import {
  AccessLost,
  type AccountingPayment,
  type BillsPage,
  type ContactsPage,
  type PaymentsPage,
} from "~/ports/accounting";
import type { ReadServices, Services, SystemActor, WriteServices } from "~/services-and-actor";
import { billsSlice } from "./bills-slice.server";
import { contactsSlice, type ListEdits } from "./contacts-slice.server";
import { findContacts } from "./integration.server";
import { type JudgedPayment, judgePayments, type SeenPayment } from "./judge-payments.server";
import {
  billsRefused,
  NO_COUNTS,
  placeAfter,
  readPaymentsPage,
  readPlace,
  type SyncPlace,
  type SyncSlice,
  writePaymentsPage,
} from "./sync";
import type { Reading } from "./sync.server";
import { type Accounting, withAccess } from "./tokens.server";

/** Older payments in the accounting system cannot belong to a payment that is still open here. */
const PAYMENTS_BACK_MS = 60 * DAY_MS;

type Read =
  | { phase: "contacts"; page: ContactsPage }
  | { phase: "bills"; page: BillsPage }
  | { phase: "payments"; page: PaymentsPage };

/** A fetched page; `none`: there was nothing to fetch. */
export type FetchedPage = {
  read: Read | { phase: "bills" | "payments"; page: null };
  /** What the connection stores with it. */
  set?: Partial<typeof organizationIntegrations.$inferInsert>;
  /** Why bills and payments cannot be read, as a sentence. The sync ends with it. */
  refusal?: string;
};

/** Fetches the page that the sync has reached. @throws AccessLost, UpstreamError */
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
    // Suppliers are still read if the consent does not cover bills.
    if (!(error instanceof AccessLost) || error.reason !== "not_permitted") throw error;
    return { read: { phase, page: null }, refusal: billsRefused(system) };
  }
}

/** Bills are read from their beginning when suppliers are, or when they were never read before. */
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

/** The date from which payments are read: earlier if one recorded here meanwhile may match one seen before. */
async function paymentsSince(services: Accounting, reading: Reading): Promise<number> {
  const { organizationId, syncStartedAt } = reading.integration;
  const from = billsSince(reading);
  const backTo = (syncStartedAt ?? services.clock.now()) - PAYMENTS_BACK_MS;
  if (from === null) return backTo;
  const paidAt = await findSeenToMatch(services, { organizationId, system: reading.system }, { from, backTo });
  return paidAt === null ? from : Math.min(from, paidAt - DAY_MS);
}

/** Where the sync continues; undefined after its last page. */
export const placeAfterPage = ({ read, refusal }: FetchedPage): SyncPlace | undefined =>
  refusal ? undefined : placeAfter(read.phase, read.page?.next ?? null);

type Slicing = { reading: Reading; fetched: FetchedPage; listEdits: ListEdits };

/** What to write for a page at this moment. */
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

type Owner = { organizationId: string; system: ConnectableSystem };
type Outcome = JudgedPayment & { record: NonNullable<JudgedPayment["record"]> };

/**
 * One page of payments. A reconciled payment to the payee's present account becomes the outcome of the matching payment
 * recorded here, once; without a match it is stored as seen and has no effect.
 */
async function paymentsSlice(
  services: WriteServices,
  actor: SystemActor,
  { system, payments }: { system: ConnectableSystem; payments: readonly AccountingPayment[] },
): Promise<SyncSlice> {
  const { organizationId } = actor;
  const owner = { organizationId, system };
  const contactIds = [...new Set(payments.map(({ contactId }) => contactId))];
  const contacts = await findContacts(services, owner, { system, contactIds });
  const judged = await judgePayments(services, owner, { payments, contacts });
  const outcomes = judged.filter((each): each is Outcome => each.record !== null && each.row.state === "outcome");
  const paid = outcomes.map(({ record }) => record.id);
  return {
    conditions: outcomes.map(({ record }) => paymentIsUnchanged(services, organizationId, record)),
    statements: [
      ...outcomes.map(({ row, record }) => countSuccess(services, organizationId, row.payeeId, record.processedAt)),
      ...replacePayments(
        services,
        owner,
        judged.map(({ row }) => row),
      ),
    ],
    audit: judged.flatMap(({ row }) => auditOfDeleted(row)),
    parts: [
      ...outcomes.map((outcome) => endOne(services, actor, system, outcome)),
      await queueRemittances(services, organizationId, paid),
    ],
    counts: { ...NO_COUNTS, outcomes: outcomes.length },
  };
}

function endOne(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: SystemActor,
  system: ConnectableSystem,
  { row, record }: Outcome,
): CommandPart {
  return movePayment(services, actor, {
    payment: record,
    to: "successful",
    reason: `${SYSTEM_NAMES[system]} has reconciled it with the bank statement`,
    action: "payment.succeeded",
    details: { processedAt: record.processedAt, system, accountingPaymentId: row.paymentId },
    set: { processedAt: record.processedAt, failureReason: null },
  });
}

/**
 * A payment that was counted has been deleted in the accounting system, so a person has to ask the bank. The status
 * stays, because nothing better is known.
 */
function auditOfDeleted({ state, recordId, system, amount, billNumber }: SeenPayment): CommandAudit[] {
  if (state !== "deleted" || recordId === null) return [];
  const details = { system, amount, billNumber };
  return [{ action: "payment.accounting_deleted", entityId: recordId, details }];
}

function replacePayments({ db }: ReadServices, { organizationId, system }: Owner, rows: readonly SeenPayment[]) {
  if (rows.length === 0) return [];
  const ids = JSON.stringify(rows.map(({ paymentId }) => paymentId));
  const former = and(
    eq(accountingPayments.organizationId, organizationId),
    eq(accountingPayments.system, system),
    sql`${accountingPayments.paymentId} IN (SELECT value FROM json_each(${ids}))`,
  );
  return [db.delete(accountingPayments).where(former), ...insertRows(db, accountingPayments, rows)];
}

/**
 * The earliest unmatched payment in the accounting system that may belong to a payment recorded or authorised here
 * since `from`: the same payee and amount, recorded no later than a day after it. Null: none. Instants in epoch
 * milliseconds.
 * @param backTo earlier payments there are ignored
 * @returns when it was made there
 */
export async function findSeenToMatch(
  { db }: ReadServices,
  { organizationId, system }: Owner,
  { from, backTo }: { from: number; backTo: number },
): Promise<number | null> {
  const [found] = await db
    .select({ paidAt: min(accountingPayments.paidAt) })
    .from(paymentRecords)
    .innerJoin(
      accountingPayments,
      and(
        eq(accountingPayments.organizationId, organizationId),
        eq(accountingPayments.payeeId, paymentRecords.payeeId),
        eq(accountingPayments.amount, paymentRecords.amount),
        eq(accountingPayments.system, system),
        eq(accountingPayments.state, "seen"),
        gte(accountingPayments.paidAt, backTo),
        gte(accountingPayments.paidAt, sql`${paymentRecords.createdAt} - ${DAY_MS}`),
      ),
    )
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        eq(paymentRecords.status, "authorised"),
        gte(paymentRecords.updatedAt, from),
      ),
    );
  return found?.paidAt ?? null;
}
