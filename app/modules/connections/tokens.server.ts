import { releaseLease, takeLease, takeTurn } from "@db/lease";
import { organizationIntegrations } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { type ConnectableSystem, findConnectable } from "~/kernel/accounting-system";
import { UpstreamError } from "~/kernel/upstream-error";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { SealedColumn } from "~/modules/core/operations/seal-anew.server";
import { type Access, AccessExpired, AccessLost, type AccountingSystem, type Credentials } from "~/ports/accounting";
import type { Services, WriteServices } from "~/services";
import { findIntegrationById, type Integration, isIntegration } from "./integration.server";

export type Accounting = WriteServices & Pick<Services, "secrets" | "accounting">;

/** A token that ends within this time is renewed before it is used. */
const SPARE_MS = 60_000;
/** Longer than a renewal takes with its timeout. */
const LEASE_MS = 20_000;
const WAIT_MS = 2_000;

const credentialsSchema = z.object({ accessToken: z.string(), refreshToken: z.string(), accessUntil: z.number() });

export const sealCredentials = ({ secrets }: Pick<Services, "secrets">, id: string, credentials: Credentials) =>
  secrets.seal(JSON.stringify(credentials), id);

/** The tokens of connections, for sealing them anew. */
export const sealedCredentials: SealedColumn = {
  table: organizationIntegrations,
  column: organizationIntegrations.credentials,
  key: [organizationIntegrations.id],
  contextOf: (id) => id,
};

type Found = { name: ConnectableSystem; system: AccountingSystem };

/** The adapter of a connection; undefined for a system that this installation does not have. */
export function systemOf(
  { accounting }: Pick<Services, "accounting">,
  { system }: Pick<Integration, "system">,
): Found | undefined {
  const name = findConnectable(system);
  const adapter = name && accounting[name];
  return name && adapter ? { name, system: adapter } : undefined;
}

/**
 * Asks an accounting system something with a living token. A token that has ended is renewed first, once.
 * @throws AccessLost, UpstreamError
 */
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

/** Longer than this nobody waits inside a job: it is put back, and its place in the queue is another's. */
const TURN_WITHIN_MS = 2_000;

/**
 * Where a system limits the calls of all our customers together, calls set out one after another, whichever organisation and
 * process they come from.
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

/** Read anew each time: another request may have renewed the token since the connection was read. */
async function readCredentials(services: Accounting, { id, organizationId }: Integration) {
  const row = await findIntegrationById(services, { organizationId }, id);
  if (!row?.credentials) throw new AccessLost("consent_ended", "the connection has no credentials");
  const text = await services.secrets.open(row.credentials, id);
  return { credentials: credentialsSchema.parse(JSON.parse(text)), tokenVersion: row.tokenVersion };
}

/**
 * Renews the tokens of a connection after a restore, while the app is on hold: whether they still can be is all that tells
 * whether they were renewed in the time that was lost.
 * @throws AccessLost, UpstreamError
 */
export async function renewRestored(services: Accounting, integration: Integration): Promise<void> {
  const found = systemOf(services, integration);
  if (!found) throw new UpstreamError(integration.system, "unavailable", "it is not set up here");
  const { credentials } = await readCredentials(services, integration);
  await renew(services, integration, { system: found.system, stale: credentials.accessToken, evenOnHold: true });
}

/**
 * One renewal at a time, because a refresh token is good for one use. The new tokens are stored before they are used: a
 * consumer that dies in between renews once more within the time that the system still takes the former token.
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
    conditions: [
      {
        name: "token_moved",
        found: db.select({ one: sql`1` }).from(organizationIntegrations).where(asRead),
      },
    ],
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
  // After a lost connection a refusal may be our own success.
  const stored = await readCredentials(services, integration);
  if (stored.credentials.accessToken !== credentials.accessToken) {
    throw new UpstreamError(integration.system, "unavailable", "the token was renewed elsewhere");
  }
}
