import { paymentFileLines } from "@db/schema";
import { sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import type { FiredRule } from "./fired-rules";

/** How often each rule fired on the lines of a file that are written, 20,000 at most. */
export function countFiredRules(
  { db }: ReadServices,
  { organizationId, fileId }: { organizationId: string; fileId: string },
): Promise<Required<FiredRule>[]> {
  return db.all<
    Required<FiredRule>
  >(sql`SELECT "reason"."value" ->> 'rule' AS "rule", "reason"."value" ->> 'level' AS "level",
      count(*) AS "count"
    FROM ${paymentFileLines}, json_each("payment_file_lines"."reasons") AS "reason"
    WHERE "payment_file_lines"."organizationId" = ${organizationId} AND "payment_file_lines"."fileId" = ${fileId}
    GROUP BY 1, 2`);
}
