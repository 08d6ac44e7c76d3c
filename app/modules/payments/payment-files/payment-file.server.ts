import {
  type Condition,
  jsonRows,
  paymentFileFacts,
  paymentFileLines,
  paymentFiles,
  type Statement,
  users,
} from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { AppError, notFound } from "~/kernel/app-error";
import type { FileStatus } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { Asking } from "~/modules/payments/payment.server";
import { ruleDecision } from "~/modules/rules";
import { writeFacts, writeFactsOfLines } from "~/modules/rules/stored-facts";
import {
  type Actor,
  canWrite,
  displayName,
  type ReadServices,
  type Services,
  type TimedServices,
} from "~/services-and-actor";
import type { JudgedLine } from "./check-file.server";
import { stopsOf } from "./paying-account";
import { toFileRow } from "./payment-file";
import { findFileSettings } from "./settings.server";

/** A payment file, and the organisation whose it is. */
export type Owner = Asking & { fileId: string };

const columns = {
  id: paymentFiles.id,
  name: paymentFiles.name,
  format: paymentFiles.format,
  status: paymentFiles.status,
  sha256: paymentFiles.sha256,
  paymentsDigest: paymentFiles.paymentsDigest,
  byteCount: paymentFiles.byteCount,
  headerRecord: paymentFiles.headerRecord,
  columns: paymentFiles.columns,
  figuresAtClearing: paymentFiles.figuresAtClearing,
  paysFrom: paymentFiles.paysFrom,
  problems: paymentFiles.problems,
  lineCount: paymentFiles.lineCount,
  totalCents: paymentFiles.totalCents,
  checkedCount: paymentFiles.checkedCount,
  heldCount: paymentFiles.heldCount,
  heldCents: paymentFiles.heldCents,
  authorisedCount: paymentFiles.authorisedCount,
  authorisedCents: paymentFiles.authorisedCents,
  rejectedCount: paymentFiles.rejectedCount,
  clearedCount: paymentFiles.clearedCount,
  settledCount: paymentFiles.settledCount,
  uploadedById: paymentFiles.uploadedById,
  version: paymentFiles.version,
  createdAt: paymentFiles.createdAt,
  updatedAt: paymentFiles.updatedAt,
  firstName: users.firstName,
  lastName: users.lastName,
};

const isMine = (organizationId: string) => eq(paymentFiles.organizationId, organizationId);

function named<T extends { firstName: string | null; lastName: string | null }>({ firstName, lastName, ...file }: T) {
  return { ...file, uploadedBy: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }) };
}

/** One payment file; undefined when the organisation has none with this id. */
export async function findPaymentFile({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select(columns)
    .from(paymentFiles)
    .leftJoin(users, eq(users.id, paymentFiles.uploadedById))
    .where(and(isMine(organizationId), eq(paymentFiles.id, id)));
  return row && named(row);
}

export type PaymentFileDetail = NonNullable<Awaited<ReturnType<typeof findPaymentFile>>>;

/**
 * As `findPaymentFile`. @throws AppError 404, the same for an id that does not exist and one of another organisation
 */
export async function getPaymentFile(services: ReadServices, asking: Asking, id: string): Promise<PaymentFileDetail> {
  const file = await findPaymentFile(services, asking, id);
  if (!file) throw notFound();
  return file;
}

const FILES_PAGE_SIZE = 25;

/** The cursor of a file list; anything that is not an id means the start. */
export const readFilesCursor = (params: URLSearchParams): string | undefined => {
  const cursor = params.get("cursor") ?? params.get("after") ?? undefined;
  return cursor !== undefined && isId(cursor) ? cursor : undefined;
};

/** The organisation's payment files after a given one, newest first. */
export async function listPaymentFiles({ db }: ReadServices, { organizationId }: Asking, after?: string) {
  const page = keySetPage({ after }, { size: FILES_PAGE_SIZE });
  const rows = await db
    .select(columns)
    .from(paymentFiles)
    .leftJoin(users, eq(users.id, paymentFiles.uploadedById))
    .where(and(isMine(organizationId), page.beyond(paymentFiles.id)))
    .orderBy(page.order(paymentFiles.id))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ id }) => id);
  return { files: shown.map(named), next };
}

