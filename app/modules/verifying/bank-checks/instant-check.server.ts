import { releaseLease, takeLease } from "@db/lease";
import { countHit, takeBackHit } from "@db/rate-counter";
import { verifications } from "@db/schema/index";
import { and, desc, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import type { CheckOutcome } from "~/kernel/enums";
import { INSTANT_CHECKS_PER_DAY } from "~/kernel/limits";
import { UpstreamError, type UpstreamErrorKind } from "~/kernel/upstream-error";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { type IdempotentRequest, runOnce } from "~/modules/core/commands/idempotency.server";
import { type CommandAudit, runCommand } from "~/modules/core/commands/run-command.server";
import { isKnownPayer, senderIsConfirmed } from "~/modules/messages/notifications/outside-messages.queries.server";
import { type MatchType, matchNames, type NameMatch } from "~/modules/name-match/index";
import { describeOutcome, type ReasonCode, wouldRepeatAtOnce } from "~/modules/payees/verifications/outcomes";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.server";
import { holdsInstantAnswer, type ResultData } from "~/modules/payees/verifications/verification";
import {
  getVerification,
  requireUndecided,
  type VerificationDetail,
  verificationChanged,
  verificationIsPending,
  verificationIsUndisputed,
} from "~/modules/payees/verifications/verification.server";
import type { InstantAnswer, InstantBankData, InstantVerdict } from "~/ports/instant-bank-data";
import type { ReadServices, Services, WriteServices } from "~/services";
import { checkWouldRepeat, type Followed, followResult } from "./bank-check.server";
import { type CheckResult, OUTCOME_OF, type SubmittedDetails } from "./compare-with-bank";

/** Longer than the provider may take to answer. */
const LEASE_MS = 30_000;

type Asking = WriteServices & Pick<Services, "secrets" | "config" | "log" | "instantBankData">;

/** `running`: the same question is under way at this very moment, and its answer is seen soon. */
export type CheckedAtOnce =
  | { state: "running" }
  | { state: "answered"; outcome: CheckOutcome; reasonCode: string | null };

/**
 * Asks the payee's bank at once (Confirmation of Payee), and writes what it says. The bank is asked before anything is
 * written, once for each call; what it said of the same account and name in the last 24 hours stands for asking again.
 * A failure of the provider is a result, `unable`, which says what is known of it.
 *
 * @throws AppError 404; 409 INSTANT_CHECK_NOT_CONFIGURED, ALREADY_DECIDED, PAYEE_DISPUTED, CHECK_WOULD_REPEAT,
 * VERIFICATION_CHANGED when it was decided or changed while the bank was asked; 402 SUBSCRIPTION_REQUIRED; 403
 * EMAIL_NOT_CONFIRMED; 429 RATE_LIMITED
 */
export async function checkAtOnce(
  services: Asking,
  actor: Actor,
  input: { verificationId: string; idempotencyKey?: string },
): Promise<CheckedAtOnce> {
  const { verificationId, idempotencyKey: key } = input;
  const { instantBankData } = services;
  if (!instantBankData) throw notConfigured();
  const asked = { operation: "verification.check", key, input: { verificationId } };
  return runOnce<CheckedAtOnce>(services, actor, asked, async (request) => {
    const verification = await getVerification(services, actor, verificationId);
    await requireAllowed(services, actor, verification);
    const holder = services.ids.next();
    const lease = { name: `instant_check:${verificationId}`, holder, now: services.clock.now(), ttlMs: LEASE_MS };
    if (!(await takeLease(services.db, lease))) return { state: "running" };
    try {
      const found = await findResult(services, actor, verification, instantBankData);
      return await record(services, actor, verification, { found, request });
    } finally {
      await release(services, lease);
    }
  });
}

/** A lease that cannot be released ends by itself, and takes no result away. */
async function release({ db, log }: Asking, { name, holder }: { name: string; holder: string }): Promise<void> {
  await releaseLease(db, name, holder).catch((error) => log.warn("instant_check.lease_kept", { error: String(error) }));
}

async function requireAllowed(services: Asking, actor: Actor, verification: VerificationDetail): Promise<void> {
  await requireUndecided(services, actor, verification);
  if (wouldRepeatAtOnce(verification)) throw checkWouldRepeat();
  await requireLiveSubscription(services, actor.organizationId);
  const confirmed = await senderIsConfirmed(services, actor.organizationId);
  if (confirmed.length === 0) throw notConfirmed();
}

type Found = {
  result: CheckResult;
  /** Of the question that went out; undefined where an earlier answer stood for it. */
  lookUpId?: string;
  earlier?: EarlierAnswer;
  /** The bank answered, which the provider charges for. */
  charged: boolean;
};

/** The bank's answer: the one it gave a short while ago, or a new one. */
async function findResult(
  services: Asking,
  actor: Actor,
  verification: VerificationDetail,
  provider: InstantBankData,
): Promise<Found> {
  const earlier = await findEarlierAnswer(services, actor, verification, services.clock.now());
  if (earlier) {
    const result = compareWithInstantAnswer(verification, earlier.answer, earlier.checkedAt);
    return { result, earlier, charged: false };
  }
  const takeBack = await countQuestion(services, actor.organizationId);
  const { result, lookUpId, charged } = await ask(services, actor, verification, provider);
  if (!charged || result.outcome !== "no_match") await takeBack();
  return { result, lookUpId, charged };
}

async function ask(services: Asking, actor: Actor, verification: VerificationDetail, provider: InstantBankData) {
  const lookUpId = services.ids.next();
  const { accountName, bsb, accountNumber } = verification;
  try {
    const question = { lookUpId, requesterId: actor.organizationId, accountName, bsb, accountNumber };
    const answer = await provider.lookUp(question);
    const result = compareWithInstantAnswer(verification, answer, services.clock.now());
    return { result, lookUpId, charged: answer.verdict !== "unable" };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    services.log.warn("instant_check.failed", { verificationId: verification.id, lookUpId, error: error.message });
    const result = withoutInstantAnswer(problemOf(error.kind), services.clock.now());
    return { result, lookUpId, charged: false };
  }
}

/**
 * Counts this question, and counts its answer as one that does not confirm the name until it is known: questions at the
 * same moment cannot pass the limit.
 * @returns takes the second count back
 * @throws AppError 429 RATE_LIMITED
 */
async function countQuestion(services: Asking, organizationId: string): Promise<() => Promise<void>> {
  const { db, clock } = services;
  const now = clock.now();
  // Few answers may say that a name is not confirmed: names of accounts are not there to be guessed.
  const { trial, withCard } = INSTANT_CHECKS_PER_DAY;
  const limits = (await isKnownPayer(services, organizationId)) ? withCard : trial;
  const key = `instant-no-match:${organizationId}`;
  const unconfirmed = await countHit(db, key, DAY_MS, now);
  const takeBack = () => takeBackHit(db, key, unconfirmed.windowEndsAt);
  if (unconfirmed.count > limits.unconfirmed) {
    await takeBack();
    throw limited(
      "Too many of today's answers said, or may still say, that a bank does not confirm the name.",
      HOUR_MS,
    );
  }
  const { count, windowEndsAt } = await countHit(db, `instant-check:${organizationId}`, DAY_MS, now);
  if (count > limits.questions) {
    await takeBack();
    throw limited(`Your organisation has asked banks ${limits.questions} times today.`, windowEndsAt - now);
  }
  return takeBack;
}

/** The payee may be edited at the very moment at which a rule would approve it: it is then judged again. */
const TRIES = 3;

async function record(
  services: Asking,
  actor: Actor,
  { id }: VerificationDetail,
  { found, request }: { found: Found; request: IdempotentRequest | undefined },
): Promise<CheckedAtOnce> {
  const { organizationId } = actor;
  const { result, charged, earlier } = found;
  const { outcome, reasonCode } = result;
  const costCents = charged ? services.config.instantCheckCostCents : 0;
  const isSame = earlier?.verificationId === id;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const running = await findRunningCheck(services, organizationId, id);
    const checked = { organizationId, verificationId: id };
    const following = { result, costCents, isBesideAnother: running !== undefined };
    const followed = isSame ? undefined : await followResult(services, actor, checked, following);
    const written = await runCommand(services, actor, {
      conditions: [
        verificationIsPending(services, organizationId, id),
        verificationIsUndisputed(services, organizationId, id),
        ...(followed?.conditions ?? []),
      ],
      audit: [checkedEntry(id, found, followed?.beside ?? null)],
      parts: followed ? [followed] : [],
      request,
      answer: { state: "answered", outcome, reasonCode } satisfies CheckedAtOnce,
    });
    if (written.ok) return written.answer;
    if (written.refused !== "judged_meanwhile") break;
  }
  await requireUndecided(services, actor, await getVerification(services, actor, id));
  throw verificationChanged();
}

