import { institutionOf } from "~/kernel/bsb";
import { formatDate } from "~/kernel/dates";
import type { VerificationStatus } from "~/kernel/enums";
import { type BankDetails, isForCurrentDetails } from "~/kernel/payee";
import type { FormerHolder } from "./former-accounts.server";
import { type FlagFacts, findReviewFlags, flagFactsOf, type ReviewFlag } from "./review-flags";
import { type Headline, headlineOf, isWaitingForPayee } from "./verdict";
import type { Evidence, Lookalike, ResultData } from "./verification";
import { describeVerification, type VerificationWords, type WordFacts } from "./verification-words";

/** A verification as the database has it, as far as its verdict and its sentences need it. Instants in epoch milliseconds. */
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

type Zone = { timeZone: string; now: number };

/** Everything that is said of a stored verification: the one source of its sentences, filled in. */
export function wordsOfVerification(
  subject: Standing,
  flags: readonly ReviewFlag[],
  { timeZone, now }: Zone,
): VerificationWords {
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
    lookalikes: sayLookalikes(evidence?.lookalikes ?? []),
    formerHolders: sayFormerHolders(evidence, timeZone),
    ownFormerAccount: sayOwnFormer(evidence, timeZone),
    isTrusted: payee.whitelisted && isForCurrentDetails(payee, subject),
    payeeName: payee.name,
    accountName: subject.accountName,
    decisionReason: subject.decision?.reason ?? null,
  });
}

/** Beside one that could be meant to pass for another, payees that merely have a similar name are left to the evidence. */
function sayLookalikes(lookalikes: readonly Lookalike[]): string[] {
  const grave = lookalikes.filter(({ reason }) => reason !== "similar_name");
  const said = grave.length > 0 ? grave : lookalikes;
  const rest = said.length - MOST_SAID;
  const more = rest > 0 ? [`${rest} more ${rest === 1 ? "payee looks" : "payees look"} like it.`] : [];
  return [...said.slice(0, MOST_SAID).map(sayLookalike), ...more];
}

/** The evidence has the others. */
const MOST_SAID = 3;

const sayLookalike = ({ reason, name, detail }: Lookalike) =>
  reason === "former_email_domain" ? detail : `${name}: ${detail}`;

/** Whose account it was, a sentence for each other payee that had it. */
const sayFormerHolders = (evidence: Pick<Evidence, "formerHolders"> | null, timeZone: string): string[] =>
  evidence?.formerHolders?.map((holder) => sayFormerHolder({ ...holder, until: Date.parse(holder.until) }, timeZone)) ??
  [];

/** That the payee went back to an account of its own; null: it did not. */
export const sayOwnFormer = (evidence: Pick<Evidence, "ownUntil"> | null, timeZone: string): string | null =>
  evidence?.ownUntil ? sayOwnFormerAccount(Date.parse(evidence.ownUntil), timeZone) : null;

/** "This account was Cassowary Cleaning's until 23 Nov 2026." Another payee's account, never the payee's own former one. */
export function sayFormerHolder(
  { name, until, isArchived }: Pick<FormerHolder, "name" | "until" | "isArchived">,
  timeZone: string,
): string {
  const on = formatDate(until, timeZone);
  return isArchived
    ? `This account is ${name}'s, a payee that was archived on ${on}.`
    : `This account was ${name}'s until ${on}.`;
}

/** A payee's own former account is no other payee's: it went back. */
export const sayOwnFormerAccount = (until: number, timeZone: string): string =>
  `The payee went back to an account of its own: it had this one until ${formatDate(until, timeZone)}.`;

/** The headline of a verification that waits for a decision, as other pages show it. */
export type OpenVerdict = Headline & { verificationId: string; evidence: string[] };

/** The same headline and sentences as on the verification's own page; null once it is decided. */
export function openVerdictOf(subject: (Standing & { id: string }) | null, zone: Zone): OpenVerdict | null {
  if (subject?.status !== "pending") return null;
  const { verdict } = wordsOfVerification(subject, findReviewFlags(flagFactsOf(subject)), zone);
  return { ...verdict, verificationId: subject.id };
}

/** A verification as a row of a list has it, as far as its verdict looks at it. Instants in epoch milliseconds. */
export type VerdictRow = FlagFacts & {
  status: VerificationStatus;
  isCheckRunning: boolean;
  notificationSentAt: number | null;
  verifiedByPayeeAt: number | null;
  verificationTokenExpiresAt: number | null;
};

/** What every list draws of an open verification: its headline without the next step, which its own page says. */
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

/** The same object for the same words: a list sends it to the browser once, however many of its rows have it. */
function onlyOnce(shown: ShownVerdict): ShownVerdict {
  const key = `${shown.name} ${shown.changed}`;
  const verdict = SHOWN.get(key) ?? shown;
  SHOWN.set(key, verdict);
  return verdict;
}
