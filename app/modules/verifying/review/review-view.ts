import { maskedAccount } from "~/kernel/bank-account";
import { formatDate, type ShownTime, showTime } from "~/kernel/dates";
import type { ApprovalEvidence } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { isForCurrentDetails } from "~/kernel/payee";
import { isMobile } from "~/kernel/phone";
import { VERIFICATION_STATUS_LOOKS } from "~/kernel/status-words";
import { displayName, formatCount } from "~/kernel/text";
import { type RegisterAnswer, toRegisterView } from "~/modules/directories/register";
import { toContactsToldView } from "~/modules/messages/notifications/notice-rules";
import type { MissingConfirmation } from "~/modules/messages/notifications/outside-messages";
import { explainDifferences, type MarkedNames, markNames, matchNames, type Reason } from "~/modules/name-match";
import { describeChange, describeRenaming } from "~/modules/payees/change-story";
import { describeOrigin, type NamedOrigin } from "~/modules/payees/details-origin";
import { markDomains } from "~/modules/payees/verifications/evidence";
import {
  gradeFactsOf,
  gradeOf,
  wouldRepeat,
  wouldRepeatConfirmationOfPayee,
} from "~/modules/payees/verifications/outcomes";
import {
  findReviewFlags,
  flagFactsOf,
  primaryAction,
  type ReviewFlag,
} from "~/modules/payees/verifications/review-flags";
import { wordsOfVerification } from "~/modules/payees/verifications/standing";
import {
  holdsInstantAnswer,
  isConclusive,
  NAME_DIFFERENCE_NOTE_BELOW,
  type ResultData,
  shownStatus,
} from "~/modules/payees/verifications/verification";
import type { VerificationDetail } from "~/modules/payees/verifications/verification.server";
import { CHANGED_TOGETHER } from "~/modules/payees/verifications/verification-words";
import { changeToConfirm } from "~/modules/verifying/call-backs/call-back";
import { judgeRestoring, type Reviewer, restoringSentence, toApproving, whoCanSentence } from "./review";
import { compareDetails, toCallBackView, toEvidenceLines } from "./review-known";
import type { readKnown, readRestoring } from "./review-page.server";
import { toTimelineEvent } from "./review-timeline";

/** What the page of one verification shows, as text. Pure: no database, no clock. */

type Reader = Reviewer & {
  /** The page shows forms. */
  canWrite: boolean;
  timeZone: string;
  now: number;
  /** The bank-data provider's name, e.g. "Basiq". */
  providerName: string;
  /** Text messages can be sent. */
  hasTexts: boolean;
  /** Confirmation of Payee is set up. */
  hasConfirmationOfPayee: boolean;
  /** What the organisation requires for an approval. */
  approvalEvidence: ApprovalEvidence;
  /** What must be confirmed before a bank or payee can be asked; null: nothing. */
  missingConfirmation: MissingConfirmation | null;
};

/** Related facts. Money is in cents of payments that wait for a decision; changes are newest first. */
type Known = Pick<
  Awaited<ReturnType<typeof readKnown>>,
  "timeline" | "changes" | "money" | "calls" | "phones" | "notices" | "register" | "origin" | "domain" | "others"
> & {
  /** Who may approve; null if no second person is required. */
  deciders: readonly string[] | null;
  /** About restoring the former details; undefined: none. `isOwn`: this person would approve their own work. */
  restoring: Awaited<ReturnType<typeof readRestoring>>;
  /** The reader entered the bank details, or connected the system they came from: their own calls are no proof. */
  hasEntered: boolean;
};

