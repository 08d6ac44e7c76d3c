import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { DAY_MS } from "~/kernel/dates";
import { DUPLICATE_DAYS } from "~/modules/rules/duplicate-payment";
import type { DuplicateFacts } from "~/modules/rules/facts";
import { referenceKey } from "~/modules/rules/reference-key";
import type { ReadServices } from "~/services";
import type { PaymentsOf, ReadPayment } from "./facts.server";

/** Rows of one statement: its parameter stays far below the largest value that the database takes. */
const ROWS_PER_STATEMENT = 5_000;

/** `place` in the list that was asked for. */
type DuplicateRow = DuplicateFacts & { place: number };

/**
 * The newest payment of the last days to the same payee, of the same amount, with the same reference, by the position of
 * the payment that was asked for.
 */
export async function findDuplicates(
  { db }: ReadServices,
  { organizationId, fileId }: Pick<PaymentsOf, "organizationId" | "fileId">,
  { now, asked }: { now: number; asked: readonly ReadPayment[] },
): Promise<Map<number, DuplicateFacts>> {
  const found = new Map<number, DuplicateFacts>();
  const known = asked.flatMap(({ payee, amount, reference }, index) =>
    payee ? [{ index, row: [payee.facts.id, amount, referenceKey(reference)] }] : [],
  );
  for (const part of inParts(known, ROWS_PER_STATEMENT)) {
    const rows = await db.all<DuplicateRow>(sql`SELECT "asked"."key" AS "place", "same"."id", "same"."status",
        "same"."createdAt", "same"."reference"
      FROM json_each(${JSON.stringify(part.map(({ row }) => row))}) AS "asked" CROSS JOIN "payment_records" AS "same"
      WHERE "same"."organizationId" = ${organizationId} AND "same"."payeeId" = "asked"."value" ->> 0
        AND "same"."amount" = "asked"."value" ->> 1 AND "same"."referenceKey" = "asked"."value" ->> 2
        AND "same"."status" <> 'failed'
        AND "same"."createdAt" > ${now - DUPLICATE_DAYS * DAY_MS}
        ${notOfFile(organizationId, fileId)}
      ORDER BY "same"."createdAt"`);
    for (const { place, ...duplicate } of rows) {
      const payment = part[place];
      if (payment) found.set(payment.index, duplicate);
    }
  }
  return found;
}

/** A piece of a condition on `same`: the payment is none that clearing this file recorded. */
export const notOfFile = (organizationId: string, fileId: string | undefined) =>
  fileId === undefined
    ? sql``
    : sql`AND NOT EXISTS (SELECT 1 FROM "payment_file_lines" AS "own" WHERE "own"."organizationId" = ${organizationId}
        AND "own"."paymentId" = "same"."id" AND "own"."fileId" = ${fileId})`;
