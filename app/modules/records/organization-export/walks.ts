import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";

/** A table whose rows belong to an organisation. */
export type OwnedTable = SQLiteTable & { organizationId: SQLiteColumn };

/** Rows that are found through another table's rows, because they have no organisation index. */
export type Child = {
  name: string;
  table: SQLiteTable;
  /** The column that names the row it belongs to. */
  by: SQLiteColumn;
  /** The column of that row: `id` by default. */
  of: string;
  /** Its organisation column; null for a person, who may belong to several. */
  organizationId: SQLiteColumn | null;
  columns: Readonly<Record<string, SQLiteColumn>>;
};

/** How a table's rows are read in pages: in the order of these columns, after the organisation's. */
export type Walk = {
  table: OwnedTable;
  along: readonly SQLiteColumn[];
  columns: Readonly<Record<string, SQLiteColumn>>;
  children: readonly Child[];
  /** Each row has a document, encrypted in `payment_file_bytes`. */
  hasDocuments?: boolean;
};

/** Columns never exported, by name: secrets, their digests, and keyed digests that are useless without our keys. */
export const HIDDEN_COLUMNS: ReadonlySet<string> = new Set([
  "accountFingerprint",
  "credentials",
  "formerSealedSecret",
  "password",
  "recipientHash",
  "sealedSecret",
  "stateHash",
  "tokenHash",
]);

const shownColumns = (table: SQLiteTable) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).filter(([name]) => name !== "organizationId" && !HIDDEN_COLUMNS.has(name)),
  );

/** The columns of a table's primary key, without the organisation's. */
function keyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return key.filter(({ name }) => name !== "organizationId");
}

export function walk(
  table: OwnedTable,
  more: { along?: readonly SQLiteColumn[]; children?: readonly Child[]; hasDocuments?: boolean } = {},
): Walk {
  return { table, along: keyOf(table), columns: shownColumns(table), children: [], ...more };
}

export const child = (name: string, table: OwnedTable, by: SQLiteColumn, of = "id"): Child => ({
  name,
  table,
  by,
  of,
  organizationId: table.organizationId,
  columns: shownColumns(table),
});
