import { invoiceSettings, invoices, paymentFileBytes } from "@db/database";
import { findWalk, walkOrganizations } from "@db/walk";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { addMonths, DAY_MS } from "~/kernel/dates";
import { INVOICES_KEPT_MONTHS } from "~/kernel/retention";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { type Actor, type ReadServices, systemActor, type WriteServices } from "~/services-and-actor";

/** An organisation's settings for invoices. */

const DEFAULTS = { keptMonths: INVOICES_KEPT_MONTHS };

export const KEPT_MONTHS = { min: 1, max: 120 } as const;

const MONTHS = `Enter a number of months from ${KEPT_MONTHS.min} to ${KEPT_MONTHS.max}`;

export const keptFormSchema = z.object({
  keptMonths: z
    .string({ error: MONTHS })
    .transform((text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN))
    .refine((months) => months >= KEPT_MONTHS.min && months <= KEPT_MONTHS.max, { error: MONTHS }),
});

export async function findInvoiceSettings({ db }: ReadServices, organizationId: string) {
  const [row] = await db
    .select({ keptMonths: invoiceSettings.keptMonths })
    .from(invoiceSettings)
    .where(eq(invoiceSettings.organizationId, organizationId));
  return row ?? DEFAULTS;
}

/** The statement that changes settings. */
export function changeSettings(
  { db, clock }: WriteServices,
  organizationId: string,
  changed: Partial<Pick<typeof invoiceSettings.$inferInsert, "keptMonths" | "mailKey" | "mailSenders">>,
) {
  const row = { ...changed, updatedAt: clock.now() };
  return db
    .insert(invoiceSettings)
    .values({ organizationId, ...row })
    .onConflictDoUpdate({
      target: invoiceSettings.organizationId,
      set: { ...row, version: sql`${invoiceSettings.version} + 1` },
    });
}

/** Sets how long the invoice documents are kept. What was read and decided is kept beyond that. */
export async function keepDocumentsFor(services: WriteServices, actor: Actor, keptMonths: number): Promise<void> {
  const { organizationId } = actor;
  await runCommand(services, actor, {
    statements: [changeSettings(services, organizationId, { keptMonths })],
    audit: [
      {
        action: "invoice.settings_changed",
        entityType: "organization",
        entityId: organizationId,
        details: { keptMonths },
      },
    ],
  });
}

/** How many documents of an organisation are removed in one batch. */
const PER_BATCH = 50;
const PER_NIGHT = 1_000;
/** How many of the thousand queries that one cron run is allowed are used here; the next night continues. */
const QUERIES = 400;
const OF_A_BATCH = 6;

/**
 * Removes invoice documents that are older than the organisation's setting; what was read and decided stays. Running
 * it again removes nothing more.
 */
export async function removeOldDocuments(services: WriteServices): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const walk = await findWalk(db, "invoice documents", now, DAY_MS / 2);
  if (!walk) return;
  await walkOrganizations(db, walk, { now, budget: QUERIES }, async (ids) => {
    const chosen = await db.all<{ organizationId: string; keptMonths: number }>(
      sql`SELECT "organizationId", "keptMonths" FROM "invoice_settings"
        WHERE "organizationId" IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    );
    const monthsOf = new Map(chosen.map(({ organizationId, keptMonths }) => [organizationId, keptMonths]));
    let removed = 0;
    for (const id of ids) removed += await removeOf(services, id, monthsOf.get(id) ?? DEFAULTS.keptMonths);
    return ids.length + Math.ceil(removed / PER_BATCH) * OF_A_BATCH;
  });
}

async function removeOf(services: WriteServices, organizationId: string, keptMonths: number): Promise<number> {
  const { db, clock } = services;
  const now = clock.now();
  const before = addMonths(now, -keptMonths);
  let removed = 0;
  while (removed < PER_NIGHT) {
    const rows = await db.all<{ id: string }>(sql`SELECT "id" FROM "invoices" WHERE "organizationId" = ${organizationId}
      AND "bytesRemovedAt" IS NULL AND "receivedAt" < ${before} ORDER BY "receivedAt" LIMIT ${PER_BATCH}`);
    if (rows.length === 0) break;
    const ids = JSON.stringify(rows.map(({ id }) => id));
    await runCommand(services, systemActor(organizationId, "invoice documents"), {
      statements: [
        db
          .delete(paymentFileBytes)
          .where(
            sql`${paymentFileBytes.organizationId} = ${organizationId} AND ${paymentFileBytes.ownerId} IN (SELECT value FROM json_each(${ids}))`,
          ),
        db
          .update(invoices)
          .set({ bytesRemovedAt: now, updatedAt: now })
          .where(
            sql`${invoices.organizationId} = ${organizationId} AND ${invoices.id} IN (SELECT value FROM json_each(${ids}))`,
          ),
      ],
      audit: [
        {
          action: "invoice.bytes_removed",
          entityType: "organization",
          entityId: organizationId,
          details: { invoices: rows.map(({ id }) => id), keptMonths },
        },
      ],
    });
    removed += rows.length;
    if (rows.length < PER_BATCH) break;
  }
  return removed;
}