/** Reads everything for the list page. */
export async function readPaymentFilesPage(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  params: URLSearchParams,
) {
  const [{ files, next }, { payingAccounts }] = await Promise.all([
    listPaymentFiles(services, actor, readFilesCursor(params)),
    findFileSettings(services, actor.organizationId),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: files.map((file) => toFileRow(file, stopsOf(file, payingAccounts).length > 0, zone)),
    nextHref: next && withQuery(appPaths.paymentFiles, { after: next }),
    canUpload: canWrite(actor),
    submissionId: services.ids.next(),
  };
}

/**
 * The condition that the file has not changed since somebody read it: if two people act at once, the second is refused.
 */
export function fileIsUnchanged(
  { db }: ReadServices,
  organizationId: string,
  { id, version }: { id: string; version: number },
): Condition<"file_changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(paymentFiles)
    .where(
      and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, id), eq(paymentFiles.version, version)),
    );
  return { name: "file_changed", found };
}

/** The error for an unreadable file: every problem with its line. */
export function unreadableFile(problems: readonly FileProblem[]): AppError {
  const errors = problems.filter(({ level }) => level === "error").map(({ message }) => message);
  const message = errors[0] ?? "The file cannot be read.";
  return new AppError("INVALID_FILE", 400, message, { fieldErrors: { file: errors }, extra: { problems } });
}

const STANDING: Record<FileStatus, string> = {
  checking: "is still being checked",
  open: "is open",
  cleared: "was cleared",
  settled: "is settled",
  abandoned: "was abandoned",
};

/** The error for an action that the file's status does not allow. */
export const fileNotOpen = (status: FileStatus) =>
  new AppError("FILE_NOT_OPEN", 409, `This payment file ${STANDING[status]}.`, { extra: { status } });

export const fileChanged = () =>
  new AppError(
    "FILE_CHANGED",
    409,
    "Someone else changed this payment file at the same moment. Look again, then decide.",
  );

/** A stored line with its findings, which deciding and clearing start from. */
export const lineColumns = {
  line: paymentFileLines.line,
  accountName: paymentFileLines.accountName,
  bsb: paymentFileLines.bsb,
  accountNumber: paymentFileLines.accountNumber,
  amount: paymentFileLines.amount,
  reference: paymentFileLines.reference,
  payeeId: paymentFileLines.payeeId,
  reasons: paymentFileLines.reasons,
};

/**
 * How many lines one statement writes, and how many lines' facts go into one row: at most 1 MB with long names and many
 * reasons.
 */
const LINES_PER_STATEMENT = 500;

type FileRow = Partial<typeof paymentFiles.$inferInsert>;

/**
 * Statements that insert judged lines: held if a rule holds them, otherwise authorised. The facts that the rules saw
 * are stored too.
 */
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

/**
 * Statements that store new findings and a status on lines that were judged again. An earlier decision by a person no
 * longer applies.
 */
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
      .from(jsonRows(rows))
      .where(
        and(
          eq(paymentFileLines.organizationId, organizationId),
          eq(paymentFileLines.fileId, fileId),
          sql`${paymentFileLines.line} = "given"."value" ->> 'line'`,
        ),
      );
  });
}

/** What newly judged lines add to the counts of their file. */
function countsOf(lines: readonly JudgedLine[]) {
  const counts = { heldCount: 0, heldCents: 0, authorisedCount: 0, authorisedCents: 0 };
  for (const { reasons, amount } of lines) {
    const isHeld = ruleDecision(reasons) === "held";
    counts[isHeld ? "heldCount" : "authorisedCount"]++;
    counts[isHeld ? "heldCents" : "authorisedCents"] += amount;
  }
  return counts;
}

/** Adds the counts of newly checked lines to their file, so that a step does not read the lines before it. */
export function addToCounts(
  { db, clock }: TimedServices,
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

/** Recalculates the counts of a file from its lines in the batch that changes them, and raises its version. */
export function recount(
  { db, clock }: TimedServices,
  { organizationId, fileId }: Owner,
  set: Pick<FileRow, "status" | "figuresAtClearing"> = {},
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