export function toReviewView(subject: VerificationDetail, known: Known, reader: Reader) {
  const { timeline, changes } = known;
  const flags = findReviewFlags(flagFactsOf(subject));
  const { payee, resultData, requestedBy } = subject;
  const words = wordsOfVerification(subject, flags, reader);
  const { accountName, bsb, accountNumber, evidence } = subject;
  const submitted = { accountName, bsb, accountNumber, institution: evidence?.institution?.name ?? null };
  const verified = resultData && { ...resultData, accountName: subject.verifiedName ?? resultData.accountName };
  const isOpen = subject.status === "pending";
  const story = flags.includes("changed_details") ? (describeChange(changes, reader) ?? null) : null;
  const facts = gradeFactsOf(subject);
  const gradeIfApproved = gradeOf({ ...facts, status: "verified", decider: "person" });
  return {
    id: subject.id,
    status: subject.status,
    badge: VERIFICATION_STATUS_LOOKS[shownStatus(subject)],
    /** The grade of the verification; null: it is not verified. */
    grade: gradeOf(facts)?.text ?? null,
    payee: { id: payee.id, name: payee.name, whitelistGlobal: payee.whitelistGlobal },
    requestedBy: requestedBy ? `${displayName(requestedBy)} (${requestedBy.email})` : "System",
    createdAt: showTime(subject.createdAt, reader),
    assignedTo: subject.assignedTo && displayName(subject.assignedTo),
    submitted,
    verified,
    rows: compareDetails(submitted, verified),
    source: resultData && describeSource(resultData, reader),
    match: toMatch(subject),
    nameNote: describeNameDifference(subject),
    words,
    money: moneyWords(known.money),
    compareWith: known.others.map(({ id, name, bsb, accountNumber, email }) => ({
      name,
      href: appPaths.payee(id),
      details: [maskedAccount({ bsb, accountNumber }), ...(email === null ? [] : [email])].join(", "),
    })),
    evidence: evidence && toEvidenceLines(evidence, reader.timeZone),
    register: toRegister(subject, known.register, reader),
    domain: known.domain,
    check: toCheckState(subject),
    missingConfirmation: reader.missingConfirmation,
    checks: reader.missingConfirmation ? [] : toChecks(subject, flags, reader),
    link: toLink(subject, flags, reader),
    dispute: subject.disputedByPayeeAt === null ? null : { note: subject.disputeNote, advice: isOpen ? ADVICE : null },
    decision: subject.decision && {
      by: subject.decidedBy && displayName(subject.decidedBy),
      at: showTime(subject.decision.createdAt, reader),
      reason: subject.decision.reason,
    },
    /** Shown only if the verification is about changed details: an old change would worry people for nothing. */
    story,
    /** The reasons for the verdict, without those that the story already tells. */
    reasons: words.verdict.evidence
      .filter((sentence) => !(story?.contact && sentence === CHANGED_TOGETHER))
      .map(markDomains),
    renaming: flags.includes("renamed") ? (describeRenaming(changes, reader) ?? null) : null,
    contactsTold: toContactsToldView(known.notices, reader, subject.payee),
    callBacks: toCallBackView(known.calls, known.phones, {
      ...reader,
      changedAt: changeToConfirm(subject),
      hasEntered: known.hasEntered,
    }),
    origin: toOrigin(subject, known.origin, reader),
    approving: toApproving(
      flags,
      { verdict: words.verdict, hasProof: facts.isCalledBack, deciders: known.deciders },
      { ...reader, graded: gradeIfApproved, isArchived: payee.archivedAt !== null },
    ),
    former: toFormer(subject, flags, known, reader),
    primary: primaryAction(flags),
    canDecide: reader.canWrite && isOpen,
    timeline: timeline.map((entry) => toTimelineEvent(entry, reader)),
  } as const;
}

/** The ids of the payees to compare with an open verdict: former holders of the account, or lookalikes. */
export function comparedWith({ status, evidence, payee }: VerificationDetail): string[] {
  if (status !== "pending" || evidence === null) return [];
  const { formerHolders = [], lookalikes } = evidence;
  const named = formerHolders.length > 0 ? formerHolders : lookalikes;
  const others = new Set(named.map(({ payeeId }) => payeeId));
  others.delete(payee.id);
  return [...others].slice(0, MAX_COMPARED);
}

/** The evidence lists the others. */
const MAX_COMPARED = 3;

