import * as z from "zod";
import type { Reached } from "~/adapters/http-client";
import { parseAbn } from "~/kernel/abn";
import { UpstreamError } from "~/kernel/app-error";
import { parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import type {
  BankDataEvent,
  BankDataPerson,
  ConsentProgress,
  PayeeConsentBankData,
  SharedAccount,
} from "~/ports/bank-data";
import type { Clock, Log } from "~/services-and-actor";
import {
  accountSchema,
  assertBelongsTo,
  type BasiqAccount,
  type BasiqClient,
  type BasiqEvent,
  type BasiqIdentity,
  type BasiqJob,
  connectionSchema,
  connectorSchema,
  consentSchema,
  createBasiqClient,
  eventSchema,
  identitySchema,
  jobSchema,
  userPath,
  userSchema,
  wrongTenant,
} from "./basiq-client";

/** Steps that collect data we never request, so their outcome does not matter for the check. */
const UNUSED_STEPS = new Set(["retrieve-transactions", "retrieve-statements"]);

/** Codes that mean the payee (or the bank on their behalf) refused. Anything else may work on another attempt. */
const REFUSALS = new Set(["authorization-failed", "access-denied", "access_denied", "forbidden-access"]);

const CONNECTION_IN_LINK = /\/connections\/([^/?#]+)/;

/** The job that was created last, by the provider's clock; a payee who tries again gets a new one. */
export function newestJob(jobs: readonly BasiqJob[]): BasiqJob | undefined {
  const age = (job: BasiqJob) =>
    Date.parse(job.created ?? job.createdDate ?? job.updated ?? job.updatedDate ?? "") || 0;
  return jobs.reduce<BasiqJob | undefined>(
    (newest, job) => (newest && age(newest) >= age(job) ? newest : job),
    undefined,
  );
}

/** The combined state of a job's steps: one failed step fails it, and it succeeds when all have. */
export function toProgress(job: BasiqJob): ConsentProgress {
  const steps = (job.steps ?? []).filter((step) => !UNUSED_STEPS.has(step.title ?? ""));
  const failed = steps.find((step) => step.status === "failed");
  if (failed) {
    const code = failed.result?.code ?? "unknown-error";
    return { state: "failed", jobId: job.id, code, retryable: !REFUSALS.has(code) };
  }
  if (steps.length === 0 || steps.some((step) => step.status !== "success")) return { state: "running", jobId: job.id };
  const connectionId = CONNECTION_IN_LINK.exec(job.links?.source ?? "")?.[1];
  return { state: "succeeded", jobId: job.id, ...(connectionId && { connectionId }) };
}

type EventsLog = Pick<Log, "warn"> | undefined;

const ENDED: ReadonlySet<string> = new Set(["consent.revoked", "consent.expired"]);

/** Whether the payee revoked a consent, or it expired. */
const hasEnded = (eventType: string): boolean => ENDED.has(eventType);

/** The event that a webhook told us of. */
async function readEvent(client: BasiqClient, eventId: string): Promise<BankDataEvent> {
  const event = await client.get(`/events/${encodeURIComponent(eventId)}`, eventSchema);
  if (event.id && event.id !== eventId) throw wrongTenant();
  assertBelongsTo(event.userId, event, event.dataRef);
  return { eventId, eventType: event.eventType, providerUserId: event.userId };
}

/**
 * The events of all users since then, from `GET /events`, which keeps seven days. The documentation specifies neither
 * order nor pagination, so all pages are read, unless a page is sorted from new to old and has reached older events. An
 * unreadable event is skipped and does not hide others.
 */
async function readEvents(client: BasiqClient, since: number, log: EventsLog): Promise<BasiqEvent[]> {
  const readable = (items: readonly unknown[]) => items.flatMap((item) => eventSchema.safeParse(item).data ?? []);
  const listed = await client.listLong("/events", z.unknown(), (page) => isOlder(readable(page), since));
  const events = readable(listed);
  if (events.length < listed.length) log?.warn("basiq.events_not_read", { count: listed.length - events.length });
  return events.filter(({ createdAt }) => !(createdAt < since));
}

function isOlder(events: readonly BasiqEvent[], since: number): boolean {
  const [newest, oldest] = [events[0], events.at(-1)];
  return (
    newest !== undefined && oldest !== undefined && newest.createdAt >= oldest.createdAt && oldest.createdAt < since
  );
}

/** Without events of deleted users. */
function withoutDeleted(events: readonly BasiqEvent[]): BasiqEvent[] {
  const deleted = new Set(events.filter(({ eventType }) => eventType === "user.deleted").map(({ userId }) => userId));
  return events.filter(({ userId }) => !deleted.has(userId));
}

const BSB_LENGTH = 6;
/** A BSB (6) and an account number (4 to 9 digits) written as one. */
const COMBINED = /^\d{10,15}$/;
const MASK = /[x*#•.·?]/i;
const TRAILING_DIGITS = /(\d+)\D*$/;

/**
 * The BSB and account number of a shared account, whichever way the bank gave them:
 * `bsb` and `unmaskedAccNum` (open banking), `accountNo` with both in one, or masked forms such as "xxxx1234".
 *
 * A masked number yields only its last visible digits, never a guess at the rest.
 */
export function toNumbers(account: Pick<BasiqAccount, "bsb" | "unmaskedAccNum" | "accountNo" | "maskedNumber">) {
  const givenBsb = account.bsb ? parseBsb(account.bsb) : undefined;
  const written = [account.unmaskedAccNum, account.accountNo].map(unmaskedDigits);
  const combinedNumber = written.find((digits) => digits && COMBINED.test(digits) && startsWith(digits, givenBsb));
  const bsb = givenBsb ?? combinedNumber?.slice(0, BSB_LENGTH);
  const accountNumber =
    written.map((digits) => digits && parseAccountNumber(digits)).find(Boolean) ??
    (combinedNumber && parseAccountNumber(combinedNumber.slice(BSB_LENGTH)));
  if (accountNumber) return { bsb, accountNumber, combinedNumber: combinedNumber ?? (bsb && bsb + accountNumber) };
  return { bsb, visibleDigits: visibleDigits(account) };
}

/** Digits of a number without a mask; undefined for a masked or missing one. */
function unmaskedDigits(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  const digits = text.replace(/[\s-]/g, "");
  return /^\d+$/.test(digits) ? digits : undefined;
}

function startsWith(digits: string, bsb: string | undefined): boolean {
  return bsb === undefined || digits.startsWith(bsb);
}

function visibleDigits(account: Pick<BasiqAccount, "unmaskedAccNum" | "accountNo" | "maskedNumber">) {
  const masked = [account.unmaskedAccNum, account.accountNo].filter((text) => text && MASK.test(text));
  for (const text of [...masked, account.maskedNumber]) {
    const digits = text ? TRAILING_DIGITS.exec(text)?.[1] : undefined;
    if (digits) return digits;
  }
  return undefined;
}

/** Cards, loans and holdings: nothing that a supplier is paid into. Kinds that are not listed count as deposit accounts. */
const NOT_PAYABLE = new Set(["credit-card", "mortgage", "loan", "investment", "insurance"]);

const OWNERSHIP: Record<string, SharedAccount["ownership"]> = {
  ONE_PARTY: "one",
  TWO_PARTY: "two",
  MANY_PARTY: "many",
};

/** Converts an account; undefined for a card or a loan, and for one that belongs to no connection of the payee. */
export function toSharedAccount(account: BasiqAccount, connectionIds: ReadonlySet<string>, institutionName?: string) {
  const connectionId = account.connection;
  if (!connectionId || !connectionIds.has(connectionId)) return undefined;
  if (NOT_PAYABLE.has(account.class?.type ?? "")) return undefined;
  return {
    id: account.id,
    connectionId,
    ...toNumbers(account),
    accountHolder: present(account.accountHolder),
    status: statusOf(account.status),
    isOwned: account.isOwned ?? undefined,
    ownership: OWNERSHIP[account.accountOwnership ?? ""] ?? "unknown",
    institutionName,
  };
}

/** An undocumented value does not say whether the account is open or closed. */
function statusOf(status: string | null | undefined): SharedAccount["status"] {
  if (status === "unavailable") return "closed";
  return !status || status === "available" ? "available" : "unknown";
}

/** Converts an identity; undefined if it belongs to no connection of the payee. */
export function toSharedIdentity(identity: BasiqIdentity, connectionIds: ReadonlySet<string>) {
  const [onlyConnection, ...others] = connectionIds;
  const connectionId = identity.connectionID ?? (others.length === 0 ? onlyConnection : undefined);
  if (!connectionId || !connectionIds.has(connectionId)) return undefined;
  const parts = [identity.firstName, identity.middleName, identity.lastName].map(present).filter(Boolean);
  return {
    connectionId,
    fullName: present(identity.fullName) ?? present(parts.join(" ")),
    businessName: present(identity.organisation?.businessName),
    legalName: present(identity.organisation?.legalName),
    abn: parseAbn(identity.organisation?.abn ?? ""),
  };
}

/** Banks send blanks and empty strings for withheld names. */
function present(text: string | null | undefined): string | undefined {
  return text?.trim() || undefined;
}

/** Bank data by the payee's consent, from Basiq (api.basiq.io, version 3.0). */
export function createBasiqBankData(
  options: Reached & {
    /** Without a trailing slash, e.g. "https://au-api.basiq.io". */
    baseUrl: string;
    /** The consent pages, e.g. "https://consent.basiq.io/home". */
    consentUrl: string;
    /** As issued: base64 already. */
    apiKey: string;
    log?: Pick<Log, "warn">;
  },
): PayeeConsentBankData {
  const client = createBasiqClient(options);
  const institutions = createInstitutionNames(client, options);

  /** An answer about a different payee must never go unnoticed. */
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
    // The provider rejects an ABN without the business's name.
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
 * Whether the payee gave consents and none of them is still active: then their bank's data must not be read, even if
 * the job collected it. If the list cannot be read, this is false; the event of a withdrawal still reports one.
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
    // The answer for a user without consents.
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

/** The provider's names of institutions, by the ids in accounts. */
type InstitutionNames = { read(): Promise<ReadonlyMap<string, string>> };

/**
 * Names from the list of connectors (`GET /connectors`), cached in memory for a day, because banks rarely change their
 * names. If the call fails, there are no names: the check still compares accounts and holders, the failure is logged,
 * and the next check calls again.
 */
function createInstitutionNames(
  client: Pick<BasiqClient, "listLong">,
  { clock, log }: { clock: Clock; log?: Pick<Log, "warn"> },
): InstitutionNames {
  let kept: { names: ReadonlyMap<string, string>; until: number } | undefined;
  return {
    async read() {
      if (kept && clock.now() < kept.until) return kept.names;
      try {
        const connectors = await client.listLong("/connectors", connectorSchema);
        const named = connectors.flatMap(({ id, institution }) => {
          const name = institution?.name?.trim();
          return name ? [[id, name] as const] : [];
        });
        kept = { names: new Map(named), until: clock.now() + DAY_MS };
        return kept.names;
      } catch (error) {
        log?.warn("basiq.institutions_not_read", { error: String(error) });
        return new Map();
      }
    },
  };
}
