import type { CallOutcome, NoProof } from "~/kernel/enums";
import { formatPhone } from "~/kernel/phone";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { lowerFirst } from "~/kernel/text";
import { labelIn } from "~/modules/core/audit/details";
import type { TimelineEntry } from "~/modules/payees/verifications/verification.server";
import { verificationActions } from "~/modules/payees/verifications/verification-actions";
import { CALL_OUTCOME_LABELS, NO_PROOF } from "~/modules/verifying/call-backs/call-back";

/** The audit trail of one verification as its page reads it. Pure. */

export type ReviewEvent = {
  id: string;
  who: string;
  /** Reads on from the name: "sent the payee a verification link". */
  what: string;
  when: ShownTime;
  note?: string;
} & Look;

type Look = {
  icon:
    | "alert"
    | "bank"
    | "checkCircle"
    | "dash"
    | "external"
    | "hand"
    | "mail"
    | "pencil"
    | "phone"
    | "plus"
    | "user"
    | "xCircle";
  tone?: "review" | "verified";
};

const LOOKS: Partial<Record<keyof typeof verificationActions, Look>> = {
  "verification.opened": { icon: "plus" },
  "verification.superseded": { icon: "pencil", tone: "review" },
  "verification.link_sent": { icon: "mail" },
  "verification.link_kept": { icon: "mail" },
  "verification.bank_check_started": { icon: "bank" },
  "verification.bank_check_finished": { icon: "bank" },
  "verification.checked_at_once": { icon: "bank" },
  "verification.payee_sent_to_bank": { icon: "external" },
  "verification.call_recorded": { icon: "phone" },
  "verification.confirmed_by_payee": { icon: "checkCircle", tone: "verified" },
  "verification.disputed_by_payee": { icon: "hand", tone: "review" },
  "verification.assigned": { icon: "user" },
  "verification.unassigned": { icon: "user" },
  "verification.commented": { icon: "pencil" },
  "verification.approved": { icon: "checkCircle", tone: "verified" },
  "verification.rejected": { icon: "xCircle", tone: "review" },
  "verification.failed": { icon: "alert", tone: "review" },
};

export function toTimelineEvent(entry: TimelineEntry, zone: { timeZone: string; now: number }): ReviewEvent {
  const { id, action, userName, details, createdAt } = entry;
  return {
    id,
    icon: "dash",
    ...LOOKS[action as keyof typeof LOOKS],
    ...inWords(userName, labelIn(verificationActions, action)),
    when: showTime(createdAt, zone),
    note: noteOf(action, details),
  };
}

const FROM_EARLIER = "Answered from what the bank said in the last 24 hours.";

const SENT_BY_PAYEE = "The payee sent these details through your link. It is a draft until someone approves it.";

function noteOf(action: string, details: TimelineEntry["details"]): string | undefined {
  if (action === "verification.call_recorded") return sayCall(details ?? {});
  if (action === "verification.opened" && details?.cause === "sent_by_payee") return SENT_BY_PAYEE;
  if (action === "verification.checked_at_once") return sayAnswer(details ?? {});
  if (action === "verification.assigned") return `To ${details?.name}`;
  if (action === "verification.approved") return sayApproval(details ?? {});
  const words = action === "verification.commented" ? details?.text : details?.reason;
  return typeof words === "string" ? words : undefined;
}

/** How the details were verified, and what the person wrote. */
function sayApproval({ gradeText, reason }: Record<string, unknown>): string | undefined {
  const words = [gradeText, reason].filter((text) => typeof text === "string" && text !== "");
  return words.length > 0 ? words.join(". ") : undefined;
}

/** What the bank said at once, and that it was not asked again where it was not. */
function sayAnswer({ explanation, answeredFrom }: Record<string, unknown>): string {
  const words = typeof explanation === "string" ? explanation : "";
  return answeredFrom ? `${words} ${FROM_EARLIER}` : words;
}

/** "02 9374 4000, spoke to Ana Silva: Confirmed the details. No proof: ..." */
function sayCall({ number, spokeTo, outcome, noProof }: Record<string, unknown>): string {
  const who = typeof spokeTo === "string" ? `, spoke to ${spokeTo}` : "";
  const ended = outcome as CallOutcome;
  const why = noProof ? ` No proof: ${NO_PROOF[noProof as NoProof]}` : "";
  return `${formatPhone(String(number))}${who}: ${CALL_OUTCOME_LABELS[ended]}.${why}`;
}

/** "Maria Costa sent ...", "PayeeProof sent ...", and as it stands what names its own subject: "The payee confirmed ...". */
function inWords(userName: string | null, sentence: string) {
  if (userName === null && sentence.startsWith("The ")) return { who: "", what: sentence };
  return { who: userName ?? "PayeeProof", what: lowerFirst(sentence) };
}
