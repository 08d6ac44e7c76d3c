import {
  type Condition,
  columnsOf,
  jsonRows,
  paymentFileBytes,
  paymentFileFacts,
  paymentFileLines,
  paymentFiles,
  rowIn,
  type Statement,
  users,
} from "@db/database";
import { and, asc, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { AppError, notFound } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import type { FileStatus } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";
import { nameIfAny } from "~/kernel/text";
import type { EncryptedColumn } from "~/modules/core/operations/reencrypt-columns.server";
import { ruleDecision } from "~/modules/rules";
import { payeeNotTrusted } from "~/modules/rules/payee-rules";
import { writeFacts, writeFactsOfLines } from "~/modules/rules/stored-facts";
import type { Asking, ReadServices, Services, TimedServices } from "~/services-and-actor";
import type { JudgedLine } from "./check-file.server";

/*
 * A payment file as it is stored: the file, its lines, its figures beside those of the last run, and its bytes.
 */

/** A payment file, and the organisation whose it is. */
export type Owner = Asking & { fileId: string };

export const fileColumns = {
  ...columnsOf(paymentFiles, "id", "name", "format", "status", "sha256", "paymentsDigest", "byteCount"),
  ...columnsOf(paymentFiles, "headerRecord", "columns", "figuresAtClearing", "paysFrom", "problems", "lineCount"),
  ...columnsOf(paymentFiles, "totalCents", "checkedCount", "heldCount", "heldCents", "authorisedCount"),
  ...columnsOf(paymentFiles, "authorisedCents", "rejectedCount", "clearedCount", "settledCount", "uploadedById"),
  ...columnsOf(paymentFiles, "version", "createdAt", "updatedAt"),
  ...columnsOf(users, "firstName", "lastName"),
};

/** The file with its uploader's name. */
export function withUploader<T extends { firstName: string | null; lastName: string | null }>({
  firstName,
  lastName,
  ...file
}: T) {
  return { ...file, uploadedBy: nameIfAny({ firstName, lastName }) };
}

/** One payment file; undefined when the organisation has none with this id. */
export async function findPaymentFile({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select(fileColumns)
    .from(paymentFiles)
    .leftJoin(users, eq(users.id, paymentFiles.uploadedById))
    .where(and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, id)));
  return row && withUploader(row);
}

export type PaymentFileDetail = NonNullable<Awaited<ReturnType<typeof findPaymentFile>>>;

/** As `findPaymentFile`. @throws AppError 404, the same for an unknown id and one of another organisation */
export async function getPaymentFile(services: ReadServices, asking: Asking, id: string): Promise<PaymentFileDetail> {
  const file = await findPaymentFile(services, asking, id);
  if (!file) throw notFound();
  return file;
}

/** The condition that the file is as somebody read it: if two people act at once, the second is refused. */
export function fileIsUnchanged(
  { db }: ReadServices,
  organizationId: string,
  { id, version }: { id: string; version: number },
): Condition<"file_changed"> {
  const found = rowIn(db, paymentFiles).where(
    and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, id), eq(paymentFiles.version, version)),
  );
  return { name: "file_changed", found };
}

