import type { CallOutcome, CallSource, CheckOutcome, NoProof } from "~/kernel/enums";
import { CHECK_OUTCOMES } from "~/kernel/enums";
import { formatPhone } from "~/kernel/phone";
import type { AuditAction } from "~/modules/core/audit/audit";
import { type GradeName, inSentence } from "~/modules/payees/verifications/grade";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";
import { FLAG_REASONS, type ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { after, type Details, joined, listOf, textOf, wordsFor } from "./details";
import type { Say } from "./people-sentences";

/** Entries about verifications: links, bank checks, call-backs and decisions. Pure. */

const CAUSES = {
  payee_added: "because the payee was added",
  details_edited: "because the bank details were changed",
  payee_renamed: "because the payee was given another name",
  details_restored: "because the former bank details were restored without trust",
  requested: "on request",
  bulk_check: "to check many payees",
  sent_by_payee: "because the payee sent its own details",
};

const ENDED_BECAUSE = {
  details_edited: "because the bank details were changed",
  payee_renamed: "because the payee was given another name",
  payee_archived: "because the payee was archived",
};

const CONSENTS = {
  "consent.revoked": "the payee withdrew it",
  "consent.expired": "it ran out",
};

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
function sayResult({ outcome, reasonCode, score }: Details): string {
  if (!isOutcome(outcome)) return "";
  const { title } = describeOutcome(outcome, textOf(reasonCode) || null);
  return typeof score === "number" ? `${title.toLowerCase()}, score ${score}` : title.toLowerCase();
}

const sayFlags = ({ flags }: Details): string =>
  after(", although ", joined(listOf(flags).map((flag) => wordsFor<ReviewFlag>(FLAG_REASONS, flag))));

const CALLED_BACK: GradeName = "call_back";

/** What the grade of an approval says already of the bank's answer. */
const SAID_BY_GRADE: ReadonlySet<unknown> = new Set<ReviewFlag>([
  "account_closed",
  "name_mismatch",
  "name_close",
  "institution_differs",
  "unchecked",
]);

function sayCall({ number, source, spokeTo, outcome, note, noProof }: Details): string {
  const parts = [
    `${formatPhone(textOf(number))} (${wordsFor(CALL_SOURCES, source)})`,
    textOf(spokeTo) && `spoke to ${textOf(spokeTo)}`,
    wordsFor(CALL_OUTCOMES, outcome),
    noProof ? wordsFor(NO_PROOF, noProof) : "",
  ];
  return `${parts.filter(Boolean).join(", ")}${after(": ", textOf(note))}`;
}

const channel = ({ channel }: Details): string => (channel === "sms" ? "by text message" : "by email");

export const VERIFICATION_SENTENCES = {
  "verification.opened": ({ who, thing, details }) =>
    `${who} opened a verification of ${thing}${after(" ", wordsFor(CAUSES, details.cause))}`,
  "verification.superseded": ({ thing, details }) =>
    `The verification of ${thing} was closed${after(" ", wordsFor(ENDED_BECAUSE, details.reasonCode))}`,
  "verification.link_sent": ({ who, thing, details }) =>
    `${who} sent ${thing} a verification link ${channel(details)}${after(" to ", textOf(details.to))}`,
  "verification.link_kept": ({ thing }) => `The link that ${thing} was sent leads on to their bank`,
  "verification.bank_check_started": ({ who, thing }) => `${who} started the bank check of ${thing}`,
  "verification.bank_check_finished": ({ thing, details }) =>
    `The bank check of ${thing} ended${after(": ", sayResult(details))}`,
  "verification.checked_at_once": ({ who, thing, details }) =>
    `${who} asked the bank of ${thing} by Confirmation of Payee${details.answeredFrom ? ", answered from the bank's answer of the last 24 hours" : ""}${after(": ", sayResult(details))}`,
  "verification.provider_data_deleted": ({ thing }) =>
    `PayeeProof had the data of ${thing} deleted at the bank data provider`,
  "verification.consent_ended": ({ thing, details }) =>
    `The consent of ${thing} at the bank ended${after(": ", wordsFor(CONSENTS, details.eventType))}`,
  "verification.payee_sent_to_bank": ({ thing }) => `The payee ${thing} went on to their bank`,
  "verification.confirmed_by_payee": ({ thing }) => `The payee ${thing} confirmed the details`,
  "verification.disputed_by_payee": ({ thing, details }) =>
    `The payee ${thing} said that these are not their details${after(": ", textOf(details.note))}`,
  "verification.call_recorded": ({ who, thing, details }) => `${who} called ${thing}: ${sayCall(details)}`,
  "verification.assigned": ({ who, thing, details }) =>
    `${who} assigned the verification of ${thing}${after(" to ", textOf(details.name))}`,
  "verification.unassigned": ({ who, thing }) => `${who} took the assignment off the verification of ${thing}`,
  "verification.commented": ({ who, thing, details }) =>
    `${who} commented on the verification of ${thing}${after(": ", textOf(details.text))}`,
  "verification.approved": ({ who, thing, details }) => {
    const grade = textOf(details.gradeText);
    const result = after(" (", grade ? inSentence({ text: grade }) : sayResult(details));
    const others = details.addToGlobalWhitelist === true ? ", vouched for it to other organisations" : "";
    const own = details.selfApproval === true ? ", their own work" : "";
    const called = details.calledBack === true && details.grade !== CALLED_BACK ? ", after a call-back" : "";
    const flags = grade ? listOf(details.flags).filter((flag) => !SAID_BY_GRADE.has(flag)) : details.flags;
    return `${who} approved the verification of ${thing}${result && `${result})`}${called}${own}${others}${sayFlags({ flags })}${after(": ", textOf(details.reason))}`;
  },
  "verification.rejected": ({ who, thing, details }) => {
    const result = after(" (", sayResult(details));
    return `${who} rejected the verification of ${thing}${result && `${result})`}${after(": ", textOf(details.reason))}`;
  },
  "verification.certificate_issued": ({ who, thing, details }) =>
    `${who} had the certificate of the verification of ${thing} issued${after(", hash ", textOf(details.hash).slice(0, 12))}`,
  "verification.failed": ({ thing, details }) => {
    const code = textOf(details.reasonCode);
    return `The verification of ${thing} failed${after(": ", code && describeOutcome("unable", code).title.toLowerCase())}`;
  },
} as const satisfies Partial<Record<AuditAction, Say>>;
