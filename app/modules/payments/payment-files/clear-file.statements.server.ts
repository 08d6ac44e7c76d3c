import type { Statement } from "@db/client";
import { givenRows } from "@db/given-rows";
import { paymentFileLines, paymentRecords } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { referenceKey } from "~/modules/rules/reference-key";
import type { Services } from "~/services";

/** Lines of one statement: 20,000 of them are 2 MB. */
const LINES_PER_STATEMENT = 5_000;

type Clearing = { organizationId: string; fileId: string; clearingId: string; recordedById: string | null };

/**
 * One payment for each cleared line, and its id on the line: a UNIQUE of the line refuses a second one. The payments are
 * recorded by whoever uploaded the file, with the account and the reasons of the line.
 */
export function recordClearedLines(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, fileId, clearingId, recordedById }: Clearing,
  lines: readonly { line: number; reference: string }[],
): Statement[] {
  const now = clock.now();
  const statements: Statement[] = [];
  for (let at = 0; at < lines.length; at += LINES_PER_STATEMENT) {
    const part = lines.slice(at, at + LINES_PER_STATEMENT);
    const rows = part.map(({ line, reference }) => [line, ids.next(), referenceKey(reference)]);
    statements.push(
      db.insert(paymentRecords).select(sql`SELECT "cleared"."value" ->> 1, ${organizationId}, "line"."payeeId",
        "line"."amount", NULL, "line"."reference", NULL, 'authorised', NULL, "line"."accountName", "line"."bsb",
        "line"."accountNumber", "line"."reasons", NULL, ${recordedById}, 1, ${now}, ${now}, "cleared"."value" ->> 2
        FROM json_each(${JSON.stringify(rows)}) AS "cleared" CROSS JOIN "payment_file_lines" AS "line"
        WHERE "line"."organizationId" = ${organizationId} AND "line"."fileId" = ${fileId}
          AND "line"."line" = "cleared"."value" ->> 0`),
      db
        .update(paymentFileLines)
        .set({ paymentId: sql`"given"."value" ->> 1`, clearingId })
        .from(givenRows(rows))
        .where(
          and(
            eq(paymentFileLines.organizationId, organizationId),
            eq(paymentFileLines.fileId, fileId),
            sql`${paymentFileLines.line} = "given"."value" ->> 0`,
          ),
        ),
    );
  }
  return statements;
}
