import { payeeChanges } from "@db/database";
import { sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { maskAccountNumber } from "~/kernel/bank-account";
import { showTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { nameIfAny } from "~/kernel/text";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { getPayee, insertChanges } from "~/modules/payees/payee.server";
import type { ReadPayId } from "~/ports/document-reader";
import {
  type Actor,
  type Asking,
  canAdminister,
  type ReadServices,
  type TimedServices,
  type WriteServices,
} from "~/services-and-actor";
import { isOwnPayId } from "./ways-to-pay";

/** The PayIDs that count as a payee's, because a person accepted an invoice that names them. */

/** The name of the changed field in the payee's history when one is forgotten, as people read it. */
const FIELD = "PayID";

/** How many of the payee's accepted invoices are searched, newest first. */
const MOST_INVOICES = 200;

/** A PayID on an accepted invoice, unless somebody has forgotten it since. */
const knownOf = (organizationId: string, payeeId: string) => sql`
  FROM (SELECT "id", "decidedAt", "decidedById", "read" FROM "invoices" WHERE "organizationId" = ${organizationId}
      AND "payeeId" = ${payeeId} AND "decision" = 'accept' ORDER BY "id" DESC LIMIT ${MOST_INVOICES}) AS "walk"
    CROSS JOIN json_each("walk"."read", '$.payIds') AS "named"
  WHERE NOT EXISTS (SELECT 1 FROM ${payeeChanges} WHERE "organizationId" = ${organizationId} AND "payeeId" = ${payeeId}
    AND "field" = ${FIELD} AND "oldValue" = "named"."value" ->> 'payId' AND "createdAt" >= "walk"."decidedAt")`;

/** The PayIDs that are known as a payee's: since when, by whom, and from which invoice. */
export async function listKnownPayIds({ db }: ReadServices, { organizationId }: Asking, payeeId: string) {
  const rows = await db.all<{
    payId: string;
    type: ReadPayId["type"];
    invoiceId: string;
    since: number;
    firstName: string | null;
    lastName: string | null;
  }>(sql`SELECT "given".*, "users"."firstName", "users"."lastName" FROM (
      SELECT "named"."value" ->> 'payId' AS "payId", "named"."value" ->> 'type' AS "type", "walk"."id" AS "invoiceId", "walk"."decidedById",
        min("walk"."decidedAt") AS "since" ${knownOf(organizationId, payeeId)} GROUP BY 1) AS "given"
    LEFT JOIN "users" ON "users"."id" = "given"."decidedById" ORDER BY "given"."since", "given"."payId"`);
  return rows.map(({ payId, type, invoiceId, since, firstName, lastName }) => ({
    ...{ payId, type, invoiceId, since },
    /** Null: the person's account no longer exists. */
    by: nameIfAny({ firstName, lastName }),
  }));
}

/** The known PayIDs that nothing else on record shows to be the payee's. */
export async function listAcceptedPayIds(
  services: ReadServices,
  asking: Asking,
  payee: { id: string; abn: string | null; email: string | null },
) {
  const known = await listKnownPayIds(services, asking, payee.id);
  return known.filter((each) => !isOwnPayId(each, payee));
}

/** The same for the payee's page. */
export async function readPayIdsOfPayee(
  services: TimedServices,
  actor: Actor,
  payee: Parameters<typeof listAcceptedPayIds>[2],
) {
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const accepted = await listAcceptedPayIds(services, actor, payee);
  return accepted.map(({ payId, invoiceId, since, by }) => ({
    ...{ payId, by },
    since: showTime(since, zone),
    href: appPaths.supplierInvoice(invoiceId),
  }));
}

/** A phone number is somebody's, and the audit trail cannot forget it. The trail masks an email address itself. */
const masked = (payId: string) => (/^\d+$/.test(payId) ? maskAccountNumber(payId) : payId);

/**
 * Forgets a PayID of a payee: the next invoice that names it warns again. One that is not known stays forgotten.
 * @returns whether anything changed
 * @throws AppError 404; 403 ADMIN_REQUIRED
 */
export async function forgetPayId(
  services: WriteServices,
  actor: Actor,
  { payeeId, payId }: { payeeId: string; payId: string },
): Promise<boolean> {
  const { organizationId } = actor;
  await getPayee(services, actor, payeeId);
  if (!canAdminister(actor))
    throw new AppError("ADMIN_REQUIRED", "Only an administrator of your organisation can remove a known PayID.");
  const found = sql`SELECT 1 ${knownOf(organizationId, payeeId)} AND "named"."value" ->> 'payId' = ${payId}`;
  const result = await runCommand(services, actor, {
    conditions: [{ name: "pay_id_known", found }],
    statements: insertChanges(services, { organizationId, userId: actor.userId }, payeeId, [
      { field: FIELD, from: payId, to: null },
    ]),
    audit: [
      { action: "payee.pay_id_forgotten", entityType: "payee", entityId: payeeId, details: { payId: masked(payId) } },
    ],
  });
  return result.ok;
}
