import { displayName } from "~/kernel/actor";
import { formatDate } from "~/kernel/dates";
import type { ApprovalEvidence, BankCheckStep, CheckOutcome, VerificationMethod } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { type FormerTrust, isForCurrentDetails } from "~/kernel/payee";
import { isMobile } from "~/kernel/phone";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { VERIFICATION_STATUS_LOOKS } from "~/kernel/status-words";
import type { RegisterAnswer } from "~/modules/directories/register";
import { toRegisterView } from "~/modules/directories/register.view";
import { type NoticeRow, toContactsToldView } from "~/modules/messages/notifications/notice-rules";
import type { MissingConfirmation } from "~/modules/messages/notifications/outside-messages";
import {
  explainDifferences,
  type MarkedNames,
  markNames,
  matchNames,
  type NameDifference,
  type Reason,
} from "~/modules/name-match";
import { describeChange, describeRenaming, type StoredChange } from "~/modules/payees/change-story";
import { describeOrigin, type NamedOrigin } from "~/modules/payees/details-origin";
import { type GradeRow, gradeFactsOf, gradeOf } from "~/modules/payees/verifications/grade";
import {
  findReviewFlags,
  flagFactsOf,
  primaryAction,
  type ReviewFlag,
} from "~/modules/payees/verifications/review-flags";
import { wordsOfVerification } from "~/modules/payees/verifications/standing";
import type { TimelineEntry } from "~/modules/payees/verifications/verification";
import {
  type Evidence,
  NAME_DIFFERENCE_NOTE_BELOW,
  type ResultData,
  shownStatus,
} from "~/modules/payees/verifications/verification";
import { type CallBack, changeToConfirm, hasProof, type KnownPhone } from "~/modules/verifying/call-backs/call-back";
import { toCallBackView } from "~/modules/verifying/call-backs/call-back.view";
import { sayWhoCan, toApproving } from "./approving.view";
import { toCheckState, toChecks } from "./checks.view";
import { compareDetails } from "./comparison.view";
import { toEvidenceLines } from "./evidence.view";
import { judgeRestoring, sayRestoring } from "./restoring";
import type { ReviewCase, Reviewer } from "./review";
import { toTimelineEvent } from "./review-timeline";

/** What the page of one verification shows, ready to read. Pure: no database, no clock. */

type Named = { firstName: string; lastName: string };

/** The verification as the database has it, as far as the page shows it. */
export type ReviewSubject = Omit<ReviewCase, "payee"> &
  Pick<GradeRow, "isCalledBack" | "decider"> & {
    id: string;
    method: VerificationMethod;
    nameMatchScore: number | null;
    nameDifferences: NameDifference[] | null;
    verifiedName: string | null;
    resultData: ResultData | null;
    outcome: CheckOutcome | null;
    reasonCode: string | null;
    evidence: Evidence | null;
    rejectedReason: string | null;
    verifiedByPayeeAt: number | null;
    disputedByPayeeAt: number | null;
    disputeNote: string | null;
    notificationSentAt: number | null;
    verificationTokenExpiresAt: number | null;
    createdAt: number;
    payee: ReviewCase["payee"] & {
      id: string;
      name: string;
      email: string | null;
      phone: string | null;
      abn: string | null;
      whitelistGlobal: boolean;
      whitelisted: boolean;
      bankDetailsChangedAt: number | null;
      renamedAt: number | null;
      disputedAt: number | null;
      takenOffWhitelistAt: number | null;
      contactChangedAt: number | null;
      formerTrust: FormerTrust | null;
    };
    requestedBy: (Named & { email: string }) | null;
    decision: { reason: string | null; createdAt: number } | null;
    decidedBy: Named | null;
    assignedTo: Named | null;
    runningCheck: { step: BankCheckStep; startedAt: number; returnedAt: number | null } | null;
  };

export type Reader = Reviewer & {
  /** Forms are shown. */
  canWrite: boolean;
  timeZone: string;
  now: number;
  /** Of the bank data provider, e.g. "Basiq". */
  providerName: string;
  /** Confirmation of Payee is set up. */
  canAskAtOnce: boolean;
  /** What the organisation asks of an approval. */
  approvalEvidence: ApprovalEvidence;
  /** What has to be confirmed before a bank can be asked or the payee be sent anything; null: nothing. */
  missingConfirmation: MissingConfirmation | null;
};

export type ReviewView = ReturnType<typeof toReviewView>;

