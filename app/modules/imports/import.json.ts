import { toIso } from "~/kernel/dates";
import type { RowOutcome } from "~/kernel/enums";
import type { PayeeImport } from "./import.queries.server";

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
