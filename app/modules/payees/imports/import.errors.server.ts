import { AppError } from "~/kernel/app-error";
import type { ImportStatus } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";

/** The file cannot be read: every problem with its line. */
export function unreadableTable(problems: readonly FileProblem[]): AppError {
  const errors = problems.map(({ message }) => message);
  const message = errors[0] ?? "The file cannot be read.";
  return new AppError("INVALID_FILE", 400, message, { fieldErrors: { file: errors }, extra: { problems } });
}

/** Nobody knows yet which column is which. */
export const mappingRequired = (missing: string, headings: readonly string[]) =>
  new AppError("MAPPING_REQUIRED", 400, `${missing}.`, { fieldErrors: { mapping: [missing] }, extra: { headings } });

const STANDING: Record<ImportStatus, string> = {
  ready: "has not been started",
  running: "is running",
  paused: "is paused",
  finished: "has ended",
  stopped: "was stopped",
};

/** The import is in another status by now. */
export const importChanged = (status: ImportStatus) =>
  new AppError("IMPORT_MOVED", 409, `This import ${STANDING[status]}.`, { extra: { status } });
