import { type ConnectableSystem, systemName } from "~/kernel/accounting-system";
import {
  type AuditedActions,
  after,
  counted,
  type Facts,
  joined,
  numberOf,
  textOf,
  type Unknown,
} from "~/modules/core/audit/details";
import type { LostReason } from "~/ports/accounting";
import type { SyncCounts } from "./sync";

/** "3 added, 1 with different bank details". */
function syncWords({ added, filled, changed }: Unknown<"added" | "filled" | "changed">): string {
  const parts = [
    [added, "added"],
    [filled, "filled in"],
    [changed, "with different bank details"],
  ].flatMap(([count, word]) => (numberOf(count) > 0 ? [`${numberOf(count)} ${word}`] : []));
  return joined(parts);
}

/** The audit actions of connections to accounting systems. */
export const integrationActions = {
  "integration.connected": {
    label: "Connected an accounting system",
    sentence: ({ who, details }: Facts<{ system: ConnectableSystem; ledger: string | null; writesNotes?: true }>) =>
      `${who} connected ${systemName(details.system)}${after(", ", textOf(details.ledger))}${details.writesNotes === true ? ", and allowed notes about verified payees" : ""}`,
  },
  "integration.ledger_chosen": {
    label: "Chose the books of an accounting system",
    sentence: ({ who, details }: Facts<{ system: ConnectableSystem; ledger: string }>) =>
      `${who} chose ${textOf(details.ledger)} in ${systemName(details.system)}`,
  },
  "integration.sync_requested": {
    label: "Asked for the suppliers of an accounting system",
    sentence: ({ who, details }: Facts<{ system: ConnectableSystem; all: boolean }>) =>
      `${who} asked for ${details.all === true ? "all suppliers" : "changed suppliers"} of ${systemName(details.system)}`,
  },
  "integration.synced": {
    label: "Read the suppliers of an accounting system",
    sentence: ({ details }: Facts<{ system: string } & SyncCounts>) =>
      `PayeeProof read ${counted(details.read, "supplier")} from ${systemName(details.system)}${after(": ", syncWords(details))}`,
  },
  "integration.broken": {
    label: "The connection to an accounting system was lost",
    sentence: ({ details }: Facts<{ system: string; reason: LostReason; problem: string }>) =>
      `PayeeProof lost its connection to ${systemName(details.system)}${after(": ", textOf(details.problem))}`,
  },
  "integration.notes_stopped": {
    label: "Stopped notes in the accounting system",
    sentence: ({ who, details }: Facts<{ system: ConnectableSystem }>) =>
      `${who} stopped notes in ${systemName(details.system)} about verified payees`,
  },
  "integration.disconnected": {
    label: "Disconnected an accounting system",
    sentence: ({ who, details }: Facts<{ system: ConnectableSystem; isRevoked: boolean }>) =>
      `${who} disconnected ${systemName(details.system)}${details.isRevoked === false ? "; its access there was not ended" : ""}`,
  },
} satisfies AuditedActions;
