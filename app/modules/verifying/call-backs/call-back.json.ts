import { toIso } from "~/kernel/dates";
import { type CallBack, NO_PROOF } from "./call-back";

/** A call as the API shows it. */
export function toCallJson(call: CallBack) {
  const { id, number, source, spokeTo, outcome, note, noProof, userName, createdAt } = call;
  return {
    id,
    number,
    source,
    spokeTo,
    outcome,
    note,
    countsAsProof: outcome === "confirmed" && noProof === null,
    noProof: noProof && { code: noProof, message: NO_PROOF[noProof] },
    calledBy: userName,
    createdAt: toIso(createdAt),
  };
}
