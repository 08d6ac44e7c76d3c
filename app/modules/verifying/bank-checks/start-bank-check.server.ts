import { bankChecks, type Statement, verifications } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import { OUTAGES, UpstreamError } from "~/kernel/app-error";
import type { CheckOutcome } from "~/kernel/enums";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { type Job, nextAttemptAt } from "~/modules/core/commands/job";
import { finishJob, moveJob } from "~/modules/core/commands/outbox.server";
import { jobIsLeased, postponeJob, runCommand, runStatement } from "~/modules/core/commands/run-command.server";
import { requireSendingAllowed } from "~/modules/messages/notifications/outside-messages.server";
import { holdsFreshLink } from "~/modules/payees/payee-links/payee-link";
import { findPayeeContact, newPayeeLink, requirePayeeContact } from "~/modules/payees/payee-links/payee-link.server";
import { wouldRepeat } from "~/modules/payees/verifications/outcomes";
import { checkIsRunning, findRunningCheck } from "~/modules/payees/verifications/running-check.server";
import {
  getVerification,
  requireUndecided,
  verificationChanged,
  verificationIsPending,
} from "~/modules/payees/verifications/verification.server";
import type { ConsentProgress } from "~/ports/bank-data";
import { type Actor, systemActor, type TimedServices, type WriteServices } from "~/services-and-actor";
import { type CheckEvent, type Effect, nextStep, silenceSinceReturn, stateOf } from "./bank-check";
import {
  type Advancing,
  type BankCheck,
  checkWouldRepeat,
  findBankCheck,
  finishCheck,
  timesOf,
} from "./bank-check.server";
import { compareWithBank } from "./compare-with-bank";
import { createProviderUser, deleteLater, forgetProviderUser } from "./provider-data.server";

/**
 * Starts a background check at the payee's own bank: stores the check and the job that carries it out. Starting again
 * while a check is running returns that check.
 *
 * @throws AppError 404; 409 ALREADY_DECIDED, PAYEE_DISPUTED, PAYEE_CONTACT_REQUIRED, CHECK_WOULD_REPEAT when the bank
 * could say nothing new, VERIFICATION_CHANGED when it was decided or changed at the same moment; 402
 * SUBSCRIPTION_REQUIRED
 */
export async function startBankDataCheck(services: WriteServices, actor: Actor, input: { verificationId: string }) {
  const { organizationId } = actor;
  const verification = await getVerification(services, actor, input.verificationId);
  if (verification.runningCheck) return { checkId: verification.runningCheck.id };
  requireUndecided(actor, verification);
  if (wouldRepeat(verification)) throw checkWouldRepeat();
  const contact = requirePayeeContact(verification.payee);
  await requireSendingAllowed(services, organizationId, contact.to);
  await requireLiveSubscription(services, organizationId);

  const checkId = services.ids.next();
  const jobId = services.ids.next();
  const result = await runCommand(services, actor, {
    conditions: [verificationIsPending(services, organizationId, verification.id)],
    uniques: { started_already: "bank_checks" },
    statements: startCheck(services, { ...actor, verification, checkId }),
    audit: [{ action: "verification.bank_check_started", entityId: verification.id }],
    jobs: [{ id: jobId, kind: "bank_check", organizationId, subjectId: checkId }],
    answer: { checkId },
  });
  return result.ok ? result.answer : findOthersCheck(services, actor, verification.id);
}

/**
 * When another request got there first: returns its check if it is running; refuses after a decision or dispute;
 * reports a check that has just ended.
 */
async function findOthersCheck(services: WriteServices, actor: Actor, id: string): Promise<{ checkId: string }> {
  const running = await findRunningCheck(services, actor.organizationId, id);
  if (running) return { checkId: running.id };
  requireUndecided(actor, await getVerification(services, actor, id));
  throw verificationChanged();
}

/**
 * Statements that start a bank check of a pending verification, for the batch that also queues its job. Clears an
 * earlier inconclusive result.
 */
export function startCheck(
  { db, clock }: TimedServices,
  {
    organizationId,
    userId,
    verification,
    checkId,
  }: {
    organizationId: string;
    /** Who is told about the result first; null: nobody in particular. */
    userId: string | null;
    verification: { id: string; outcome: CheckOutcome | null };
    checkId: string;
  },
): Statement[] {
  const { id: verificationId, outcome } = verification;
  const noResult = { outcome: null, reasonCode: null, resultData: null, verifiedName: null };
  return [
    db.insert(bankChecks).values({
      id: checkId,
      organizationId,
      verificationId,
      startedById: userId,
      step: "starting",
      startedAt: clock.now(),
    }),
    db
      .update(verifications)
      .set({ method: "basiq", ...(outcome === "unable" ? noResult : {}) })
      .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId))),
  ];
}

/** `over`: the check has ended or is no longer wanted, and the provider's data about the payee must be deleted. */
export type Moved = "moved" | "over";

