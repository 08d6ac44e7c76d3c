import type { ImportStatus, RowOutcome } from "~/kernel/enums";

/** The life and the limits of an import of payees. Pure. */

/** Bytes of one file: 50,000 rows of a contacts export with its sixty columns. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
export const MAX_ROWS = 50_000;
/** More columns than any accounting system exports. */
export const MAX_COLUMNS = 200;
/** Characters of one cell. */
export const MAX_CELL = 10_000;
/** Characters of all cells of a row together. */
export const MAX_ROW = 50_000;
/** Rows kept together, encrypted: what one slice of work reads. */
export const ROWS_PER_PART = 500;
/** Rows with long cells make smaller parts: a part stays below the 2 MB that a row of D1 may have. */
export const CHARACTERS_PER_PART = 400_000;

export const OUTCOME_LABELS: Readonly<Record<RowOutcome, string>> = {
  added: "Added",
  unchanged: "Already there",
  filled: "Details filled in",
  differs: "Differs, not changed",
  no_account: "No bank account",
  refused: "Refused",
};

/** A row that has its outcome. */
export type RowResult = {
  /** Line of the file, from 1. */
  line: number;
  outcome: RowOutcome;
  /** Why, what differs and what was repaired, in sentences; empty where nothing needs saying. */
  message: string;
  /** The payee it is about; null where there is none. */
  payeeId: string | null;
  /** The name that the row gives. */
  name: string;
};

/** What may be done to an import in its status. */
const IMPORT_ACTS = {
  start: ["ready"],
  pause: ["running"],
  resume: ["paused"],
  stop: ["ready", "running", "paused"],
} as const satisfies Record<string, readonly ImportStatus[]>;
export type ImportAct = keyof typeof IMPORT_ACTS;

export const mayDo = (act: ImportAct, status: ImportStatus): boolean =>
  (IMPORT_ACTS[act] as readonly ImportStatus[]).includes(status);
