import { organizationIntegrations } from "@db/database";
import { CONNECTABLE_SYSTEMS, type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import { AppError, notFound, UpstreamError } from "~/kernel/app-error";
import { toBase64Url } from "~/kernel/encodings";
import { appPaths } from "~/kernel/paths/app";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { AccessLost, type ConsentReturn, type Credentials, type Ledger } from "~/ports/accounting";
import type { Actor, Services, SystemActor } from "~/services-and-actor";
import {
  askForSync,
  endOfTrail,
  findIntegration,
  forgetBills,
  type Integration,
  integrationIsUnchanged,
  listIntegrations,
  listIntegrationsOfLedgers,
  listOpenChanges,
  listRefusedContacts,
  noSyncIsWanted,
  syncJob,
  updateIntegration,
} from "./integration.server";
import { showChange, showIntegration } from "./integration.view";
import { type Accounting, sealCredentials, systemOf, withAccess } from "./tokens.server";

type Beginning = Pick<Services, "accounting" | "ids" | "config">;

/** The page that the person returns to; it must be the same when the code is exchanged. */
export const returnUrlOf = ({ config }: Pick<Services, "config">, system: ConnectableSystem): string =>
  `${config.appOrigin}${appPaths.integrationReturn(system)}`;

/**
 * The system's consent page, and what the browser keeps until the person returns: a state that proves that this browser
 * started it, and the PKCE verifier (RFC 7636).
 * @throws AppError 404 for a system that is not configured here
 */
export async function beginConsent(services: Beginning, system: ConnectableSystem, writesNotes = false) {
  const adapter = services.accounting[system];
  if (!adapter) throw notFound();
  const [state, codeVerifier] = [services.ids.secret(), services.ids.secret()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const address = adapter.consentUrl({
    state,
    writesNotes,
    codeChallenge: toBase64Url(new Uint8Array(digest)),
    returnUrl: returnUrlOf(services, system),
  });
  return { address, kept: { state, codeVerifier } };
}

/** True if an app can add notes to the system's history. */
export const canWriteNotes = ({ accounting }: Pick<Services, "accounting">, system: ConnectableSystem): boolean =>
  accounting[system]?.addNote !== undefined;

type Consent = {
  system: ConnectableSystem;
  returned: ConsentReturn;
  /** The consent covers notes in suppliers' histories, and the person wants them. */
  writesNotes?: boolean;
};
type Accepted = { credentials: Credentials; ledgers: Ledger[] };

/**
 * Connects a system after the person returned with consent. With one set of books the first sync starts at once; with
 * several the person chooses.
 * @throws AppError 402, 404 for a system that is not configured here, 409 CONSENT_NOT_ACCEPTED, 503
 */
export async function connectSystem(services: Accounting, actor: Actor, consent: Consent) {
  const { system, returned, writesNotes = false } = consent;
  const adapter = services.accounting[system];
  if (!adapter) throw notFound();
  await requireLiveSubscription(services, actor.organizationId);
  const accepted = await adapter.acceptConsent(returned).catch((error) => {
    throw toAppError(system, error);
  });
  if (accepted.ledgers.length === 0) throw notAccepted(system);
  const existing = await findIntegration(services, actor, system);
  const needsChoice = accepted.ledgers.length > 1;
  const result = await store(services, actor, { system, existing, accepted, writesNotes });
  if (!result.ok) throw changedMeanwhile();
  return { needsChoice };
}

type AcceptedConnection = Pick<Required<Consent>, "system" | "writesNotes"> & {
  existing: Integration | undefined;
  accepted: Accepted;
};

async function store(
  services: Accounting,
  actor: Actor,
  { system, existing, accepted, writesNotes }: AcceptedConnection,
) {
  const { db, clock, ids } = services;
  const { organizationId, userId } = actor;
  const id = existing?.id ?? ids.next();
  const [only, ...others] = accepted.ledgers;
  const chosen = only && others.length === 0 ? only : undefined;
  const now = clock.now();
  const row = {
    ...chosenFields(existing, chosen, now),
    choices: chosen ? null : accepted.ledgers,
    credentials: await sealCredentials(services, id, accepted.credentials),
    tokenVersion: (existing?.tokenVersion ?? 0) + 1,
    active: true,
    connectedById: userId,
    lastError: null,
    lastErrorAt: null,
    notedTo: writesNotes ? (existing?.notedTo ?? (await endOfTrail(services, actor))) : null,
  };
  const added = { ...row, id, organizationId, system, createdAt: now, updatedAt: now };
  return runCommand(services, actor, {
    conditions: existing ? [integrationIsUnchanged(services, existing)] : [],
    uniques: { connected_already: "organization_integrations" },
    statements: [
      existing ? updateIntegration(services, existing, row) : db.insert(organizationIntegrations).values(added),
      ...(existing && chosen && isOther(existing, chosen) ? [forgetBills(services, existing)] : []),
    ],
    audit: [
      {
        action: "integration.connected",
        entityId: id,
        details: { system, ledger: chosen?.name ?? null, ...(writesNotes && { writesNotes }) },
      },
    ],
    jobs: chosen ? [syncJob(services, { organizationId, id })] : [],
  });
}

const isOther = (existing: Integration | undefined, chosen: Ledger) => existing?.ledgerId !== chosen.id;

/** A different set of books is read from its beginning. */
function chosenFields(existing: Integration | undefined, chosen: Ledger | undefined, now: number) {
  if (!chosen) return { status: "choosing" as const, wantedAt: null };
  return {
    status: "connected" as const,
    ledgerId: chosen.id,
    ledgerName: chosen.name,
    connectionId: chosen.connectionId,
    wantedAt: now,
    ...(isOther(existing, chosen) && {
      readTo: null,
      syncStartedAt: null,
      syncSince: null,
      syncPage: null,
      lastSyncAt: null,
      counts: null,
      billsReadTo: null,
      billsTag: null,
    }),
  };
}

/** Chooses the set of books to read, and starts the first sync. @throws AppError 404 if it was not offered, 409 */
export async function chooseLedger(services: Accounting, actor: Actor, system: ConnectableSystem, ledgerId: string) {
  const existing = await findIntegration(services, actor, system);
  const chosen = existing?.choices?.find(({ id }) => id === ledgerId);
  if (existing?.status !== "choosing" || !chosen) throw notFound();
  const { ok } = await runCommand(services, actor, {
    conditions: [integrationIsUnchanged(services, existing)],
    statements: [
      updateIntegration(services, existing, {
        ...chosenFields(existing, chosen, services.clock.now()),
        choices: null,
      }),
      ...(isOther(existing, chosen) ? [forgetBills(services, existing)] : []),
    ],
    audit: [{ action: "integration.ledger_chosen", entityId: existing.id, details: { system, ledger: chosen.name } }],
    jobs: [syncJob(services, existing)],
  });
  if (!ok) throw changedMeanwhile();
}

/** Requests a sync of changes, or of everything, as soon as possible. @throws AppError 402, 404, 409 */
export async function requestSync(
  services: Accounting,
  actor: Actor,
  { system, all }: { system: ConnectableSystem; all: boolean },
) {
  const existing = await findIntegration(services, actor, system);
  if (existing?.status !== "connected") throw notFound();
  await requireLiveSubscription(services, actor.organizationId);
  const { ok } = await runCommand(services, actor, {
    conditions: [integrationIsUnchanged(services, existing)],
    statements: [
      updateIntegration(services, existing, { wantedAt: services.clock.now(), wantsAll: existing.wantsAll || all }),
    ],
    audit: [{ action: "integration.sync_requested", entityId: existing.id, details: { system, all } }],
    jobs: [syncJob(services, existing)],
  });
  if (!ok) throw changedMeanwhile();
}

/**
 * Ends the connection here and our access at the system. Payees stay. If the system does not respond or cannot end
 * access, the connection still ends here.
 * @returns whether the access there has ended
 * @throws AppError 404, 409
 */
export async function disconnectSystem(services: Accounting, actor: Actor | SystemActor, system: ConnectableSystem) {
  const existing = await findIntegration(services, actor, system);
  if (!existing || existing.status === "disconnected") throw notFound();
  const isRevoked = await revoke(services, existing);
  const { ok } = await runCommand(services, actor, {
    conditions: [integrationIsUnchanged(services, existing)],
    statements: [
      updateIntegration(services, existing, {
        status: "disconnected",
        active: false,
        credentials: null,
        choices: null,
        connectionId: null,
        wantedAt: null,
        nextPollAt: null,
        syncStartedAt: null,
        syncSince: null,
        syncPage: null,
        lastError: null,
        lastErrorAt: null,
        billsReadTo: null,
        billsTag: null,
      }),
      forgetBills(services, existing),
    ],
    audit: [{ action: "integration.disconnected", entityId: existing.id, details: { system, isRevoked } }],
  });
  if (!ok) throw changedMeanwhile();
  return isRevoked;
}

/** Ends every connection of a closing organisation, so that the other systems no longer list us either. */
export async function endConnections(services: Services, actor: SystemActor): Promise<void> {
  const connected = (await listIntegrations(services, actor)).filter(({ status }) => status !== "disconnected");
  for (const system of CONNECTABLE_SYSTEMS.filter((each) => connected.some((one) => one.system === each))) {
    try {
      const isRevoked = await disconnectSystem(services, actor, system);
      services.log.info("integration.ended", { system, isRevoked });
    } catch (error) {
      // The organisation closes anyway, and its credentials are deleted then.
      services.log.warn("integration.not_ended", { system, error: String(error) });
    }
  }
}

async function revoke(services: Accounting, existing: Integration): Promise<boolean> {
  if (!systemOf(services, existing)?.system.revoke) return false;
  const ids = [existing.connectionId, ...(existing.choices ?? []).map(({ connectionId }) => connectionId)];
  const connectionIds = ids.filter((id) => id !== null);
  try {
    await withAccess(services, existing, async (_access, system, credentials) => {
      await system.revoke?.(credentials, connectionIds);
    });
    return true;
  } catch (error) {
    if (error instanceof AccessLost) return true;
    if (error instanceof UpstreamError) return false;
    throw error;
  }
}

/**
 * Handles the system's events that something changed in these books: requests a sync of each connection to them. Makes
 * two round trips to the database, however many there are; a queue does the reading.
 */
export async function noticeChanges(services: Accounting, system: ConnectableSystem, ledgerIds: readonly string[]) {
  if (ledgerIds.length === 0) return;
  const integrations = await listIntegrationsOfLedgers(services, system, ledgerIds);
  await Promise.all(
    integrations.map((integration) =>
      runStep(services, {
        conditions: [noSyncIsWanted(services, integration)],
        statements: [askForSync(services, integration)],
        jobs: [syncJob(services, integration)],
      }),
    ),
  );
}

const changedMeanwhile = () =>
  new AppError("CHANGED_MEANWHILE", "The connection changed in the meantime. Look at it again, then try again.");

const notAccepted = (system: ConnectableSystem) =>
  new AppError(
    "CONSENT_NOT_ACCEPTED",
    `${SYSTEM_NAMES[system]} did not give PayeeProof access. Connect again, and allow access to at least one set of books.`,
  );

function toAppError(system: ConnectableSystem, error: unknown): unknown {
  if (error instanceof AccessLost) return notAccepted(system);
  if (!(error instanceof UpstreamError)) return error;
  const message = `${SYSTEM_NAMES[system]} does not answer at the moment. Try again in a few minutes.`;
  return new AppError("UPSTREAM_UNAVAILABLE", message, { logText: error.message });
}

/** Every system that can be connected here, with its state. */
export async function readIntegrationsPage(services: Services, actor: Actor) {
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const rows = await listIntegrations(services, actor);
  const offered = CONNECTABLE_SYSTEMS.filter((system) => services.accounting[system]);
  const rowOf = (system: ConnectableSystem) => rows.find((row) => row.system === system);
  return { integrations: offered.map((system) => showIntegration(system, rowOf(system), zone)) };
}

/** The page of one system: its state, details that differ from the payee's, and suppliers with unusable accounts. */
export async function readIntegrationPage(services: Services, actor: Actor, system: ConnectableSystem) {
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const [row, changes, refused] = await Promise.all([
    findIntegration(services, actor, system),
    listOpenChanges(services, actor, system),
    listRefusedContacts(services, actor, system),
  ]);
  return {
    integration: showIntegration(system, row, zone),
    notes: canWriteNotes(services, system) && row?.status === "connected" ? { isOn: row.notedTo !== null } : null,
    changes: changes.map((change) => showChange(change, zone, false)),
    refused: refused.map(({ contactId, name, note }) => ({ id: contactId, name, note: note ?? "" })),
  };
}
