import type { Statement } from "@db/client";
import { givenRows } from "@db/given-rows";
import type { Condition } from "@db/precondition";
import { payees, paymentRecords, paymentTransitions } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { inParts } from "~/kernel/in-parts";
import type { ReadServices, Services } from "~/services";
import type { ClearedPayment } from "./cleared-payments.server";
import type { LineOutcome } from "./outcomes";

/** Payments of one statement: about 1 MB. */
const ROWS_PER_STATEMENT = 5_000;

export type Ending = Pick<ClearedPayment, "id" | "version" | "countsFor"> & LineOutcome;

/** Every payment is still authorised in the version that was seen: nobody ended it, or held it again, meanwhile. */
export function paymentsAreUnchanged(
  organizationId: string,
  endings: readonly Ending[],
): Condition<"payments_changed">[] {
  return inParts(endings, ROWS_PER_STATEMENT).map((part) => {
    const seen = JSON.stringify(part.map(({ id, version }) => [id, version]));
    return {
      name: "payments_changed",
      found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${seen}) AS "seen"
        LEFT JOIN "payment_records" AS "now" ON "now"."organizationId" = ${organizationId}
          AND "now"."id" = "seen"."value" ->> 0
        WHERE "now"."status" IS NOT 'authorised' OR "now"."version" IS NOT "seen"."value" ->> 1)`,
    };
  });
}

/** The end of many payments: one step each, the new status, and what success adds to the payees. */
export function endPayments(
  services: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: { organizationId: string; userId: string },
  { endings, processedAt }: { endings: readonly Ending[]; processedAt: number },
): Statement[] {
  const { db, clock, ids } = services;
  const now = clock.now();
  return [
    ...inParts(endings, ROWS_PER_STATEMENT).flatMap((part) => {
      const ended = givenRows(part.map(({ id, version, status, reason }) => [ids.next(), id, version, status, reason]));
      return [
        db.insert(paymentTransitions).select(sql`SELECT "given"."value" ->> 0, ${organizationId}, "given"."value" ->> 1,
          "given"."value" ->> 2, 'authorised', "given"."value" ->> 3, "given"."value" ->> 4, ${userId}, ${now}
          FROM ${ended}`),
        db
          .update(paymentRecords)
          .set({
            status: sql`"given"."value" ->> 3`,
            failureReason: sql`"given"."value" ->> 4`,
            version: sql`${paymentRecords.version} + 1`,
            processedAt,
            updatedAt: now,
          })
          .from(ended)
          .where(
            and(eq(paymentRecords.organizationId, organizationId), sql`${paymentRecords.id} = "given"."value" ->> 1`),
          ),
      ];
    }),
    ...countSuccesses(services, organizationId, { endings, processedAt }),
  ];
}

function countSuccesses(
  { db }: ReadServices,
  organizationId: string,
  { endings, processedAt }: { endings: readonly Ending[]; processedAt: number },
): Statement[] {
  const counts = new Map<string, number>();
  for (const { countsFor, status } of endings) {
    if (countsFor !== null && status === "successful") counts.set(countsFor, (counts.get(countsFor) ?? 0) + 1);
  }
  return inParts([...counts], ROWS_PER_STATEMENT).map((part) =>
    db
      .update(payees)
      .set({
        paymentCount: sql`${payees.paymentCount} + ("given"."value" ->> 1)`,
        lastPaymentDate: sql`max(coalesce(${payees.lastPaymentDate}, 0), ${processedAt})`,
      })
      .from(givenRows(part))
      .where(and(eq(payees.organizationId, organizationId), sql`${payees.id} = "given"."value" ->> 0`)),
  );
}