/** Why the bank is asked, as the industry's purpose codes have it: to verify a payee's details, not to make a payment. */
const PURPOSE = "VADR";

/** What follows from an answer that a bank gave at once (Confirmation of Payee). Pure. */

type NameVerdict = Extract<InstantVerdict, "match" | "close_match" | "no_match">;

/** The class that the bank's own verdict stands for. */
const CLASS_OF: Record<NameVerdict, MatchType> = { match: "exact", close_match: "fuzzy", no_match: "none" };

/** The highest score of each class, so that a score never says more than its class. */
const MOST: Record<MatchType, number> = { exact: 100, fuzzy: 94, none: 69 };

/** Said where the bank gives a verdict and keeps the name to itself. */
const WITHOUT_NAME: Record<NameVerdict, ReasonCode> = {
  match: "name_confirmed",
  close_match: "name_close_withheld",
  no_match: "name_not_confirmed",
};

/** Why there is no answer about the account, by what went wrong on the way. */
const PROBLEM_OF: Record<UpstreamErrorKind, ReasonCode> = {
  timeout: "answer_lost",
  unreachable: "answer_lost",
  rate_limited: "provider_busy",
  unavailable: "answer_lost",
  malformed: "answer_unclear",
  wrong_tenant: "answer_unclear",
  rejected: "details_not_accepted",
};

