import {
  type AccountQuestionCause,
  type BankQuestionCause,
  type CallOutcome,
  type CallSource,
  CHECK_OUTCOMES,
  type CheckOutcome,
  type NoProof,
  type NotificationChannel,
  type VerificationMethod,
} from "~/kernel/enums";
import { formatPhone } from "~/kernel/phone";
import type { VerdictName } from "~/kernel/verdicts";
import {
  type AuditedActions,
  after,
  type Facts,
  joined,
  listOf,
  textOf,
  type Unknown,
  wordsFor,
} from "~/modules/core/audit/details";
import { describeOutcome, type GradeName, inSentence } from "./outcomes";
import { FLAG_REASONS, type ReviewFlag } from "./review-flags";

const CAUSES = {
  payee_added: "because the payee was added",
  details_edited: "because the bank details were changed",
  payee_renamed: "because the payee was renamed",
  details_restored: "because the former bank details were restored without trust",
  requested: "on request",
  bulk_check: "to check many payees",
  asked_again: "because the bank, asked again, does not confirm the details",
  sent_by_payee: "because the payee sent its own details",
};

const ENDED_BECAUSE = {
  details_edited: "because the bank details were changed",
  payee_renamed: "because the payee was renamed",
  payee_archived: "because the payee was archived",
};

const CONSENTS = { "consent.revoked": "the payee withdrew it", "consent.expired": "it ran out" };

const CALL_SOURCES: Readonly<Record<CallSource, string>> = {
  on_file: "on file before the change",
  website: "from the payee's own website",
  contract: "from a contract or an earlier invoice",
  other: "from elsewhere",
};

const CALL_OUTCOMES: Readonly<Record<CallOutcome, string>> = {
  confirmed: "the details were confirmed",
  not_confirmed: "the details were not confirmed",
  no_answer: "no answer",
};

const NO_PROOF: Readonly<Record<NoProof, string>> = {
  recently_changed: "no proof, because the number was changed lately",
  recently_entered: "no proof, because the number came with the payee lately",
  not_on_file: "no proof, because the number was not on file before",
  own_work: "no proof, because the person who called had entered the details",
};

const isOutcome = (value: unknown): value is CheckOutcome => CHECK_OUTCOMES.some((outcome) => outcome === value);

/** "The names match, 97 %", in the words of the verification's page. */
function resultWords(details: Unknown<"outcome" | "reasonCode" | "score"> & Partial<Unknown<"nameMatchScore">>) {
  const { outcome, reasonCode, nameMatchScore, score = nameMatchScore } = details;
  if (!isOutcome(outcome)) return "";
  const { title } = describeOutcome(outcome, textOf(reasonCode) || null);
  return typeof score === "number" ? `${title.toLowerCase()}, score ${score}` : title.toLowerCase();
}

const reviewFlagWords = ({ flags }: Unknown<"flags">): string =>
  after(", although ", joined(listOf(flags).map((flag) => wordsFor<ReviewFlag>(FLAG_REASONS, flag))));

const CALLED_BACK: GradeName = "call_back";

/** Flags about the bank's answer that the grade of an approval already covers. */
const SAID_BY_GRADE: ReadonlySet<unknown> = new Set<ReviewFlag>([
  "account_closed",
  "name_mismatch",
  "name_close",
  "institution_differs",
  "unchecked",
]);

function callWords({
  number,
  source,
  spokeTo,
  outcome,
  note,
  noProof,
}: Unknown<"number" | "source" | "spokeTo" | "outcome" | "note" | "noProof">): string {
  const parts = [
    `${formatPhone(textOf(number))} (${wordsFor(CALL_SOURCES, source)})`,
    textOf(spokeTo) && `spoke to ${textOf(spokeTo)}`,
    wordsFor(CALL_OUTCOMES, outcome),
    noProof ? wordsFor(NO_PROOF, noProof) : "",
  ];
  return `${parts.filter(Boolean).join(", ")}${after(": ", textOf(note))}`;
}

const channel = ({ channel }: Unknown<"channel">): string => (channel === "sms" ? "by text message" : "by email");

/** The details of a bank's result; the sentence about the result comes first. */
type CheckResult = {
  outcome: CheckOutcome;
  reasonCode: string | null;
  score: number | null;
  explanation: string;
  beside?: { word: string; why: string; next: string } | null;
  /** What the page says after it; absent in entries from before alerts showed it. */
  verdict?: VerdictName;
};

type Approved = { reason: string | null; grade?: GradeName; gradeText?: string; payeeId?: string; by?: string };

/** What the person who decided could see. */
type Decided = {
  payeeId: string;
  accountNumber: string;
  method: VerificationMethod;
  outcome: CheckOutcome | null;
  nameMatchScore: number | null;
  flags: readonly ReviewFlag[];
  /** How older entries store it. */
  reasonCode?: string;
  score?: number;
};

