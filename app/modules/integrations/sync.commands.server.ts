import type { ConnectableSystem } from "~/kernel/accounting-system";
import { systemActor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import { UpstreamError } from "~/kernel/upstream-error";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import type { Job } from "~/modules/commands/job";
import { finishJob, moveJob } from "~/modules/commands/outbox.commands.server";
import { endJob, jobIsLeased } from "~/modules/commands/outbox.statements.server";
import { type CommandPart, runCommand, runStep } from "~/modules/commands/run-command.server";
import { beginHealthRun } from "~/modules/payee-health/health.statements.server";
import { AccessLost, type ContactsPage, type LastEdit } from "./accounting.port";
import { contactsSlice, type FindEdit } from "./contacts-slice.server";
import { failureSentence, lostSentence } from "./failure-words";
import { findIntegrationById, type Integration } from "./integration.queries.server";
import { integrationIsUnchanged, updateIntegration } from "./integration.statements.server";
import { addCounts, NO_COUNTS, type SyncCounts } from "./sync-counts";
import { type Accounting, systemOf, withAccess } from "./tokens.commands.server";

/** How long one delivery goes on reading: well within its lease, whatever the last page takes. */
const WORK_MS = 15_000;
/** Payees may be changed by others while a page is looked up: it is then looked up anew. */
const TRIES_PER_PAGE = 4;
/** How often a system is asked by itself: it may have no webhooks, and an event may be lost. */
export const POLL_MS = 15 * MINUTE_MS;
/** Reading begins this much before the last sync began: the two clocks may differ. What is read twice changes nothing. */
const OVERLAP_MS = 2 * MINUTE_MS;

const NO_SUBSCRIPTION = "Your subscription has ended. Nothing is read until it is live again.";

/**
 * Reads suppliers page by page. Each page is one batch that moves the sync on from where it was read: a page that is read
 * twice, or a consumer that dies in one, takes every change over once. A sync that was interrupted goes on where it stopped.
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

/** @returns false when the job is settled */
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

/** A sentence when new payees may not be added. */
async function findRefusal(services: Accounting, organizationId: string): Promise<string | undefined> {
  try {
    await requireLiveSubscription(services, organizationId);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return NO_SUBSCRIPTION;
    throw error;
  }
}

type Reading = { integration: Integration; system: ConnectableSystem };

/** @returns false when the job is settled */
async function readPage(services: Accounting, job: Job, reading: Reading): Promise<boolean> {
  const { integration } = reading;
  try {
    const asked = { page: integration.syncPage, since: integration.syncSince };
    const page = await withAccess(services, integration, (access, system) => system.listContacts(access, asked));
    await takePage(services, job, reading, page);
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

async function takePage(services: Accounting, job: Job, reading: Reading, page: ContactsPage): Promise<void> {
  const { organizationId, id, syncStartedAt, syncPage } = reading.integration;
  const findEdit = editFinder(services, reading.integration);
  for (let attempt = 1; attempt <= TRIES_PER_PAGE; attempt++) {
    const found = attempt === 1 ? reading.integration : await findIntegrationById(services, { organizationId }, id);
    if (found?.status !== "connected" || found.syncStartedAt !== syncStartedAt || found.syncPage !== syncPage) return;
    if (await writePage(services, job, { reading: { ...reading, integration: found }, page, findEdit })) return;
  }
  throw new Error("a page of suppliers was refused again and again");
}

/** Each history is asked for once. A change is told of also when nobody can say who made it. */
function editFinder(services: Accounting, integration: Integration): FindEdit {
  const asked = new Map<string, LastEdit | null>();
  return async (contactId) => {
    const before = asked.get(contactId);
    if (before !== undefined) return before;
    const edit = await withAccess(
      services,
      integration,
      async (access, system) => (await system.findLastEdit?.(access, contactId)) ?? null,
    ).catch((error) => {
      if (error instanceof UpstreamError || error instanceof AccessLost) return null;
      throw error;
    });
    asked.set(contactId, edit);
    return edit;
  };
}

type Writing = { reading: Reading; page: ContactsPage; findEdit: FindEdit };

/** @returns false when something changed since the page was looked up, and nothing was written */
async function writePage(services: Accounting, job: Job, { reading, page, findEdit }: Writing): Promise<boolean> {
  const { integration, system } = reading;
  const actor = systemActor(integration.organizationId, job.id);
  const slice = await contactsSlice(services, actor, { system, contacts: page.contacts }, findEdit);
  const counts = addCounts(integration.counts ?? NO_COUNTS, slice.counts);
  const conditions = [integrationIsUnchanged(services, integration), jobIsLeased(services, job)] as const;
  const ended = page.next === null ? endOf(services, integration, counts) : undefined;
  const next = ended?.set ?? { syncPage: page.next, counts, lastError: null, lastErrorAt: null };
  const statements = [...slice.statements, updateIntegration(services, integration, next)];
  const audit = [...slice.audit, ...(ended?.audit ?? [])];
  const parts = [...slice.parts, ...(ended?.parts ?? [])];
  if (audit.length === 0) {
    const { ok } = await runStep(services, { conditions, statements });
    return ok;
  }
  const { ok } = await runCommand(services, actor, {
    conditions,
    uniques: TAKEN,
    statements,
    audit,
    parts,
    answer: undefined,
  });
  return ok;
}

/** A payee or a supplier that another request wrote meanwhile. */
const TAKEN = { account_taken: "payees", contact_taken: "accounting_contacts", verification_open: "verifications" };

/** What follows from the last page. A sync that found nothing new leaves no entry: there is one every few minutes. */
function endOf(services: Accounting, integration: Integration, counts: SyncCounts) {
  const now = services.clock.now();
  const { added, filled, changed } = counts;
  const parts: CommandPart[] = added + filled > 0 ? [beginHealthRun(services, integration.organizationId)] : [];
  const isFirst = integration.lastSyncAt === null;
  return {
    set: {
      syncStartedAt: null,
      syncSince: null,
      syncPage: null,
      counts,
      lastSyncAt: now,
      lastError: null,
      lastErrorAt: null,
      nextPollAt: now + POLL_MS,
      readTo: (integration.syncStartedAt ?? now) - OVERLAP_MS,
    },
    audit:
      isFirst || added + filled + changed > 0
        ? [
            {
              ...entryOf(integration),
              action: "integration.synced" as const,
              details: { system: integration.system, ...counts },
            },
          ]
        : [],
    parts,
  };
}

const entryOf = ({ id }: Integration) => ({ entityType: "integration", entityId: id }) as const;

/** Access has ended for good: a person connects again. The admins are alerted by the entry. */
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
        ...entryOf(integration),
        action: "integration.broken",
        details: { system, reason: error.reason, problem: lastError },
      },
    ],
    answer: undefined,
  });
  if (!ok) throw new Error("the connection changed while its access was lost");
}

/** Waiting as the system asks is no error: the tries are for those. */
async function waitAsAsked(services: Accounting, job: Job, { integration, system }: Reading, error: UpstreamError) {
  const now = services.clock.now();
  const lastError = failureSentence(system, error);
  const dueAt = now + (error.options.retryAfterMs ?? MINUTE_MS);
  await moveJob(services, job, { dueAt, attempts: job.attempts, error: error.message }, [
    updateIntegration(services, integration, { lastError, lastErrorAt: now }),
  ]);
}

/** The tries are used up: the page says why, and the next poll goes on where the sync stopped. */
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
  xero: "Suppliers could not be read from Xero after several tries.",
  myob: "Suppliers could not be read from MYOB after several tries.",
};
