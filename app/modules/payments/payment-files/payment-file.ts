import type { FileFormat, FileStatus } from "~/kernel/enums";

/** The life of a payment file and of its lines. Pure: no database, no clock. */

/** Payments in one file at most. */
export const MAX_LINES = 20_000;
/** Up to this many lines the answer to an upload carries the decision about each. */
export const MAX_LINES_IN_ANSWER = 1_000;
/** 20,000 records of 122 bytes are 2.4 MB; tables of payments carry other columns too. */
export const MAX_FILE_BYTES = 6 * 1024 * 1024;

/** One payment as the file asks for it. */
export type FileLine = {
  /** Line of the text, from 1. */
  line: number;
  /** The title of the account as the file gives it: 32 characters in a direct entry file. */
  accountName: string;
  bsb: string;
  accountNumber: string;
  /** Integer cents. */
  amount: number;
  reference: string;
  /** The file itself says that the bank details are new or varied (indicator N). */
  newDetails: boolean;
};

/** A line that was meant and not decided, with the sentence why. */
export type LeftLine = { line: number; message: string };

/** Which status a file may be acted on in. */
export const isDecidable = (status: FileStatus): boolean => status === "open" || status === "cleared";

/** Whether a file may be given up: nothing of it may be at the bank. */
export const canBeAbandoned = ({ status, clearedCount }: { status: FileStatus; clearedCount: number }): boolean =>
  (status === "checking" || status === "open") && clearedCount === 0;

/** Columns of an account title in a direct entry record. */
const TITLE_WIDTH = 32;

/** How many characters of a name a file carries; null: all of them. */
export const nameWidthOf = (format: FileFormat): number | null => (format === "aba" ? TITLE_WIDTH : null);

/** Integer cents. */
export const sumOf = (lines: readonly { amount: number }[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);
