import type { Statement } from "@db/client";
import { givenRows } from "@db/given-rows";
import { keySetPage } from "@db/key-set-page";
import { payees, paymentFileFacts, paymentFileLines, paymentFiles, paymentRecords, users } from "@db/schema/index";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { inParts } from "~/kernel/all-in-order";
import { notFound } from "~/kernel/app-error";
import type { LineStatus } from "~/kernel/enums";
import { ruleDecision } from "~/modules/payments/payment";
import { writeFacts, writeFactsOfLines } from "~/modules/rules/stored-facts";
import type { ReadServices, Services } from "~/services";
import type { JudgedLine } from "./judge-lines.server";

type Asking = { organizationId: string };

export const LINES_PAGE_SIZE = 50;

/** Which lines of a file are wanted; nothing given: all of them. */
export type LineFilter = {
  status?: LineStatus;
  /** Held for this rule, or warned of by it. */
  rule?: string;
  payeeId?: string;
  /** Lines after this one. */
  after?: number;
};

const columns = {
  line: paymentFileLines.line,
  status: paymentFileLines.status,
  accountName: paymentFileLines.accountName,
  bsb: paymentFileLines.bsb,
  accountNumber: paymentFileLines.accountNumber,
  amount: paymentFileLines.amount,
  reference: paymentFileLines.reference,
  payeeId: paymentFileLines.payeeId,
  reasons: paymentFileLines.reasons,
  decisionReason: paymentFileLines.decisionReason,
  decidedAt: paymentFileLines.decidedAt,
  decidedById: paymentFileLines.decidedById,
  paymentId: paymentFileLines.paymentId,
  payeeName: payees.name,
  paymentStatus: paymentRecords.status,
  firstName: users.firstName,
  lastName: users.lastName,
};

const isOfFile = (organizationId: string, fileId: string): SQL | undefined =>
  and(eq(paymentFileLines.organizationId, organizationId), eq(paymentFileLines.fileId, fileId));

const hasRule = (rule: string): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${paymentFileLines.reasons}) AS "reason" WHERE "reason"."value" ->> 'rule' = ${rule})`;

function select({ db }: ReadServices, organizationId: string) {
  return db
    .select(columns)
    .from(paymentFileLines)
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentFileLines.payeeId)))
    .leftJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, paymentFileLines.paymentId)),
    )
    .leftJoin(users, eq(users.id, paymentFileLines.decidedById));
}

type Row = Awaited<ReturnType<typeof select>>[number];

const named = ({ firstName, lastName, ...line }: Row) => ({
  ...line,
  decidedBy: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }),
});

export type FileLineDetail = ReturnType<typeof named>;

/** A page of a file's lines in the order of the file. */
export async function listLines(
  services: ReadServices,
  { organizationId }: Asking,
  { fileId, filter, limit = LINES_PAGE_SIZE }: { fileId: string; filter: LineFilter; limit?: number },
): Promise<{ lines: FileLineDetail[]; next: number | undefined }> {
  const { status, rule, payeeId, after } = filter;
  const page = keySetPage({ after }, { size: limit, order: "ascending" });
  const rows = await select(services, organizationId)
    .where(
      and(
        isOfFile(organizationId, fileId),
        status && eq(paymentFileLines.status, status),
        payeeId === undefined ? undefined : eq(paymentFileLines.payeeId, payeeId),
        page.beyond(paymentFileLines.line),
        rule === undefined ? undefined : hasRule(rule),
      ),
    )
    .orderBy(page.order(paymentFileLines.line))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ line }) => line);
  return { lines: shown.map(named), next };
}

/** One line of a file; undefined: it has none of this number. */
export async function findLine(
  services: ReadServices,
  { organizationId }: Asking,
  { fileId, line }: { fileId: string; line: number },
): Promise<FileLineDetail | undefined> {
  const [row] = await select(services, organizationId).where(
    and(isOfFile(organizationId, fileId), eq(paymentFileLines.line, line)),
  );
  return row && named(row);
}

/** The same. @throws AppError 404 */
export async function getLine(
  services: ReadServices,
  asking: Asking,
  asked: { fileId: string; line: number },
): Promise<FileLineDetail> {
  const line = await findLine(services, asking, asked);
  if (!line) throw notFound();
  return line;
}

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
  return inParts(lines, LINES_PER_STATEMENT).flatMap((part) => {
    const rows = part.map(({ newDetails: _, facts: _facts, ...line }) => ({
      ...line,
      status: ruleDecision(line.reasons),
    }));
    return [
      db.insert(paymentFileLines).select(sql`SELECT ${organizationId}, ${fileId}, value ->> 'line', value ->> 'status',
        value ->> 'accountName', value ->> 'bsb', value ->> 'accountNumber', value ->> 'amount', value ->> 'reference',
        value ->> 'payeeId', value -> 'reasons', NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM json_each(${JSON.stringify(rows)})`),
      db.insert(paymentFileFacts).values({
        ...{ organizationId, fileId, ruleSetId, facts: writeFactsOfLines(part) },
        ...{ firstLine: part[0]?.line ?? 0, lastLine: part.at(-1)?.line ?? 0 },
      }),
    ];
  });
}

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
