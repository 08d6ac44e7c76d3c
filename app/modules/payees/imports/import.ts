import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { showTime, type Zone } from "~/kernel/dates";
import type { ImportStatus, RowOutcome, TableKind } from "~/kernel/enums";
import { FILE_LIMITS } from "~/kernel/limits";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { Account } from "~/kernel/payee";
import { type ColumnMapping, IMPORT_FIELD_LABELS, IMPORT_FIELDS } from "~/modules/payees/imports/table/columns";
import type { VerdictLook } from "~/modules/payees/verifications/verdict";
import type { PayeeImport } from "./import.server";

/** The statuses and limits of a payee import. Pure. */

/** The largest file: 50,000 rows of a contacts export with its sixty columns. */
export const MAX_FILE_BYTES = FILE_LIMITS.import.bytes;
export const MAX_ROWS = FILE_LIMITS.import.rows;
/** More columns than any accounting system exports. */
export const MAX_COLUMNS = 200;
export const MAX_CELL = 10_000;
/** The most characters in all cells of a row together. */
export const MAX_ROW = 50_000;
/** How many rows are stored together, encrypted: one slice of work reads one part. */
export const ROWS_PER_PART = 500;
/** Rows with long cells are split into smaller parts, because a part must fit into D1's limit of 2 MB for a row. */
export const CHARACTERS_PER_PART = 400_000;

export const OUTCOME_LABELS: Readonly<Record<RowOutcome, string>> = {
  added: "Added",
  unchanged: "Already there",
  filled: "Details filled in",
  differs: "Differs, not changed",
  no_account: "No bank account",
  refused: "Refused",
};

export type RowResult = {
  /** Line of the file, from 1. */
  line: number;
  outcome: RowOutcome;
  /** Sentences about the reason, differences and repairs; empty when there is nothing to say. */
  message: string;
  /** The payee that was added, filled or recognised; null: none. */
  payeeId: string | null;
  /** The name in the row. */
  name: string;
};

const IMPORT_ACTS = {
  start: ["ready"],
  pause: ["running"],
  resume: ["paused"],
  stop: ["ready", "running", "paused"],
} as const satisfies Record<string, readonly ImportStatus[]>;
export type ImportAct = keyof typeof IMPORT_ACTS;

export const mayDo = (act: ImportAct, status: ImportStatus): boolean =>
  (IMPORT_ACTS[act] as readonly ImportStatus[]).includes(status);

/** What the import pages show. Pure. */

export const KIND_LABELS: Readonly<Record<TableKind, string>> = {
  xero: "Xero contacts export",
  myob: "MYOB card export",
  table: "Table",
};

type Counts = Pick<
  PayeeImport,
  "addedCount" | "unchangedCount" | "filledCount" | "differsCount" | "noAccountCount" | "refusedCount"
>;

export type ImportView = ReturnType<typeof toImportView>;

type Head = "id" | "name" | "kind" | "status" | "rowCount" | "doneCount" | "notedCount" | "problem" | "createdAt";

export function toImportView(row: Counts & Pick<PayeeImport, Head> & { uploadedBy: string | null }, zone: Zone) {
  const { id, name, kind, status, rowCount, doneCount, notedCount, problem, uploadedBy } = row;
  const { addedCount, unchangedCount, filledCount, differsCount, noAccountCount, refusedCount } = row;
  return {
    ...{ id, name, kind, status, rowCount, doneCount, notedCount, problem, uploadedBy },
    ...{ addedCount, unchangedCount, filledCount, differsCount, noAccountCount, refusedCount },
    uploadedAt: showTime(row.createdAt, zone),
  };
}

export const countsOf = (counts: Counts): Readonly<Record<RowOutcome, number>> => ({
  added: counts.addedCount,
  filled: counts.filledCount,
  unchanged: counts.unchangedCount,
  differs: counts.differsCount,
  refused: counts.refusedCount,
  no_account: counts.noAccountCount,
});

/** The address of an import's results, with a filter and the first line. */
export function resultsHref(id: string, { outcome, after }: { outcome?: RowOutcome; after?: number }): string {
  return `${withQuery(appPaths.import(id), { outcome, after: after ? String(after) : undefined })}#results`;
}

/** Chosen columns as one form value: `3`, or `4,5,6`. */
const toValue = (columns: readonly number[] | undefined) => columns?.join(",") ?? "";

/** The columns that each field can be given. Columns that belong together are one option. */
export function columnChoices(headings: readonly string[], mapping: ColumnMapping) {
  const single = headings.map((heading, at) => ({ value: String(at), label: heading }));
  return IMPORT_FIELDS.map((field) => {
    const columns = mapping[field] ?? [];
    const together = { value: toValue(columns), label: columns.map((column) => headings[column] ?? "").join(" + ") };
    const options = columns.length > 1 ? [together, ...single] : single;
    return { field, label: IMPORT_FIELD_LABELS[field], value: toValue(columns), options };
  });
}

export type ShownRow = RowResult & {
  /** BSB and masked account number; null: unreadable. */
  account: ReturnType<typeof shownAccount> | null;
  /** What the business register says about the ABN, as a sentence; null without an ABN. */
  register: string | null;
  /** A warning known from the start; null: none. */
  verdict: VerdictLook | null;
};

export const shownAccount = ({ bsb, accountNumber }: Account) => ({
  bsb: formatBsb(bsb),
  number: maskAccountNumber(accountNumber),
});

export const actsOf = (status: ImportStatus, canChange: boolean) => ({
  start: canChange && mayDo("start", status),
  pause: canChange && mayDo("pause", status),
  resume: canChange && mayDo("resume", status),
  stop: canChange && mayDo("stop", status),
});