/**
 * Compares what was submitted with the bank's answer. Where the bank gives a name, our own score stands beside its verdict
 * and the stricter of the two decides; where it gives none, there is no score and its verdict decides alone.
 *
 * @param checkedAt epoch milliseconds, kept with the result
 */
export function compareWithInstantAnswer(
  submitted: SubmittedDetails,
  answer: InstantAnswer,
  checkedAt: number,
): CheckResult {
  if (answer.verdict === "unable") return withoutInstantAnswer(answer.problem, checkedAt);
  const { verdict, name } = answer;
  const asked = { source: "cop", bankVerdict: verdict, checkedAt } as const;
  const { bsb, accountNumber } = submitted;
  switch (verdict) {
    case "account_not_found":
      return { outcome: "no_match", reasonCode: "account_not_found", resultData: asked, match: null };
    case "account_closed":
      return toResult("account_closed", "account_closed", { ...asked, bsb, accountNumber });
    case "match":
    case "close_match":
    case "no_match":
      return compareName(submitted, { verdict, name }, { ...asked, bsb, accountNumber });
  }
}

/** A check at once that brought no answer of the bank: it says nothing about the payee. */
function withoutInstantAnswer(reasonCode: ReasonCode, checkedAt: number): CheckResult {
  return toResult("unable", reasonCode, { source: "cop", checkedAt });
}

/** The reason of a failure of the provider. */
export const problemOf = (kind: UpstreamErrorKind): ReasonCode => PROBLEM_OF[kind];

/** The bank's answer as a stored result has it; undefined for a result that is no bank's answer at once. */
export function storedInstantAnswer(resultData: ResultData | null): InstantAnswer | undefined {
  if (resultData?.source !== "cop" || resultData.bankVerdict === undefined) return undefined;
  return { verdict: resultData.bankVerdict, name: resultData.accountName ?? null };
}