/** Where the verified details come from, and when. */
function describeSource({ source, bankVerdict, checkedAt }: ResultData, reader: Reader): string {
  const sources: Record<ResultData["source"], string> = {
    cop: bankVerdict
      ? "Confirmation of Payee, answered by the payee's bank"
      : "Confirmation of Payee, without an answer",
    basiq: `${reader.providerName}, with the payee's consent at their bank`,
    whitelist: "Your own whitelist",
    global_whitelist: "Other organisations that trust this account",
    manual: "Entered by hand",
  };
  return `${sources[source]}, ${showTime(checkedAt, reader).exact}`;
}

/** The origin of the details, as long as they are the payee's. */
function toOrigin(subject: VerificationDetail, origin: NamedOrigin | null, reader: Reader) {
  const isOver = subject.status === "rejected" || subject.status === "failed";
  if (!origin || isOver || !isForCurrentDetails(subject.payee, subject)) return null;
  return describeOrigin(origin, { ...reader, isApproved: subject.status === "verified" });
}

/** Advice about a low score, while it helps the decision. */
function describeNameDifference({ status, nameMatchScore, verifiedName }: VerificationDetail): string | null {
  if (status !== "pending" || verifiedName === null) return null;
  if (nameMatchScore === null || nameMatchScore >= NAME_DIFFERENCE_NOTE_BELOW) return null;
  return `A score under ${NAME_DIFFERENCE_NOTE_BELOW} means that the name at the bank is not the name you were given. Before approving, ask the payee on a phone number you already had, not one from the invoice or the email.`;
}

/** What the register says about the payee's ABN, compared with the submitted names; null without an ABN. */
function toRegister({ payee, accountName }: VerificationDetail, answer: RegisterAnswer | undefined, reader: Reader) {
  if (payee.abn === null) return null;
  const showDate = (ms: number) => formatDate(ms, reader.timeZone);
  return toRegisterView({ name: payee.name, accountName }, answer, { now: reader.now, showDate });
}

/** One line about the payee's confirmation: when something happened, or until when a link works. */
type LinkRow = { term: string; time?: ShownTime; text?: string };

const CONTACT_WARNING =
  "It goes to the email or phone on file, which was changed recently. Whoever changed it can answer.";

function toLink(subject: VerificationDetail, flags: readonly ReviewFlag[], reader: Reader) {
  return {
    description: subject.runningCheck
      ? `One link for the confirmation and the bank check with ${reader.providerName}: it leads to the payee's bank.`
      : "A link that asks the payee whether these details are theirs.",
    againNote: subject.notificationSentAt === null ? null : "Links sent earlier still work.",
    warning: flags.includes("contact_changed") ? CONTACT_WARNING : null,
    rows: toLinkRows(subject, reader),
    canEmail: subject.payee.email !== null,
    canText: reader.hasTexts && subject.payee.phone !== null && isMobile(subject.payee.phone),
  };
}

function toLinkRows(subject: VerificationDetail, reader: Reader): LinkRow[] {
  const { notificationSentAt, verifiedByPayeeAt, disputedByPayeeAt, verificationTokenExpiresAt: until } = subject;
  const row = (term: string, ms: number | null): LinkRow[] =>
    ms === null ? [] : [{ term, time: showTime(ms, reader) }];
  const isOpen = subject.status === "pending" && verifiedByPayeeAt === null && disputedByPayeeAt === null;
  return [
    ...row("Link sent", notificationSentAt),
    ...row("Confirmed", verifiedByPayeeAt),
    ...row("Disputed", disputedByPayeeAt),
    ...(isOpen && until !== null ? [{ term: "Works until", text: showTime(until, reader).exact }] : []),
  ];
}

const ADVICE = "Call the payee on a number you already know, not one from a recent email or invoice.";

/** What a rejection can restore, shown beforehand; null when there is nothing. */
function toFormer(
  { payee }: VerificationDetail,
  flags: readonly ReviewFlag[],
  { restoring }: Known,
  { approvalEvidence: policy, secondPersonRequired }: Reader,
) {
  const judged = restoring && judgeRestoring(payee, { ...restoring, flags, policy });
  if (!restoring || !judged) return null;
  const told = isForCurrentDetails(payee, judged.former)
    ? ""
    : " Anyone who was recently the payee's contact is told about it.";
  const contact = flags.includes("contact_changed") ? "The changed email or phone stays until someone edits it. " : "";
  return {
    hint: `${RESTORING} ${restoringSentence(judged, payee.name)}${told}`,
    more: `${contact}${NOT_RESTORED}`,
    /** Shown instead of the tick box. */
    bar: secondPersonRequired && restoring.isOwn ? barToRestoring(restoring.deciders ?? []) : null,
    note: restoring.isOwn && judged.noTrust === null ? OWN_RESTORING : null,
  };
}

