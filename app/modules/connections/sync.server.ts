import { columnsOf, organizationIntegrations } from "@db/database";
import { and, asc, eq, lte } from "drizzle-orm";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { AppError, UpstreamError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { isActiveOrganization } from "~/modules/accounts/organizations/organization.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, moveJob } from "~/modules/core/commands/outbox.server";
import { type CommandPart, endJob, jobIsLeased, runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { beginHealthRun } from "~/modules/payees/payee-health/health.server";
import { AccessLost, type ContactEdit } from "~/ports/accounting";
import { systemActor, type WriteServices } from "~/services-and-actor";
import type { ListEdits } from "./contacts-slice.server";
import { type FetchedPage, fetchPage, placeAfterPage, toSlice } from "./fetch-page.server";
import {
  askForSync,
  findIntegrationById,
  type Integration,
  integrationIsUnchanged,
  listApprovedSince,
  noSyncIsWanted,
  POLL_MS,
  syncJob,
  updateIntegration,
} from "./integration.server";
import { addCounts, failureSentence, lostSentence, NO_COUNTS, type SyncCounts, writePlace } from "./sync";
import { type Accounting, systemOf, withAccess } from "./tokens.server";

/** How long one delivery keeps reading: well within its lease, even if the last page is slow. */
const WORK_MS = 15_000;
/** Other people may change payees while a page is being prepared; it is then prepared again. */
const TRIES_PER_PAGE = 4;
/** A sync reads from this much before the last one: the clocks may differ, and reading twice changes nothing. */
const OVERLAP_MS = 2 * MINUTE_MS;

const NO_SUBSCRIPTION = "Your subscription has ended. Nothing is read until it is live again.";

const SUSPENDED = "Your organisation is suspended. Nothing is read until it is active again.";

/**
 * Reads suppliers, then bills, then payments, page by page. Each page is one batch on condition that the sync is where
 * it was read, so that if a page is read twice, or a consumer dies, every change is imported once. An interrupted sync
 * continues where it stopped.
 */
export async function syncAccounting(services: Accounting, job: Job): Promise<void> {
  const { organizationId, subjectId } = job;
  const until = services.clock.now() + WORK_MS;
  while (organizationId && subjectId) {
    const found = await findIntegrationById(services, { organizationId }, subjectId);
    const system = found && systemOf(services, found)?.name;
    if (!found || !system || found.status !== "connected") break;
    if (found.syncStartedAt === null && found.wantedAt === null) break;
    if (services.clock.now() >= until) {
      await moveJob(services, job, { dueAt: services.clock.now(), attempts: 0 });
      return;
    }
    const goesOn =
      found.syncStartedAt === null
        ? await begin(services, job, found)
        : await readPage(services, job, { integration: found, system });
    if (!goesOn) return;
  }
  await finishJob(services, job);
}

/** @returns false when the job has been dealt with */
async function begin(services: Accounting, job: Job, found: Integration): Promise<boolean> {
  const refusal = await findRefusal(services, found.organizationId);
  const now = services.clock.now();
  const set = refusal
    ? { wantedAt: null, lastError: refusal, lastErrorAt: now, nextPollAt: now + POLL_MS }
    : {
        wantedAt: null,
        wantsAll: false,
        syncStartedAt: now,
        syncSince: found.wantsAll ? null : found.readTo,
        syncPage: null,
        counts: NO_COUNTS,
        nextPollAt: now + POLL_MS,
      };
  const { ok } = await runStep(services, {
    conditions: [integrationIsUnchanged(services, found), jobIsLeased(services, job)],
    statements: [updateIntegration(services, found, set), ...(refusal ? [endJob(services, job, "done")] : [])],
  });
  return !(ok && refusal);
}

/** Why nothing may be read, as a sentence: no subscription for new payees, or the organisation is suspended. */
async function findRefusal(services: Accounting, organizationId: string): Promise<string | undefined> {
  if (!(await isActiveOrganization(services, organizationId))) return SUSPENDED;
  try {
    await requireLiveSubscription(services, organizationId);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return NO_SUBSCRIPTION;
    throw error;
  }
}

/** @returns false when the job has been dealt with */
async function readPage(services: Accounting, job: Job, reading: Reading): Promise<boolean> {
  try {
    await takePage(services, job, reading, await fetchPage(services, reading));
    return true;
  } catch (error) {
    if (error instanceof AccessLost) {
      await breakOff(services, job, reading, error);
      return false;
    }
    if (error instanceof UpstreamError && error.kind === "rate_limited") {
      await waitAsAsked(services, job, reading, error);
      return false;
    }
    throw error;
  }
}

async function takePage(services: Accounting, job: Job, reading: Reading, fetched: FetchedPage): Promise<void> {
  const { organizationId, id, syncStartedAt, syncPage } = reading.integration;
  const listEdits = editLister(services, reading.integration);
  for (let attempt = 1; attempt <= TRIES_PER_PAGE; attempt++) {
    const found = attempt === 1 ? reading.integration : await findIntegrationById(services, { organizationId }, id);
    if (found?.status !== "connected" || found.syncStartedAt !== syncStartedAt || found.syncPage !== syncPage) return;
    if (await writePage(services, job, { reading: { ...reading, integration: found }, fetched, listEdits })) return;
  }
  throw new Error("a page of an accounting system was refused again and again");
}

/** Fetches each history once. A change is reported even if it is unknown who made it. */
function editLister(services: Accounting, integration: Integration): ListEdits {
  const asked = new Map<string, ContactEdit[]>();
  return async (contactId) => {
    const before = asked.get(contactId);
    if (before !== undefined) return before;
    const edits = await withAccess(
      services,
      integration,
      async (access, system) => (await system.listEdits?.(access, contactId)) ?? [],
    ).catch((error) => {
      if (error instanceof UpstreamError || error instanceof AccessLost) return [];
      throw error;
    });
    asked.set(contactId, edits);
    return edits;
  };
}

type Writing = { reading: Reading; fetched: FetchedPage; listEdits: ListEdits };

/** @returns false when something changed since the page was prepared, and nothing was written */
async function writePage(services: Accounting, job: Job, { reading, fetched, listEdits }: Writing): Promise<boolean> {
  const { integration } = reading;
  const actor = systemActor(integration.organizationId, job.id);
  const slice = await toSlice(services, actor, { reading, fetched, listEdits });
  const counts = addCounts(integration.counts ?? NO_COUNTS, slice.counts);
  const conditions = [
    integrationIsUnchanged(services, integration),
    jobIsLeased(services, job),
    ...(slice.conditions ?? []),
  ] as const;
  const next = placeAfterPage(fetched);
  const ended = next ? undefined : endOf(services, integration, { counts, fetched });
  const set = ended?.set ?? { syncPage: next && writePlace(next), counts, lastError: null, lastErrorAt: null };
  const statements = [...slice.statements, updateIntegration(services, integration, { ...fetched.set, ...set })];
  const audit = [...slice.audit, ...(ended?.audit ?? [])];
  const parts = [...slice.parts, ...(ended?.parts ?? [])];
  if (audit.length === 0 && parts.every((part) => !part.audit?.length)) {
    const { ok } = await runStep(services, {
      conditions,
      statements: [...statements, ...parts.flatMap((part) => part.statements)],
      jobs: parts.flatMap((part) => part.jobs ?? []),
    });
    return ok;
  }
  const { ok } = await runCommand(services, actor, {
    conditions,
    uniques: TAKEN,
    statements,
    audit,
    parts,
  });
  return ok;
}

/** Constraints that fail when another request wrote the same payee or supplier meanwhile. */
const TAKEN = {
  account_taken: "payees",
  contact_taken: "accounting_contacts",
  verification_open: "verifications",
  step_taken: "payment_transitions",
  payment_taken: "accounting_payments",
};

/** What to write with the last page. A sync that found nothing new is not audited: there is one every few minutes. */
function endOf(
  services: Accounting,
  integration: Integration,
  { counts, fetched }: { counts: SyncCounts; fetched: FetchedPage },
) {
  const now = services.clock.now();
  const { added, filled, changed, outcomes } = counts;
  const readTo = (integration.syncStartedAt ?? now) - OVERLAP_MS;
  const parts: CommandPart[] = added + filled > 0 ? [beginHealthRun(services, integration.organizationId)] : [];
  const isFirst = integration.lastSyncAt === null;
  return {
    set: {
      syncStartedAt: null,
      syncSince: null,
      syncPage: null,
      counts,
      lastSyncAt: now,
      lastError: fetched.refusal ?? null,
      lastErrorAt: fetched.refusal ? now : null,
      nextPollAt: now + POLL_MS,
      readTo,
      billsReadTo: fetched.refusal ? null : readTo,
    },
    audit:
      isFirst || added + filled + changed + outcomes > 0
        ? [
            {
              action: "integration.synced" as const,
              entityId: integration.id,
              details: { system: integration.system, ...counts },
            },
          ]
        : [],
    parts,
  };
}

/** How many connections one run looks at; the next takes the rest. */
const MAX_PER_RUN = 200;
/** How many verifications of one connection one run looks at. */
const MAX_NOTES = 100;

type Due = Pick<Integration, "id" | "organizationId" | "notedTo" | "version">;

/**
 * Requests the syncs that are due: of systems without webhooks, after lost events, and after syncs that were given up.
 * A suspended organisation's syncs wait until it is active again. Also queues the notes that are due.
 * @returns how many syncs were requested
 */
export async function pollAccounting(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const due: Due[] = await db
    .select(columnsOf(organizationIntegrations, "id", "organizationId", "notedTo", "version"))
    .from(organizationIntegrations)
    .where(and(eq(organizationIntegrations.status, "connected"), lte(organizationIntegrations.nextPollAt, clock.now())))
    .orderBy(asc(organizationIntegrations.nextPollAt))
    .limit(MAX_PER_RUN);
  let asked = 0;
  for (const integration of due) if (await askOne(services, integration)) asked += 1;
  return asked;
}

async function askOne(services: WriteServices, integration: Due): Promise<boolean> {
  if (!(await isActiveOrganization(services, integration.organizationId))) {
    const later = updateIntegration(services, integration, { nextPollAt: services.clock.now() + POLL_MS });
    await runStep(services, { conditions: [integrationIsUnchanged(services, integration)], statements: [later] });
    return false;
  }
  await queueNotes(services, integration);
  const { ok } = await runStep(services, {
    conditions: [noSyncIsWanted(services, integration)],
    statements: [askForSync(services, integration)],
    jobs: [syncJob(services, integration)],
  });
  return ok;
}

/**
 * Queues one job for each verification approved since the last run, in the batch that advances the position in the
 * trail. Does nothing if no notes are wanted.
 */
async function queueNotes(services: WriteServices, integration: Due): Promise<void> {
  const { organizationId, notedTo } = integration;
  if (notedTo === null) return;
  const approved = await listApprovedSince(services, integration, { position: notedTo, limit: MAX_NOTES });
  const last = approved.at(-1);
  if (!last) return;
  await runStep(services, {
    conditions: [integrationIsUnchanged(services, integration)],
    statements: [updateIntegration(services, integration, { notedTo: last.position })],
    jobs: approved.map(({ verificationId }) => ({
      id: services.ids.next(),
      kind: "accounting_note" as const,
      organizationId,
      subjectId: verificationId,
    })),
  });
}

/** The endings of a sync that could not continue. */

export type Reading = { integration: Integration; system: ConnectableSystem };

/** Access has ended permanently, so a person must connect again. The audit entry causes an alert to the admins. */
async function breakOff(services: Accounting, job: Job, { integration, system }: Reading, error: AccessLost) {
  const now = services.clock.now();
  const lastError = lostSentence(system, error.reason);
  const { ok } = await runCommand(services, systemActor(integration.organizationId, job.id), {
    conditions: [integrationIsUnchanged(services, integration), jobIsLeased(services, job)],
    statements: [
      updateIntegration(services, integration, { status: "broken", wantedAt: null, lastError, lastErrorAt: now }),
      endJob(services, job, "failed", error.message),
    ],
    audit: [
      {
        entityId: integration.id,
        action: "integration.broken",
        details: { system, reason: error.reason, problem: lastError },
      },
    ],
  });
  if (!ok) throw new Error("the connection changed while its access was lost");
}

/** Waiting because the system asked for it is not an error, so it uses up no attempts. */
export async function waitAsAsked(
  services: Accounting,
  job: Job,
  { integration, system }: Reading,
  error: UpstreamError,
) {
  const now = services.clock.now();
  const lastError = failureSentence(system, error);
  const dueAt = now + (error.options.retryAfterMs ?? MINUTE_MS);
  await moveJob(services, job, { dueAt, attempts: job.attempts, error: error.message }, [
    updateIntegration(services, integration, { lastError, lastErrorAt: now }),
  ]);
}

/** After the last attempt failed: the page says why, and the next poll continues where the sync stopped. */
export async function giveUpSync(services: Accounting, job: Job, error: string): Promise<void> {
  const { organizationId, subjectId } = job;
  const found =
    organizationId && subjectId ? await findIntegrationById(services, { organizationId }, subjectId) : undefined;
  const system = found && systemOf(services, found)?.name;
  if (!found || !system || found.status !== "connected") return finishJob(services, job, "failed", error);
  const now = services.clock.now();
  const lastError = `${GAVE_UP[system]} It is tried again within half an hour.`;
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [
      updateIntegration(services, found, { wantedAt: null, lastError, lastErrorAt: now, nextPollAt: now + POLL_MS }),
      endJob(services, job, "failed", error),
    ],
  });
}

const GAVE_UP: Readonly<Record<ConnectableSystem, string>> = {
  xero: "Suppliers or bills could not be read from Xero after several tries.",
  myob: "Suppliers or bills could not be read from MYOB after several tries.",
};
