import { sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { PaymentFacts } from "~/modules/rules/facts";
import { readFacts } from "~/modules/rules/stored-facts";
import type { Services } from "~/services";
import { readLineFacts, type StoredLine } from "./line-facts.server";

const DAYS = 90;
/** Payments that are looked at, the newest of each kind: single ones, and lines of files. */
const MAX_PAYMENTS = 1_500;

/** What the rules saw of the payments that were decided in the last 90 days, the newest ones. */
export async function listDecidedFacts(
  services: Pick<Services, "db" | "clock">,
  organizationId: string,
): Promise<{ facts: PaymentFacts[]; isPartial: boolean }> {
  const { db, clock } = services;
  const since = clock.now() - DAYS * DAY_MS;
  const [single, lines] = await Promise.all([
    db.all<{ facts: string }>(sql`SELECT "record"."facts" FROM "payment_records" AS "payment"
      CROSS JOIN "decision_records" AS "record"
      WHERE "payment"."organizationId" = ${organizationId} AND "payment"."createdAt" > ${since}
        AND "record"."organizationId" = ${organizationId} AND "record"."paymentId" = "payment"."id"
      ORDER BY "payment"."createdAt" DESC, "payment"."id" DESC LIMIT ${MAX_PAYMENTS}`),
    db.all<StoredLine>(sql`SELECT "line"."fileId", "line"."line", "line"."facts"
      FROM "payment_files" AS "file" CROSS JOIN "payment_file_lines" AS "line"
      WHERE "file"."organizationId" = ${organizationId} AND "file"."createdAt" > ${since} AND "file"."status" <> 'abandoned'
        AND "line"."organizationId" = ${organizationId} AND "line"."fileId" = "file"."id"
      ORDER BY "file"."id" DESC, "line"."line" LIMIT ${MAX_PAYMENTS}`),
  ]);
  const ofLines = await readLineFacts(services, organizationId, lines);
  return {
    facts: [...single.map(({ facts }) => readFacts(facts)), ...ofLines.map(({ facts }) => facts)],
    isPartial: single.length === MAX_PAYMENTS || lines.length === MAX_PAYMENTS,
  };
}
