import type { Statement } from "@db/client";
import { insertRows } from "@db/insert-rows";
import type { Condition } from "@db/precondition";
import { accountingBills, accountingContacts, organizationIntegrations } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { MINUTE_MS } from "~/kernel/dates";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import type { ReadServices, Services } from "~/services";

import type { Integration, KnownContact } from "./integration.queries.server";

/** How often a system is asked by itself: it may have no webhooks, and an event may be lost. */
export const POLL_MS = 15 * MINUTE_MS;

type Own = { organizationId: string; id: string };
type Row = typeof organizationIntegrations.$inferInsert;

export const isIntegration = ({ organizationId, id }: Own) =>
  and(eq(organizationIntegrations.organizationId, organizationId), eq(organizationIntegrations.id, id));

/** The connection is as it was read. */
export function integrationIsUnchanged(
  { db }: ReadServices,
  integration: Own & { version: number },
): Condition<"integration_moved"> {
  const found = db
    .select({ one: sql`1` })
    .from(organizationIntegrations)
    .where(and(isIntegration(integration), eq(organizationIntegrations.version, integration.version)));
  return { name: "integration_moved", found };
}

/** Changes a connection; its version is raised. */
export function updateIntegration(
  { db, clock }: Pick<Services, "db" | "clock">,
  integration: Own,
  set: Partial<Row>,
): Statement {
  return db
    .update(organizationIntegrations)
    .set({ ...set, version: sql`${organizationIntegrations.version} + 1`, updatedAt: clock.now() })
    .where(isIntegration(integration));
}

/** No sync is asked for: a job that will see what this one would is not queued twice. */
export function noSyncIsWanted({ db }: ReadServices, integration: Own): Condition<"wanted_already"> {
  const found = db
    .select({ one: sql`1` })
    .from(organizationIntegrations)
    .where(
      and(
        isIntegration(integration),
        eq(organizationIntegrations.status, "connected"),
        isNull(organizationIntegrations.wantedAt),
      ),
    );
  return { name: "wanted_already", found };
}

/** Asks for a sync. The version stays: a sync that is under way goes on, and another follows it. */
export function askForSync({ db, clock }: Pick<Services, "db" | "clock">, integration: Own): Statement {
  return db.update(organizationIntegrations).set({ wantedAt: clock.now() }).where(isIntegration(integration));
}

export const syncJob = ({ ids }: Pick<Services, "ids">, { organizationId, id }: Own): NewJob => ({
  id: ids.next(),
  kind: "accounting_sync",
  organizationId,
  subjectId: id,
});

/** Suppliers as they are now, in the place of what was known of them. The command requires that the connection is unchanged. */
export function replaceContacts(
  { db }: ReadServices,
  { organizationId, system }: Pick<Integration, "organizationId"> & { system: ConnectableSystem },
  rows: readonly KnownContact[],
): Statement[] {
  if (rows.length === 0) return [];
  const contactIds = JSON.stringify(rows.map(({ contactId }) => contactId));
  return [
    db
      .delete(accountingContacts)
      .where(
        and(
          eq(accountingContacts.organizationId, organizationId),
          eq(accountingContacts.system, system),
          sql`${accountingContacts.contactId} IN (SELECT value FROM json_each(${contactIds}))`,
        ),
      ),
    ...insertRows(db, accountingContacts, rows),
  ];
}

/** Forgets the bills of a system whose books are not read any more: nothing is compared with what is not followed. */
export const forgetBills = (
  { db }: ReadServices,
  { organizationId, system }: Pick<Integration, "organizationId" | "system">,
): Statement =>
  db
    .delete(accountingBills)
    .where(and(eq(accountingBills.organizationId, organizationId), eq(accountingBills.system, system)));
