import { bulkBankQuestions, bulkCheckPayees, type Condition, insertRows, type Statement } from "@db/database";
import { AppError } from "~/kernel/app-error";
import { HOUR_MS } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import {
  type CommandAudit,
  type CommandPart,
  endJob,
  jobIsLeased,
  type NewJob,
  postponeJob,
  runCommand,
  runStep,
} from "~/modules/core/commands/run-command.server";
import { findSendingAllowance } from "~/modules/messages/notifications/outside-messages.queries.server";
import { openPrepared, prepareVerification } from "~/modules/payees/open-verification.server";
import { findPendingVerification, getPayee, payeeIsUnchanged } from "~/modules/payees/payee.server";
import type { ListedPayee } from "~/modules/payees/payee-list.server";
import { askingJob, wantAnswers } from "~/modules/payees/verifications/account-questions.server";
import { findVerification, verificationIsPending } from "~/modules/payees/verifications/verification.server";
import { findObstacle, type Obstacle, obstacleWords } from "~/modules/verifying/bank-checks/ask-automatically.server";
import { startCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { type Services, systemActor, type WriteServices } from "~/services-and-actor";
import { ASKED_PER_STEP, roomNow, STEP_EVERY_MS } from "./bulk-check";
import {
  type BulkCheckRow,
  bulkCheckIsUnchanged,
  countBanksWaiting,
  countOnTheWay,
  endBanksWaiting,
  findBulkCheck,
  keyOf,
  readCandidates,
  updateBulkCheck,
} from "./bulk-check.server";

type Advancing = WriteServices & Pick<Services, "instantBankData" | "secondBankData">;

/** How many payees one counting step looks at. */
const COUNTED_PER_STEP = 200;
/** How long one delivery keeps counting: well within its lease. */
const WORK_MS = 10_000;

/**
 * Advances a bulk check: counts the next payees, or asks the next few. Each payee is one batch on condition that the
 * check is where it was read, so that if a step runs twice or dies half-way, nobody is asked twice or left out.
 */
export async function advanceBulkCheck(services: Advancing, job: Job): Promise<void> {
  const found = await readIt(services, job);
  if (found?.status === "counting") return count(services, job, found);
  if (found?.status === "running")
    return found.choice.ask ? askBanksNext(services, job, found) : askNext(services, job, found);
  return finishJob(services, job);
}

async function readIt(services: WriteServices, { organizationId, subjectId }: Job): Promise<BulkCheckRow | undefined> {
  return organizationId && subjectId ? findBulkCheck(services, { organizationId }, subjectId) : undefined;
}

/** The condition that the bulk check has not changed since it was read, and this consumer holds its job. */
const isOurs = (services: WriteServices, job: Job, found: BulkCheckRow) =>
  [bulkCheckIsUnchanged(services, found), jobIsLeased(services, job)] as const;

async function count(services: WriteServices, job: Job, first: BulkCheckRow): Promise<void> {
  const until = services.clock.now() + WORK_MS;
  let found: BulkCheckRow | undefined = first;
  while (found?.status === "counting") {
    const isLate = services.clock.now() >= until;
    const { judged, next } = await readCandidates(services, found, COUNTED_PER_STEP);
    const counted = (what: string) => judged.filter(({ judgement }) => judgement === what).length;
    const step = {
      cursor: next ?? null,
      status: next === undefined ? ("ready" as const) : found.status,
      payeeCount: found.payeeCount + counted("ask"),
      noContactCount: found.noContactCount + counted("no_contact"),
      underWayCount: found.underWayCount + counted("under_way"),
    };
    const goesOn = { dueAt: services.clock.now(), attempts: 0 };
    const settled =
      next === undefined ? [endJob(services, job, "done")] : isLate ? [postponeJob(services, job, goesOn)] : [];
    const { ok } = await runStep(services, {
      conditions: isOurs(services, job, found),
      statements: [updateBulkCheck(services, found, step), ...settled],
      woken: next !== undefined && isLate ? [job] : [],
    });
    if (ok && settled.length > 0) return;
    found = await readIt(services, job);
  }
  return finishJob(services, job);
}

/** Asks the next payees as far as the limits allow, then runs again later. */
async function askNext(services: WriteServices, job: Job, first: BulkCheckRow): Promise<void> {
  const { organizationId } = first;
  const problem = await findProblem(services, organizationId);
  if (problem) return stopItself(services, job, first, problem);
  const allowance = await findSendingAllowance(services, organizationId);
  const room = roomNow(allowance, await countOnTheWay(services, first));
  if (room === 0) return waitUntil(services, job, first, allowance.freesAt ?? services.clock.now() + HOUR_MS);
  const { judged, next } = await readCandidates(services, first, COUNTED_PER_STEP);
  let found = first;
  let asked = 0;
  for (const { payee, judgement } of judged) {
    if (judgement !== "ask") continue;
    if (asked >= Math.min(room, ASKED_PER_STEP)) return comeBack(services, job, found);
    const moved = await askOne(services, job, found, payee);
    if (!moved) return giveWay(services, job);
    found = moved;
    asked += 1;
  }
  if (next === undefined) return finish(services, job, found);
  const after = asked === 0 ? 0 : STEP_EVERY_MS;
  return comeBack(services, job, found, { cursor: next, after });
}

/**
 * Asks one payee and moves past it. Skips a payee that a person edits or asks at the same moment.
 * @returns the bulk check afterwards; undefined when it was stopped, or another consumer has the job
 */
async function askOne(services: WriteServices, job: Job, found: BulkCheckRow, payee: AskablePayee) {
  const cursor = keyOf(found, payee);
  const part = await askPart(services, found, payee);
  if (part) {
    const moved = { cursor, askedCount: found.askedCount + 1, waitsUntil: null };
    const { conditions, uniques, ...written } = part;
    const acting = { ...systemActor(found.organizationId, job.id), userId: found.requestedById };
    const { ok } = await runCommand(services, acting, {
      conditions: [...isOurs(services, job, found), ...conditions],
      uniques,
      statements: [...written.statements, updateBulkCheck(services, found, moved)],
      parts: written.parts,
      audit: written.audit,
      jobs: written.jobs,
    });
    if (ok) return { ...found, ...moved, version: found.version + 1 };
  }
  const passed = { cursor, underWayCount: found.underWayCount + 1 };
  const { ok } = await runStep(services, {
    conditions: isOurs(services, job, found),
    statements: [updateBulkCheck(services, found, passed)],
  });
  return ok ? { ...found, ...passed, version: found.version + 1 } : undefined;
}

/** The number of bank questions that one step queues, and the time until the check looks at its progress again. */
const WANTED_PER_STEP = 200;
const LOOKS_EVERY_MS = 5_000;

/**
 * Queues questions to the banks of the next payees. The questions wait in `account_questions`, where each is asked at
 * most once; the check runs until none is waiting.
 */
async function askBanksNext(services: Advancing, job: Job, found: BulkCheckRow): Promise<void> {
  const { organizationId, id: bulkCheckId } = found;
  const obstacle = await findObstacle(services, organizationId, { isChosen: true });
  if (obstacle === "subscription" || obstacle === "budget" || obstacle === "not_confirmed") {
    const { bankBudgetCents } = await findPolicy(services, organizationId);
    return stopItself(services, job, found, obstacleWords(obstacle, formatAud(bankBudgetCents)), obstacle);
  }
  // The day's questions are used up: the waiting ones are asked when the limits allow it.
  if (obstacle !== undefined) return waitUntil(services, job, found, services.clock.now() + HOUR_MS);
  const { judged, next } = await readCandidates(services, found, WANTED_PER_STEP);
  const payees = judged.filter(({ judgement }) => judgement === "ask").map(({ payee }) => payee);
  const last = judged.at(-1);
  if (!last && (await countBanksWaiting(services, found)) === 0) return finish(services, job, found);
  const rows = payees.map(({ id: payeeId }, at) => {
    return { organizationId, bulkCheckId, position: found.askedCount + at + 1, payeeId };
  });
  const wanted = payees.map(({ bsb, accountNumber, accountName }) => {
    return { bsb, accountNumber, accountName, cause: "bulk_check" as const };
  });
  const moved = {
    cursor: last ? keyOf(found, last.payee) : found.cursor,
    askedCount: found.askedCount + rows.length,
    waitsUntil: null,
  };
  const dueAt = services.clock.now() + (next === undefined ? LOOKS_EVERY_MS : 0);
  const { ok } = await runStep(services, {
    conditions: isOurs(services, job, found),
    statements: [
      ...insertRows(services.db, bulkBankQuestions, rows),
      ...wantAnswers(services, organizationId, wanted),
      updateBulkCheck(services, found, moved),
      postponeJob(services, job, { dueAt, attempts: 0 }),
    ],
    jobs: wanted.length > 0 ? [askingJob(services, organizationId)] : [],
    woken: [{ id: job.id, kind: job.kind, dueAt }],
  });
  if (!ok) await giveWay(services, job);
}

/** The check was stopped, or another consumer continues it: this consumer's job has ended or is no longer its own. */
async function giveWay(services: WriteServices, job: Job): Promise<void> {
  if ((await readIt(services, job))?.status !== "running") await finishJob(services, job);
}

async function comeBack(
  services: WriteServices,
  job: Job,
  found: BulkCheckRow,
  { cursor, after } = { cursor: found.cursor, after: STEP_EVERY_MS },
): Promise<void> {
  const dueAt = services.clock.now() + after;
  await settle(services, job, found, { set: { cursor, waitsUntil: null }, dueAt });
}

/** The day's messages are used up, apart from those reserved for people's own messages. */
const waitUntil = (services: WriteServices, job: Job, found: BulkCheckRow, dueAt: number): Promise<void> =>
  settle(services, job, found, { set: { waitsUntil: dueAt }, dueAt });

async function settle(
  services: WriteServices,
  job: Job,
  found: BulkCheckRow,
  { set, dueAt }: { set: Partial<BulkCheckRow>; dueAt: number },
): Promise<void> {
  const { ok } = await runStep(services, {
    conditions: isOurs(services, job, found),
    statements: [updateBulkCheck(services, found, set), postponeJob(services, job, { dueAt, attempts: 0 })],
    woken: [{ id: job.id, kind: job.kind, dueAt }],
  });
  if (!ok) await giveWay(services, job);
}

async function finish(services: WriteServices, job: Job, found: BulkCheckRow): Promise<void> {
  const { organizationId, id, askedCount: asked } = found;
  const done = { status: "finished", waitsUntil: null, finishedAt: services.clock.now() } as const;
  const { ok } = await runCommand(services, systemActor(organizationId, job.id), {
    conditions: isOurs(services, job, found),
    statements: [updateBulkCheck(services, found, done), endJob(services, job, "done")],
    audit: [{ action: "bulk_check.finished", entityId: id, details: { asked } }],
  });
  if (!ok) await giveWay(services, job);
}

/** Why no more payees can be asked at all. */
async function findProblem(services: WriteServices, organizationId: string): Promise<string | undefined> {
  try {
    await requireLiveSubscription(services, organizationId);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return "Your organisation's trial or subscription has ended.";
  }
}

async function stopItself(
  services: WriteServices,
  job: Job,
  found: BulkCheckRow,
  problem: string,
  why: Obstacle | "stopped" = "stopped",
): Promise<void> {
  const { organizationId, id } = found;
  const stopped = { status: "stopped", problem, waitsUntil: null, finishedAt: services.clock.now() } as const;
  await runCommand(services, systemActor(organizationId, job.id), {
    conditions: [bulkCheckIsUnchanged(services, found)],
    statements: [
      updateBulkCheck(services, found, stopped),
      ...(found.choice.ask ? [endBanksWaiting(services, organizationId, why)] : []),
      endJob(services, job, "failed", problem),
    ],
    audit: [{ action: "bulk_check.failed", entityId: id, details: { problem } }],
  });
}

/** After the last attempt failed: the check's page tells the person. */
export async function giveUpBulkCheck(services: WriteServices, job: Job, error: string): Promise<void> {
  const found = await readIt(services, job);
  if (found?.status !== "running" && found?.status !== "counting") return finishJob(services, job, "failed", error);
  await stopItself(services, job, found, "Something failed repeatedly. Choose the payees again to continue.");
}

type AskablePayee = Pick<ListedPayee, "id" | "version" | "latest">;

/** The statements and other parts that asking one payee writes. */
type Asking = {
  conditions: readonly Condition<"payee_changed" | "already_decided">[];
  uniques: { verification_pending: string; started_already: string };
  statements: readonly Statement[];
  parts: readonly CommandPart[];
  audit: readonly CommandAudit[];
  jobs: readonly NewJob[];
};

/**
 * Starts the bank check of one payee: in its pending verification, or in a new one. The check's own job sends the
 * payee's link. Undefined when a person has started a check meanwhile, or the payee has answered.
 */
async function askPart(
  services: WriteServices,
  bulkCheck: BulkCheckRow,
  payee: AskablePayee,
): Promise<Asking | undefined> {
  const { db, ids } = services;
  const { organizationId, requestedById: userId, id: bulkCheckId, askedCount } = bulkCheck;
  const opened = await openOrFind(services, { organizationId, userId }, payee);
  if (!opened) return undefined;
  const { verification, part } = opened;
  const checkId = ids.next();
  const row = { organizationId, bulkCheckId, position: askedCount + 1, verificationId: verification.id };
  return {
    conditions: [
      payeeIsUnchanged(services, organizationId, payee),
      ...(part ? [] : [verificationIsPending(services, organizationId, verification.id)]),
    ],
    uniques: { verification_pending: "verifications", started_already: "bank_checks" },
    // The verification comes first, because the check refers to it.
    statements: [
      ...(part?.statements ?? []),
      ...startCheck(services, { organizationId, userId: null, verification, checkId }),
      db.insert(bulkCheckPayees).values(row),
    ],
    parts: part?.audit ? [{ statements: [], audit: part.audit }] : [],
    audit: [{ action: "verification.bank_check_started", entityId: verification.id }],
    jobs: [{ id: ids.next(), kind: "bank_check", organizationId, subjectId: checkId }],
  };
}

type Acting = { organizationId: string; userId: string };

async function openOrFind(services: WriteServices, acting: Acting, { id: payeeId }: AskablePayee) {
  const pendingId = await findPendingVerification(services, acting, payeeId);
  if (pendingId !== undefined) {
    const verification = await findVerification(services, acting, pendingId);
    if (!verification || verification.runningCheck || verification.disputedByPayeeAt !== null) return undefined;
    const { id, outcome } = verification;
    return outcome === null || outcome === "unable" ? { verification: { id, outcome }, part: undefined } : undefined;
  }
  const details = await getPayee(services, acting, payeeId);
  const prepared = await prepareVerification(services, acting, { payeeId, details, cause: "bulk_check" });
  const part = openPrepared(services, acting, prepared);
  return { verification: { id: prepared.verificationId, outcome: null }, part };
}
