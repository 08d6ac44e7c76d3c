import { bulkChecks } from "@db/database";
import { sql } from "drizzle-orm";
import { AppError, invalidInput } from "~/kernel/app-error";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { requireConfirmedSender } from "~/modules/messages/notifications/outside-messages.queries.server";
import { findListedPayees } from "~/modules/payees/payee-list.server";
import { notConfigured } from "~/modules/verifying/bank-checks/instant-check.server";
import type { Actor, Services, WriteServices } from "~/services-and-actor";
import { type BulkChoice, mayStart, mayStop } from "./bulk-check";
import {
  type BulkCheckRow,
  bulkCheckIsUnchanged,
  endBanksWaiting,
  getBulkCheck,
  updateBulkCheck,
} from "./bulk-check.server";

/** The controls of a bulk check: count the chosen payees, start, stop. */

/**
 * Starts counting the payees of a choice; nobody is asked yet.
 * @throws AppError 400 INVALID_INPUT when a chosen payee is not the organisation's; 402 SUBSCRIPTION_REQUIRED; 409
 * INSTANT_CHECK_NOT_CONFIGURED
 */
export async function countPayeesToCheck(
  services: WriteServices & Pick<Services, "instantBankData">,
  actor: Actor,
  choice: BulkChoice,
): Promise<{ bulkCheckId: string }> {
  const { db, clock, ids, config } = services;
  if (choice.ask === "bank" && !services.instantBankData) throw notConfigured();
  const { organizationId, userId } = actor;
  await requireLiveSubscription(services, organizationId);
  await requireOwnPayees(services, actor, choice);
  const id = ids.next();
  const row = { id, organizationId, requestedById: userId, choice, status: "counting" as const };
  const isThere = sql`SELECT 1 FROM ${bulkChecks} WHERE "organizationId" = ${organizationId} AND "id" = ${id}`;
  await runStep(services, {
    conditions: [{ name: "counted_already", found: sql`SELECT 1 WHERE NOT EXISTS (${isThere})` }],
    statements: [
      db.insert(bulkChecks).values({
        ...row,
        centsPerCheck: choice.ask ? config.instantCheckCostCents : config.bankCheckCostCents,
        createdAt: clock.now(),
      }),
    ],
    jobs: [toJob(services, row)],
  });
  return { bulkCheckId: id };
}

async function requireOwnPayees(services: WriteServices, actor: Actor, { payeeIds }: BulkChoice): Promise<void> {
  if (!payeeIds) return;
  const found = new Set((await findListedPayees(services, actor, payeeIds)).map(({ id }) => id));
  const unknown = payeeIds.filter((id) => !found.has(id));
  if (unknown.length > 0) throw invalidInput({ payeeIds: [`Your organisation has no payee ${unknown.join(", ")}`] });
}

/**
 * Starts a counted bulk check: the queue asks one payee after another.
 * @throws AppError 402 SUBSCRIPTION_REQUIRED; 403 EMAIL_NOT_CONFIRMED; 404; 409 CHANGED_MEANWHILE
 */
export async function startBulkCheck(services: WriteServices, actor: Actor, bulkCheckId: string): Promise<void> {
  const found = await getBulkCheck(services, actor, bulkCheckId);
  if (!mayStart(found.status)) throw changedMeanwhile(found);
  await requireLiveSubscription(services, actor.organizationId);
  await requireConfirmedSender(services, actor.organizationId);
  const { payeeCount: payees } = found;
  const { payeeIds: _, ...choice } = found.choice;
  const started = { status: "running", cursor: null, startedAt: services.clock.now() } as const;
  const result = await runCommand(services, actor, {
    conditions: [bulkCheckIsUnchanged(services, found)],
    uniques: { one_runs_already: "bulk_checks" },
    statements: [updateBulkCheck(services, found, started)],
    audit: [{ action: "bulk_check.started", entityId: bulkCheckId, details: { payees, ...choice } }],
    jobs: [toJob(services, found)],
  });
  if (result.ok) return;
  throw result.refused === "one_runs_already" ? anotherRuns() : changedMeanwhile(found);
}

/** The queue may ask a payee at the same moment; stopping is then tried again. */
const TRIES = 5;

/** Stops a bulk check: no more payees are asked; answers still come. @throws AppError 404; 409 once it has ended */
export async function stopBulkCheck(services: WriteServices, actor: Actor, bulkCheckId: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const found = await getBulkCheck(services, actor, bulkCheckId);
    if (!mayStop(found.status) || attempt > TRIES) throw changedMeanwhile(found);
    const stopped = { status: "stopped", waitsUntil: null, finishedAt: services.clock.now() } as const;
    const { ok } = await runCommand(services, actor, {
      conditions: [bulkCheckIsUnchanged(services, found)],
      statements: [
        updateBulkCheck(services, found, stopped),
        ...(found.choice.ask ? [endBanksWaiting(services, actor.organizationId, "stopped")] : []),
      ],
      audit: [{ action: "bulk_check.stopped", entityId: bulkCheckId, details: { asked: found.askedCount } }],
    });
    if (ok) return;
  }
}

const toJob = ({ ids }: WriteServices, { id, organizationId }: Pick<BulkCheckRow, "id" | "organizationId">) => ({
  id: ids.next(),
  kind: "bulk_check" as const,
  organizationId,
  subjectId: id,
});

const SENTENCES: Readonly<Record<BulkCheckRow["status"], string>> = {
  counting: "The payees are still being counted. Look again in a moment.",
  ready: "Someone changed this check in the meantime. Look again, then decide.",
  running: "This check is already running.",
  finished: "This check has ended: every payee was asked.",
  stopped: "This check was stopped.",
};

const changedMeanwhile = ({ status }: BulkCheckRow) => new AppError("CHANGED_MEANWHILE", SENTENCES[status]);
const anotherRuns = () =>
  new AppError("CHANGED_MEANWHILE", "Another bulk check is running. Wait until it ends, or stop it first.");
