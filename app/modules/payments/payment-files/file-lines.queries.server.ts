import { keySetPage } from "@db/key-set-page";
import { payees, paymentFileLines, paymentRecords, users } from "@db/schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import type { LineStatus } from "~/kernel/enums";
import type { ReadServices } from "~/services";

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
