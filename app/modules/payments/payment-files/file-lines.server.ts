import { columnsOf, payees, paymentFileLines, paymentRecords, users } from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { invalidInput, notFound } from "~/kernel/app-error";
import { formatBsb } from "~/kernel/bank-account";
import { LINE_STATUSES, type LineStatus } from "~/kernel/enums";
import { addressId } from "~/kernel/fields.schema.server";
import { isId } from "~/kernel/ids";
import type { BankDetails } from "~/kernel/payee";
import { formatCount, nameIfAny } from "~/kernel/text";
import { getPayment } from "~/modules/payments/payment.server";
import type { Actor, Asking, ReadServices } from "~/services-and-actor";
import type { LineTab } from "./payment-file";
import { lineColumns, linesOf } from "./payment-file.server";

export const LINES_PAGE_SIZE = 50;

/** Which lines of a file to list; an empty filter lists all. */
export type LineFilter = {
  status?: LineStatus;
  /** Only lines that this rule holds or warns about. */
  rule?: string;
  payeeId?: string;
  /** Only lines after this one. */
  after?: number;
};

const MAX_LINE = 10_000_000;

/** The line filter of an address. Unknown values are ignored, so no address causes an error. */
const lineFilterSchema = z.object({
  status: z.enum(LINE_STATUSES).optional().catch(undefined),
  rule: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .optional()
    .catch(undefined),
  payeeId: addressId,
  line: z.coerce.number().int().min(1).max(MAX_LINE).optional().catch(undefined),
  after: z.coerce.number().int().min(0).max(MAX_LINE).optional().catch(undefined),
});

/** Parses `?status=&rule=&payeeId=&cursor=`. */
export function readLineFilter(params: URLSearchParams): LineFilter {
  const given = (name: string) => params.get(name) ?? undefined;
  const asked = { status: given("status"), rule: given("rule"), payeeId: given("payeeId"), after: given("cursor") };
  const { line: _, ...filter } = lineFilterSchema.parse(asked);
  return filter;
}

const MAX_LIMIT = 1_000;
const INVALID_LIMIT = `Enter a limit from 1 to ${formatCount(MAX_LIMIT)}`;

/** Parses `?limit=`; undefined when it is missing. @throws AppError 400 */
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

/** Rules in an address, `tick=a,b`; a list longer than the number of rules is ignored. */
const tickSchema = z
  .string()
  .regex(/^[a-z_]{1,40}(,[a-z_]{1,40}){0,49}$/)
  .transform((list) => list.split(","))
  .catch([]);

export type PageFilter = LineFilter & { tab?: LineTab; line?: number; tick?: string[] };

/**
 * Parses the address of a file's page: `?lines=&rule=&payeeId=&after=&line=&tick=`; `line` is the line being decided
 * individually, `tick` the rules whose lines are ticked.
 */
export function readPageFilter(params: URLSearchParams): PageFilter {
  const given = (name: string) => params.get(name) ?? undefined;
  const { status: _, ...filter } = lineFilterSchema.parse({
    rule: given("rule"),
    payeeId: given("payeeId"),
    after: given("after"),
    line: given("line"),
  });
  return { ...filter, tab: tabSchema.parse(given("lines")), tick: tickSchema.parse(given("tick")) };
}

/** Parses a line number from a path; undefined when it is invalid. */
const readLineNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;

const columns = {
  ...lineColumns,
  ...columnsOf(paymentFileLines, "status", "decisionReason", "decidedAt", "decidedById", "paymentId"),
  payeeName: payees.name,
  paymentStatus: paymentRecords.status,
  ...columnsOf(users, "firstName", "lastName"),
};

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

const named = ({ firstName, lastName, ...line }: Awaited<ReturnType<typeof select>>[number]) => ({
  ...line,
  decidedBy: nameIfAny({ firstName, lastName }),
});

export type FileLineDetail = ReturnType<typeof named>;

/** One page of a file's lines, in file order. */
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
        ...linesOf({ organizationId, fileId }),
        status && eq(paymentFileLines.status, status),
        payeeId === undefined ? undefined : eq(paymentFileLines.payeeId, payeeId),
        page.beyond(paymentFileLines.line),
        rule === undefined
          ? undefined
          : sql`EXISTS (SELECT 1 FROM json_each(${paymentFileLines.reasons}) AS "reason" WHERE "reason"."value" ->> 'rule' = ${rule})`,
      ),
    )
    .orderBy(page.order(paymentFileLines.line))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ line }) => line);
  return { lines: shown.map(named), next };
}

/** One line of a file; undefined when the file has no such line. */
export async function findLine(
  services: ReadServices,
  { organizationId }: Asking,
  { fileId, line }: { fileId: string; line: number },
): Promise<FileLineDetail | undefined> {
  const [row] = await select(services, organizationId).where(
    and(...linesOf({ organizationId, fileId }), eq(paymentFileLines.line, line)),
  );
  return row && named(row);
}

/** As `findLine`. @throws AppError 404 */
export async function getLine(services: ReadServices, asking: Asking, asked: { fileId: string; line: number }) {
  const line = await findLine(services, asking, asked);
  if (!line) throw notFound();
  return line;
}

/**
 * The account of a payment or a file line, for the form that adds a payee: the address contains `?payment=` or
 * `?file=&line=`, never the numbers themselves. Undefined when the address names neither.
 * @throws AppError 404 for a payment or a line that is not the organisation's
 */
export async function findAccountToAdd(services: ReadServices, actor: Actor, params: URLSearchParams) {
  const asked = await findAsked(services, actor, params);
  if (!asked) return undefined;
  const { accountName, bsb, accountNumber } = asked;
  return { name: accountName, accountName, bsb: formatBsb(bsb), accountNumber };
}

function findAsked(services: ReadServices, actor: Actor, params: URLSearchParams): Promise<BankDetails> | undefined {
  const paymentId = params.get("payment");
  if (paymentId !== null && isId(paymentId)) return getPayment(services, actor, paymentId);
  const fileId = params.get("file");
  const line = readLineNumber(params.get("line") ?? undefined);
  if (fileId === null || !isId(fileId) || line === undefined) return undefined;
  return getLine(services, actor, { fileId, line });
}
