import { AppError } from "~/kernel/app-error";

const KNOWN = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];

/** Refuses a method that no path of ours could know. @throws AppError 405 METHOD_NOT_ALLOWED */
export function requireKnownMethod({ method }: Request): void {
  if (KNOWN.includes(method)) return;
  throw new AppError("METHOD_NOT_ALLOWED", 405, "This method is not known here.");
}
