import { formatPhone } from "~/kernel/phone";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { CALL_OUTCOME_LABELS, type CallBack, type KnownPhone, NO_PROOF, SOURCE_LABELS, whyNoProof } from "./call-back";

/** The calls of a verification as its page draws them. Pure. */

export type ShownCall = {
  id: string;
  number: string;
  spokeTo: string | null;
  outcome: CallBack["outcome"];
  outcomeText: string;
  source: string;
  note: string | null;
  /** Why it is no proof, in a sentence; null: it counts, if the details were confirmed. */
  noProof: string | null;
  by: string;
  at: ShownTime;
};

export type ShownPhone = {
  number: string;
  setBy: string;
  setAt: ShownTime;
  isCurrent: boolean;
  warning: string | null;
};

export type CallBackView = {
  calls: ShownCall[];
  phones: ShownPhone[];
  sources: { value: string; label: string }[];
  outcomes: { value: string; label: string }[];
};

type Zone = { timeZone: string; now: number };

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export function toCallBackView(calls: readonly CallBack[], phones: readonly KnownPhone[], zone: Zone): CallBackView {
  return {
    calls: calls.map(({ id, number, spokeTo, outcome, source, note, noProof, userName, createdAt }) => ({
      id,
      number: formatPhone(number),
      spokeTo,
      outcome,
      outcomeText: CALL_OUTCOME_LABELS[outcome],
      source: SOURCE_LABELS[source],
      note,
      noProof: noProof && NO_PROOF[noProof],
      by: userName ?? "PayeeProof",
      at: showTime(createdAt, zone),
    })),
    phones: phones.map((phone) => {
      const why = whyNoProof({ number: phone.number, source: "on_file" }, [phone], zone.now);
      return {
        number: formatPhone(phone.number),
        setBy: phone.setBy ?? "PayeeProof",
        setAt: showTime(phone.setAt, zone),
        isCurrent: phone.isCurrent,
        warning: why ? NO_PROOF[why] : null,
      };
    }),
    sources: options(SOURCE_LABELS),
    outcomes: options(CALL_OUTCOME_LABELS),
  };
}