/**
 * Advances a check as far as possible. It may run twice, or again after a crash: every step calls the provider first
 * and then writes once, on condition that this consumer holds the job and the check is still wanted.
 */
export async function advanceBankCheck(services: Advancing, job: Job): Promise<Moved> {
  const check = await findBankCheck(services, job);
  if (!check) return "over";
  try {
    return await apply(services, job, check, { type: "due" });
  } catch (error) {
    if (isOutage(error)) await runStatement(services, noteSilence(services, check));
    throw error;
  }
}

const isOutage = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError && error.party === "basiq" && OUTAGES.has(error.kind);

const isRow = (check: BankCheck) =>
  and(eq(bankChecks.organizationId, check.organizationId), eq(bankChecks.id, check.id));

/** Stores when the provider stopped responding: within one outage the first failure counts. */
const noteSilence = ({ db, clock }: TimedServices, check: BankCheck): Statement =>
  db
    .update(bankChecks)
    .set({ silentSince: clock.now() })
    .where(and(isRow(check), isNull(bankChecks.finishedAt), isNull(bankChecks.silentSince)));

/** The provider responds again: stores how long it was silent; that does not count towards the time limit. */
const endSilence = ({ db, clock }: TimedServices, check: BankCheck): Statement[] =>
  check.silentSince === null
    ? []
    : [
        db
          .update(bankChecks)
          .set({ silentSince: null, silentMs: silenceSinceReturn(timesOf(check), clock.now()) })
          .where(and(isRow(check), isNull(bankChecks.finishedAt))),
      ];

/** The check cannot be carried out: it ends as `unable`, not held against the payee, and can be started again. */
export async function giveUpBankCheck(services: Advancing, job: Job, error: string): Promise<void> {
  const check = await findBankCheck(services, job);
  if (check && stateOf(check) !== "finished") {
    await apply(services, job, check, { type: "given_up" });
    return;
  }
  if (check) await deleteLater(services, job, { error });
  else await finishJob(services, job, "failed", error);
}

/** Asks the state machine for the effect of an event, and carries it out. */
async function apply(services: Advancing, job: Job, check: BankCheck, event: CheckEvent): Promise<Moved> {
  const effect = nextStep(stateOf(check), event, timesOf(check), services.clock.now());
  switch (effect.do) {
    case "ask_payee":
      return ask(services, job, check);
    case "look":
      return look(services, job, check);
    case "collect":
      return collect(services, job, check);
    case "wait":
      return wait(services, job, check, effect);
    case "finish":
      return settle(services, job, check, effect);
    case "delete_provider_data":
      return "over";
    default:
      throw new Error(`check ${check.id} cannot go on after ${event.type}`);
  }
}

/** The first step: creates the provider's user and sends the payee our link. A user we cannot keep is deleted. */
async function ask(services: Advancing, job: Job, check: BankCheck): Promise<Moved> {
  const contact = findPayeeContact(check.payee);
  if (!contact) return apply(services, job, check, { type: "payee_unreachable" });
  await requireSendingAllowed(services, check.organizationId, contact.to);
  const providerUserId = await createProviderUser(services, check.payee, check.id);
  const isWritten = await recordAsking(services, job, check, providerUserId, contact).catch(async (error) => {
    // If the database cannot say whether the user is ours, a cron run finds out later.
    const written = await findBankCheck(services, job).catch(() => undefined);
    if (written && written.providerUserId !== providerUserId) await forgetProviderUser(services, providerUserId);
    throw error;
  });
  if (isWritten) return "moved";
  await forgetProviderUser(services, providerUserId);
  return resolveLostRace(services, job);
}

/** Stores the provider's user with the check, and sends the payee our link, or relies on one that they already have. */
async function recordAsking(
  services: Advancing,
  job: Job,
  check: BankCheck,
  providerUserId: string,
  contact: NonNullable<ReturnType<typeof findPayeeContact>>,
): Promise<boolean> {
  const { db, clock } = services;
  const { organizationId, organizationName, verificationId, verification, payee } = check;
  const actor = systemActor(organizationId, job.id);
  const { accountNumber } = verification;
  const target = { verificationId, accountNumber, payee, organizationName, contact };
  const isKept = holdsFreshLink(verification, payee, clock.now());
  // The same link serves for the confirmation and the bank check: the one that the payee has now also leads to the
  // bank.
  const kept = { action: "verification.link_kept", entityId: verificationId } as const;
  const link = isKept
    ? { conditions: [], parts: [{ statements: [], audit: [kept] }] }
    : await newPayeeLink(services, actor, {
        ...target,
        timeZone: (await findPolicy(services, organizationId)).timeZone,
      });
  const step = nextStep("starting", { type: "payee_asked" }, timesOf(check), clock.now());
  const dueAt = step.do === "wait" ? step.until : clock.now();
  const { ok } = await runCommand(services, actor, {
    conditions: [...isWanted(services, job, check), ...link.conditions],
    statements: [
      db.update(bankChecks).set({ providerUserId, step: "awaiting_payee", silentSince: null }).where(isRow(check)),
      postponeJob(services, job, { dueAt, attempts: 0 }),
    ],
    parts: link.parts,
    woken: [{ id: job.id, kind: job.kind, dueAt }],
  });
  return ok;
}

