import { type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import { UpstreamError } from "~/kernel/upstream-error";
import type { LostReason } from "~/ports/accounting";

/** Why a system could not be used, in sentences. Pure. */

const LOST: Readonly<Record<LostReason, (system: string) => string>> = {
  consent_ended: (system) => `${system} does not accept our access any more, because consent was withdrawn or expired.`,
  ledger_removed: (system) => `PayeeProof was disconnected in ${system}.`,
  not_permitted: (system) => `${system} does not allow PayeeProof to read suppliers.`,
};

/** A person has to connect again; what they are told. */
export const lostSentence = (system: ConnectableSystem, reason: LostReason): string =>
  `${LOST[reason](SYSTEM_NAMES[system])} Nothing is read until an administrator connects it again.`;

/** Suppliers are read, bills are not. */
export const billsRefused = (system: ConnectableSystem): string =>
  `${SYSTEM_NAMES[system]} does not allow PayeeProof to read bills and payments. Suppliers are read. To allow it, disconnect and connect again.`;

/** Why a sync could not go on. It goes on by itself. */
export function failureSentence(system: ConnectableSystem, error: unknown): string {
  const name = SYSTEM_NAMES[system];
  if (!(error instanceof UpstreamError)) return "Something failed at PayeeProof. The sync is tried again.";
  switch (error.kind) {
    case "rate_limited":
      return `${name} limits how often it may be asked. The sync goes on ${inWords(error.options.retryAfterMs)}.`;
    case "timeout":
    case "unreachable":
      return `${name} did not answer. The sync is tried again.`;
    case "malformed":
    case "wrong_tenant":
      return `${name} answered something that could not be read. The sync is tried again.`;
    default:
      return `${name} could not answer. The sync is tried again.`;
  }
}

const MINUTE_MS = 60_000;

function inWords(waitMs = MINUTE_MS): string {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return minutes <= 1 ? "within a minute" : `in about ${minutes} minutes`;
}
