import { organizationIntegrations, rowIn } from "@db/database";
import { releaseLease, takeLease, takeTurn } from "@db/lease";
import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { type ConnectableSystem, findConnectable } from "~/kernel/accounting-system";
import { UpstreamError } from "~/kernel/app-error";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { EncryptedColumn } from "~/modules/core/operations/reencrypt-columns.server";
import { type Access, AccessExpired, AccessLost, type AccountingSystem, type Credentials } from "~/ports/accounting";
import type { Services, WriteServices } from "~/services-and-actor";
import { findIntegrationById, type Integration, isIntegration } from "./integration.server";

export type Accounting = WriteServices & Pick<Services, "accounting">;

/** A token that expires within this time is renewed before it is used. */
const SPARE_MS = 60_000;
/** Longer than a renewal takes, including its timeout. */
const LEASE_MS = 20_000;
const WAIT_MS = 2_000;

const credentialsSchema = z.object({ accessToken: z.string(), refreshToken: z.string(), accessUntil: z.number() });

export const sealCredentials = ({ secrets }: Pick<Services, "secrets">, id: string, credentials: Credentials) =>
  secrets.seal(JSON.stringify(credentials), id);

/** The stored tokens of connections, for re-encryption with a new key. */
export const encryptedCredentials: EncryptedColumn = {
  table: organizationIntegrations,
  column: organizationIntegrations.credentials,
  key: [organizationIntegrations.id],
  contextOf: (id) => id,
};

type Found = { name: ConnectableSystem; system: AccountingSystem };

/** The adapter of a connection; undefined for a system that is not configured here. */
export function systemOf({ accounting }: Pick<Services, "accounting">, { system }: Pick<Integration, "system">) {
  const name = findConnectable(system);
  const adapter = name && accounting[name];
  return name && adapter ? { name, system: adapter } : undefined;
}

/** Calls an accounting system with a valid token; an expired one is renewed once. @throws AccessLost, UpstreamError */
export async function withAccess<T>(
  services: Accounting,
  integration: Integration,
  ask: (access: Access, system: AccountingSystem, credentials: Credentials) => Promise<T>,
): Promise<T> {
  const found = systemOf(services, integration);
  if (!found) throw new Error(`no adapter for ${integration.system}`);
  const run = async (credentials: Credentials) => {
    await waitForTurn(services, found);
    const access = { accessToken: credentials.accessToken, ledgerId: integration.ledgerId ?? "" };
    return ask(access, found.system, credentials);
  };
  const credentials = await livingCredentials(services, integration, found.system);
  try {
    return await run(credentials);
  } catch (error) {
    if (!(error instanceof AccessExpired)) throw error;
    const renewed = await renew(services, integration, { system: found.system, stale: credentials.accessToken });
    return run(renewed).catch((again) => {
      throw again instanceof AccessExpired ? new AccessLost("consent_ended", again.message) : again;
    });
  }
}

/** A job waits at most this long for its turn: then it is put back, and loses its turn. */
const TURN_WITHIN_MS = 2_000;

/**
 * If a system limits the total rate of all our customers' calls, calls start one after another, whichever organisation
 * and process they come from.
 * @throws UpstreamError rate_limited
 */
async function waitForTurn({ db, clock }: Accounting, { name, system: { callEveryMs } }: Found): Promise<void> {
  if (callEveryMs === undefined) return;
  const now = clock.now();
  const turn = { name: `accounting-turns:${name}`, everyMs: callEveryMs, withinMs: TURN_WITHIN_MS, now };
  const beginsAt = await takeTurn(db, turn);
  if (beginsAt === undefined) {
    const busy = "every turn of the next seconds is taken";
    throw new UpstreamError(name, "rate_limited", busy, { retryAfterMs: TURN_WITHIN_MS });
  }
  if (beginsAt > now) await new Promise((resolve) => setTimeout(resolve, beginsAt - now));
}

async function livingCredentials(services: Accounting, integration: Integration, system: AccountingSystem) {
  const { credentials } = await readCredentials(services, integration);
  if (credentials.accessUntil > services.clock.now() + SPARE_MS) return credentials;
  return renew(services, integration, { system, stale: credentials.accessToken });
}

/** Read from the database each time, because another request may have renewed the token meanwhile. */
async function readCredentials(services: Accounting, { id, organizationId }: Integration) {
  const row = await findIntegrationById(services, { organizationId }, id);
  if (!row?.credentials) throw new AccessLost("consent_ended", "the connection has no credentials");
  const text = await services.secrets.open(row.credentials, id);
  return { credentials: credentialsSchema.parse(JSON.parse(text)), tokenVersion: row.tokenVersion };
}

/**
 * Renews the tokens of a connection after a restore, while the app is on hold: only trying shows whether they were
 * renewed in the lost period.
 * @throws AccessLost, UpstreamError
 */
export async function renewRestored(services: Accounting, integration: Integration): Promise<void> {
  const found = systemOf(services, integration);
  if (!found) throw new UpstreamError(integration.system, "unavailable", "it is not set up here");
  const { credentials } = await readCredentials(services, integration);
  await renew(services, integration, { system: found.system, stale: credentials.accessToken, evenOnHold: true });
}

/**
 * Renews one at a time, because a refresh token can be used only once. The new tokens are stored before they are used:
 * if a consumer dies in between, another renewal works while the system still accepts the former token.
 */
async function renew(
  services: Accounting,
  integration: Integration,
  { system, stale, evenOnHold }: { system: AccountingSystem; stale: string; evenOnHold?: true },
): Promise<Credentials> {
  const { db, clock, ids } = services;
  const lease = { name: `accounting:${integration.id}`, holder: ids.next() };
  if (!(await takeLease(db, { ...lease, now: clock.now(), ttlMs: LEASE_MS }))) {
    throw new UpstreamError(integration.system, "unavailable", "another request renews the token", {
      retryAfterMs: WAIT_MS,
    });
  }
  try {
    const { credentials, tokenVersion } = await readCredentials(services, integration);
    if (credentials.accessToken !== stale) return credentials;
    const renewed = await system.refresh(credentials.refreshToken);
    await storeCredentials(services, integration, { credentials: renewed, tokenVersion, evenOnHold });
    return renewed;
  } finally {
    await releaseLease(db, lease.name, lease.holder);
  }
}

async function storeCredentials(
  services: Accounting,
  integration: Integration,
  { credentials, tokenVersion, evenOnHold }: { credentials: Credentials; tokenVersion: number; evenOnHold?: true },
): Promise<void> {
  const { db } = services;
  const asRead = and(isIntegration(integration), eq(organizationIntegrations.tokenVersion, tokenVersion));
  const { ok } = await runStep(services, {
    evenOnHold,
    conditions: [{ name: "token_moved", found: rowIn(db, organizationIntegrations).where(asRead) }],
    statements: [
      db
        .update(organizationIntegrations)
        .set({
          credentials: await sealCredentials(services, integration.id, credentials),
          tokenVersion: tokenVersion + 1,
        })
        .where(asRead),
    ],
  });
  if (ok) return;
  // After a lost connection, a refusal may be our own success.
  const stored = await readCredentials(services, integration);
  if (stored.credentials.accessToken !== credentials.accessToken) {
    throw new UpstreamError(integration.system, "unavailable", "the token was renewed elsewhere");
  }
}
