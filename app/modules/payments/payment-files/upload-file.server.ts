import { columnsOf, paymentFileLines, paymentFiles } from "@db/database";
import { and, desc, eq, ne, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { AppError, type FieldErrors, invalidInput } from "~/kernel/app-error";
import { accountKey, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { formatDate } from "~/kernel/dates";
import { decodeBytes, sha256Hex } from "~/kernel/encodings";
import { type FileProblem, nameLines } from "~/kernel/file-problem";
import type { BankDetails } from "~/kernel/payee";
import { searchTerms } from "~/kernel/text";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { moveJob, retryJobLater } from "~/modules/core/commands/outbox.server";
import { holdNewJob, type IdempotentRequest, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { leadingWords } from "~/modules/core/payee-keys";
import { isWorkbook } from "~/modules/payees/imports/read-workbook";
import { findFileSettings } from "~/modules/payments/approval-limits.server";
import {
  ACCOUNT_FIELDS,
  CSV_FIELD_LABELS,
  CSV_FIELDS,
  type CsvField,
  type CsvMapping,
  NO_COLUMN,
  NOT_IN_TABLE,
} from "~/modules/payments/payment-files/csv/columns";
import type { Actor, Asking, ReadServices, TimedServices, WriteServices } from "~/services-and-actor";
import { type AbaFile, DEBIT_CODE, DETAIL, fieldOf } from "./aba";
import {
  checkedAudit,
  checkInSteps,
  isOver,
  judgeStep,
  LINES_PER_STEP,
  type Pace,
  type Rest,
} from "./check-file.server";
import { type FileLine, type PaysFrom, type StatedAccount, sumOf } from "./payment-file";
import { insertBytes, linesOf, type Owner, unreadableFile } from "./payment-file.server";
import { type ReadFile, readPaymentFile } from "./read-file";
import { rememberMapping } from "./settings.server";

export type UploadInput = {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The text was pasted rather than chosen as a file. */
  isPasted?: boolean;
  /** The columns that somebody chose for this table. */
  columns?: { signature: string; mapping: CsvMapping };
  idempotencyKey?: string;
};

/** Text up to this size returns to the form: a table whose columns must be chosen need not be sent again. */
const MAX_SHOWN_AGAIN = 200_000;

const MAX_SIGNATURE = 4_000;

/**
 * Parses the upload form: a file or pasted payments, and the columns of its table if somebody chose them.
 * @param file the contents of the chosen file
 * @throws AppError 400 with the sentences beside their fields
 */
export function parseUpload(form: FormData, file: { name: string; bytes: Uint8Array<ArrayBuffer> } | undefined) {
  const pasted = form.get("pasted");
  const text = typeof pasted === "string" ? pasted : "";
  const columns = parseColumns(form);
  if (file) return { ...file, columns };
  if (text.trim() === "") throw invalidInput({ file: ["Choose a file, or paste the payments"] });
  return { name: "Pasted payments", bytes: new TextEncoder().encode(text), isPasted: true, columns };
}

function parseColumns(form: FormData): UploadInput["columns"] {
  const signature = form.get("signature");
  if (typeof signature !== "string" || signature.length > MAX_SIGNATURE) return undefined;
  const errors: FieldErrors = {};
  const chosen: Partial<Record<CsvField, number>> = {};
  for (const field of CSV_FIELDS) {
    const value = form.get(`column.${field}`);
    if (typeof value === "string" && /^\d{1,3}$/.test(value)) chosen[field] = Number(value);
    else if (value === NO_COLUMN && ACCOUNT_FIELDS.includes(field)) chosen[field] = NOT_IN_TABLE;
    else errors[`column.${field}`] = [`Choose the column of the ${CSV_FIELD_LABELS[field].toLowerCase()}`];
  }
  const lacking = ACCOUNT_FIELDS.filter((field) => chosen[field] === NOT_IN_TABLE);
  if (lacking.length === 1)
    errors[`column.${lacking[0]}`] = ["An account needs both a BSB and an account number: choose both, or neither"];
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return { signature, mapping: chosen as CsvMapping };
}

/** Puts a refused table's text into the form, if it is short enough: it is sent again with the chosen columns. */
export function returnTableToForm(form: FormData, bytes: Uint8Array): void {
  if (bytes.length <= MAX_SHOWN_AGAIN) form.set("pasted", new TextDecoder().decode(bytes));
}

/** `isNew` is false when exactly this file was uploaded before: the result then refers to that upload. */
export type Uploaded = { fileId: string; isNew: boolean; nameBefore: string | null };

/** For an upload: a person waits for the answer. */
const PACE_OF_UPLOAD: Pace = { linesPerStep: LINES_PER_STEP, forMs: 5_000 };

/**
 * Stores a payment file and checks its lines in steps. If time runs out, the queue continues, and the file is still
 * "checking" when this returns. Uploading the same bytes again returns the first upload.
 *
 * @throws AppError 400 INVALID_FILE with every problem and its line, or MAPPING_REQUIRED with the headings; 402
 * SUBSCRIPTION_REQUIRED; 409 IDEMPOTENCY_CONFLICT
 */
export async function uploadFile(services: WriteServices, actor: Actor, input: UploadInput, pace = PACE_OF_UPLOAD) {
  const sha256 = await sha256Hex(input.bytes);
  const asked = { operation: "upload payment file", key: input.idempotencyKey, input: [sha256, input.columns] };
  return runOnce(services, actor, asked, async (request): Promise<Uploaded> => {
    const [settings, before] = await Promise.all([
      findFileSettings(services, actor.organizationId),
      findSameFile(services, actor, sha256),
      requireLiveSubscription(services, actor.organizationId),
    ]);
    if (before) return { fileId: before.id, isNew: false, nameBefore: before.name };
    const known = input.columns ? { [input.columns.signature]: input.columns.mapping } : settings.mappings;
    if (isWorkbook(input.bytes)) throw unreadableFile([{ line: null, level: "error", message: WORKBOOK }]);
    let reading = readPaymentFile(decodeBytes(input.bytes), { isPasted: input.isPasted, known });
    if (!reading.ok && reading.unpaid) {
      // A list of bills is paid to the present accounts of the payees that match its suppliers.
      const { suppliers, pay } = reading.unpaid;
      reading = pay(Object.fromEntries(await findPayeesByName(services, actor.organizationId, suppliers)));
    }
    if (!reading.ok)
      throw reading.mappingNeeded ? mappingRequired(reading.mappingNeeded) : unreadableFile(reading.problems);
    return takeIn(services, actor, { ...input, sha256, file: reading.file, request, pace });
  });
}

const WORKBOOK =
  "This is an Excel workbook. Payments are read from a direct entry file (.aba) or a CSV file: save the sheet as “CSV UTF-8” and upload that file.";

/** The earlier upload of exactly these bytes, unless it was abandoned. */
async function findSameFile({ db }: ReadServices, { organizationId }: Asking, sha256: string) {
  const [row] = await db
    .select({ id: paymentFiles.id, name: paymentFiles.name })
    .from(paymentFiles)
    .where(
      and(
        eq(paymentFiles.organizationId, organizationId),
        eq(paymentFiles.sha256, sha256),
        ne(paymentFiles.status, "abandoned"),
      ),
    )
    .limit(1);
  return row;
}

/** The error for a table whose columns are not recognised, so that somebody must choose them. */
export const mappingRequired = (needed: { headings: string[]; signature: string }) => {
  const message = "The columns of this table are not recognised. Choose which column is which.";
  return new AppError("MAPPING_REQUIRED", message, { fieldErrors: { file: [message] }, extra: needed });
};

const NAMES_PER_STATEMENT = 1_000;

/** More payees of one name than any organisation would have. */
const PAYEES_PER_NAME = 20;

const wordsOf = (name: string) => searchTerms(name).join(" ");

/** Sorts the words of a name so that the most distinctive comes first: one with a digit, otherwise the longest. */
const mostTellingFirst = (name: string) =>
  leadingWords(name).sort((a, b) => Number(/\d/.test(b)) - Number(/\d/.test(a)) || b.length - a.length);

/**
 * The organisation's payees with these names, as payee name or account name, by the name asked for. Case, accents and
 * punctuation are ignored. Archived payees are left out.
 *
 * The number of rows read depends on how many payees share the most distinctive word of a name, not on how many payees
 * there are.
 */
async function findPayeesByName({ db }: ReadServices, organizationId: string, names: readonly string[]) {
  const found = new Map<string, BankDetails[]>();
  const asked = [...new Set(names)].map((name) => ({ name, words: mostTellingFirst(name) }));
  const searchable = asked.filter(({ words }) => words.length > 0);
  for (const part of inParts(searchable, NAMES_PER_STATEMENT)) {
    const rows = await db.all<
      BankDetails & { asked: string; name: string }
    >(sql`SELECT "asked"."value" ->> 'name' AS "asked",
        "payee"."name", "payee"."accountName", "payee"."bsb", "payee"."accountNumber"
      FROM json_each(${JSON.stringify(part)}) AS "asked"
      CROSS JOIN json_each((SELECT json_group_array("payeeId") FROM (
        SELECT "first"."payeeId" FROM "payee_terms" AS "first"
        WHERE "first"."organizationId" = ${organizationId} AND "first"."term" = "asked"."value" ->> '$.words[0]'
          AND NOT EXISTS (SELECT 1 FROM json_each("asked"."value" -> 'words') AS "word"
            WHERE NOT EXISTS (SELECT 1 FROM "payee_terms" AS "other" WHERE "other"."organizationId" = ${organizationId}
              AND "other"."term" = "word"."value" AND "other"."payeeId" = "first"."payeeId"))
        LIMIT ${sql.raw(String(PAYEES_PER_NAME))}) AS "walk")) AS "near"
      CROSS JOIN "payees" AS "payee"
      WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "near"."value" AND "payee"."archivedAt" IS NULL`);
    for (const { asked: name, name: payeeName, ...account } of rows) {
      const isSame = [payeeName, account.accountName].some((known) => wordsOf(known) === wordsOf(name));
      if (isSame) found.set(name, [...(found.get(name) ?? []), account]);
    }
  }
  return found;
}

/** Stores the file and the check of its first lines in one batch, then checks the rest. */
async function takeIn(
  services: WriteServices,
  actor: Actor,
  taking: UploadInput & { sha256: string; file: ReadFile; request: IdempotentRequest | undefined; pace: Pace },
): Promise<Uploaded> {
  const { organizationId } = actor;
  const { file, sha256, columns, bytes, pace } = taking;
  const { lines } = file;
  const since = services.clock.now();
  const fileId = services.ids.next();
  const owner = { organizationId, fileId };
  const row = await toFileRow(services, actor, { ...taking, fileId });
  const judged = {
    organizationId,
    id: fileId,
    format: file.format,
    uploadedById: actor.userId,
    paysFrom: row.paysFrom ?? null,
  };
  const step = await judgeStep(services, judged, { lines, from: 0, pace });
  const held = step.isLast ? undefined : holdNewJob(services, toCheckJob(owner));
  const result = await runCommand(services, actor, {
    conditions: [fileIsNew(organizationId, sha256)],
    statements: [
      services.db.insert(paymentFiles).values(row),
      ...(await insertBytes(services, { organizationId, ownerId: fileId }, bytes)),
      ...(columns ? [rememberMapping(services, organizationId, columns)] : []),
      ...step.statements,
      ...(held ? [held.statement] : []),
    ],
    audit: [uploadAudit(row), ...(step.isLast ? [await checkedAudit(services, judged, step.checked, step.found)] : [])],
    jobs: step.jobs,
    request: taking.request,
    answer: { fileId, isNew: true, nameBefore: null } as Uploaded,
  });
  if (!result.ok) {
    const first = await findSameFile(services, actor, sha256);
    if (!first) throw new Error("a payment file was refused as already uploaded, but is not there");
    return { fileId: first.id, isNew: false, nameBefore: first.name };
  }
  const { checked: from, found } = step;
  if (held) await checkRest(services, { file: judged, lines, from, found, job: held.job, pace, since });
  return result.answer;
}

const fileIsNew = (organizationId: string, sha256: string) => ({
  name: "already_uploaded" as const,
  found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${paymentFiles} WHERE ${paymentFiles.organizationId} = ${organizationId}
    AND ${paymentFiles.sha256} = ${sha256} AND ${paymentFiles.status} <> 'abandoned')`,
});

const toCheckJob = ({ organizationId, fileId }: Owner) => ({
  kind: "payment_file_check" as const,
  organizationId,
  subjectId: fileId,
});

type Row = typeof paymentFiles.$inferInsert;

async function toFileRow(
  services: WriteServices,
  actor: Actor,
  { fileId, sha256, file, name, bytes }: { fileId: string; sha256: string; file: ReadFile } & UploadInput,
): Promise<Row> {
  const now = services.clock.now();
  const { lines, format, aba } = file;
  const paymentsDigest = await services.secrets.hashToken(textWithoutAccounts(lines));
  const same = await describeSamePayments(services, actor, { paymentsDigest, sha256, lines });
  const problems: FileProblem[] = [...same, ...file.problems];
  return {
    id: fileId,
    organizationId: actor.organizationId,
    name,
    format,
    status: "checking",
    sha256,
    paymentsDigest,
    byteCount: bytes.length,
    headerRecord: aba?.header.record ?? null,
    columns: file.columns,
    paysFrom: aba && readPaysFrom(aba),
    problems,
    lineCount: lines.length,
    totalCents: sumOf(lines),
    checkedCount: 0,
    uploadedById: actor.userId,
    createdAt: now,
    updatedAt: now,
  };
}

/** All payments without their accounts, in an order that does not depend on the file's. */
const textWithoutAccounts = (lines: readonly FileLine[]): string =>
  lines
    .map(({ accountName, amount, reference }) => JSON.stringify([accountName, amount, reference]))
    .sort()
    .join("\n");

const uploadAudit = ({ id, name, format, sha256, lineCount, totalCents }: Row) => ({
  action: "payment_file.uploaded" as const,
  entityId: id,
  details: { name, format, sha256, lineCount, totalCents },
});

/** The file is stored already, so the upload succeeds even when the check fails: the queue continues it later. */
async function checkRest(services: WriteServices, rest: Rest): Promise<void> {
  try {
    if (isOver(services, rest)) await moveJob(services, rest.job, { dueAt: services.clock.now(), attempts: 0 });
    else await checkInSteps(services, rest);
  } catch (error) {
    services.log.warn("payment_file.check_interrupted", { fileId: rest.file.id, error: String(error) });
    await retryJobLater(services, rest.job, { error: String(error) });
  }
}

/**
 * Describes an earlier upload with the same names, amounts and references, and which lines now have a different
 * account: the sign of a file that was tampered with between two systems.
 */
async function describeSamePayments(
  services: TimedServices,
  asking: { organizationId: string },
  file: { paymentsDigest: string; sha256: string; lines: readonly FileLine[] },
): Promise<FileProblem[]> {
  const same = await findSamePayments(services, asking, file);
  if (!same) return [];
  const { db } = services;
  const [{ timeZone }, before] = await Promise.all([
    findPolicy(services, asking.organizationId),
    db
      .select(columnsOf(paymentFileLines, "accountName", "bsb", "accountNumber", "amount", "reference"))
      .from(paymentFileLines)
      .where(and(...linesOf({ organizationId: asking.organizationId, fileId: same.id }))),
  ]);
  const known = new Set(before.map(keyOf));
  const changed = file.lines.filter((line) => !known.has(keyOf(line))).map(({ line }) => line);
  const what = `“${same.name}”, uploaded on ${formatDate(same.createdAt, timeZone)}`;
  const message =
    changed.length === 0
      ? `This file has the same payments as ${what}.`
      : `This file has the same payments as ${what}, to other accounts on ${nameLines(changed)}.`;
  return [{ line: changed[0] ?? null, level: "warning", message }];
}

/** The newest file with the same payments, ignoring their accounts, and different bytes. */
async function findSamePayments(
  { db }: ReadServices,
  { organizationId }: Asking,
  { paymentsDigest, sha256 }: { paymentsDigest: string; sha256: string },
) {
  const [row] = await db
    .select({ id: paymentFiles.id, name: paymentFiles.name, createdAt: paymentFiles.createdAt })
    .from(paymentFiles)
    .where(
      and(
        eq(paymentFiles.organizationId, organizationId),
        eq(paymentFiles.paymentsDigest, paymentsDigest),
        ne(paymentFiles.sha256, sha256),
        ne(paymentFiles.status, "abandoned"),
      ),
    )
    .orderBy(desc(paymentFiles.id))
    .limit(1);
  return row;
}

type Payment = Omit<FileLine, "line" | "newDetails">;

const keyOf = (line: Payment) => JSON.stringify([line.accountName, line.amount, line.reference, accountKey(line)]);

/** How many accounts of a file are kept. A file with more is stopped because of the first one anyway. */
const MAX_STATED = 20;

export function readPaysFrom({ header, lines }: AbaFile): PaysFrom {
  const found = new Map<string, StatedAccount>();
  const add = (place: StatedAccount["place"], line: number, bsbText: string, accountText: string) => {
    const [bsb, accountNumber] = [bsbText.trim(), accountText.trim()];
    // Blank fields name no account. Text that is not a valid account is kept as it is, so it matches no declared
    // account.
    if (bsb === "" && accountNumber === "") return;
    const read = { bsb: parseBsb(bsb) ?? bsb, accountNumber: parseAccountNumber(accountNumber) ?? accountNumber };
    const key = `${place} ${accountKey(read)}`;
    const known = found.get(key);
    if (known) known.count++;
    else if (found.size < MAX_STATED) found.set(key, { place, ...read, line, count: 1 });
  };
  add("header", 1, header.bsb, header.account);
  for (const { line, record, code, bsb, accountNumber } of lines) {
    if (code === DEBIT_CODE) add("debit", line, bsb, accountNumber);
    add("trace", line, fieldOf(record, DETAIL.traceBsb), fieldOf(record, DETAIL.traceAccount));
  }
  return { bank: header.bank, userId: header.userId, accounts: [...found.values()] };
}
