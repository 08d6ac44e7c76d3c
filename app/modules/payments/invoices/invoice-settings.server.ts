import { invoiceSettings, invoices, paymentFileBytes } from "@db/database";
import { findWalk, walkOrganizations } from "@db/walk";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { addMonths, DAY_MS } from "~/kernel/dates";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { INVOICES_KEPT_MONTHS } from "~/kernel/retention";
import type { AuditEntry } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { type Actor, type ReadServices, type Services, systemActor, type WriteServices } from "~/services-and-actor";

/** An organisation's settings for invoices: how long they are kept, and how they arrive by email. */

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

/** Sets how long the invoice documents are kept. What was read and decided is kept beyond that. */
export async function keepDocumentsFor(services: WriteServices, actor: Actor, keptMonths: number): Promise<void> {
  const entry = { action: "invoice.settings_changed", details: { keptMonths } } as const;
  await change(services, actor, { keptMonths }, { ...entry, ...ofOrganization(actor) });
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

const MAX_SENDERS = 50;
/** 32 letters carry 128 bits, which cannot be guessed. */
const KEY_LENGTH = 32;

const TOO_MANY = `At most ${MAX_SENDERS} addresses`;

export const mailSendersSchema = z.object({
  mailSenders: z
    .string()
    .default("")
    .transform((text) => [
      ...new Set(
        text
          .split(/[\s,;]+/)
          .map(normalizeEmail)
          .filter(Boolean),
      ),
    ])
    .superRefine((addresses, context) => {
      if (addresses.length > MAX_SENDERS) context.addIssue({ code: "custom", message: TOO_MANY });
      for (const address of addresses.filter((each) => !isEmail(each)).slice(0, 3))
        context.addIssue({ code: "custom", message: `${address.slice(0, 80)} is not an email address` });
    }),
});

/**
 * The settings for invoices by email: null where this installation receives no email; the address is null while the
 * feature is off.
 */
export async function findMailSettings(services: ReadServices & Pick<Services, "config">, organizationId: string) {
  const { invoiceMailDomain } = services.config;
  if (invoiceMailDomain === undefined) return null;
  const [row] = await services.db
    .select({ mailKey: invoiceSettings.mailKey, mailSenders: invoiceSettings.mailSenders })
    .from(invoiceSettings)
    .where(eq(invoiceSettings.organizationId, organizationId));
  const address = row?.mailKey ? `${row.mailKey}@${invoiceMailDomain}` : null;
  return { address, mailSenders: row?.mailSenders ?? [] };
}

type MailAct = "invoice.mail_switched_on" | "invoice.mail_replaced" | "invoice.mail_switched_off";

/** Gives the organisation a new address. Its former address stops receiving. */
export async function renewMailAddress(services: WriteServices, actor: Actor): Promise<void> {
  const settings = await findMailSettings(services, actor.organizationId);
  if (!settings) throw new AppError("INVOICE_MAIL_NOT_CONFIGURED", "Receiving invoices by email is not set up here.");
  const mailKey = (await services.secrets.hashToken(services.ids.secret())).slice(0, KEY_LENGTH);
  const action: MailAct = settings.address === null ? "invoice.mail_switched_on" : "invoice.mail_replaced";
  await change(services, actor, { mailKey }, { action, ...ofOrganization(actor) });
}

/** Turns the organisation's address off. Invoices that arrived stay. */
export async function switchMailOff(services: WriteServices, actor: Actor): Promise<void> {
  await change(services, actor, { mailKey: null }, { action: "invoice.mail_switched_off", ...ofOrganization(actor) });
}

/** Sets the addresses, apart from members', that receive verdicts. */
export async function nameMailSenders(services: WriteServices, actor: Actor, mailSenders: string[]): Promise<void> {
  const entry = { action: "invoice.mail_senders_changed", details: { addresses: mailSenders } } as const;
  await change(services, actor, { mailSenders }, { ...entry, ...ofOrganization(actor) });
}

const ofOrganization = ({ organizationId }: Actor) =>
  ({ entityType: "organization", entityId: organizationId }) as const;

function change(
  services: WriteServices,
  actor: Actor,
  changed: Partial<Pick<typeof invoiceSettings.$inferInsert, "keptMonths" | "mailKey" | "mailSenders">>,
  entry: AuditEntry,
) {
  const { organizationId } = actor;
  const row = { ...changed, updatedAt: services.clock.now() };
  const statement = services.db
    .insert(invoiceSettings)
    .values({ organizationId, ...row })
    .onConflictDoUpdate({
      target: invoiceSettings.organizationId,
      set: { ...row, version: sql`${invoiceSettings.version} + 1` },
    });
  return runCommand(services, actor, { statements: [statement], audit: [entry] });
}
