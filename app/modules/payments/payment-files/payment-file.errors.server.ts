import { AppError } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import type { FileStatus } from "~/kernel/enums";
import { type FileProblem, nameLines } from "~/kernel/file-problem";
import { formatAud, MAX_AMOUNT_CENTS } from "~/kernel/money";
import { capital } from "~/kernel/text";
import type { LeftLine } from "./payment-file";

/** The file cannot be read: every problem with its line. */
export function unreadableFile(problems: readonly FileProblem[]): AppError {
  const errors = problems.filter(({ level }) => level === "error").map(({ message }) => message);
  const message = errors[0] ?? "The file cannot be read.";
  return new AppError("INVALID_FILE", 400, message, { fieldErrors: { file: errors }, extra: { problems } });
}

/** A table whose columns are not recognised: somebody has to say which is which. */
export const mappingRequired = (needed: { headings: string[]; signature: string }) => {
  const message = "The columns of this table are not recognised. Choose which column is which.";
  return new AppError("MAPPING_REQUIRED", 400, message, { fieldErrors: { file: [message] }, extra: needed });
};

/** Lines that an answer tells of singly. */
const MAX_NAMED = 200;

const STANDING: Record<FileStatus, string> = {
  checking: "is still being checked",
  open: "is open",
  cleared: "was cleared",
  settled: "is settled",
  abandoned: "was given up",
};

/** Nothing of this kind may be done to a file in its status. */
export const fileNotOpen = (status: FileStatus) =>
  new AppError("FILE_NOT_OPEN", 409, `This payment file ${STANDING[status]}.`, { extra: { status } });

export const fileChanged = () =>
  new AppError(
    "FILE_CHANGED",
    409,
    "Someone else changed this payment file at the same moment. Look again, then decide.",
  );

type Decided = { status: "held" | "authorised" | "rejected"; decidedBy: string | null; decidedAt: number | null };

const DECIDED = { authorised: "approved", rejected: "rejected", held: "put back on hold" } as const;

/** Of several people at once the first decides, and the others are told who it was. */
export function nothingToDecide(line: Decided | undefined, timeZone: string): AppError {
  if (!line || line.decidedAt === null) {
    const message = "None of these lines is held any more: there is nothing to decide.";
    return new AppError("NOTHING_HELD", 409, message);
  }
  const on = formatDateTime(line.decidedAt, timeZone);
  const message = `${line.decidedBy ?? "PayeeProof"} ${DECIDED[line.status]} this line on ${on}.`;
  const decision = { status: line.status, decidedBy: line.decidedBy, decidedAt: toIso(line.decidedAt) };
  return new AppError("ALREADY_DECIDED", 409, message, { extra: { decision } });
}

export const secondPersonRequired = (lines: readonly number[]) =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    `Your organisation asks for a second person: you uploaded this file, entered bank details that it pays here or in the accounting system they came from, or connected that system. ${capital(nameLines(lines))} must be approved by someone else.`,
    { extra: { lines } },
  );

export const aboveApprovalLimit = (limitCents: number, lines: readonly number[]) =>
  new AppError(
    "APPROVAL_LIMIT",
    403,
    `You may approve payments up to ${formatAud(limitCents)}. ${capital(nameLines(lines))} ${lines.length === 1 ? "is" : "are"} above it.`,
    { extra: { lines, approvalLimitCents: limitCents } },
  );

/** Lines that were not decided: each is decided by itself, or something is known of it since. */
export const decideOneByOne = (lines: readonly LeftLine[]) =>
  new AppError(
    "DECIDE_ONE_BY_ONE",
    409,
    `${capital(nameLines(lines.map(({ line }) => line)))} ${lines.length === 1 ? "was" : "were"} not decided. ${lines[0]?.message ?? ""}`.trim(),
    { extra: { lines: lines.slice(0, MAX_NAMED) } },
  );

export const fileNotAbandonable = () =>
  new AppError(
    "FILE_NOT_OPEN",
    409,
    "Payments of this file were cleared and may be at the bank, so it cannot be given up. Record what the bank did instead.",
  );

export const nothingToClear = () =>
  new AppError("NOTHING_TO_CLEAR", 409, "No authorised line is waiting to be cleared.");

export const linesHeldAgain = (lines: readonly { line: number; message: string }[]) =>
  new AppError(
    "LINES_HELD_AGAIN",
    409,
    `Something changed since this file was checked, so ${nameLines(lines.map(({ line }) => line))} ${lines.length === 1 ? "is" : "are"} held again and nothing was cleared. ${lines[0]?.message ?? ""}`.trim(),
    { extra: { lines } },
  );

export const payerRequired = () =>
  new AppError(
    "PAYER_REQUIRED",
    409,
    "A table does not say which account pays. Enter the details of the paying account before you clear this file.",
  );

export const tooMuchForOneFile = () =>
  new AppError(
    "FILE_TOTAL_TOO_LARGE",
    409,
    `A direct entry file can carry ${formatAud(MAX_AMOUNT_CENTS)} in total. Reject some lines here and pay them in another file.`,
  );

export const nothingToSettle = () =>
  new AppError("NOTHING_TO_SETTLE", 409, "No cleared payment of this file is waiting for an outcome.");
