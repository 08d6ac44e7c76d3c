import { keySetPage } from "@db/key-set-page";
import type { Condition } from "@db/precondition";
import { paymentFiles, users } from "@db/schema";
import { and, desc, eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { displayName } from "~/kernel/actor";
import { AppError, type FieldErrors, invalidInput, notFound } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import { type FileStatus, LINE_STATUSES } from "~/kernel/enums";
import { type FileProblem, nameLines } from "~/kernel/file-problem";
import { isId } from "~/kernel/ids";
import { formatAud, MAX_AMOUNT_CENTS } from "~/kernel/money";
import { sayPlainly } from "~/kernel/plain-issues";
import { capital, cleanText } from "~/kernel/text";
import type { ReadServices } from "~/services";
import type { LineChoice } from "./decide-lines.server";
import { LINES_PAGE_SIZE, type LineFilter } from "./file-lines.server";
import type { LeftLine } from "./payment-file";
import type { LineTab } from "./payment-file.view";

const MAX_LINE = 10_000_000;

/** Which lines of a file an address asks for. Unknown values are no filter, so that no address is an error. */
const lineFilterSchema = z.object({
  status: z.enum(LINE_STATUSES).optional().catch(undefined),
  rule: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .optional()
    .catch(undefined),
  payeeId: z.string().refine(isId).optional().catch(undefined),
  line: z.coerce.number().int().min(1).max(MAX_LINE).optional().catch(undefined),
  after: z.coerce.number().int().min(0).max(MAX_LINE).optional().catch(undefined),
});

/** The filter of `?status=&rule=&payeeId=&cursor=`. */
export function readLineFilter(params: URLSearchParams): LineFilter {
  const given = (name: string) => params.get(name) ?? undefined;
  const asked = { status: given("status"), rule: given("rule"), payeeId: given("payeeId"), after: given("cursor") };
  const { line: _, ...filter } = lineFilterSchema.parse(asked);
  return filter;
}

const MAX_LIMIT = 1_000;
const INVALID_LIMIT = `Enter a limit from 1 to ${MAX_LIMIT.toLocaleString("en-AU")}`;

/** How many lines `?limit=` asks for; undefined where it asks for none. @throws AppError 400 */
export function readLineLimit(params: URLSearchParams): number | undefined {
  const given = params.get("limit");
  if (given === null) return undefined;
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidInput({ limit: [INVALID_LIMIT] }, INVALID_LIMIT);
  return limit;
}

const tabSchema = z
  .enum(["all", ...LINE_STATUSES])
  .optional()
  .catch(undefined);

/** What the page of a file shows: `?lines=&rule=&payeeId=&after=&line=`; `line` is the one that is decided by itself. */
export function readPageFilter(params: URLSearchParams): LineFilter & { tab?: LineTab; line?: number } {
  const given = (name: string) => params.get(name) ?? undefined;
  const { status: _, ...filter } = lineFilterSchema.parse({
    rule: given("rule"),
    payeeId: given("payeeId"),
    after: given("after"),
    line: given("line"),
  });
  return { ...filter, tab: tabSchema.parse(given("lines")) };
}

/** The cursor of a list of files; anything that is no id is the beginning. */
export const readFilesCursor = (params: URLSearchParams): string | undefined => {
  const cursor = params.get("cursor") ?? params.get("after") ?? undefined;
  return cursor !== undefined && isId(cursor) ? cursor : undefined;
};

/** A line of a path; undefined for what is none. */
export const readLineNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;

const MAX_REASON_LENGTH = 500;

const reason = z
  .string({ error: "Give a reason" })
  .transform(cleanText)
  .refine((text) => text !== "", "Give a reason")
  .refine((text) => text.length <= MAX_REASON_LENGTH, `Keep the reason to ${MAX_REASON_LENGTH} characters`);

const decision = z.enum(["approve", "reject"], { error: "Choose approve or reject" });

/** The body of a decision about one line. */
export const lineDecisionSchema = z.object({ decision, reason });

/** A post of the page: which lines, what about them, and why. Ticked lines stand for themselves. */
const postedDecisionSchema = z.object({
  intent: decision,
  reason,
  rule: z.string().optional(),
  payeeId: z.string().optional(),
  line: z.array(z.string().regex(/^[1-9]\d{0,6}$/)).max(LINES_PAGE_SIZE),
});

/** What a person decides on the page of a file. @throws AppError 400 with the sentences beside their fields */
export function parseDecision(form: FormData): { decision: "approve" | "reject"; reason: string; choice: LineChoice } {
  const { intent, ...given } = Object.fromEntries(form);
  const posted = postedDecisionSchema.safeParse({ ...given, intent, line: form.getAll("line") }, { error: sayPlainly });
  if (!posted.success) throw invalidInput(z.flattenError(posted.error).fieldErrors as FieldErrors);
  const { rule, payeeId, line } = posted.data;
  if (!rule && !payeeId && line.length === 0) throw invalidInput({ line: ["Tick the lines that you decide about"] });
  const choice = rule ? { rule } : payeeId ? { payeeId } : { lines: line.map(Number) };
  return { decision: posted.data.intent, reason: posted.data.reason, choice };
}

/** `?clearing=`; anything that is no id asks for the newest. */
export const readClearingId = (params: URLSearchParams): string | undefined => {
  const id = params.get("clearing") ?? undefined;
  return id !== undefined && isId(id) ? id : undefined;
};

const SHA256 = /^[0-9a-f]{64}$/i;
const INVALID_SHA256 = "Choose a file, or enter a SHA-256 of 64 characters";

/** A SHA-256 as it was typed. @throws AppError 400 */
export function parseSha256(value: unknown): string {
  const text = typeof value === "string" ? value.replace(/\s/g, "") : "";
  if (!SHA256.test(text)) throw invalidInput({ sha256: [INVALID_SHA256] }, INVALID_SHA256);
  return text.toLowerCase();
}

/** The body of a proof by hash. */
export const proveSchema = z.object({ sha256: z.string({ error: INVALID_SHA256 }) });

/** The file cannot be read: every problem with its line. */
export function unreadableFile(problems: readonly FileProblem[]): AppError {
  const errors = problems.filter(({ level }) => level === "error").map(({ message }) => message);
  const message = errors[0] ?? "The file cannot be read.";
  return new AppError("INVALID_FILE", 400, message, { fieldErrors: { file: errors }, extra: { problems } });
}

/** A table whose columns are not recognised: somebody has to say which is which. */
export const mappingRequired = (needed: { headings: string[]; signature: string }) => {
  const message = "The columns of this table are not recognised. Choose which column is which.";
  return new AppError("MAPPING_REQUIRED", 400, message, { fieldErrors: { file: [message] }, extra: needed });
};

/** Lines that an answer tells of singly. */
const MAX_NAMED = 200;

const STANDING: Record<FileStatus, string> = {
  checking: "is still being checked",
  open: "is open",
  cleared: "was cleared",
  settled: "is settled",
  abandoned: "was given up",
};

/** Nothing of this kind may be done to a file in its status. */
export const fileNotOpen = (status: FileStatus) =>
  new AppError("FILE_NOT_OPEN", 409, `This payment file ${STANDING[status]}.`, { extra: { status } });

export const fileChanged = () =>
  new AppError(
    "FILE_CHANGED",
    409,
    "Someone else changed this payment file at the same moment. Look again, then decide.",
  );

type Decided = { status: "held" | "authorised" | "rejected"; decidedBy: string | null; decidedAt: number | null };

const DECIDED = { authorised: "approved", rejected: "rejected", held: "put back on hold" } as const;

/** Of several people at once the first decides, and the others are told who it was. */
export function nothingToDecide(line: Decided | undefined, timeZone: string): AppError {
  if (!line || line.decidedAt === null) {
    const message = "None of these lines is held any more: there is nothing to decide.";
    return new AppError("NOTHING_HELD", 409, message);
  }
  const on = formatDateTime(line.decidedAt, timeZone);
  const message = `${line.decidedBy ?? "PayeeProof"} ${DECIDED[line.status]} this line on ${on}.`;
  const decision = { status: line.status, decidedBy: line.decidedBy, decidedAt: toIso(line.decidedAt) };
  return new AppError("ALREADY_DECIDED", 409, message, { extra: { decision } });
}

export const secondPersonRequired = (lines: readonly number[]) =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    `Your organisation asks for a second person: you uploaded this file, entered bank details that it pays here or in the accounting system they came from, or connected that system. ${capital(nameLines(lines))} must be approved by someone else.`,
    { extra: { lines } },
  );