export function unreadableFile(problems: readonly FileProblem[]): AppError {
  const errors = problems.filter(({ level }) => level === "error").map(({ message }) => message);
  const message = errors[0] ?? "The file cannot be read.";
  return new AppError("INVALID_FILE", message, { fieldErrors: { file: errors }, extra: { problems } });
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
  new AppError("FILE_NOT_OPEN", `This payment file ${STANDING[status]}.`, { extra: { status } });

export const fileChanged = () =>
  new AppError("FILE_CHANGED", "Someone else changed this payment file at the same moment. Look again, then decide.");

/** The conditions that a line is of this file. */
export const linesOf = ({ organizationId, fileId }: Owner) =>
  [eq(paymentFileLines.organizationId, organizationId), eq(paymentFileLines.fileId, fileId)] as const;

/** A stored line with its findings, which deciding and clearing start from. */
export const lineColumns = {
  ...columnsOf(paymentFileLines, "line", "accountName", "bsb", "accountNumber"),
  ...columnsOf(paymentFileLines, "amount", "reference", "payeeId", "reasons"),
};

/** Lines written by one statement, and lines whose facts go into one row: at most 1 MB with long names. */
const LINES_PER_STATEMENT = 500;

type FileRow = Partial<typeof paymentFiles.$inferInsert>;

/** Statements that insert judged lines, held or authorised, with the facts that the rules saw. */
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

/** Statements that store new findings and a status on lines judged again; earlier decisions no longer apply. */
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
      .where(and(...linesOf({ organizationId, fileId }), sql`${paymentFileLines.line} = "given"."value" ->> 'line'`));
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

const RECENTLY_MS = 30 * DAY_MS;

/** The payee that had a line's account until its bank details changed, taken from the line's reasons. */
const formerHolder = sql.raw(`(SELECT "reason"."value" ->> '$.evidence.formerPayeeId'
  FROM json_each("line"."reasons") AS "reason" WHERE "reason"."value" ->> 'rule' = '${payeeNotTrusted.id}')`);

/** Numbers and cents of a file's payments. `toFormer`: the changed ones that pay the payee's former account. */
export type NewAndChanged = {
  firstPayments: number;
  firstCents: number;
  changed: number;
  changedCents: number;
  toFormer: number;
};

/**
 * How many of a file's payments go to payees that were never paid, or whose bank details changed recently: to the
 * present account, or to the former one.
 */
async function countNewAndChanged({ db, clock }: TimedServices, { organizationId, fileId }: Owner) {
  const since = clock.now() - RECENTLY_MS;
  const [row] = await db.all<NewAndChanged>(
    sql`SELECT coalesce(sum("isFirst"), 0) AS "firstPayments", coalesce(sum("isFirst" * "amount"), 0) AS "firstCents",
        coalesce(sum("isChanged"), 0) AS "changed", coalesce(sum("isChanged" * "amount"), 0) AS "changedCents",
        coalesce(sum("isChanged" AND "payeeId" IS NULL), 0) AS "toFormer"
      FROM (SELECT "line"."amount", "line"."payeeId",
          "line"."payeeId" IS NOT NULL AND "payee"."paymentCount" = 0 AS "isFirst",
          coalesce("payee"."bankDetailsChangedAt", 0) > ${since} AS "isChanged"
        FROM "payment_file_lines" AS "line" CROSS JOIN "payees" AS "payee"
        WHERE "line"."organizationId" = ${organizationId} AND "line"."fileId" = ${fileId}
          AND "payee"."organizationId" = ${organizationId}
          AND "payee"."id" = coalesce("line"."payeeId", ${formerHolder})) AS "walk"`,
  );
  return row ?? { firstPayments: 0, firstCents: 0, changed: 0, changedCents: 0, toFormer: 0 };
}

/** Compares what the file would pay with what the previous file was cleared for; null when there was none. */
async function compareWithLastRun(services: TimedServices, owner: Owner) {
  const { db } = services;
  const { organizationId, fileId } = owner;
  const [last] = await db
    .select({ fileId: paymentFiles.id, name: paymentFiles.name, createdAt: paymentFiles.createdAt })
    .from(paymentFiles)
    .where(
      and(
        eq(paymentFiles.organizationId, organizationId),
        lt(paymentFiles.id, fileId),
        inArray(paymentFiles.status, ["cleared", "settled"]),
      ),
    )
    .orderBy(desc(paymentFiles.id))
    .limit(1);
  if (!last) return null;
  const [now, before] = await Promise.all([
    listRunPayees(services, owner, sql`"line"."status" <> 'rejected'`),
    listRunPayees(services, { organizationId, fileId: last.fileId }, sql`"line"."paymentId" IS NOT NULL`),
  ]);
  const { added, jumped, missing } = compareRuns(now, before);
  return { ...last, added: first(added), jumped: first(jumped), missing: first(missing) };
}

/** How many payees each part of the comparison names. */
const MAX_COMPARED = 5;

const first = <T>(list: readonly T[]) => ({ shown: list.slice(0, MAX_COMPARED), count: list.length });

/** The comparison of two runs: the first payees of each part, and how many there are. */
export type RunComparison = NonNullable<Awaited<ReturnType<typeof compareWithLastRun>>>;

/** The figures that an approver saw when the file was first cleared. */
export type FiguresAtClearing = NewAndChanged & {
  /** Null: no file was cleared before it. Absent: not stored at the time. */
  lastRun?: RunComparison | null;
};

/** The present figures of a file, to be stored with its first clearing. */
export async function figuresNow(services: TimedServices, owner: Owner): Promise<FiguresAtClearing> {
  const [figures, lastRun] = await Promise.all([
    countNewAndChanged(services, owner),
    compareWithLastRun(services, owner),
  ]);
  return { ...figures, lastRun };
}

/** What a payee receives in a run, in integer cents. */
type RunPayee = { payeeId: string; name: string; cents: number };

/** What each payee receives from these lines of a file. */
async function listRunPayees({ db }: ReadServices, { organizationId, fileId }: Owner, which: SQL): Promise<RunPayee[]> {
  return db.all<RunPayee>(sql`SELECT "line"."payeeId", "payee"."name", sum("line"."amount") AS "cents"
    FROM "payment_file_lines" AS "line" CROSS JOIN "payees" AS "payee"
    WHERE "line"."organizationId" = ${organizationId} AND "line"."fileId" = ${fileId} AND ${which}
      AND "payee"."organizationId" = ${organizationId} AND "payee"."id" = "line"."payeeId"
    GROUP BY "line"."payeeId"`);
}

/** An amount that is more than this many times the previous one has jumped. */
const JUMP = 2;

export function compareRuns(now: readonly RunPayee[], before: readonly RunPayee[]) {
  const then = new Map(before.map((payee) => [payee.payeeId, payee.cents]));
  const current = new Set(now.map(({ payeeId }) => payeeId));
  const largest = (a: RunPayee, b: RunPayee) => b.cents - a.cents;
  return {
    /** Payees of this run that the last one did not pay, largest amount first. */
    added: now.filter(({ payeeId }) => !then.has(payeeId)).sort(largest),
    /** Payees that receive more than `JUMP` times the previous amount. */
    jumped: now
      .flatMap((payee) => {
        const beforeCents = then.get(payee.payeeId);
        return beforeCents !== undefined && payee.cents > beforeCents * JUMP ? [{ ...payee, beforeCents }] : [];
      })
      .sort(largest),
    /** Payees of the last run that this one does not pay. */
    missing: before.filter(({ payeeId }) => !current.has(payeeId)).sort(largest),
  };
}

const encoder = new TextEncoder();

/** Turns the characters that `insertBytes` stored back into bytes. */
function toCodes(text: string): Uint8Array {
  const encoded = encoder.encode(text);
  return encoded.length === text.length ? encoded : Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** The bytes of an uploaded or cleared file, unchanged. @throws Error when a part is missing or damaged */
export async function getBytes(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  { organizationId, ownerId, byteCount }: { organizationId: string; ownerId: string; byteCount: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const rows = await db
    .select({ part: paymentFileBytes.part, sealed: paymentFileBytes.sealed })
    .from(paymentFileBytes)
    .where(and(eq(paymentFileBytes.organizationId, organizationId), eq(paymentFileBytes.ownerId, ownerId)))
    .orderBy(asc(paymentFileBytes.part));
  const bytes = new Uint8Array(byteCount);
  let at = 0;
  for (const { part, sealed } of rows) {
    const text = await secrets.open(sealed, contextOfPart(ownerId, part));
    bytes.set(toCodes(text), at);
    at += text.length;
  }
  if (at !== byteCount) throw new Error(`a payment file has ${at} bytes instead of ${byteCount}`);
  return bytes;
}

/** Bytes in one row: encrypted and encoded as text they take at most 1.4 MB, below D1's limit of 2 MB for a row. */
const PART_BYTES = 512 * 1024;
/** How many arguments one `String.fromCharCode` call takes. */
const CODES_PER_CALL = 8_192;
const decoder = new TextDecoder();

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}

/** The context that each part is encrypted with, so that no part can be swapped for another. */
const contextOfPart = (ownerId: string, part: number): string => `payment-file:${ownerId}:${part}`;

/** The stored parts of files, for re-encryption with a new key. */
export const encryptedFileParts: EncryptedColumn = {
  table: paymentFileBytes,
  column: paymentFileBytes.sealed,
  key: [paymentFileBytes.organizationId, paymentFileBytes.ownerId, paymentFileBytes.part],
  contextOf: (_, ownerId = "", part) => contextOfPart(ownerId, Number(part)),
};

/** Bytes as text with one character for each byte. */
function toCharacters(bytes: Uint8Array): string {
  if (isAscii(bytes)) return decoder.decode(bytes);
  let text = "";
  for (let at = 0; at < bytes.length; at += CODES_PER_CALL) {
    text += String.fromCharCode(...bytes.subarray(at, at + CODES_PER_CALL));
  }
  return text;
}

/** Statements that store the encrypted bytes of an uploaded or cleared file, for the batch that creates it. */
export async function insertBytes(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  owner: { organizationId: string; ownerId: string },
  bytes: Uint8Array,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (let at = 0, part = 0; at < bytes.length; at += PART_BYTES, part++) {
    const text = toCharacters(bytes.subarray(at, at + PART_BYTES));
    const sealed = await secrets.seal(text, contextOfPart(owner.ownerId, part));
    statements.push(db.insert(paymentFileBytes).values({ ...owner, part, sealed }));
  }
  return statements;
}
