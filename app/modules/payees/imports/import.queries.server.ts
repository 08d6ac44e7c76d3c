import { keySetPage } from "@db/key-set-page";
import { payeeImportRows, payeeImports, users } from "@db/schema";
import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import type { RowOutcome } from "~/kernel/enums";
import type { ReadServices } from "~/services";

type Asking = { organizationId: string };

export const IMPORTS_PAGE_SIZE = 20;

const columns = { ...getTableColumns(payeeImports), firstName: users.firstName, lastName: users.lastName };

const isMine = ({ organizationId }: Asking) => eq(payeeImports.organizationId, organizationId);

function named<T extends { firstName: string | null; lastName: string | null }>({ firstName, lastName, ...row }: T) {
  return { ...row, uploadedBy: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }) };
}

/** One import; undefined when it is not the organisation's. */
export async function findImport({ db }: ReadServices, asking: Asking, id: string) {
  const [row] = await db
    .select(columns)
    .from(payeeImports)
    .leftJoin(users, eq(users.id, payeeImports.uploadedById))
    .where(and(isMine(asking), eq(payeeImports.id, id)));
  return row && named(row);
}

export type PayeeImport = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/** The same for those who cannot go on without it. @throws AppError 404, the same for missing and foreign ids */
export async function getImport(services: ReadServices, asking: Asking, id: string): Promise<PayeeImport> {
  const found = await findImport(services, asking, id);
  if (!found) throw notFound();
  return found;
}

/** The import of exactly these bytes that has not ended. */
export async function findUnfinished({ db }: ReadServices, asking: Asking, sha256: string) {
  const [row] = await db
    .select({ id: payeeImports.id })
    .from(payeeImports)
    .where(
      and(
        isMine(asking),
        eq(payeeImports.sha256, sha256),
        sql`${payeeImports.status} IN ('ready', 'running', 'paused')`,
      ),
    )
    .limit(1);
  return row?.id;
}

/** The columns that were last used for a table with these headings. */
export async function findMapping({ db }: ReadServices, asking: Asking, signature: string) {
  const [row] = await db
    .select({ mapping: payeeImports.mapping })
    .from(payeeImports)
    .where(and(isMine(asking), eq(payeeImports.signature, signature), sql`${payeeImports.startedAt} IS NOT NULL`))
    .orderBy(desc(payeeImports.id))
    .limit(1);
  return row?.mapping;
}

/** The organisation's imports, newest first. */
export async function listImports({ db }: ReadServices, asking: Asking, after?: string) {
  const page = keySetPage({ after }, { size: IMPORTS_PAGE_SIZE });
  const rows = await db
    .select(columns)
    .from(payeeImports)
    .leftJoin(users, eq(users.id, payeeImports.uploadedById))
    .where(and(isMine(asking), page.beyond(payeeImports.id)))
    .orderBy(page.order(payeeImports.id))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ id }) => id);
  return { imports: shown.map(named), next };
}

type AskedResults = { importId: string; outcome?: RowOutcome; after?: number; limit: number };

/** One page of the rows that have their outcome, in the order of the file. */
export async function listResults(
  { db }: ReadServices,
  { organizationId }: Asking,
  { importId, outcome, after, limit }: AskedResults,
) {
  const page = keySetPage({ after }, { size: limit, order: "ascending" });
  const rows = await db
    .select({
      line: payeeImportRows.line,
      outcome: payeeImportRows.outcome,
      message: payeeImportRows.message,
      payeeId: payeeImportRows.payeeId,
      name: payeeImportRows.name,
    })
    .from(payeeImportRows)
    .where(
      and(
        eq(payeeImportRows.organizationId, organizationId),
        eq(payeeImportRows.importId, importId),
        outcome === undefined ? undefined : eq(payeeImportRows.outcome, outcome),
        page.beyond(payeeImportRows.line),
      ),
    )
    .orderBy(page.order(payeeImportRows.line))
    .limit(page.limit);
  return page.cut(rows, ({ line }) => line);
}