export const aboveApprovalLimit = (limitCents: number, lines: readonly number[]) =>
  new AppError(
    "APPROVAL_LIMIT",
    403,
    `You may approve payments up to ${formatAud(limitCents)}. ${capital(nameLines(lines))} ${lines.length === 1 ? "is" : "are"} above it.`,
    { extra: { lines, approvalLimitCents: limitCents } },
  );

/** Lines that were not decided: each is decided by itself, or something is known of it since. */
export const decideOneByOne = (lines: readonly LeftLine[]) =>
  new AppError(
    "DECIDE_ONE_BY_ONE",
    409,
    `${capital(nameLines(lines.map(({ line }) => line)))} ${lines.length === 1 ? "was" : "were"} not decided. ${lines[0]?.message ?? ""}`.trim(),
    { extra: { lines: lines.slice(0, MAX_NAMED) } },
  );

export const fileNotAbandonable = () =>
  new AppError(
    "FILE_NOT_OPEN",
    409,
    "Payments of this file were cleared and may be at the bank, so it cannot be given up. Record what the bank did instead.",
  );

export const nothingToClear = () =>
  new AppError("NOTHING_TO_CLEAR", 409, "No authorised line is waiting to be cleared.");

export const linesHeldAgain = (lines: readonly { line: number; message: string }[]) =>
  new AppError(
    "LINES_HELD_AGAIN",
    409,
    `Something changed since this file was checked, so ${nameLines(lines.map(({ line }) => line))} ${lines.length === 1 ? "is" : "are"} held again and nothing was cleared. ${lines[0]?.message ?? ""}`.trim(),
    { extra: { lines } },
  );

