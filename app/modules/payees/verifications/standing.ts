import { institutionOf } from "~/kernel/bank-account";
import { formatDate, type Zone } from "~/kernel/dates";
import type { VerificationStatus } from "~/kernel/enums";
import { type BankDetails, isForCurrentDetails } from "~/kernel/payee";
import type { FormerHolder } from "./evidence.server";
import { type FlagFacts, findReviewFlags, flagFactsOf, type ReviewFlag } from "./review-flags";
import { type Headline, headlineOf, isWaitingForPayee } from "./verdict";
import type { Evidence, Lookalike, ResultData } from "./verification";
import { describeVerification, type WordFacts } from "./verification-words";

/** The stored fields of a verification that its verdict and sentences need. Instants in epoch milliseconds. */
export type Standing = BankDetails &
  Pick<WordFacts, "status" | "outcome" | "reasonCode" | "verifiedName"> & {
    nameMatchScore: number | null;
    resultData: ResultData | null;
    evidence: Evidence | null;
    disputedByPayeeAt: number | null;
    verifiedByPayeeAt: number | null;
    notificationSentAt: number | null;
    verificationTokenExpiresAt: number | null;
    createdAt: number;
    runningCheck: WordFacts["check"];
    decision: { reason: string | null } | null;
    payee: BankDetails & FlagFacts["payee"] & { name: string };
  };

/** All sentences about a stored verification; no other code words them. */
export function wordsOfVerification(subject: Standing, flags: readonly ReviewFlag[], { timeZone, now }: Zone) {
  const { evidence, payee, runningCheck } = subject;
  return describeVerification({
    status: subject.status,
    outcome: subject.outcome,
    reasonCode: subject.reasonCode,
    flags,
    verifiedName: subject.verifiedName,
    institutions: {
      verified: subject.resultData?.institution ?? null,
      ofBsb: evidence?.institution?.name ?? institutionOf(subject.bsb)?.name ?? null,
    },
    check: runningCheck,
    isWaiting: isWaitingForPayee({ ...subject, isCheckRunning: runningCheck !== null }, now),
    isConfirmedByPayee: subject.verifiedByPayeeAt !== null,
    lookalikes: lookalikeSentences(evidence?.lookalikes ?? []),
    formerHolders: formerHolderSentences(evidence, timeZone),
    ownFormerAccount: ownFormerSentence(evidence, timeZone),
    isTrusted: payee.whitelisted && isForCurrentDetails(payee, subject),
    payeeName: payee.name,
    accountName: subject.accountName,
    decisionReason: subject.decision?.reason ?? null,
  });
}

/** Payees that only have a similar name are left to the evidence when there is a more serious lookalike. */
function lookalikeSentences(lookalikes: readonly Lookalike[]): string[] {
  const grave = lookalikes.filter(({ reason }) => reason !== "similar_name");
  const said = grave.length > 0 ? grave : lookalikes;
  const rest = said.length - MOST_SAID;
  const more = rest > 0 ? [`${rest} more ${rest === 1 ? "payee looks" : "payees look"} like it.`] : [];
  return [...said.slice(0, MOST_SAID).map(lookalikeSentence), ...more];
}

/** At most this many are named; the evidence lists the others. */
const MOST_SAID = 3;

const lookalikeSentence = ({ reason, name, detail }: Lookalike) =>
  reason === "former_email_domain" ? detail : `${name}: ${detail}`;

/** One sentence for each other payee that had the account. */
const formerHolderSentences = (evidence: Pick<Evidence, "formerHolders"> | null, timeZone: string): string[] =>
  evidence?.formerHolders?.map((holder) =>
    formerHolderSentence({ ...holder, until: Date.parse(holder.until) }, timeZone),
  ) ?? [];

/** Says that the payee went back to its own former account; null: it did not. */
export const ownFormerSentence = (evidence: Pick<Evidence, "ownUntil"> | null, timeZone: string): string | null =>
  evidence?.ownUntil ? ownFormerAccountSentence(Date.parse(evidence.ownUntil), timeZone) : null;

/** "This account was Cassowary Cleaning's until 23 Nov 2026." For another payee's account, never a former own one. */
export function formerHolderSentence(
  { name, until, isArchived }: Pick<FormerHolder, "name" | "until" | "isArchived">,
  timeZone: string,
): string {
  const on = formatDate(until, timeZone);
  return isArchived
    ? `This account belongs to ${name}, a payee that was archived on ${on}.`
    : `This account was ${name}'s until ${on}.`;
}

/** For the payee's own former account, to which it went back. */
export const ownFormerAccountSentence = (until: number, timeZone: string): string =>
  `The payee went back to one of its former accounts: it had this one until ${formatDate(until, timeZone)}.`;

/** The headline of a pending verification, as other pages show it. */
export type OpenVerdict = Headline & { verificationId: string; evidence: string[] };

/** The same headline and sentences as on the verification's own page; null once it is decided. */
export function openVerdictOf(subject: (Standing & { id: string }) | null, zone: Zone): OpenVerdict | null {
  if (subject?.status !== "pending") return null;
  const { verdict } = wordsOfVerification(subject, findReviewFlags(flagFactsOf(subject)), zone);
  return { ...verdict, verificationId: subject.id };
}

/** The fields of a listed verification that its verdict needs. Instants in epoch milliseconds. */
export type VerdictRow = FlagFacts & {
  status: VerificationStatus;
  isCheckRunning: boolean;
  notificationSentAt: number | null;
  verifiedByPayeeAt: number | null;
  verificationTokenExpiresAt: number | null;
};

/** The headline that lists show for an open verification, without the next step, which is on its own page. */
export type ShownVerdict = Omit<Headline, "next">;

/** The same verdict as on the verification's own page. Pure. */
export function showVerdict(row: VerdictRow, now: number): ShownVerdict {
  const { status, outcome } = row;
  const flags = findReviewFlags(row);
  const isWaiting = isWaitingForPayee(row, now);
  const { next: _, ...shown } = headlineOf({ status, outcome, reasonCode: null, flags, isWaiting, check: null });
  return onlyOnce(shown);
}

const SHOWN = new Map<string, ShownVerdict>();

/** Equal verdicts share one object, so that a list sends each only once to the browser, however many rows use it. */
function onlyOnce(shown: ShownVerdict): ShownVerdict {
  const key = `${shown.name} ${shown.changed}`;
  const verdict = SHOWN.get(key) ?? shown;
  SHOWN.set(key, verdict);
  return verdict;
}