/** What else is known when the page is drawn. */
export type ReviewContext = {
  timeline: readonly TimelineEntry[];
  /** Of the payee, newest first. */
  changes: readonly StoredChange[];
  /** Payments to the payee that wait for a decision; cents. */
  money: { count: number; cents: number };
  calls: readonly CallBack[];
  phones: readonly KnownPhone[];
  /** Who may approve; null where no second person is required. */
  deciders: readonly string[] | null;
  /** Whether the contacts that the payee had before were told of the change that opened it. */
  notices: readonly NoticeRow[];
  /** Of putting the former details back; undefined where there are none. */
  restoring: RestoringContext | undefined;
  /** What the business register said of the payee's ABN; undefined: not looked up yet. */
  register: RegisterAnswer | undefined;
  /** Where the account came in from an accounting system; null: a person here entered it. */
  origin: NamedOrigin | null;
  /** The reader entered the bank details, here or there, or connected the system: their own calls are no proof. */
  hasEntered: boolean;
};

export type RestoringContext = {
  isConfirmed: boolean;
  /** Whether this person would approve their own work. */
  isOwn: boolean;
  /** Who may restore; null where no second person is required. */
  deciders: readonly string[] | null;
};

export function toReviewView(subject: ReviewSubject, context: ReviewContext, reader: Reader) {
  const { timeline, changes } = context;
  const flags = findReviewFlags(flagFactsOf(subject));
  const { payee, resultData, requestedBy } = subject;
  const words = wordsOfVerification(subject, flags, reader);
  const submitted = toSubmitted(subject);
  const verified = resultData && { ...resultData, accountName: subject.verifiedName ?? resultData.accountName };
  return {
    id: subject.id,
    status: subject.status,
    badge: VERIFICATION_STATUS_LOOKS[shownStatus(subject)],
    /** How it was verified; null: it was not. */
    grade: gradeOf(gradeFactsOf(subject))?.text ?? null,
    method: subject.method,
    providerName: reader.providerName,
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
    money: sayMoney(context.money),
    compareWith: toCompareWith(subject),
    evidence: subject.evidence && toEvidenceLines(subject.evidence, reader.timeZone),
    register: toRegister(subject, context.register, reader),
    check: toCheckState(subject),
    missingConfirmation: reader.missingConfirmation,
    checks: reader.missingConfirmation ? [] : toChecks(subject, flags, reader),
    link: toLink(subject, flags, reader),
    dispute:
      subject.disputedByPayeeAt === null
        ? null
        : {
            note: subject.disputeNote,
            advice: subject.status === "pending" ? DISPUTE_ADVICE : null,
          },
    decision: subject.decision && {
      by: subject.decidedBy && displayName(subject.decidedBy),
      at: showTime(subject.decision.createdAt, reader),
      reason: subject.decision.reason,
    },
    /** Only where the verification is about changed details: an old story frightens for nothing. */
    story: flags.includes("changed_details") ? (describeChange(changes, reader) ?? null) : null,
    renaming: flags.includes("renamed") ? (describeRenaming(changes, reader) ?? null) : null,
    contactsTold: toContactsToldView(context.notices, reader),
    callBacks: toCallBacks(subject, context, reader),
    origin: toOrigin(subject, context.origin, reader),
    approving: toApproving(
      flags,
      { ...context, verdict: words.verdict },
      {
        ...reader,
        graded: gradeIfApproved(subject, context.calls),
        isArchived: payee.archivedAt !== null,
      },
    ),
    former: toFormer(subject, flags, context, reader),
    primary: primaryAction(flags),
    canDecide: reader.canWrite && subject.status === "pending",
    timeline: timeline.map((entry) => toTimelineEvent(entry, reader)),
  } as const;
}

/** The payees that an open verdict asks to compare with: those that had the account, or those that it looks like. */
function toCompareWith({ status, evidence, payee }: ReviewSubject): { name: string; href: string }[] {
  if (status !== "pending" || evidence === null) return [];
  const { formerHolders = [], lookalikes } = evidence;
  const named = formerHolders.length > 0 ? formerHolders : lookalikes;
  const others = new Map(named.map(({ payeeId, name }) => [payeeId, name]));
  others.delete(payee.id);
  return [...others].slice(0, MAX_COMPARED).map(([payeeId, name]) => ({ name, href: appPaths.payee(payeeId) }));
}

/** More of them are in the evidence. */
const MAX_COMPARED = 3;

/** How an approval by a person would be graded now. */
const gradeIfApproved = (subject: ReviewSubject, calls: readonly CallBack[]) =>
  gradeOf({ ...gradeFactsOf(subject), status: "verified", isCalledBack: hasProof(calls), decider: "person" });

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

const toCallBacks = (subject: ReviewSubject, { calls, phones, hasEntered }: ReviewContext, reader: Reader) =>
  toCallBackView(calls, phones, { ...reader, changedAt: changeToConfirm(subject), hasEntered });