const toResult = (outcome: CheckOutcome, reasonCode: ReasonCode, resultData: ResultData): CheckResult => ({
  outcome,
  reasonCode,
  resultData,
  match: null,
});

function compareName(
  { accountName }: SubmittedDetails,
  { verdict, name }: { verdict: NameVerdict; name: string | null },
  data: ResultData,
): CheckResult {
  const banks = CLASS_OF[verdict];
  if (name === null) return toResult(OUTCOME_OF[banks], WITHOUT_NAME[verdict], data);
  const own = matchNames(accountName, name);
  const decisive = MOST[own.matchType] <= MOST[banks] ? own.matchType : banks;
  // The differences are worked out when they are read, so a copy names them.
  const { differences, parts } = own;
  const match: NameMatch = { matchType: decisive, score: Math.min(own.score, MOST[decisive]), differences, parts };
  return {
    outcome: OUTCOME_OF[decisive],
    reasonCode: whyStricter(own.matchType, banks),
    resultData: { ...data, accountName: name },
    match,
  };
}

/** Which of the two was stricter, where they differ. */
function whyStricter(own: MatchType, banks: MatchType): ReasonCode | null {
  if (own === banks) return null;
  return MOST[own] < MOST[banks] ? "names_stricter" : "bank_stricter";
}

/** More verifications of one payee than a day can bring. */
const LOOKED_AT = 20;

/** An answer that the bank gave at once, and the verification that holds it. */
export type EarlierAnswer = { verificationId: string; checkedAt: number; answer: InstantAnswer };

/**
 * What the bank said of the same account and name a short while ago. An account is one payee's in an organisation, so only
 * that payee's verifications can hold it.
 */
export async function findEarlierAnswer(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  submitted: { id: string; payee: { id: string }; accountName: string; bsb: string; accountNumber: string },
  now: number,
): Promise<EarlierAnswer | undefined> {
  const { accountName, bsb, accountNumber, payee } = submitted;
  const rows = await db
    .select({ id: verifications.id, resultData: verifications.resultData })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.payeeId, payee.id),
        eq(verifications.accountName, accountName),
        eq(verifications.bsb, bsb),
        eq(verifications.accountNumber, accountNumber),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(LOOKED_AT);
  for (const { id: verificationId, resultData } of rows) {
    const answer = storedInstantAnswer(resultData);
    if (answer && resultData && holdsInstantAnswer(resultData, now)) {
      return { verificationId, checkedAt: resultData.checkedAt, answer };
    }
  }
  return undefined;
}

/** The entry of the trail, with which the provider can find its own record of the question. */
function checkedEntry(
  entityId: string,
  { result, lookUpId, earlier }: Found,
  beside: Followed["beside"],
): CommandAudit {
  const { outcome, reasonCode, resultData, match } = result;
  return {
    action: "verification.checked_at_once",
    entityType: "verification",
    entityId,
    details: {
      source: "cop",
      purpose: PURPOSE,
      outcome,
      reasonCode,
      score: match?.score ?? null,
      bankVerdict: resultData?.bankVerdict ?? null,
      explanation: describeOutcome(outcome, reasonCode).fact,
      beside,
      ...(lookUpId && { lookUpId }),
      ...(earlier && { answeredFrom: earlier.verificationId }),
    },
  };
}

const notConfigured = () =>
  new AppError("INSTANT_CHECK_NOT_CONFIGURED", 409, "Confirmation of Payee is not set up here.");

const notConfirmed = () =>
  new AppError(
    "EMAIL_NOT_CONFIRMED",
    403,
    "No bank is asked before one of your organisation's administrators has confirmed their email address. Use the link in the email we sent you.",
  );

const limited = (why: string, retryAfterMs: number) =>
  new AppError("RATE_LIMITED", 429, `${why} Please try again later, or confirm the details another way.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  });
