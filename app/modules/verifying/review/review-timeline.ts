import { type ShownTime, showTime, type Zone } from "~/kernel/dates";
import { formatPhone } from "~/kernel/phone";
import { lowerFirst } from "~/kernel/text";
import { type AuditAction, type DetailsIn, detailsIn } from "~/modules/core/audit/audit";
import { labelIn } from "~/modules/core/audit/details";
import type { TimelineEntry } from "~/modules/payees/verifications/verification.server";
import { verificationActions } from "~/modules/payees/verifications/verification-actions";
import { CALL_OUTCOME_LABELS, NO_PROOF } from "~/modules/verifying/call-backs/call-back";

/** The history of one verification for its page, from the audit trail. Pure. */

export type ReviewEvent = {
  id: string;
  who: string;
  /** Continues after the name: "sent the payee a verification link". */
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

export function toTimelineEvent(entry: TimelineEntry, zone: Zone): ReviewEvent {
  const { id, action, userName, createdAt } = entry;
  return {
    id,
    icon: "dash",
    ...LOOKS[action as keyof typeof LOOKS],
    ...inWords(userName, labelIn(verificationActions, action)),
    when: showTime(createdAt, zone),
    note: noteOf(entry),
  };
}

const FROM_EARLIER = "Answered from what the bank said in the last 24 hours.";

const SENT_BY_PAYEE = "The payee sent these details through your link. It is a draft until someone approves it.";

function noteOf(entry: TimelineEntry): string | undefined {
  switch (entry.action as AuditAction) {
    case "verification.call_recorded":
      return callSentence(detailsIn(entry));
    case "verification.checked_at_once":
      return answerSentences(detailsIn(entry));
    case "verification.assigned":
      return `To ${detailsIn<"verification.assigned">(entry).name}`;
    case "verification.approved":
      return approvalWords(detailsIn(entry));
    case "verification.commented":
      return detailsIn<"verification.commented">(entry).text;
    case "verification.opened":
      return detailsIn<"verification.opened">(entry).cause === "sent_by_payee" ? SENT_BY_PAYEE : undefined;
    default:
      return detailsIn<"verification.rejected">(entry).reason;
  }
}

/** How the details were verified, and what the person wrote. */
function approvalWords({ gradeText, reason }: DetailsIn<"verification.approved">): string | undefined {
  const words = [gradeText, reason].filter(Boolean);
  return words.length > 0 ? words.join(". ") : undefined;
}

/** What the bank answered, and whether an earlier answer was used instead of asking again. */
function answerSentences({ explanation = "", answeredBy, answeredFrom }: DetailsIn<"verification.checked_at_once">) {
  const through = answeredBy && `Asked through ${answeredBy}.`;
  return [explanation, through, answeredFrom && FROM_EARLIER].filter(Boolean).join(" ");
}

/** "02 9374 4000, spoke to Ana Silva: Confirmed the details. No proof: ..." */
function callSentence({
  number = "",
  spokeTo,
  outcome = "no_answer",
  noProof,
}: DetailsIn<"verification.call_recorded">): string {
  const who = spokeTo ? `, spoke to ${spokeTo}` : "";
  const why = noProof ? ` No proof: ${NO_PROOF[noProof]}` : "";
  return `${formatPhone(number)}${who}: ${CALL_OUTCOME_LABELS[outcome]}.${why}`;
}

/** "Maria Costa sent ...", "PayeeProof sent ..."; a sentence with its own subject is kept: "The payee confirmed". */
function inWords(userName: string | null, sentence: string) {
  if (userName === null && sentence.startsWith("The ")) return { who: "", what: sentence };
  return { who: userName ?? "PayeeProof", what: lowerFirst(sentence) };
}
