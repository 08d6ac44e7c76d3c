import { UpstreamError } from "~/kernel/upstream-error";
import type { BankDataPerson, ConsentProgress, PayeeConsentBankData } from "~/ports/bank-data";
import type { Clock, Log } from "~/services";
import type { Fetch } from "../http-client";
import { toSharedAccount, toSharedIdentity } from "./basiq-accounts";
import { type BasiqClient, createBasiqClient, userPath } from "./basiq-client";
import { type EventsLog, hasEnded, readEvent, readEvents, withoutDeleted } from "./basiq-events";
import { createInstitutionNames, type InstitutionNames } from "./basiq-institutions";
import { newestJob, toProgress } from "./basiq-jobs";
import {
  accountSchema,
  type BasiqIdentity,
  type BasiqJob,
  connectionSchema,
  consentSchema,
  identitySchema,
  jobSchema,
  userSchema,
} from "./basiq-schema";
import { assertBelongsTo, wrongTenant } from "./basiq-tenant";

export type BasiqOptions = {
  /** Without a trailing slash, e.g. "https://au-api.basiq.io". */
  baseUrl: string;
  /** The consent pages, e.g. "https://consent.basiq.io/home". */
  consentUrl: string;
  /** As issued: base64 already. */
  apiKey: string;
  fetch: Fetch;
  clock: Clock;
  log?: Pick<Log, "warn">;
  timeoutMs?: number;
};

/** Bank data by the payee's consent, from Basiq (api.basiq.io, version 3.0). */
export function createBasiqBankData(options: BasiqOptions): PayeeConsentBankData {
  const client = createBasiqClient(options);
  const institutions = createInstitutionNames(client, options);

  /** An answer about another payee is the one failure that must never pass unseen. */
  async function watched<T>(providerUserId: string | undefined, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === "wrong_tenant") {
        options.log?.warn("basiq.wrong_tenant", { providerUserId });
      }
      throw error;
    }
  }

  return {
    providerName: "Basiq",
    async createUser(person, reference) {
      const user = await client.post("/users", toUserBody(person), userSchema, { "idempotency-key": reference });
      return { providerUserId: user.id };
    },
    async createConsentUrl({ providerUserId, state }) {
      const url = new URL(options.consentUrl);
      url.searchParams.set("token", await client.tokens.clientToken(providerUserId));
      url.searchParams.set("state", state);
      return url.toString();
    },
    getProgress: (providerUserId) => watched(providerUserId, readProgress(client, providerUserId, options.log)),
    getSharedData: (providerUserId) => watched(providerUserId, readSharedData(client, institutions, providerUserId)),
    async listCreatedUsers(since) {
      const events = withoutDeleted(await readEvents(client, since, options.log));
      const created = events.filter(({ eventType }) => eventType === "user.created");
      return created.map(({ userId, createdAt }) => ({ providerUserId: userId, createdAt }));
    },
    async listEndedConsents(since) {
      const events = withoutDeleted(await readEvents(client, since, options.log));
      return events.flatMap(({ id, eventType, userId }) =>
        id && hasEnded(eventType) ? [{ eventId: id, eventType, providerUserId: userId }] : [],
      );
    },
    getEvent: (eventId) => watched(undefined, readEvent(client, eventId)),
    async deleteUser(providerUserId) {
      try {
        await client.delete(userPath(providerUserId));
      } catch (error) {
        if (!hasStatus(error, 404, 410)) throw error;
      }
    },
  };
}

function toUserBody({ email, mobile, businessName, abn }: BankDataPerson) {
  return {
    email,
    mobile,
    businessName,
    // The provider refuses a number without the name of the business.
    ...(businessName && abn && { businessIdNo: abn, businessIdNoType: "ABN" }),
  };
}

async function readProgress(client: BasiqClient, providerUserId: string, log: EventsLog): Promise<ConsentProgress> {
  const newest = newestJob(await client.listOfUser(providerUserId, "jobs", jobSchema));
  if (!newest) return { state: "waiting" };
  const job = newest.steps ? newest : await client.get(`/jobs/${encodeURIComponent(newest.id)}`, jobSchema);
  if (job.id !== newest.id) throw wrongTenant();
  assertJobBelongsTo(providerUserId, job);
  const progress = toProgress(job);
  const isRefused = progress.state === "failed" && !progress.retryable;
  return (isRefused ? undefined : await readWithdrawal(client, providerUserId, log)) ?? progress;
}

/**
 * That the payee has given consents and none of them stands any more: their bank's data is not to be read then, even where
 * the job brought it. A list that cannot be read says nothing; the event of a withdrawal still tells of one.
 */
async function readWithdrawal(
  client: BasiqClient,
  providerUserId: string,
  log: EventsLog,
): Promise<Extract<ConsentProgress, { state: "withdrawn" }> | undefined> {
  try {
    const consents = await client.listOfUser(providerUserId, "consents", consentSchema);
    const statuses = consents.map(({ status }) => status.toLowerCase());
    if (statuses.length === 0 || !statuses.every((status) => hasEnded(`consent.${status}`))) return undefined;
    return { state: "withdrawn", hasExpired: !statuses.includes("revoked") };
  } catch (error) {
    // The answer to a user without consents.
    if (!hasStatus(error, 404)) log?.warn("basiq.consents_not_read", { providerUserId, error: String(error) });
    return undefined;
  }
}

function assertJobBelongsTo(providerUserId: string, job: BasiqJob): void {
  assertBelongsTo(providerUserId, job, ...(job.steps ?? []).map((step) => step.result?.url));
}

async function readSharedData(client: BasiqClient, institutions: InstitutionNames, providerUserId: string) {
  const [connections, accounts, identities] = await Promise.all([
    client.listOfUser(providerUserId, "connections", connectionSchema),
    client.listOfUser(providerUserId, "accounts", accountSchema),
    readIdentities(client, providerUserId),
  ]);
  const connectionIds = new Set(connections.map((connection) => connection.id));
  const nameOf = accounts.some(({ institution }) => institution) ? await institutions.read() : undefined;
  return {
    accounts: accounts.flatMap(
      (account) => toSharedAccount(account, connectionIds, nameOf?.get(account.institution ?? "")) ?? [],
    ),
    identities: identities.flatMap((identity) => toSharedIdentity(identity, connectionIds) ?? []),
  };
}

/** Identities are a scope of their own: a payee who did not grant it still shared the accounts. */
async function readIdentities(client: BasiqClient, providerUserId: string): Promise<BasiqIdentity[]> {
  try {
    return await client.listOfUser(providerUserId, "identities", identitySchema);
  } catch (error) {
    if (hasStatus(error, 403, 404)) return [];
    throw error;
  }
}

function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof UpstreamError && statuses.includes(error.options.httpStatus ?? 0);
}
