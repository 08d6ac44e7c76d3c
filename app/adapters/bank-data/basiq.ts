import { UpstreamError } from "~/kernel/upstream-error";
import type { BankDataPerson, PayeeConsentBankData } from "~/modules/bank-answers/bank-data.port";
import type { Clock, Log } from "~/services";
import type { Fetch } from "../http-client";
import { toSharedAccount, toSharedIdentity } from "./basiq-accounts";
import { type BasiqClient, createBasiqClient, userPath } from "./basiq-client";
import { createInstitutionNames, type InstitutionNames } from "./basiq-institutions";
import { newestJob, toProgress } from "./basiq-jobs";
import {
  accountSchema,
  type BasiqIdentity,
  type BasiqJob,
  connectionSchema,
  eventSchema,
  identitySchema,
  jobSchema,
  listedEventSchema,
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
    getProgress: (providerUserId) => watched(providerUserId, readProgress(client, providerUserId)),
    getSharedData: (providerUserId) => watched(providerUserId, readSharedData(client, institutions, providerUserId)),
    listCreatedUsers: (since) => readCreatedUsers(client, since),
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

async function readProgress(client: BasiqClient, providerUserId: string) {
  const newest = newestJob(await client.listOfUser(providerUserId, "jobs", jobSchema));
  if (!newest) return { state: "waiting" } as const;
  const job = newest.steps ? newest : await client.get(`/jobs/${encodeURIComponent(newest.id)}`, jobSchema);
  if (job.id !== newest.id) throw wrongTenant();
  assertJobBelongsTo(providerUserId, job);
  return toProgress(job);
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

/** From the list of all events (`GET /events`, newest first, of the last 30 days): the provider lists no users. */
async function readCreatedUsers(client: BasiqClient, since: number) {
  const events = await client.listUntil("/events", listedEventSchema, ({ createdAt }) => createdAt < since);
  const deleted = new Set(events.filter(({ eventType }) => eventType === "user.deleted").map(({ userId }) => userId));
  return events
    .filter(({ eventType, userId }) => eventType === "user.created" && !deleted.has(userId))
    .map(({ userId, createdAt }) => ({ providerUserId: userId, createdAt }));
}

async function readEvent(client: BasiqClient, eventId: string) {
  const event = await client.get(`/events/${encodeURIComponent(eventId)}`, eventSchema);
  if (event.id && event.id !== eventId) throw wrongTenant();
  assertBelongsTo(event.userId, {}, event.links?.eventEntity);
  return { eventId, eventType: event.eventType, providerUserId: event.userId };
}

function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof UpstreamError && statuses.includes(error.options.httpStatus ?? 0);
}