/** Where the details came from, while they are the payee's. */
function toOrigin(subject: ReviewSubject, origin: NamedOrigin | null, reader: Reader) {
  const isOver = subject.status === "rejected" || subject.status === "failed";
  if (!origin || isOver || !isForCurrentDetails(subject.payee, subject)) return null;
  return describeOrigin(origin, { ...reader, isApproved: subject.status === "verified" });
}

/** Advice about a low score, for as long as it helps the decision. */
function describeNameDifference({ status, nameMatchScore, verifiedName }: ReviewSubject): string | null {
  if (status !== "pending" || verifiedName === null) return null;
  if (nameMatchScore === null || nameMatchScore >= NAME_DIFFERENCE_NOTE_BELOW) return null;
  return `A score under ${NAME_DIFFERENCE_NOTE_BELOW} means that the name at the bank is not the name you were given. Before approving, ask the payee on a phone number you already had, not one from the invoice or the email.`;
}

const toSubmitted = ({ accountName, bsb, accountNumber, evidence }: ReviewSubject) => ({
  accountName,
  bsb,
  accountNumber,
  institution: evidence?.institution?.name ?? null,
});

/** What the register says of the payee's ABN, compared with the names that were submitted; null without an ABN. */
function toRegister({ payee, accountName }: ReviewSubject, answer: RegisterAnswer | undefined, reader: Reader) {
  if (payee.abn === null) return null;
  const showDate = (ms: number) => formatDate(ms, reader.timeZone);
  return toRegisterView({ name: payee.name, accountName }, answer, { now: reader.now, showDate });
}

/** A line of the payee's confirmation: when something happened, or until when a link works. */
type LinkRow = { term: string; time?: ShownTime; text?: string };

const CONTACT_WARNING =
  "It goes to the email or phone on file, which was changed lately. Whoever changed it can answer it.";

function toLink(subject: ReviewSubject, flags: readonly ReviewFlag[], reader: Reader) {
  return {
    description: subject.runningCheck
      ? `One link for the confirmation and the bank check with ${reader.providerName}: it leads on to the payee's bank.`
      : "A link with which the payee says whether these details are theirs.",
    againNote: subject.notificationSentAt === null ? null : "The links that were sent before go on working.",
    warning: flags.includes("contact_changed") ? CONTACT_WARNING : null,
    rows: toLinkRows(subject, reader),
    canEmail: subject.payee.email !== null,
    canText: subject.payee.phone !== null && isMobile(subject.payee.phone),
  };
}

function toLinkRows(subject: ReviewSubject, reader: Reader): LinkRow[] {
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

const DISPUTE_ADVICE = "Call the payee on a number you already know, not one from a recent email or invoice.";

/** What a rejection can put back, said before it is done; null where there is nothing. */
function toFormer(
  { payee }: ReviewSubject,
  flags: readonly ReviewFlag[],
  { restoring }: ReviewContext,
  { approvalEvidence: policy, secondPersonRequired }: Reader,
) {
  const judged = restoring && judgeRestoring(payee, { flags, policy, isConfirmed: restoring.isConfirmed });
  if (!restoring || !judged) return null;
  const told = isForCurrentDetails(payee, judged.former)
    ? ""
    : " Whoever was the payee's contact lately is told of it.";
  const contact = flags.includes("contact_changed") ? " The changed email or phone stays until someone edits it." : "";
  return {
    hint: `${sayRestoring(judged, payee.name)}${told}${contact}`,
    /** Instead of the box. */
    bar: secondPersonRequired && restoring.isOwn ? barToRestoring(restoring.deciders ?? []) : null,
    note: restoring.isOwn && judged.noTrust === null ? OWN_RESTORING : null,
  };
}

const OWN_RESTORING = "You would trust your own work again. The audit trail will say so.";

const barToRestoring = (deciders: readonly string[]) => ({
  title: "A second person restores the former details",
  text: `Restoring trusts them again, and you entered them or the present ones, requested this verification or recorded a payment that waits for it. ${sayWhoCan(deciders, "restore them")} You can reject without restoring.`,
});

const sayMoney = ({ count, cents }: ReviewContext["money"]) =>
  count === 0
    ? "No payment waits for this payee"
    : `${count} ${count === 1 ? "payment" : "payments"} waiting, ${formatAud(cents)}`;

/** The stored score and differences stand; the marks on the characters are worked out again for the eye. */
function toMatch(subject: ReviewSubject): { score: number; reasons: Reason[]; names: MarkedNames } | null {
  const { nameMatchScore: score, verifiedName } = subject;
  if (score === null || verifiedName === null) return null;
  const { parts } = matchNames(subject.accountName, verifiedName);
  return {
    score,
    reasons: explainDifferences(subject.nameDifferences ?? []),
    names: markNames(subject.accountName, verifiedName, parts),
  };
}
