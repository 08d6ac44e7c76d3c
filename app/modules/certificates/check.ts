import type { FieldErrors } from "~/kernel/app-error";

/** What the public page answers who holds a record id and a hash. */
export type RecordCheck = {
  /** `asking`: nothing was given yet, or what was given is no id and hash. */
  state: "asking" | "genuine" | "unknown";
  id: string;
  hash: string;
  errors: FieldErrors;
};
