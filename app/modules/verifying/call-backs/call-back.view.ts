import { formatPhone } from "~/kernel/phone";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { CALL_OUTCOME_LABELS, type CallBack, type KnownPhone, NO_PROOF, SOURCE_LABELS, whyNoProof } from "./call-back";

/** The calls of a verification as its page draws them. Pure. */

export type ShownCall = {
  id: string;
  number: string;
  outcome: { text: string; tone: "verified" | "review" | "neutral" };
  /** Who was spoken to, where the number was from, and who called: read on by the time. */
  said: string;
  note: string | null;
  /** Why it is no proof, in a sentence; null: it counts, if the details were confirmed. */
  noProof: string | null;
  at: ShownTime;
};

export type ShownPhone = {
  number: string;
  /** When and by whom it was set. */
  said: string;
  warning: string | null;
};

export type CallBackView = {
  calls: ShownCall[];
  phones: ShownPhone[];
  /** Instead of the numbers where there are none. */
  noPhones: string | null;
  description: string;
  /** Why a call of this reader would be no proof, in a sentence; null: it can be. */
  ownWork: string | null;
  sources: { value: string; label: string }[];
  outcomes: { value: string; label: string }[];
};

type Reading = {
  timeZone: string;
  now: number;
  /** `changeToConfirm` */
  changedAt: number | null;
  /** The reader entered the bank details: their own calls are no proof. */
  hasEntered: boolean;
};

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

function toneOf({ outcome, noProof }: Pick<CallBack, "outcome" | "noProof">): ShownCall["outcome"]["tone"] {
  if (outcome === "confirmed" && noProof === null) return "verified";
  return outcome === "not_confirmed" ? "review" : "neutral";
}

/** A number of the list, called by a person who did not enter the details. */
const ON_FILE = { source: "on_file", isOwnWork: false } as const;

export function toCallBackView(calls: readonly CallBack[], phones: readonly KnownPhone[], zone: Reading): CallBackView {
  return {
    calls: calls.map(({ id, number, spokeTo, outcome, source, note, noProof, userName, createdAt }) => ({
      id,
      number: formatPhone(number),
      outcome: { text: CALL_OUTCOME_LABELS[outcome], tone: toneOf({ outcome, noProof }) },
      said: `${spokeTo ? `Spoke to ${spokeTo}. ` : ""}${SOURCE_LABELS[source]}. Called by ${userName ?? "PayeeProof"}, `,
      note,
      noProof: noProof && `Does not count as proof: ${NO_PROOF[noProof]}`,
      at: showTime(createdAt, zone),
    })),
    phones: phones.map((phone) => {
      const why = whyNoProof({ ...ON_FILE, number: phone.number, changedAt: zone.changedAt }, [phone], zone.now);
      const when = showTime(phone.setAt, zone).exact;
      return {
        number: formatPhone(phone.number),
        said: `${phone.isCurrent ? "now" : "earlier"}, set by ${phone.setBy ?? "PayeeProof"} on ${when}`,
        warning: why ? NO_PROOF[why] : null,
      };
    }),
    noPhones: phones.length === 0 ? "No phone number has ever been on file for this payee." : null,
    description: "A call to a number that was known before the change is the best proof against fraud.",
    ownWork: zone.hasEntered
      ? "You entered these bank details, or connected the system they came from. A call that you record is kept as evidence and does not count as proof: another person has to call."
      : null,
    sources: options(SOURCE_LABELS),
    outcomes: options(CALL_OUTCOME_LABELS),
  };
}