const RESTORING = "Restoring is an approval of the former details: tick it only if you know that they are right.";
const NOT_RESTORED =
  "If you leave this unticked, the payee keeps its present details without being trusted, and the former ones are not offered again.";
const OWN_RESTORING = "You would trust your own work again. The audit trail will say so.";

const barToRestoring = (deciders: readonly string[]) => ({
  title: "A second person restores the former details",
  text: `Restoring trusts them again, and you entered them or the present ones, requested this verification or recorded a payment that waits for it. ${whoCanSentence(deciders, "restore them")} You can reject without restoring.`,
});

const moneyWords = ({ count, cents }: Known["money"]) =>
  count === 0
    ? "No payment is waiting for this payee"
    : `${formatCount(count, "payment")} waiting, ${formatAud(cents)}`;

/** Uses the stored score and differences; only the highlighting of characters is computed again. */
function toMatch(subject: VerificationDetail): { score: number; reasons: Reason[]; names: MarkedNames } | null {
  const { nameMatchScore: score, verifiedName } = subject;
  if (score === null || verifiedName === null) return null;
  const { parts } = matchNames(subject.accountName, verifiedName);
  return {
    score,
    reasons: explainDifferences(subject.nameDifferences ?? []),
    names: markNames(subject.accountName, verifiedName, parts),
  };
}

/** What can be done about the bank check now. `closed`: asking the bank could say nothing new. */
type CheckState = "running" | "startable" | "repeatable" | "no_contact" | "closed";

/** The state of the check by consent, and whether it can be started. */
function toCheckState(subject: VerificationDetail): CheckState {
  const { status, runningCheck, disputedByPayeeAt, payee, outcome } = subject;
  if (status !== "pending" || disputedByPayeeAt !== null) return "closed";
  if (runningCheck) return "running";
  const isReachable = payee.email !== null || (payee.phone !== null && isMobile(payee.phone));
  if (wouldRepeat(subject)) return "closed";
  // Confirmation of Payee may have answered without a contact.
  if (!isReachable) return outcome !== null && isConclusive(outcome) ? "closed" : "no_contact";
  return outcome === null ? "startable" : "repeatable";
}

/** The checks that can be started now; the first is emphasised when asking the bank is the next step. */
function toChecks(subject: VerificationDetail, flags: readonly ReviewFlag[], reader: Reader) {
  if (!reader.canWrite || subject.status !== "pending") return [];
  const state = toCheckState(subject);
  const again = state === "repeatable" && subject.resultData?.source !== "cop" ? " again" : "";
  const byConsent = {
    value: "verify-basiq",
    label: `Verify with ${reader.providerName}${again}`,
    pendingText: "Starting...",
  } as const;
  const buttons = [
    ...(canUseConfirmationOfPayee(subject, reader)
      ? [{ value: "check-now", label: "Check with the bank now", pendingText: "Asking..." } as const]
      : []),
    ...(state === "startable" || state === "repeatable" ? [byConsent] : []),
  ];
  const isFirst = primaryAction(flags) === "check";
  return buttons.map((button, index) => ({
    ...button,
    variant: isFirst && index === 0 ? ("primary" as const) : ("secondary" as const),
  }));
}

/** True if the bank can be asked at once and could say something new: its answer is valid for a day. */
function canUseConfirmationOfPayee(subject: VerificationDetail, reader: Reader): boolean {
  if (!reader.hasConfirmationOfPayee || subject.disputedByPayeeAt !== null || wouldRepeatConfirmationOfPayee(subject))
    return false;
  return !holdsInstantAnswer(subject.resultData, reader.now);
}
