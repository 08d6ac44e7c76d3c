import type { Statement } from "@db/client";
import { paymentFileLines, paymentFiles } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { writeFacts } from "~/modules/payment-rules/stored-facts";
import { ruleDecision } from "~/modules/payments/payment";
import type { ReadServices, Services } from "~/services";
import type { JudgedLine } from "./judge-lines.queries.server";

/** Lines written by one statement: with their facts a few hundred KB, far below the largest value that D1 binds. */
const LINES_PER_STATEMENT = 400;

type FileRow = Partial<typeof paymentFiles.$inferInsert>;
type Owner = { organizationId: string; fileId: string };

/** Judged lines as new rows: held where a rule holds, else authorised. */
export function insertLines(
  { db }: ReadServices,
  { organizationId, fileId, ruleSetId }: Owner & { ruleSetId: string },
  lines: readonly JudgedLine[],
): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < lines.length; at += LINES_PER_STATEMENT) {
    const rows = lines
      .slice(at, at + LINES_PER_STATEMENT)
      .map((line) => [
        line.line,
        ruleDecision(line.reasons),
        line.accountName,
        line.bsb,
        line.accountNumber,
        line.amount,
        line.reference,
        line.payeeId,
        JSON.stringify(line.reasons),
        writeFacts(line.facts),
      ]);
    statements.push(
      db
        .insert(paymentFileLines)
        .select(sql`SELECT ${organizationId}, ${fileId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3,
        value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9, ${ruleSetId}, NULL, NULL, NULL, NULL, NULL
        FROM json_each(${JSON.stringify(rows)})`),
    );
  }
  return statements;
}

/** Lines judged again: they take what the rules found now, and a status. What a person decided before stands no more. */
export function updateJudgedLines(
  { db }: ReadServices,
  { organizationId, fileId, ruleSetId }: Owner & { ruleSetId: string },
  lines: readonly (JudgedLine & { status: "held" | "authorised" })[],
): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < lines.length; at += LINES_PER_STATEMENT) {
    const rows = lines.slice(at, at + LINES_PER_STATEMENT).map(({ line, status, payeeId, reasons, facts }) => ({
      line,
      status,
      payeeId,
      reasons,
      facts: writeFacts(facts),
    }));
    statements.push(
      db
        .update(paymentFileLines)
        .set({
          status: sql`"judged"."value" ->> 'status'`,
          payeeId: sql`"judged"."value" ->> 'payeeId'`,
          reasons: sql`"judged"."value" -> 'reasons'`,
          facts: sql`"judged"."value" ->> 'facts'`,
          ruleSetId,
          decidedById: null,
          decisionReason: null,
          decidedAt: null,
        })
        .from(sql`json_each(${JSON.stringify(rows)}) AS "judged"`)
        .where(
          and(
            eq(paymentFileLines.organizationId, organizationId),
            eq(paymentFileLines.fileId, fileId),
            sql`${paymentFileLines.line} = "judged"."value" ->> 'line'`,
          ),
        ),
    );
  }
  return statements;
}

/** What freshly judged lines add to the counts of their file. */
function countsOf(lines: readonly JudgedLine[]) {
  const counts = { heldCount: 0, heldCents: 0, authorisedCount: 0, authorisedCents: 0 };
  for (const { reasons, amount } of lines) {
    const isHeld = ruleDecision(reasons) === "held";
    counts[isHeld ? "heldCount" : "authorisedCount"]++;
    counts[isHeld ? "heldCents" : "authorisedCents"] += amount;
  }
  return counts;
}

/** The counts of a file when these lines were checked: added, so that a step costs no look at the lines before it. */
export function addToCounts(
  { db, clock }: Pick<Services, "db" | "clock">,
  { organizationId, fileId }: Owner,
  { lines, set }: { lines: readonly JudgedLine[]; set: Pick<FileRow, "checkedCount" | "status"> },
): Statement {
  const { heldCount, heldCents, authorisedCount, authorisedCents } = countsOf(lines);
  return db
    .update(paymentFiles)
    .set({
      heldCount: sql`${paymentFiles.heldCount} + ${heldCount}`,
      heldCents: sql`${paymentFiles.heldCents} + ${heldCents}`,
      authorisedCount: sql`${paymentFiles.authorisedCount} + ${authorisedCount}`,
      authorisedCents: sql`${paymentFiles.authorisedCents} + ${authorisedCents}`,
      version: sql`${paymentFiles.version} + 1`,
      updatedAt: clock.now(),
      ...set,
    })
    .where(and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, fileId)));
}

/** The counts of a file, taken from its lines in the batch that changes them; its version is raised. */
export function recount(
  { db, clock }: Pick<Services, "db" | "clock">,
  { organizationId, fileId }: Owner,
  set: Pick<FileRow, "status"> = {},
): Statement {
  const lines = (what: string, where: string) =>
    sql`(SELECT ${sql.raw(what)} FROM ${paymentFileLines} WHERE ${paymentFileLines.organizationId} = ${organizationId}
      AND ${paymentFileLines.fileId} = ${fileId} AND ${sql.raw(where)})`;
  return db
    .update(paymentFiles)
    .set({
      heldCount: lines("count(*)", "\"status\" = 'held'"),
      heldCents: lines('coalesce(sum("amount"), 0)', "\"status\" = 'held'"),
      authorisedCount: lines("count(*)", "\"status\" = 'authorised'"),
      authorisedCents: lines('coalesce(sum("amount"), 0)', "\"status\" = 'authorised'"),
      rejectedCount: lines("count(*)", "\"status\" = 'rejected'"),
      clearedCount: lines("count(*)", '"paymentId" IS NOT NULL'),
      version: sql`${paymentFiles.version} + 1`,
      updatedAt: clock.now(),
      ...set,
    })
    .where(and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, fileId)));
}
