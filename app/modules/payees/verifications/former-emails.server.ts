import { payeeChanges, payees, verifications } from "@db/schema";
import { sql } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** More than an honest payee has between two verifications; the first ones tell what a new one could be meant to pass for. */
const MAX_EMAILS = 20;

/**
 * The email addresses that payees had since they were last verified, the oldest first and the one on file last: an
 * approval accepts the address of its time, so what came before it is no longer held against the payee.
 */
export async function listFormerEmails(
  { db }: ReadServices,
  organizationId: string,
  payeeIds: readonly string[],
): Promise<(payeeId: string) => string[]> {
  if (payeeIds.length === 0) return () => [];
  const rows = await db.all<{ id: string; former: string; email: string | null }>(
    sql`SELECT ${payees.id}, ${payees.email}, (SELECT json_group_array("oldValue") FROM (
          SELECT "oldValue" FROM ${payeeChanges} AS "changed" WHERE "changed"."organizationId" = ${organizationId}
            AND "changed"."payeeId" = ${payees.id} AND "changed"."field" = 'email' AND "changed"."oldValue" IS NOT NULL
            AND "changed"."createdAt" > coalesce((SELECT "completedAt" FROM ${verifications} AS "approved"
              WHERE "approved"."organizationId" = ${organizationId} AND "approved"."payeeId" = ${payees.id}
                AND "approved"."status" = 'verified' ORDER BY "approved"."id" DESC LIMIT 1), 0)
          ORDER BY "changed"."id" LIMIT ${MAX_EMAILS}) AS "walk") AS "former"
        FROM json_each(${JSON.stringify(payeeIds)}) AS "asked" CROSS JOIN ${payees}
        WHERE ${payees.organizationId} = ${organizationId} AND ${payees.id} = "asked"."value"`,
  );
  const emailsOf = new Map(
    rows.map(({ id, former, email }) => [
      id,
      [...(JSON.parse(former) as string[]), ...(email === null ? [] : [email])],
    ]),
  );
  return (payeeId) => emailsOf.get(payeeId) ?? [];
}
