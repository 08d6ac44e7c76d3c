import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import type { CommandAudit, CommandPart } from "~/modules/core/commands/run-command.server";
import type { SyncCounts } from "./sync";

/** One page of what a sync reads, ready to be written. */
export type SyncSlice = {
  conditions?: readonly Condition<"payment_changed">[];
  statements: Statement[];
  audit: CommandAudit[];
  parts: CommandPart[];
  counts: SyncCounts;
};
