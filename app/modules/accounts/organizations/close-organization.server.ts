import { invoiceSettings, organizationIntegrations, organizations, rowIn, webhookEndpoints } from "@db/database";
import { and, eq, isNotNull, isNull, lte } from "drizzle-orm";
import * as z from "zod";
import { AppError, invalidInput } from "~/kernel/app-error";
import { DAY_MS, formatDateTime } from "~/kernel/dates";
import { CLOSING_NOTICE_DAYS } from "~/kernel/retention";
import { endSubscription } from "~/modules/accounts/billing/manage-subscription.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import {
  type Actor,
  type ReadServices,
  type Services,
  type SystemActor,
  systemActor,
  type WriteServices,
} from "~/services-and-actor";

/**
 * Closing an organisation: some days after an administrator requests it, nobody can work in it any more. Until then
 * every page shows the date, and the other administrators are told. Its records are kept as long as the law requires
 * (`remove-organization.server.ts`).
 */

const isHere = (organizationId: string) => eq(organizations.id, organizationId);

/** The organisation's name and closing date; null: it is not closing. */
export async function findClosing(
  { db }: ReadServices,
  { organizationId, timeZone }: Pick<Actor, "organizationId" | "timeZone">,
) {
  const [row] = await db
    .select({ name: organizations.name, closesAt: organizations.closesAt })
    .from(organizations)
    .where(isHere(organizationId));
  const closesAt = row?.closesAt ?? null;
  return { name: row?.name ?? "", closesOn: closesAt === null ? null : formatDateTime(closesAt, timeZone) };
}

export const closingPostSchema = z.object({ intent: z.literal("close"), closingName: z.string().trim() });

/** Requests that the organisation closes, by typing its name. @throws AppError 400 with the field; 409 CLOSING_ASKED */
export async function askToClose(services: WriteServices, actor: Actor, typedName: string) {
  const { db, clock } = services;
  const { organizationId } = actor;
  const { name } = await findClosing(services, actor);
  if (typedName !== name) throw invalidInput({ closingName: [`Type the name exactly as shown: ${name}`] });
  const closesAt = clock.now() + CLOSING_NOTICE_DAYS * DAY_MS;
  const stays = and(isHere(organizationId), isNull(organizations.closesAt));
  const result = await runCommand(services, actor, {
    conditions: [{ name: "asked", found: rowIn(db, organizations).where(stays) }],
    statements: [db.update(organizations).set({ closesAt, updatedAt: clock.now() }).where(stays)],
    audit: [{ action: "organization.closing_asked", entityId: organizationId, details: { closesAt } }],
    answer: { closesAt },
  });
  if (!result.ok) throw new AppError("CLOSING_ASKED", "An administrator has already asked for this.");
  return result.answer;
}

/** Cancels the closing, by any administrator until the closing date. @throws AppError 409 NOT_CLOSING */
export async function cancelClosing(services: WriteServices, actor: Actor): Promise<void> {
  const { db, clock } = services;
  const { organizationId } = actor;
  const closes = and(isHere(organizationId), isNotNull(organizations.closesAt), isNull(organizations.closedAt));
  const result = await runCommand(services, actor, {
    conditions: [{ name: "stays", found: rowIn(db, organizations).where(closes) }],
    statements: [db.update(organizations).set({ closesAt: null, updatedAt: clock.now() }).where(closes)],
    audit: [{ action: "organization.closing_cancelled", entityId: organizationId }],
  });
  if (!result.ok) throw new AppError("NOT_CLOSING", "The organisation is not closing. Reload the page.");
}

const isDueBy = (now: number) =>
  and(isNotNull(organizations.closesAt), lte(organizations.closesAt, now), isNull(organizations.closedAt));

/** How many organisations one run closes; the next run continues. */
const MAX_CLOSED = 20;

type EndConnections = (services: Services, actor: SystemActor) => Promise<void>;

/**
 * Closes the organisations whose closing date has come: ends the subscription, all access, and the connections to other
 * systems. If a subscription cannot be ended, the next run tries again.
 * @param endConnections ends one organisation's connections to other systems
 * @returns how many were closed
 */
export async function closeDueOrganizations(services: Services, endConnections: EndConnections): Promise<number> {
  const { db, clock, log } = services;
  const due = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(isDueBy(clock.now()))
    .limit(MAX_CLOSED);
  let closed = 0;
  for (const { id } of due) {
    try {
      if (await closeOne(services, id, endConnections)) closed++;
    } catch (error) {
      log.error("organization.not_closed", { organizationId: id, error: String(error) });
    }
  }
  return closed;
}

async function closeOne(services: Services, organizationId: string, endConnections: EndConnections): Promise<boolean> {
  const { db, clock, ids } = services;
  const actor = systemActor(organizationId, ids.next());
  await endSubscription(services, actor);
  await endConnections(services, actor);
  const now = clock.now();
  const { ok } = await runCommand(services, actor, {
    conditions: [{ name: "not_due", found: rowIn(db, organizations).where(and(isHere(organizationId), isDueBy(now))) }],
    statements: [
      db.update(organizations).set({ active: false, closedAt: now, updatedAt: now }).where(isHere(organizationId)),
      db
        .update(organizationIntegrations)
        .set({ credentials: null, active: false, status: "disconnected" })
        .where(eq(organizationIntegrations.organizationId, organizationId)),
      db
        .update(webhookEndpoints)
        .set({ status: "disabled", updatedAt: now })
        .where(eq(webhookEndpoints.organizationId, organizationId)),
      db.update(invoiceSettings).set({ mailKey: null }).where(eq(invoiceSettings.organizationId, organizationId)),
    ],
    audit: [{ action: "organization.closed", entityId: organizationId }],
  });
  return ok;
}
