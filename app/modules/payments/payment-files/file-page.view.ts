import type { FileFormat, FileStatus } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";
import { appPaths } from "~/kernel/paths/app";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import type { RunComparison, RunPayee } from "./last-run";
import type { LineRow, LineTab } from "./payment-file.view";

/** What the page of one payment file draws. Pure. */

type Zone = { timeZone: string; now: number };

/** Payees named in each part of the comparison with the last run. */
const MAX_COMPARED = 5;

/**
 * Held lines of one rule. `togetherCount` of them may be decided together, the others each by itself; `onlyCount` of those
 * are held by no other rule.
 */
export type HeldReason = { rule: string; count: number; cents: number; togetherCount: number; onlyCount: number };

/** Held lines of one payee; `togetherCount` of them may be decided together. */
export type HeldPayee = { payeeId: string; name: string; count: number; cents: number; togetherCount: number };

type File = {
  id: string;
  name: string;
  format: FileFormat;
  status: FileStatus;
  problems: FileProblem[];
  sha256: string;
  lineCount: number;
  totalCents: number;
  checkedCount: number;
  heldCount: number;
  heldCents: number;
  authorisedCount: number;
  authorisedCents: number;
  rejectedCount: number;
  clearedCount: number;
  uploadedBy: string | null;
};

export type FileView = File & {
  uploadedAt: ShownTime;
  /** Authorised payments that no clearing has sent on yet. */
  toClearCount: number;
};

export function toFileView({ createdAt, ...file }: File & { createdAt: number }, zone: Zone): FileView {
  const { id, name, format, status, problems, sha256, lineCount, totalCents, checkedCount, uploadedBy } = file;
  const { heldCount, heldCents, authorisedCount, authorisedCents, rejectedCount, clearedCount } = file;
  return {
    ...{ id, name, format, status, problems, sha256, lineCount, totalCents, checkedCount, uploadedBy },
    ...{ heldCount, heldCents, authorisedCount, authorisedCents, rejectedCount, clearedCount },
    uploadedAt: showTime(createdAt, zone),
    toClearCount: authorisedCount - clearedCount,
  };
}

type Clearing = {
  id: string;
  fileId: string;
  fileName: string;
  sha256: string;
  byteCount: number;
  lineCount: number;
  totalCents: number;
  clearedBy: string | null;
};

export type ClearingView = Clearing & { clearedAt: ShownTime };

export function toClearingView({ createdAt, ...clearing }: Clearing & { createdAt: number }, zone: Zone): ClearingView {
  return { ...clearing, clearedAt: showTime(createdAt, zone) };
}

/** The first of a list, and how many there are. */
type First<T> = { shown: T[]; count: number };

export type LastRunView = {
  href: string;
  name: string;
  uploadedAt: ShownTime;
  added: First<RunPayee>;
  jumped: First<RunPayee & { beforeCents: number }>;
  missing: First<RunPayee>;
};

export function toLastRun(
  run: RunComparison & { fileId: string; name: string; createdAt: number },
  zone: Zone,
): LastRunView {
  const first = <T>(list: T[]): First<T> => ({ shown: list.slice(0, MAX_COMPARED), count: list.length });
  return {
    href: appPaths.paymentFile(run.fileId),
    name: run.name,
    uploadedAt: showTime(run.createdAt, zone),
    added: first(run.added),
    jumped: first(run.jumped),
    missing: first(run.missing),
  };
}

/** Payments of a file and their cents. `toFormer` of the changed ones pay an account that the payee had before. */
export type NewAndChanged = {
  firstPayments: number;
  firstCents: number;
  changed: number;
  changedCents: number;
  toFormer: number;
};

/** `isOwnWork`: another person has to approve the line. */
export type ShownLine = LineRow & { isOwnWork: boolean };

export type FilePage = {
  file: FileView;
  /** The person may decide, and the file is open for it. */
  canDecide: boolean;
  /** Nothing of the file was cleared, so it can be given up. */
  canAbandon: boolean;
  /** A table without a paying account cannot be cleared. */
  needsPayer: boolean;
  reasons: (HeldReason & { label: string })[];
  payees: HeldPayee[];
  newAndChanged: NewAndChanged;
  lastRun: LastRunView | null;
  /** Why this person may approve nothing of the file, and who may; null: they may. */
  approvalBar: string | null;
  lines: ShownLine[];
  /** The line that is decided by itself, and the address of the list without it; null: none was asked for, or it is not held. */
  single: { line: ShownLine; listHref: string } | null;
  tab: LineTab;
  /** The rule and the payee whose lines are shown. */
  rule: string | null;
  ruleName: string | null;
  payeeId: string | null;
  /** The lines that are shown come after this one. */
  after: number | undefined;
  firstHref: string | undefined;
  nextHref: string | undefined;
  clearings: ClearingView[];
};
