import { commit } from "@db/commit";
import { bankChecks } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import { UpstreamError } from "~/kernel/upstream-error";
import { type Job, nextAttemptAt } from "~/modules/commands/job";
import { postponeJob, whileLeased } from "~/modules/commands/outbox.statements.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { sendNewLink } from "~/modules/payee-links/payee-link.statements.server";
import { findPayeeContact, toBankDataContact } from "~/modules/payee-links/payee-link-contact.server";
import { whilePending } from "~/modules/verifications/verification.statements.server";
import { type CheckTimes, decideNextStep } from "./bank-check";
import { type BankCheck, findBankCheck } from "./bank-check.queries.server";
import { whileRunning } from "./bank-check.statements.server";
import { type Advancing, settle, yieldTo } from "./bank-check-settle.server";
import type { ConsentProgress } from "./bank-data.port";
import { compareWithBank, withoutData } from "./compare";

/**
 * First step: the provider's user, and our link to the payee.
 *
 * The provider is sent our id of the check as idempotency key, but does not promise to honour it. A crash between its
 * answer and our commit may therefore leave a second user there. It never gets a consent link, so no bank data can
 * reach it; it is deleted when the provider tells us of it (`user.created`, bank-check-events). Where we know that the
 * commit failed, it is deleted at once.
 */
export async function askPayee(services: Advancing, job: Job, check: BankCheck): Promise<void> {
  const { db, clock, bankData, queues } = services;
  const { payee } = check;
  const contact = findPayeeContact(payee);
  if (!contact) return settle(services, job, check, withoutData("unable", "payee_unreachable"), false);
  const business = payee.abn === null ? {} : { businessName: payee.name, abn: payee.abn };
  const { providerUserId } = await bankData.createUser({ ...toBankDataContact(payee), ...business }, check.id);

  const { timeZone } = await findPolicy(services, check.organizationId);
  const link = await sendNewLink(services, systemActor(check.organizationId, job.id), {
    verificationId: check.verificationId,
    accountNumber: check.verification.accountNumber,
    payee,
    organizationName: check.organizationName,
    timeZone,
    contact,
  });
  const now = clock.now();
  const step = decideNextStep(
    { state: "waiting" },
    { lastActivityAt: now, linkExpiresAt: null, returnedAt: null },
    now,
  );
  const dueAt = step.do === "look_again" ? step.at : now;
  const isOurs = async () => (await findBankCheck(services, job))?.providerUserId === providerUserId;
  try {
    await commit(
      db,
      [
        whileLeased(services, job),
        whilePending(services, check.organizationId, check.verificationId),
        whileRunning(services, check),
        db
          .update(bankChecks)
          .set({ providerUserId, step: "awaiting_payee" })
          .where(and(eq(bankChecks.organizationId, check.organizationId), eq(bankChecks.id, check.id))),
        ...link.statements,
        postponeJob(services, job, { dueAt, attempts: 0 }),
      ],
      isOurs,
    );
  } catch (error) {
    if (!(await isOurs())) await forgetProviderUser(services, providerUserId);
    return yieldTo(services, job, error);
  }
  await queues.send("jobs", link.jobIds);
  await queues.send("bank-checks", [job.id], Math.ceil((dueAt - now) / 1000));
}

/** A user we cannot keep: nobody can consent for it, so a failure here costs nothing but tidiness. */
async function forgetProviderUser(services: Advancing, providerUserId: string): Promise<void> {
  try {
    await services.bankData.deleteUser(providerUserId);
  } catch (error) {
    services.log.warn("bank_check.orphan_kept", { providerUserId, error: String(error) });
  }
}

/** Looks where the payee's consent stands, and compares once the bank has answered. */
export async function followPayee(
  services: Advancing,
  job: Job,
  check: BankCheck & { providerUserId: string },
): Promise<void> {
  const { clock, bankData } = services;
  const lookedAt = clock.now();
  const progress = await readProgress(services, job, check);
  if (!progress) return;
  const step = decideNextStep(progress, timesOf(check), clock.now());
  switch (step.do) {
    case "look_again":
      return lookAgain(services, job, check, { ...step, lookedAt });
    case "finish":
      return settle(services, job, check, step.result, progress.state !== "waiting");
    case "collect": {
      const shared = await bankData.getSharedData(check.providerUserId);
      return settle(services, job, check, compareWithBank(check.verification, shared, clock.now()), true);
    }
  }
}

const timesOf = ({ startedAt, returnedAt, verification }: BankCheck): CheckTimes => ({
  lastActivityAt: Math.max(startedAt, verification.linkSentAt ?? 0, verification.confirmedAt ?? 0),
  linkExpiresAt: verification.linkExpiresAt,
  returnedAt,
});

/** How many failures a wait may carry over, so that a check that gets to the bank still has its tries. */
const MAX_CARRIED_ATTEMPTS = 3;
const OUTAGES: ReadonlySet<string> = new Set(["timeout", "unreachable", "rate_limited", "unavailable"]);

/**
 * Asks the provider. While nobody has been at the bank this look is a safety net that may last a week: an outage of the
 * provider then only delays the next look (undefined) instead of ending the check.
 */
async function readProgress(
  services: Advancing,
  job: Job,
  check: BankCheck & { providerUserId: string },
): Promise<ConsentProgress | undefined> {
  try {
    return await services.bankData.getProgress(check.providerUserId);
  } catch (error) {
    const isOutage = error instanceof UpstreamError && OUTAGES.has(error.kind);
    if (check.returnedAt !== null || !isOutage) throw error;
    const now = services.clock.now();
    const step = decideNextStep({ state: "waiting" }, timesOf(check), now);
    if (step.do !== "look_again") return { state: "waiting" };
    services.log.warn("bank_check.look_failed", { checkId: check.id, error: error.message });
    const attempts = Math.min(job.attempts + 1, MAX_CARRIED_ATTEMPTS);
    const retryAfterMs = error.options.retryAfterMs ?? 0;
    const at = Math.max(Math.min(nextAttemptAt(now, job.attempts + 1), step.at), now + retryAfterMs);
    await lookAgain(services, job, check, { at, seenAtBank: false, lookedAt: now, attempts, error: error.message });
    return undefined;
  }
}

type NextLook = { at: number; seenAtBank: boolean; lookedAt: number; attempts?: number; error?: string };

async function lookAgain(services: Advancing, job: Job, check: BankCheck, next: NextLook): Promise<void> {
  const { db, clock, queues } = services;
  const { at, lookedAt, attempts = 0, error: failure } = next;
  const seen =
    next.seenAtBank && check.returnedAt === null
      ? [
          db
            .update(bankChecks)
            .set({ step: "at_bank", returnedAt: clock.now() })
            .where(and(eq(bankChecks.organizationId, check.organizationId), eq(bankChecks.id, check.id))),
        ]
      : [];
  try {
    await db.batch([
      whileLeased(services, job),
      ...seen,
      postponeJob(services, job, { dueAt: at, attempts, error: failure, unlessWokenAfter: lookedAt }),
    ]);
  } catch (error) {
    return yieldTo(services, job, error);
  }
  await queues.send("bank-checks", [job.id], Math.ceil((at - clock.now()) / 1000));
}
