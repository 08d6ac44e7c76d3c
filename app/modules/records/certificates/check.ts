import type { FieldErrors } from "~/kernel/app-error";

/** What the public page answers who holds a record id and a hash. */
export type RecordCheck = {
  /** `asking`: nothing was given yet, or what was given is no id and hash. */
  state: "asking" | "genuine" | "unknown";
  id: string;
  hash: string;
  /** What a genuine one states of how it ended, and nothing of whom it is about; null: it is not known to be genuine. */
  stated: string | null;
  errors: FieldErrors;
};