/** The audit actions of verifications: links, bank checks, call-backs and decisions. */
export const verificationActions = {
  "verification.opened": {
    label: "Opened a verification",
    sentence: ({ who, subject, details }: Facts<{ payeeId: string; cause: keyof typeof CAUSES }>) =>
      `${who} opened a verification of ${subject}${after(" ", wordsFor(CAUSES, details.cause))}`,
  },
  "verification.superseded": {
    label: "Closed the verification because the details changed",
    sentence: ({ subject, details }: Facts<{ payeeId: string; reasonCode: string }>) =>
      `The verification of ${subject} was closed${after(" ", wordsFor(ENDED_BECAUSE, details.reasonCode))}`,
  },
  "verification.link_sent": {
    label: "Sent the payee a verification link",
    sentence: ({ who, subject, details }: Facts<{ channel: NotificationChannel; to: string }>) =>
      `${who} sent ${subject} a verification link ${channel(details)}${after(" to ", textOf(details.to))}`,
  },
  "verification.link_kept": {
    label: "The link that the payee was sent leads to their bank",
    sentence: ({ subject }: Facts) => `The link that ${subject} was sent leads to their bank`,
  },
  "verification.bank_check_started": {
    label: "Started the bank check",
    sentence: ({ who, subject }: Facts) => `${who} started the bank check of ${subject}`,
  },
  "verification.bank_check_finished": {
    label: "The bank check ended",
    sentence: ({ subject, details }: Facts<CheckResult>) =>
      `The bank check of ${subject} ended${after(": ", resultWords(details))}`,
  },
  "verification.checked_at_once": {
    label: "Checked with the bank at once",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<
      CheckResult & {
        source: string;
        purpose: string;
        bankVerdict: string | null;
        /** Why it was asked automatically; absent: somebody asked. */
        cause?: BankQuestionCause | AccountQuestionCause;
        lookUpId?: string;
        /** The service that asked the bank. */
        answeredBy?: string;
        /** The verification that stored the answer, or "account" if none did. */
        answeredFrom?: string;
      }
    >) =>
      `${who} asked the bank of ${subject} by Confirmation of Payee${after(" through ", textOf(details.answeredBy))}${details.answeredFrom ? ", using the bank's answer from the last 24 hours" : ""}${after(": ", resultWords(details))}`,
  },
  "verification.provider_data_deleted": {
    label: "Deleted the payee's data at the bank data provider",
    sentence: ({ subject }: Facts) => `PayeeProof had the data of ${subject} deleted at the bank data provider`,
  },
  "verification.consent_ended": {
    label: "The payee's consent at the bank ended",
    sentence: ({ subject, details }: Facts<{ eventType: string }>) =>
      `The consent of ${subject} at the bank ended${after(": ", wordsFor(CONSENTS, details.eventType))}`,
  },
  "verification.payee_sent_to_bank": {
    label: "The payee continued to their bank",
    sentence: ({ subject }: Facts) => `The payee ${subject} continued to their bank`,
  },
  "verification.confirmed_by_payee": {
    label: "The payee confirmed the details",
    sentence: ({ subject }: Facts) => `The payee ${subject} confirmed the details`,
  },
  "verification.disputed_by_payee": {
    label: "The payee said that these are not their details",
    sentence: ({ subject, details }: Facts<{ note: string | null }>) =>
      `The payee ${subject} said that these are not their details${after(": ", textOf(details.note))}`,
  },
  "verification.call_recorded": {
    label: "Recorded a call to the payee",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<{
      callId: string;
      payeeId: string;
      number: string;
      source: CallSource;
      spokeTo: string | null;
      outcome: CallOutcome;
      note: string | null;
      noProof: NoProof | null;
    }>) => `${who} called ${subject}: ${callWords(details)}`,
  },
  "verification.assigned": {
    label: "Assigned the verification",
    sentence: ({ who, subject, details }: Facts<{ people: readonly string[]; name: string }>) =>
      `${who} assigned the verification of ${subject}${after(" to ", textOf(details.name))}`,
  },
  "verification.unassigned": {
    label: "Removed the assignment from the verification",
    sentence: ({ who, subject }: Facts) => `${who} removed the assignment from the verification of ${subject}`,
  },
  "verification.commented": {
    label: "Commented on the verification",
    sentence: ({ who, subject, details }: Facts<{ text: string; people: readonly string[] }>) =>
      `${who} commented on the verification of ${subject}${after(": ", textOf(details.text))}`,
  },
  "verification.approved": {
    label: "Approved the verification",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<
      | Approved
      | (Approved &
          Decided & {
            addToGlobalWhitelist: boolean;
            selfApproval: boolean;
            calledBack: boolean;
            withoutCheck: boolean;
          })
    >) => {
      const grade = textOf(details.gradeText);
      const result = after(" (", grade ? inSentence({ text: grade }) : resultWords(details));
      const others = details.addToGlobalWhitelist === true ? ", vouched for it to other organisations" : "";
      const own = details.selfApproval === true ? ", their own work" : "";
      const called = details.calledBack === true && details.grade !== CALLED_BACK ? ", after a call-back" : "";
      const flags = grade ? listOf(details.flags).filter((flag) => !SAID_BY_GRADE.has(flag)) : details.flags;
      return `${who} approved the verification of ${subject}${result && `${result})`}${called}${own}${others}${reviewFlagWords({ flags })}${after(": ", textOf(details.reason))}`;
    },
  },
  "verification.rejected": {
    label: "Rejected the verification",
    sentence: ({ who, subject, details }: Facts<Decided & { reason: string }>) => {
      const result = after(" (", resultWords(details));
      return `${who} rejected the verification of ${subject}${result && `${result})`}${after(": ", textOf(details.reason))}`;
    },
  },
  "verification.failed": {
    label: "The verification failed",
    sentence: ({ subject, details }: Facts<{ reasonCode: string | null }>) => {
      const code = textOf(details.reasonCode);
      return `The verification of ${subject} failed${after(": ", code && describeOutcome("unable", code).title.toLowerCase())}`;
    },
  },
  "verification.certificate_issued": {
    label: "Issued the certificate of the verification",
    sentence: ({ who, subject, details }: Facts<{ hash: string }>) =>
      `${who} issued the certificate of the verification of ${subject}${after(", hash ", textOf(details.hash).slice(0, 12))}`,
  },
} satisfies AuditedActions;
