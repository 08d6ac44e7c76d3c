import { formatDateTime } from "~/kernel/dates";
import { linkPaths } from "~/kernel/paths/links";
import { withQuery } from "~/kernel/paths/with-query";
import { formatPhone } from "~/kernel/phone";
import { sayContactTold } from "~/modules/messages/notifications/notice-rules";
import { toMatchBadge } from "~/modules/name-match";
import { inSentence, isProven } from "~/modules/payees/verifications/grade";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";
import { CALL_OUTCOME_LABELS, SOURCE_LABELS } from "~/modules/verifying/call-backs/call-back";
import { methodLabels, STATUS_LABELS } from "~/modules/verifying/review/verification-list";
import { type Certificate, type CertificateFacts, gradeOfFacts, titleOf } from "./certificate";

/** A certificate as people read it, on the page and in the PDF: both are drawn from the facts as they were issued. Pure. */

export type CertificateRow = { term: string; value: string; isCode?: true };
export type CertificateSection = { title: string; rows: CertificateRow[] };

/** @param appOrigin scheme and host of the public page that checks the certificate */
export function toCertificateView({ id, hash, facts }: Certificate, appOrigin: string) {
  const at = (iso: string) => formatDateTime(Date.parse(iso), facts.timeZone);
  const checkPath = withQuery(linkPaths.certificate(id), { hash });
  return {
    id,
    hash,
    title: titleOf(facts),
    status: facts.decision.status,
    summary: summaryOf(facts, at),
    sections: [
      { title: "Payee", rows: payeeRows(facts) },
      { title: "Verification", rows: verificationRows(facts, at) },
      { title: "Result", rows: resultRows(facts, at) },
      ...contactSections(facts, at),
      { title: "Call-backs", rows: callRows(facts, at) },
      { title: "Decision", rows: decisionRows(facts, at) },
      { title: "Record", rows: recordRows({ id, hash, facts }, at) },
    ] satisfies CertificateSection[],
    checkPath,
    checkAddress: `${appOrigin}${checkPath}`,
  };
}

export type CertificateView = ReturnType<typeof toCertificateView>;

type At = (iso: string) => string;

const row = (term: string, value: string | null): CertificateRow[] => (value ? [{ term, value }] : []);

const SYSTEM = "PayeeProof, by rule";

function summaryOf(facts: CertificateFacts, at: At): string {
  const { organization, payee, decision, formerContact } = facts;
  const grade = gradeOfFacts(facts);
  const verified = grade && isProven(grade) ? "verified" : "approved";
  const ended = { verified, rejected: "rejected", failed: "could not verify" }[decision.status];
  const sentence = `${organization.name} ${ended} the bank details of ${payee.name} on ${at(decision.at)}.`;
  return formerContact && formerContact.state !== "told" ? `${sentence} ${formerContact.message}` : sentence;
}

const payeeRows = ({ payee, result }: CertificateFacts): CertificateRow[] => [
  ...row("Payee", payee.name),
  ...row("Account name", payee.accountName),
  ...row("BSB", payee.bsb),
  ...row("Account number", payee.accountNumber),
  ...row("Institution", result.institution),
];

function verificationRows(facts: CertificateFacts, at: At): CertificateRow[] {
  const { organization, method, provider, openedAt, requestedBy, payeeAnswer } = facts;
  return [
    ...row("Organisation", organization.name),
    ...row("Method", methodLabels(provider ?? "Bank data provider")[method]),
    ...row("Opened", `${at(openedAt)}, by ${requestedBy ?? SYSTEM}`),
    ...row("Payee confirmed the details", payeeAnswer.confirmedAt && at(payeeAnswer.confirmedAt)),
    ...row("Payee disputed the details", payeeAnswer.disputedAt && at(payeeAnswer.disputedAt)),
    ...row("What the payee wrote", payeeAnswer.note),
  ];
}

function resultRows({ result }: CertificateFacts, at: At): CertificateRow[] {
  const { outcome, reasonCode, reasons, nameAtBank, checkedAt, beside } = result;
  const against = beside ? row("Decided under", `${beside.headline}. ${beside.why}`) : [];
  if (outcome === null) return [...against, ...row("Bank", "No bank gave an answer about these details.")];
  const { title, fact } = describeOutcome(outcome, reasonCode);
  return [
    ...against,
    ...row("Outcome", title),
    ...row("What the bank said", fact),
    ...row("Name at the bank", nameAtBank),
    ...row("Score", sayScore(result)),
    ...reasons.map((reason, index) => ({ term: index === 0 ? "Reasons" : `Reason ${index + 1}`, value: reason })),
    ...row("Checked", checkedAt && at(checkedAt)),
  ];
}

/** A bank that was asked at once may judge a name and keep its own to itself. */
function sayScore({ score, outcome }: CertificateFacts["result"]): string {
  if (score !== null) return `${score} of 100 (${toMatchBadge(score)})`;
  const isJudged = outcome === "match" || outcome === "close_match";
  return isJudged ? "None: the bank did not send the name" : "No names were compared";
}

function callRows({ callBacks }: CertificateFacts, at: At): CertificateRow[] {
  if (callBacks.length === 0) return row("Calls", "No call to the payee was recorded.");
  return callBacks.map((call, index) => ({
    term: `Call ${index + 1}`,
    value: [
      `${at(call.at)}${call.by ? `, by ${call.by}` : ""}: ${formatPhone(call.number)} (${SOURCE_LABELS[call.source]})`,
      call.spokeTo && `Spoke to ${call.spokeTo}`,
      CALL_OUTCOME_LABELS[call.outcome],
      call.note,
      call.countsAsProof ? "Counts as proof" : "Does not count as proof",
    ]
      .filter(Boolean)
      .join(". "),
  }));
}

/** Of a change of bank details: whether whoever was the contact before was told. Certificates of format 1 do not know. */
function contactSections({ formerContact }: CertificateFacts, at: At): CertificateSection[] {
  if (!formerContact) return [];
  const { message, contacts } = formerContact;
  const each = contacts.map((contact, index) => ({ term: `Contact ${index + 1}`, value: sayContactTold(contact, at) }));
  return [{ title: "Notice of the change", rows: [...row("Former contact", message), ...each] }];
}

function decisionRows(facts: CertificateFacts, at: At): CertificateRow[] {
  const { decision } = facts;
  const grade = gradeOfFacts(facts);
  const ended = STATUS_LABELS[decision.status];
  return [
    ...row("Decision", grade ? `${ended}: ${inSentence(grade)}` : ended),
    ...row("Decided", at(decision.at)),
    ...row("Decided by", decision.by ?? SYSTEM),
    ...row("Reason", decision.reason),
  ];
}

const recordRows = ({ id, hash, facts }: Certificate, at: At): CertificateRow[] => [
  { term: "Record id", value: id, isCode: true },
  { term: "Hash (SHA-256)", value: hash, isCode: true },
  ...row("Issued", at(facts.issuedAt)),
  ...row("Times", `In the zone ${facts.timeZone}`),
];
