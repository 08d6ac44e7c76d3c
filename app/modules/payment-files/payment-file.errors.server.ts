import { AppError } from "~/kernel/app-error";
import type { FileStatus } from "~/kernel/enums";
import type { FileProblem } from "./file-problem";

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
