import { toIso } from "~/kernel/dates";
import type { ImportStatus, RowOutcome, TableKind } from "~/kernel/enums";

type PayeeImport = {
  id: string;
  name: string;
  kind: TableKind;
  status: ImportStatus;
  sha256: string;
  rowCount: number;
  doneCount: number;
  addedCount: number;
  unchangedCount: number;
  filledCount: number;
  differsCount: number;
  noAccountCount: number;
  refusedCount: number;
  problem: string | null;
  createdAt: number;
  finishedAt: number | null;
};

/** An import as the API shows it. */
export function toImportJson(row: PayeeImport) {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    status: row.status,
    sha256: row.sha256,
    rows: row.rowCount,
    done: row.doneCount,
    added: row.addedCount,
    unchanged: row.unchangedCount,
    filled: row.filledCount,
    differs: row.differsCount,
    noAccount: row.noAccountCount,
    refused: row.refusedCount,
    problem: row.problem,
    createdAt: toIso(row.createdAt),
    finishedAt: row.finishedAt === null ? null : toIso(row.finishedAt),
  };
}

type Result = { line: number; outcome: RowOutcome; message: string; payeeId: string | null; name: string };

export const toRowJson = ({ line, outcome, message, payeeId, name }: Result) => ({
  line,
  name,
  outcome,
  message,
  payeeId,
});
