import { columnsOf, invoices, payeeChanges, users } from "@db/database";
import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { showTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { nameIfAny } from "~/kernel/text";
import { WAY_FIELDS, WAY_LABELS, type WayKind } from "~/kernel/ways-to-pay";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { getPayee } from "~/modules/payees/payee.server";
import {
  type Actor,
  type Asking,
  canAdminister,
  type ReadServices,
  type TimedServices,
  type WriteServices,
} from "~/services-and-actor";
import { type Accepted, isForgotten, knownWays, maskPhone, type OfPayee } from "./ways-to-pay";

/** What is known of a payee, as its ways to pay, because a person accepted an invoice with it. */

/** How many of the payee's accepted invoices are searched, newest first. */
const MOST_INVOICES = 100;

/** What a person accepted on the payee's newest invoices. @param beforeId only on invoices before this one */
async function listAccepted({ db }: ReadServices, { organizationId }: Asking, payeeId: string, beforeId?: string) {
  const rows = await db
    .select({
      ...columnsOf(invoices, "id", "read", "numberKey"),
      ...columnsOf(users, "firstName", "lastName"),
      said: invoices.findings,
      decidedAt: sql<number>`${invoices.decidedAt}`,
      judgedAt: sql<number>`coalesce(${invoices.facts} ->> '$.now', ${invoices.receivedAt})`,
    })
    .from(invoices)
    .leftJoin(users, eq(users.id, invoices.decidedById))
    .where(
      and(
        eq(invoices.organizationId, organizationId),
        eq(invoices.payeeId, payeeId),
        beforeId === undefined ? undefined : lt(invoices.id, beforeId),
        eq(invoices.decision, "accept"),
      ),
    )
    .orderBy(desc(invoices.id))
    .limit(MOST_INVOICES);
  return rows.flatMap(({ read, ...row }): Accepted[] => (read ? [{ ...row, ...read, by: nameIfAny(row) }] : []));
}

const listForgotten = ({ db }: ReadServices, { organizationId }: Asking, payeeId: string) =>
  db
    .select(columnsOf(payeeChanges, "field", "oldValue", "createdAt"))
    .from(payeeChanges)
    .where(
      and(
        eq(payeeChanges.organizationId, organizationId),
        eq(payeeChanges.payeeId, payeeId),
        inArray(payeeChanges.field, WAY_FIELDS),
      ),
    );

/** The payee's accepted invoices, and what is known by them. */
export async function readKnownWays(services: ReadServices, asking: Asking, payeeId: string, beforeId?: string) {
  const [accepted, forgotten] = await Promise.all([
    listAccepted(services, asking, payeeId, beforeId),
    listForgotten(services, asking, payeeId),
  ]);
  return knownWays(accepted, forgotten);
}

/** What is known that nothing else on record shows to be the payee's: since when, by whom, and from which invoice. */
export async function listKnownWays(services: ReadServices, asking: Asking, payee: OfPayee & { id: string }) {
  const { known } = await readKnownWays(services, asking, payee.id);
  return known
    .filter(({ isOwn }) => !isOwn(payee))
    .sort((one, other) => one.since - other.since || one.way.localeCompare(other.way))
    .map(({ kind, value, invoiceId, since, by, isNoted }) => ({ kind, value, invoiceId, since, by, isNoted }));
}

/** The same for the payee's page. */
export async function readWaysOfPayee(
  services: TimedServices,
  actor: Actor,
  payee: Parameters<typeof listKnownWays>[2],
) {
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const known = await listKnownWays(services, actor, payee);
  return known.map(({ invoiceId, since, ...way }) => ({
    ...way,
    label: WAY_LABELS[way.kind],
    since: showTime(since, zone),
    href: appPaths.supplierInvoice(invoiceId),
  }));
}

/**
 * Forgets what is known of a payee: the next invoice with it warns again. What is not known stays forgotten.
 * @throws AppError 404; 403 ADMIN_REQUIRED
 */
export async function forgetWay(
  services: WriteServices,
  actor: Actor,
  { payeeId, ...asked }: { payeeId: string; kind: WayKind; value: string },
): Promise<void> {
  const { organizationId, userId } = actor;
  await getPayee(services, actor, payeeId);
  if (!canAdminister(actor))
    throw new AppError(
      "ADMIN_REQUIRED",
      "Only an administrator of your organisation can remove what is known of a payee.",
    );
  const field = WAY_LABELS[asked.kind];
  const { known, forgotten } = await readKnownWays(services, actor, payeeId);
  const way = known.find((each) => isForgotten(each, { field, oldValue: asked.value }));
  if (!way) return;
  const { db, clock, ids } = services;
  const { value } = way;
  const times = forgotten.filter((each) => each.field === field && each.oldValue === value).length;
  // Later than every acceptance that is written by then, whichever clock it went by.
  const createdAt = sql<number>`max(${clock.now()}, coalesce((SELECT max("decidedAt") FROM "invoices"
    WHERE "organizationId" = ${organizationId} AND "payeeId" = ${payeeId} AND "decision" = 'accept'), 0))`;
  await runCommand(services, actor, {
    conditions: [
      {
        name: "way_known",
        found: sql`SELECT 1 WHERE ${times} = (SELECT count(*) FROM ${payeeChanges}
      WHERE "organizationId" = ${organizationId} AND "payeeId" = ${payeeId} AND "field" = ${field} AND "oldValue" = ${value})`,
      },
    ],
    statements: [
      db
        .insert(payeeChanges)
        .values({ id: ids.next(), organizationId, userId, payeeId, field, oldValue: value, newValue: null, createdAt }),
    ],
    audit: [
      {
        action: "payee.way_to_pay_forgotten",
        entityType: "payee",
        entityId: payeeId,
        details: { kind: field, value: maskPhone(value) },
      },
    ],
  });
}