export const payerRequired = () =>
  new AppError(
    "PAYER_REQUIRED",
    409,
    "A table does not say which account pays. Enter the details of the paying account before you clear this file.",
  );

export const tooMuchForOneFile = () =>
  new AppError(
    "FILE_TOTAL_TOO_LARGE",
    409,
    `A direct entry file can carry ${formatAud(MAX_AMOUNT_CENTS)} in total. Reject some lines here and pay them in another file.`,
  );

export const nothingToSettle = () =>
  new AppError("NOTHING_TO_SETTLE", 409, "No cleared payment of this file is waiting for an outcome.");

type Asking = { organizationId: string };

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

/** One payment file; undefined when it is not the organisation's. */
export async function findPaymentFile({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select(columns)
    .from(paymentFiles)
    .leftJoin(users, eq(users.id, paymentFiles.uploadedById))
    .where(and(isMine(organizationId), eq(paymentFiles.id, id)));
  return row && named(row);
}

export type PaymentFileDetail = NonNullable<Awaited<ReturnType<typeof findPaymentFile>>>;

/** The same for those who cannot go on without it. @throws AppError 404, the same for missing and foreign ids */
export async function getPaymentFile(services: ReadServices, asking: Asking, id: string): Promise<PaymentFileDetail> {
  const file = await findPaymentFile(services, asking, id);
  if (!file) throw notFound();
  return file;
}

/** The file with exactly these bytes that was uploaded before and not given up. */
export async function findSameFile({ db }: ReadServices, { organizationId }: Asking, sha256: string) {
  const [row] = await db
    .select({ id: paymentFiles.id, name: paymentFiles.name })
    .from(paymentFiles)
    .where(and(isMine(organizationId), eq(paymentFiles.sha256, sha256), ne(paymentFiles.status, "abandoned")))
    .limit(1);
  return row;
}

/** The newest file with the same payments whatever their accounts, and other bytes. */
export async function findSamePayments(
  { db }: ReadServices,
  { organizationId }: Asking,
  { paymentsDigest, sha256 }: { paymentsDigest: string; sha256: string },
) {
  const [row] = await db
    .select({ id: paymentFiles.id, name: paymentFiles.name, createdAt: paymentFiles.createdAt })
    .from(paymentFiles)
    .where(
      and(
        isMine(organizationId),
        eq(paymentFiles.paymentsDigest, paymentsDigest),
        ne(paymentFiles.sha256, sha256),
        ne(paymentFiles.status, "abandoned"),
      ),
    )
    .orderBy(desc(paymentFiles.id))
    .limit(1);
  return row;
}

export const FILES_PAGE_SIZE = 25;

/** The organisation's payment files, newest first, from after a given one. */
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

/** The file is as it was when somebody looked at it: of two people at once, the second is refused. */
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