/** The conditions that this consumer holds the job, nobody has decided, and the check is still running. */
const isWanted = (services: Advancing, job: Job, check: BankCheck) => [
  jobIsLeased(services, job),
  verificationIsPending(services, check.organizationId, check.verificationId),
  checkIsRunning(services, check),
];

/** At most this many failures carry over from waiting, so that a check which reaches the bank has attempts left. */
const MAX_CARRIED_ATTEMPTS = 3;

/**
 * Asks the provider for the state of the consent. Until the payee has been at the bank, this polling is only a safety
 * net and may last a week, so a provider outage then delays the next poll instead of ending the check.
 */
async function look(services: Advancing, job: Job, check: BankCheck): Promise<Moved> {
  const lookedAt = services.clock.now();
  let progress: ConsentProgress;
  try {
    progress = await services.bankData.getProgress(check.providerUserId ?? "");
  } catch (error) {
    if (!isOutage(error)) throw error;
    return lookLater(services, job, check, error);
  }
  const effect = nextStep(stateOf(check), { type: "looked", progress }, timesOf(check), services.clock.now());
  const heard = endSilence(services, check);
  if (effect.do === "wait") return wait(services, job, check, { ...effect, lookedAt, statements: heard });
  return apply(services, job, check, { type: "looked", progress });
}

async function lookLater(services: Advancing, job: Job, check: BankCheck, error: UpstreamError): Promise<Moved> {
  const now = services.clock.now();
  const effect = nextStep(stateOf(check), { type: "look_failed" }, timesOf(check), now);
  if (effect.do === "finish") return settle(services, job, check, effect);
  if (effect.do !== "wait") throw error;
  services.log.warn("bank_check.look_failed", { checkId: check.id, error: error.message });
  const retryAt = Math.min(nextAttemptAt(now, job.attempts + 1), effect.until);
  const until = Math.max(retryAt, now + (error.options.retryAfterMs ?? 0));
  const attempts = Math.min(job.attempts + 1, MAX_CARRIED_ATTEMPTS);
  const failed = { attempts, error: error.message, statements: [noteSilence(services, check)] };
  return wait(services, job, check, { until, seenAtBank: false, lookedAt: now, ...failed });
}

async function collect(services: Advancing, job: Job, check: BankCheck): Promise<Moved> {
  const shared = await services.bankData.getSharedData(check.providerUserId ?? "");
  const result = compareWithBank(check.verification, shared, services.clock.now());
  return apply(services, job, check, { type: "compared", result });
}

type Wait = {
  until: number;
  seenAtBank: boolean;
  lookedAt?: number;
  attempts?: number;
  error?: string;
  /** Further statements for what the poll found. */
  statements?: readonly Statement[];
};

async function wait(services: Advancing, job: Job, check: BankCheck, next: Wait): Promise<Moved> {
  const { db, clock } = services;
  const { until: dueAt, seenAtBank, lookedAt, attempts = 0, error, statements = [] } = next;
  const seen = db.update(bankChecks).set({ step: "at_bank", returnedAt: clock.now() }).where(isRow(check));
  const postponed = { dueAt, attempts, error, unlessWokenAfter: lookedAt };
  const isFirstSight = seenAtBank && check.returnedAt === null;
  const isMoved = await moveJob(services, job, postponed, [...statements, ...(isFirstSight ? [seen] : [])]);
  return isMoved ? "moved" : resolveLostRace(services, job);
}

/** The payee may be edited just as a rule would approve it; it is then judged again. */
const TRIES = 3;

/** Ends the check in one write, and leaves it to the job to delete the provider's data. */
async function settle(services: Advancing, job: Job, check: BankCheck, effect: Extract<Effect, { do: "finish" }>) {
  const actor = systemActor(check.organizationId, job.id);
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const finished = await finishCheck(services, actor, check, effect);
    const result = await runCommand(services, actor, {
      conditions: [jobIsLeased(services, job), ...finished.conditions],
      statements: [postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 })],
      parts: [finished],
      woken: [{ id: job.id, kind: job.kind }],
    });
    if (result.ok) return "moved";
    if (result.refused !== "judged_meanwhile") break;
  }
  return resolveLostRace(services, job);
}

/** Another write came first: a decision or dispute ended the check, or another consumer has the job. */
async function resolveLostRace(services: Advancing, job: Job): Promise<Moved> {
  const check = await findBankCheck(services, job);
  return !check || stateOf(check) === "finished" ? "over" : "moved";
}
