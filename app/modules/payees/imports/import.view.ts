import { maskAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";
import type { ImportStatus, RowOutcome, TableKind } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { showTime } from "~/kernel/shown-time";
import type { VerdictLook } from "~/modules/payees/verifications/verdict";
import { mayDo } from "./import";
import type { PayeeImport } from "./import.server";
import { type ColumnMapping, IMPORT_FIELD_LABELS, IMPORT_FIELDS } from "./table/columns";

/** What the pages of imports draw. Pure. */

type Zone = { timeZone: string; now: number };

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

/** How many rows have each outcome. */
export const countsOf = (counts: Counts): Readonly<Record<RowOutcome, number>> => ({
  added: counts.addedCount,
  filled: counts.filledCount,
  unchanged: counts.unchangedCount,
  differs: counts.differsCount,
  refused: counts.refusedCount,
  no_account: counts.noAccountCount,
});

/** The results of an import: which of them, from which line. */
export function resultsHref(id: string, { outcome, after }: { outcome?: RowOutcome; after?: number }): string {
  return `${withQuery(appPaths.import(id), { outcome, after: after ? String(after) : undefined })}#results`;
}

/** A choice of columns as one value of a form: `3`, or `4,5,6`. */
const toValue = (columns: readonly number[] | undefined) => columns?.join(",") ?? "";

/** For each field the columns it can have. Columns that belong together are one choice. */
export function columnChoices(headings: readonly string[], mapping: ColumnMapping) {
  const single = headings.map((heading, at) => ({ value: String(at), label: heading }));
  return IMPORT_FIELDS.map((field) => {
    const columns = mapping[field] ?? [];
    const together = { value: toValue(columns), label: columns.map((column) => headings[column] ?? "").join(" + ") };
    const options = columns.length > 1 ? [together, ...single] : single;
    return { field, label: IMPORT_FIELD_LABELS[field], value: toValue(columns), options };
  });
}

export type ShownRow = {
  line: number;
  name: string;
  /** BSB and masked account number; null where they cannot be read. */
  account: { bsb: string; number: string } | null;
  outcome: RowOutcome;
  message: string;
  payeeId: string | null;
  /** What the business register says of the ABN, in a sentence; null without an ABN. */
  register: string | null;
  /** What speaks against it from the first moment; null: nothing that is known. */
  verdict: VerdictLook | null;
};

export const shownAccount = ({ bsb, accountNumber }: { bsb: string; accountNumber: string }) => ({
  bsb: formatBsb(bsb),
  number: maskAccountNumber(accountNumber),
});

export const actsOf = (status: ImportStatus, canChange: boolean) => ({
  start: canChange && mayDo("start", status),
  pause: canChange && mayDo("pause", status),
  resume: canChange && mayDo("resume", status),
  stop: canChange && mayDo("stop", status),
});
