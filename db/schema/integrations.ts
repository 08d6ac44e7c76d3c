import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  ACCOUNTING_SYSTEMS,
  BILL_STATUSES,
  CONTACT_STATES,
  INTEGRATION_STATUSES,
  SEEN_PAYMENT_STATES,
} from "~/kernel/enums";
import type { Editors, SyncCounts } from "~/modules/connections/sync";

import type { Ledger } from "~/ports/accounting";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";
import { paymentRecords } from "./payments";
import { users } from "./users";

/** An organisation's connection to an accounting system: at most one for each system. */
export const organizationIntegrations = sqliteTable(
  "organization_integrations",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    system: text({ enum: ACCOUNTING_SYSTEMS }).notNull(),
    /** Tokens as JSON, encrypted with the row's id as the context; null once disconnected. */
    credentials: text(),
    /** Incremented with every new token, so that only one of two concurrent renewals is stored. */
    tokenVersion: integer().notNull().default(0),
    active: flag().notNull().default(true),
    status: text({ enum: INTEGRATION_STATUSES }).notNull(),
    /** The company files or organisations to choose from; null once one is chosen. */
    choices: text({ mode: "json" }).$type<Ledger[]>(),
    ledgerId: text(),
    ledgerName: text(),
    /** The provider's id of the connection, deleted to disconnect. */
    connectionId: text(),
    connectedById: text().references(() => users.id),
    lastSyncAt: instant(),
    /** In a sentence; null after a success. */
    lastError: text(),
    lastErrorAt: instant(),
    /** When a sync was requested; null: none is. */
    wantedAt: instant(),
    /** The next sync reads everything, not only changes. */
    wantsAll: flag().notNull().default(false),
    /** When the next automatic sync is due. */
    nextPollAt: instant(),
    /** The running sync, its progress and the time from which it reads; null: none is running. */
    syncStartedAt: instant(),
    syncSince: instant(),
    syncPage: text(),
    /** Statistics of the running sync, or of the last one. */
    counts: text({ mode: "json" }).$type<SyncCounts>(),
    /** Changes since this time have not been read; null: nothing has been read. */
    readTo: instant(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    /** Like `readTo`, for bills and payments; null also if the system does not give us access to them. */
    billsReadTo: instant(),
    /** The ETag of the list of open bills when it was last read completely in one page; null: it has to be read. */
    billsTag: text(),
    /** Approved verifications up to here in the audit trail are noted in the supplier's history. Null: off. */
    notedTo: integer(),
  },
  (t) => [
    uniqueIndex("organization_integrations_once").on(t.organizationId, t.system),
    uniqueIndex("organization_integrations_org_id").on(t.organizationId, t.id),
    index("organization_integrations_ledger").on(t.ledgerId, t.system),
    index("organization_integrations_poll").on(t.status, t.nextPollAt),
    ...known(t, {
      system: "organization_integrations_system_known",
      active: "organization_integrations_active_flag",
      status: "organization_integrations_status_known",
      wantsAll: "organization_integrations_all_flag",
    }),
  ],
);

/** A supplier of an accounting system, and the payee it is. */
export const accountingContacts = sqliteTable(
  "accounting_contacts",
  {
    organizationId: text().notNull(),
    system: text({ enum: ACCOUNTING_SYSTEMS }).notNull(),
    contactId: text().notNull(),
    /** Null while it has no usable bank account. */
    payeeId: text(),
    name: text().notNull(),
    state: text({ enum: CONTACT_STATES }).notNull(),
    /** Why it was not imported, or what was omitted, in sentences. */
    note: text(),
    /** The account when it was last read. */
    seenBsb: text(),
    seenAccountNumber: text(),
    /** When a different account than the payee's was noticed there; null: there is nothing to decide. */
    noticedAt: instant(),
    /** Who last edited the contact there, and when, as far as its history says. */
    editedBy: text(),
    editedAt: instant(),
    /** A person decided to keep the payee's details. */
    keptAt: instant(),
    keptById: text().references(() => users.id),
    updatedAt: instant().notNull(),
    /** Our people who edited the supplier there since it had its previous account; null: not asked. */
    editors: text({ mode: "json" }).$type<Editors>(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.system, t.contactId] }),
    index("accounting_contacts_open")
      .on(t.organizationId, t.payeeId)
      .where(sql`"noticedAt" IS NOT NULL AND "keptAt" IS NULL`),
    // The supplier of a payee's bills in the accounting system.
    index("accounting_contacts_payee").on(t.organizationId, t.payeeId).where(sql`"payeeId" IS NOT NULL`),
    index("accounting_contacts_state").on(t.organizationId, t.system, t.state, t.contactId),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    ...known(t, { system: "accounting_contacts_system_known", state: "accounting_contacts_state_known" }),
  ],
);

/** A bill that was approved in an accounting system, as it was last read. */
export const accountingBills = sqliteTable(
  "accounting_bills",
  {
    organizationId: text().notNull(),
    system: text({ enum: ACCOUNTING_SYSTEMS }).notNull(),
    billId: text().notNull(),
    /** The supplier there; its payee is found by `accounting_contacts`. */
    contactId: text().notNull(),
    supplier: text().notNull(),
    number: text(),
    /** The number in the form in which payment references are compared (`referenceKey`); null if there is none. */
    numberKey: text(),
    status: text({ enum: BILL_STATUSES }).notNull(),
    /** Integer cents of `currency`: the amount due, or the amount due before it was closed; and the amount paid. */
    amountDue: integer().notNull(),
    amountPaid: integer().notNull(),
    currency: text().notNull(),
    /** The sync that last read it. */
    readAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.system, t.billId] }),
    index("accounting_bills_supplier").on(t.organizationId, t.system, t.contactId, t.status, t.updatedAt),
    index("accounting_bills_number").on(t.organizationId, t.numberKey).where(sql`"numberKey" IS NOT NULL`),
    index("accounting_bills_open").on(t.organizationId, t.system, t.readAt).where(sql`"status" = 'open'`),
    ...known(t, { system: "accounting_bills_system_known", status: "accounting_bills_status_known" }),
  ],
);

/** A payment that an accounting system reconciled to a payee's account. Each is imported once. */
export const accountingPayments = sqliteTable(
  "accounting_payments",
  {
    organizationId: text().notNull(),
    system: text({ enum: ACCOUNTING_SYSTEMS }).notNull(),
    paymentId: text().notNull(),
    payeeId: text().notNull(),
    state: text({ enum: SEEN_PAYMENT_STATES }).notNull(),
    /** The payment here whose outcome it set. */
    recordId: text(),
    /** Integer cents, Australian dollars. */
    amount: integer().notNull(),
    paidAt: instant().notNull(),
    /** The number of the bill that it paid. */
    billNumber: text(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.system, t.paymentId] }),
    uniqueIndex("accounting_payments_record").on(t.organizationId, t.recordId).where(sql`"recordId" IS NOT NULL`),
    index("accounting_payments_payee").on(t.organizationId, t.payeeId, t.paidAt),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    foreignKey({
      columns: [t.organizationId, t.recordId],
      foreignColumns: [paymentRecords.organizationId, paymentRecords.id],
    }),
    ...known(t, { system: "accounting_payments_system_known", state: "accounting_payments_state_known" }),
  ],
);
