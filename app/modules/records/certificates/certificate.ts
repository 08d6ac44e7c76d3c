import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { formatDateTime, toIso } from "~/kernel/dates";
import { canonicalJson } from "~/kernel/encodings";
import type { CallOutcome, CallSource, CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { linkPaths } from "~/kernel/paths/links";
import { withQuery } from "~/kernel/paths/site";
import { formatPhone } from "~/kernel/phone";
import { displayName } from "~/kernel/text";
import {
  type ContactsTold,
  type NoticeRow,
  toContactsTold,
  toldWords,
} from "~/modules/messages/notifications/notice-rules";
import { explainDifferences, toMatchBadge } from "~/modules/name-match";
import {
  describeOutcome,
  type Grade,
  gradeFactsOf,
  gradeOf,
  inSentence,
  isProven,
} from "~/modules/payees/verifications/outcomes";
import type { ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { headlineBesideAnswer } from "~/modules/payees/verifications/verdict";
import { CONFIRMATION_OF_PAYEE, providerOfResult } from "~/modules/payees/verifications/verification";
import type { VerificationDetail } from "~/modules/payees/verifications/verification.server";
import { CALL_OUTCOME_LABELS, type CallBack, SOURCE_LABELS } from "~/modules/verifying/call-backs/call-back";
import { methodLabels, STATUS_LABELS } from "~/modules/verifying/review/verification-list";

/**
 * The first format lacked how the details were verified, the second lacked reasons not to pay apart from the bank's
 * answer. Issued certificates keep their format.
 */
export const CERTIFICATE_FORMATS = [
  "payeeproof-certificate-1",
  "payeeproof-certificate-2",
  "payeeproof-certificate-3",
] as const;

/**
 * The contents of a certificate, as stored. Pure. The hash is the SHA-256 of `certificateText`, so the names and
 * meanings of these fields never change; a certificate with more contents gets a new `format`. See docs/decisions,
 * certificates.
 */
export type CertificateFacts = {
  format: (typeof CERTIFICATE_FORMATS)[number];
  /** The id of the verification, and of the certificate. */
  id: string;
  issuedAt: string;
  organization: { id: string; name: string };
  /** IANA name of the time zone in which people read the times; the times themselves are UTC. */
  timeZone: string;
  /** The account number is masked. */
  payee: { name: string; accountName: string; bsb: string; accountNumber: string };
  openedAt: string;
  /** Null: PayeeProof, by a rule. */
  requestedBy: string | null;
  method: VerificationMethod;
  /** The bank-data provider's name, if one was asked. */
  provider: string | null;
  result: {
    /** Null: no bank gave an answer. */
    outcome: CheckOutcome | null;
    reasonCode: string | null;
    /** 0 to 100; null: no names were compared. */
    score: number | null;
    reasons: string[];
    nameAtBank: string | null;
    institution: string | null;
    checkedAt: string | null;
    /**
     * Since format 3: the headline at the decision and its reason, if there was a reason not to pay that the bank's
     * answer does not cover. Null: none on record.
     */
    beside?: { headline: string; why: string } | null;
  };
  payeeAnswer: { confirmedAt: string | null; disputedAt: string | null; note: string | null };
  callBacks: {
    at: string;
    by: string | null;
    number: string;
    source: CallSource;
    spokeTo: string | null;
    outcome: CallOutcome;
    note: string | null;
    countsAsProof: boolean;
  }[];
  /**
   * Since format 2: whether the payee's contacts from before the change had been told of it when the certificate was
   * issued. Null: the verification is not about a change.
   */
  formerContact?: ContactsTold | null;
  decision: {
    status: Exclude<VerificationStatus, "pending">;
    at: string;
    /** Null: PayeeProof, by a rule. */
    by: string | null;
    reason: string | null;
    /** How the details were verified; null: they were not. Absent in the first format. */
    grade?: Grade | null;
  };
};

/** The text whose hexadecimal SHA-256 is the certificate's hash: canonical JSON, as in the audit trail. */
export const certificateText = (facts: CertificateFacts): string => canonicalJson(facts);

type Decided = {
  verification: VerificationDetail;
  /** The flags against an approval at the time of the decision. */
  flags: readonly ReviewFlag[];
  calls: readonly CallBack[];
  notices: readonly NoticeRow[];
  organization: { id: string; name: string };
  timeZone: string;
  providerName: string;
};

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

/** The present facts of a verification. @param issuedAt epoch milliseconds @returns undefined: undecided */
export function certificateFacts(decided: Decided, issuedAt: number): CertificateFacts | undefined {
  const { verification, flags, calls, notices, organization, timeZone, providerName } = decided;
  const { status, decision, decidedBy, requestedBy, resultData, payee } = verification;
  if (status === "pending" || decision === null) return undefined;
  const beside = headlineBesideAnswer({ ...verification, flags });
  return {
    format: "payeeproof-certificate-3",
    id: verification.id,
    issuedAt: toIso(issuedAt),
    organization,
    timeZone,
    payee: {
      name: payee.name,
      accountName: verification.accountName,
      bsb: formatBsb(verification.bsb),
      accountNumber: maskAccountNumber(verification.accountNumber),
    },
    openedAt: toIso(verification.createdAt),
    requestedBy: requestedBy && displayName(requestedBy),
    method: verification.method,
    provider: verification.method === "basiq" ? providerOfResult(resultData, providerName) : null,
    result: {
      outcome: verification.outcome,
      reasonCode: verification.reasonCode,
      score: verification.nameMatchScore,
      reasons: explainDifferences(verification.nameDifferences ?? []).map(({ sentence }) => sentence),
      nameAtBank: verification.verifiedName,
      institution: resultData?.institution ?? verification.evidence?.institution?.name ?? null,
      checkedAt: isoOrNull(resultData?.checkedAt ?? null),
      beside: beside && { headline: beside.word, why: beside.why },
    },
    payeeAnswer: {
      confirmedAt: isoOrNull(verification.verifiedByPayeeAt),
      disputedAt: isoOrNull(verification.disputedByPayeeAt),
      note: verification.disputeNote,
    },
    callBacks: calls.map(toCall),
    formerContact: toContactsTold(notices, issuedAt),
    decision: {
      status,
      at: toIso(decision.createdAt),
      by: decidedBy && displayName(decidedBy),
      reason: decision.reason,
      grade: gradeOf(gradeFactsOf(verification)),
    },
  };
}

/** How a certificate's details were verified; null: they were not. The first format derives it from other facts. */
function gradeOfFacts({ method, provider, result, callBacks, decision }: CertificateFacts): Grade | null {
  if (decision.grade !== undefined) return decision.grade;
  const asked = { source: provider === CONFIRMATION_OF_PAYEE ? "cop" : "basiq" } as const;
  return gradeOf({
    ...{ status: decision.status, method, outcome: result.outcome, institutionDiffers: false },
    source: provider === null ? null : asked.source,
    isCalledBack: callBacks.some(({ countsAsProof }) => countsAsProof),
    decider: decision.by === null ? "rule" : "person",
  });
}

/** Points of a line, x and y in turn, in a square of 100 units around its middle; y goes down. */
type Line = readonly number[];

const circle = (steps: readonly number[], radius: number): Line =>
  steps.flatMap((step) => [radius * Math.sin((step * Math.PI) / 32), -radius * Math.cos((step * Math.PI) / 32)]);
const STEPS = Array.from({ length: 64 }, (_, step) => step);
const RING = [circle([...STEPS, 0], 26)];
const DASHES = STEPS.filter((step) => step % 2 === 0).map((step) => circle([step - 0.5, step + 0.5], 26));

const BANK = [[-13, -4, 0, -12, 13, -4, -13, -4], ...[-9, -3, 3, 9].map((x) => [x, -1, x, 8]), [-13, 11, 13, 11]];
const PHONE = [
  [-7, -13, 7, -13, 7, 13, -7, 13, -7, -13],
  [-2, 9, 2, 9],
];
const PAPER = [[-9, -13, 4, -13, 9, -8, 9, 13, -9, 13, -9, -13], ...[-4, 2, 8].map((y) => [-4, y, 4, y])];
const CROSS = [
  [-9, -9, 9, 9],
  [9, -9, -9, 9],
];

/**
 * The seal of a certificate: 64 rays, each as long as a digit of the hash, around a sign of how the details were
 * verified. No two are alike. Page, PDF and public check draw these lines.
 *
 * @returns `isFilled`: the sign is light, on a dark disc with a radius of 26
 */
export function sealOf({ hash, facts }: Pick<Certificate, "hash" | "facts">) {
  const grade = gradeOfFacts(facts);
  const byBank = grade !== null && isProven(grade) && grade.name !== "call_back";
  const isCalled = grade?.name === "call_back";
  const rays = STEPS.map((step) => {
    const [x = 0, y = 0] = circle([step], 1);
    const [start, end] = [32, 34.5 + Number.parseInt(hash.charAt(step), 16)];
    return [x * start, y * start, x * end, y * end];
  });
  return {
    lines: [...rays, ...(byBank ? [] : isCalled ? RING : DASHES)] as readonly Line[],
    sign: (grade === null ? CROSS : byBank ? BANK : isCalled ? PHONE : PAPER) as readonly Line[],
    isFilled: byBank,
  };
}

/** The lines of a seal as the path of an SVG picture. */
const pathOf = (lines: readonly Line[]): string =>
  lines.map((line) => `M${line.map((value) => Math.round(value * 10) / 10).join(" ")}`).join("");

/** The seal as pages draw it. */
export function showSeal(certificate: Pick<Certificate, "hash" | "facts">) {
  const { lines, sign, isFilled } = sealOf(certificate);
  return { lines: pathOf(lines), sign: pathOf(sign), isFilled };
}

/** How the verification ended, in a few words: the heading of its certificate. */
const headingOf = (facts: CertificateFacts): string =>
  gradeOfFacts(facts)?.text ?? (facts.decision.status === "failed" ? "Failed or closed" : "Rejected");

/** The title of a certificate: how the verification ended, and its grade. */
export const titleOf = (facts: CertificateFacts): string => `Certificate: ${facts.payee.name}, ${stateOf(facts)}`;

/** How it ended, without saying whom it is about: "verified: approved by a person, no bank was asked". */
export function stateOf(facts: CertificateFacts): string {
  const grade = gradeOfFacts(facts);
  const ended = { verified: "verified", rejected: "rejected", failed: "failed or closed" }[facts.decision.status];
  return grade ? `${ended}: ${inSentence(grade)}` : ended;
}

const toCall = ({ createdAt, userName, number, source, spokeTo, outcome, note, noProof }: CallBack) => ({
  at: toIso(createdAt),
  by: userName,
  number,
  source,
  spokeTo,
  outcome,
  note,
  countsAsProof: outcome === "confirmed" && noProof === null,
});

export type Certificate = { id: string; hash: string; facts: CertificateFacts };

export const toCertificateJson = ({ id, hash, facts }: Certificate) => ({ id, title: titleOf(facts), hash, facts });

/** A certificate for people, on the page and in the PDF: both show the facts as they were issued. Pure. */

export type CertificateRow = { term: string; value: string; isCode?: true };
export type CertificateSection = { title: string; rows: CertificateRow[] };

/** @param appOrigin origin of the public page that checks the certificate */
export function toCertificateView({ id, hash, facts }: Certificate, appOrigin: string) {
  const at = (iso: string) => formatDateTime(Date.parse(iso), facts.timeZone);
  const checkPath = withQuery(linkPaths.certificate(id), { hash });
  return {
    id,
    hash,
    title: titleOf(facts),
    heading: headingOf(facts),
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
    ...row("Score", scoreWords(result)),
    ...reasons.map((reason, index) => ({ term: index === 0 ? "Reasons" : `Reason ${index + 1}`, value: reason })),
    ...row("Checked", checkedAt && at(checkedAt)),
  ];
}

/** A bank that answers at once may judge a name without revealing its own. */
function scoreWords({ score, outcome }: CertificateFacts["result"]): string {
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

/** For a change of bank details: whether the former contacts were told. Certificates of format 1 do not say. */
function contactSections({ formerContact }: CertificateFacts, at: At): CertificateSection[] {
  if (!formerContact) return [];
  const { message, contacts } = formerContact;
  const each = contacts.map((contact, index) => ({ term: `Contact ${index + 1}`, value: toldWords(contact, at) }));
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
