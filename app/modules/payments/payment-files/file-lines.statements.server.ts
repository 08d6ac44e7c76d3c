import type { Statement } from "@db/client";
import { givenRows } from "@db/given-rows";
import { paymentFileFacts, paymentFileLines, paymentFiles } from "@db/schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { inParts } from "~/kernel/in-parts";
import { ruleDecision } from "~/modules/payments/payment";
import { writeFacts, writeFactsOfLines } from "~/modules/rules/stored-facts";
import type { ReadServices, Services } from "~/services";
import type { JudgedLine } from "./judge-lines.queries.server";
import { toLineTexts } from "./line-text.statements.server";

/** Lines written by one statement, and facts of lines in one row: with long names and many reasons 1 MB at most. */
const LINES_PER_STATEMENT = 500;

type FileRow = Partial<typeof paymentFiles.$inferInsert>;
type Owner = { organizationId: string; fileId: string };

/** Judged lines as new rows: held where a rule holds, else authorised. What the rules saw is kept beside them. */
export function insertLines(
  { db }: ReadServices,
  { organizationId, fileId, ruleSetId }: Owner & { ruleSetId: string },
  lines: readonly JudgedLine[],
): Statement[] {
  const owner = sql`${organizationId}, ${fileId}`;
  const notYet = sql`NULL, NULL, NULL, NULL, NULL, NULL, NULL`;
  const insert = (columns: SQL, rows: readonly unknown[]) =>
    db
      .insert(paymentFileLines)
      .select(sql`SELECT ${owner}, ${columns}, ${notYet} FROM json_each(${JSON.stringify(rows)})`);
  return inParts(lines, LINES_PER_STATEMENT).flatMap((part) => {
    const facts = writeFactsOfLines(part);
    const [firstLine, lastLine] = [part[0]?.line ?? 0, part.at(-1)?.line ?? 0];
    const flagged = part.filter(({ reasons }) => reasons.length > 0);
    const plain = part.filter(({ reasons }) => reasons.length === 0);
    const { texts, columns } = toLineTexts(plain);
    const ofPlain = sql`${columns.before}, ${ruleDecision([])}, ${columns.after}, '[]'`;
    return [
      ...(plain.length > 0 ? [insert(ofPlain, texts)] : []),
      ...(flagged.length > 0 ? [insert(FLAGGED_COLUMNS, flagged.map(toFlaggedRow))] : []),
      db.insert(paymentFileFacts).values({ organizationId, fileId, firstLine, lastLine, ruleSetId, facts }),
    ];
  });
}

/** Lines with reasons are few, and what was found of them is JSON. */
const FLAGGED_COLUMNS = sql`value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8`;
const toFlaggedRow = ({ line, accountName, bsb, accountNumber, amount, reference, payeeId, reasons }: JudgedLine) => [
  line,
  ruleDecision(reasons),
  accountName,
  bsb,
  accountNumber,
  amount,
  reference,
  payeeId,
  reasons,
];

/** Lines judged again: they take what the rules found now, and a status. What a person decided before stands no more. */
export function updateJudgedLines(
  { db }: ReadServices,
  { organizationId, fileId, ruleSetId }: Owner & { ruleSetId: string },
  lines: readonly (JudgedLine & { status: "held" | "authorised" })[],
): Statement[] {
  return inParts(lines, LINES_PER_STATEMENT).map((part) => {
    const rows = part.map(({ line, status, payeeId, reasons, facts }) => ({
      line,
      status,
      payeeId,
      reasons,
      facts: writeFacts(facts),
    }));
    return db
      .update(paymentFileLines)
      .set({
        status: sql`"given"."value" ->> 'status'`,
        payeeId: sql`"given"."value" ->> 'payeeId'`,
        reasons: sql`"given"."value" -> 'reasons'`,
        facts: sql`"given"."value" ->> 'facts'`,
        ruleSetId,
        decidedById: null,
        decisionReason: null,
        decidedAt: null,
      })
      .from(givenRows(rows))
      .where(
        and(
          eq(paymentFileLines.organizationId, organizationId),
          eq(paymentFileLines.fileId, fileId),
          sql`${paymentFileLines.line} = "given"."value" ->> 'line'`,
        ),
      );
  });
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
  const isHeld = sql`${paymentFileLines.status} = 'held'`;
  const isAuthorised = sql`${paymentFileLines.status} = 'authorised'`;
  const cents = (which: SQL) => sql`coalesce(sum(${paymentFileLines.amount}) FILTER (WHERE ${which}), 0)`;
  const walk = sql`(SELECT count(*) FILTER (WHERE ${isHeld}) AS "held", ${cents(isHeld)} AS "heldCents",
      count(*) FILTER (WHERE ${isAuthorised}) AS "authorised", ${cents(isAuthorised)} AS "authorisedCents",
      count(*) FILTER (WHERE ${paymentFileLines.status} = 'rejected') AS "rejected",
      count(${paymentFileLines.paymentId}) AS "cleared"
    FROM ${paymentFileLines} WHERE ${paymentFileLines.organizationId} = ${organizationId}
      AND ${paymentFileLines.fileId} = ${fileId}) AS "walk"`;
  return db
    .update(paymentFiles)
    .set({
      heldCount: sql`"walk"."held"`,
      heldCents: sql`"walk"."heldCents"`,
      authorisedCount: sql`"walk"."authorised"`,
      authorisedCents: sql`"walk"."authorisedCents"`,
      rejectedCount: sql`"walk"."rejected"`,
      clearedCount: sql`"walk"."cleared"`,
      version: sql`${paymentFiles.version} + 1`,
      updatedAt: clock.now(),
      ...set,
    })
    .from(walk)
    .where(and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, fileId)));
}
