import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { IMPORT_STATUSES, ROW_OUTCOMES, TABLE_KINDS } from "~/kernel/enums";
import type { ColumnMapping } from "~/modules/payees/imports/table/columns";
import { id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { users } from "./users";

/** An uploaded file of payees. */
export const payeeImports = sqliteTable(
  "payee_imports",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** The file name. */
    name: text().notNull(),
    /** SHA-256 of the uploaded bytes, hex. */
    sha256: text().notNull(),
    kind: text({ enum: TABLE_KINDS }).notNull(),
    status: text({ enum: IMPORT_STATUSES }).notNull(),
    headings: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The headings as one text: tables with the same headings get the same mapping. */
    signature: text().notNull(),
    /** The column mapping, guessed and then confirmed. */
    mapping: text({ mode: "json" }).$type<ColumnMapping>().notNull(),
    /** Columns that keep their leading zeros. */
    zeroColumns: text({ mode: "json" }).$type<number[]>().notNull(),
    rowCount: integer().notNull(),
    partCount: integer().notNull(),
    /** Parts whose rows all have an outcome; the next slice starts here. */
    doneParts: integer().notNull().default(0),
    doneCount: integer().notNull().default(0),
    addedCount: integer().notNull().default(0),
    unchangedCount: integer().notNull().default(0),
    filledCount: integer().notNull().default(0),
    differsCount: integer().notNull().default(0),
    noAccountCount: integer().notNull().default(0),
    refusedCount: integer().notNull().default(0),
    /** Rows in which something was repaired or omitted. */
    notedCount: integer().notNull().default(0),
    /** Why the import failed, in a sentence; null if it did not. */
    problem: text(),
    uploadedById: text().references(() => users.id),
    /** Incremented by every change. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  (t) => [
    uniqueIndex("payee_imports_org_id").on(t.organizationId, t.id),
    index("payee_imports_sha256").on(t.organizationId, t.sha256),
    index("payee_imports_signature").on(t.organizationId, t.signature, t.id),
    ...known(t),
  ],
);

/** Rows that wait for an outcome, a few hundred per part: compressed, encrypted, and deleted when the import ends. */
export const payeeImportParts = sqliteTable(
  "payee_import_parts",
  {
    organizationId: text().notNull(),
    importId: text().notNull(),
    /** From 0. */
    part: integer().notNull(),
    rowCount: integer().notNull(),
    sealed: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.importId, t.part] }),
    foreignKey({
      columns: [t.organizationId, t.importId],
      foreignColumns: [payeeImports.organizationId, payeeImports.id],
    }),
  ],
);

/** The outcome of a row. */
export const payeeImportRows = sqliteTable(
  "payee_import_rows",
  {
    organizationId: text().notNull(),
    importId: text().notNull(),
    /** Line of the file, from 1. */
    line: integer().notNull(),
    outcome: text({ enum: ROW_OUTCOMES }).notNull(),
    /** The reason, the differences and the repairs; empty if there are none. */
    message: text().notNull(),
    /** The payee that the row added or matched. */
    payeeId: text(),
    /** The name in the row. */
    name: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.importId, t.line] }),
    foreignKey({
      columns: [t.organizationId, t.importId],
      foreignColumns: [payeeImports.organizationId, payeeImports.id],
    }),
    index("payee_import_rows_outcome").on(t.organizationId, t.importId, t.outcome, t.line),
    ...known(t, { outcome: "payee_import_rows_outcome_known" }),
  ],
);
