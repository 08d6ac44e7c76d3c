import * as z from "zod";
import { createHttpClient, type HttpClient, type OutboundCall, type Reached } from "~/adapters/http-client";
import { UpstreamError } from "~/kernel/app-error";
import type { Clock } from "~/services-and-actor";

/*
 * The parts of the provider's answers that we rely on (api.basiq.io/reference, version 3.0; its published examples
 * are in tests/conformance/basiq). Strict about what decides: ids, names, numbers, statuses. Lenient about the
 * rest: an unknown field, or a missing `type`, `count` or `links`, is not an error, because some of its lists omit
 * them. Enumerations are read as strings, so that a new value does not break a check.
 */

const text = z.string().nullish();
/** An address that is only used if it is valid. */
const address = z.string().optional().catch(undefined);

/** The `links` of an object. The list of events documents them as an array with one element. */
const links = z
  .preprocess(
    (value) => (Array.isArray(value) ? value[0] : value),
    z.object({ self: address, source: address }).nullish(),
  )
  .catch(undefined);

/** A reference to another object: its id, or an object with an id. */
const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export const userSchema = z.object({ id: z.string().min(1), links });

const jobStepSchema = z.object({
  title: text,
  status: z.string(),
  result: z.object({ code: text, url: text }).nullish(),
});

/** Timestamps have one of two names. */
export const jobSchema = z.object({
  id: z.string().min(1),
  created: text,
  createdDate: text,
  updated: text,
  updatedDate: text,
  steps: z.array(jobStepSchema).nullish(),
  links,
});

export const connectionSchema = z.object({ id: z.string().min(1), userId: text, links });

export const accountSchema = z.object({
  id: z.string().min(1),
  accountNo: text,
  bsb: text,
  unmaskedAccNum: text,
  maskedNumber: text,
  accountHolder: text,
  accountOwnership: text,
  isOwned: z.boolean().nullish(),
  class: z.preprocess(
    (value) => (typeof value === "string" ? { type: value } : value),
    z.object({ type: text }).nullish(),
  ),
  status: text,
  connection: reference,
  institution: reference,
  userId: text,
  links,
});

/** A bank that the provider connects to; an account names it by this id. */
export const connectorSchema = z.object({ id: z.string().min(1), institution: z.object({ name: text }).nullish() });

export const identitySchema = z.object({
  fullName: text,
  firstName: text,
  middleName: text,
  lastName: text,
  organisation: z.object({ businessName: text, legalName: text, abn: text }).nullish(),
  connectionID: text,
  userId: text,
  links,
});

/** `status` is active, revoked or expired. */
export const consentSchema = z.object({ id: z.string().min(1), status: z.string(), userId: text, links });

const listLinks = z.object({ self: address, next: text }).nullish();
const withEnvelope = (value: unknown) => (Array.isArray(value) ? { data: value } : value);

/** A page of a list. `links.next` decides whether the list goes on, so it must be an address if it is present. */
const listSchema = <T>(item: z.ZodType<T>) =>
  z.preprocess(withEnvelope, z.object({ data: z.array(item), links: listLinks }));

/** The same for a list on which nothing depends, e.g. events: without data it is empty. */
const looseListSchema = <T>(item: z.ZodType<T>) =>
  z.preprocess(withEnvelope, z.object({ data: z.array(item).nullish(), links: listLinks }));

/**
 * Something that happened to a user: `entity` says to what ("consent"), `eventType` what ("revoked"). Webhooks join the
 * two as "consent.revoked", and so do we.
 */
export const eventSchema = z
  .object({
    id: text,
    entity: text,
    eventType: z.string().min(1),
    userId: z.string().min(1),
    createdDate: text,
    createdTime: text,
    dataRef: address,
    links,
  })
  .refine(({ entity, eventType }) => Boolean(entity) || eventType.includes("."), "an event without its entity")
  .transform(({ entity, eventType, createdDate, createdTime, ...event }) => ({
    ...event,
    eventType: entity && !eventType.includes(".") ? `${entity}.${eventType}` : eventType,
    createdAt: Date.parse(createdDate ?? createdTime ?? ""),
  }));

export type BasiqEvent = z.infer<typeof eventSchema>;

const errorItem = z.object({ code: text, detail: text, title: text, message: text });

/** `{type: "list", correlationId, data: [{code, title, detail}]}`; a gateway in front of it has errors of its own. */
const errorSchema = z.object({ correlationId: text, data: z.array(errorItem).nullish() }).and(errorItem);

export type BasiqJob = z.infer<typeof jobSchema>;
export type BasiqAccount = z.infer<typeof accountSchema>;
export type BasiqIdentity = z.infer<typeof identitySchema>;

/** Tokens are valid for an hour; the provider advises renewing them after half of that. */
const RENEW_AFTER_MS = 30 * 60 * 1000;
const BASIQ_VERSION = "3.0";

interface BasiqTokens {
  /** Our server's token, cached in memory until it is half an hour old. */
  serverToken(): Promise<string>;
  /** Drops `token` from the cache, if it is still the cached one. */
  forget(token: string): void;
  /** A token with which one payee uses the consent pages. Never cached. */
  clientToken(providerUserId: string): Promise<string>;
}

/** Gets access tokens with the API key (POST /token). `apiKey` is sent as it was issued: it is already base64. */
function createBasiqTokens(options: {
  client: HttpClient;
  clock: Clock;
  baseUrl: string;
  apiKey: string;
}): BasiqTokens {
  const { client, clock } = options;
  let kept: { token: string; renewAt: number } | undefined;
  let underway: Promise<string> | undefined;

  function requestToken(form: Record<string, string>) {
    return client.callJson(
      {
        method: "POST",
        url: `${options.baseUrl}/token`,
        headers: {
          authorization: `Basic ${options.apiKey}`,
          "basiq-version": BASIQ_VERSION,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams(form).toString(),
      },
      tokenSchema,
    );
  }

  async function renew(): Promise<string> {
    const askedAt = clock.now();
    const { access_token, expires_in } = await requestToken({ scope: "SERVER_ACCESS" });
    kept = { token: access_token, renewAt: askedAt + Math.min(RENEW_AFTER_MS, (expires_in * 1000) / 2) };
    return access_token;
  }

  return {
    async serverToken() {
      if (kept && clock.now() < kept.renewAt) return kept.token;
      underway ??= renew().finally(() => {
        underway = undefined;
      });
      return underway;
    },
    forget(token) {
      if (kept?.token === token) kept = undefined;
    },
    async clientToken(providerUserId) {
      const { access_token } = await requestToken({ scope: "CLIENT_ACCESS", userId: providerUserId });
      return access_token;
    },
  };
}

/** Pages of 500, which is more than the events of a day. */
const MAX_LONG_PAGES = 40;

/** A payee has a handful of accounts; a list that goes on beyond this is not an answer we can trust. */
const MAX_PAGES = 20;

/** A page of 500 events, or of all banks with their descriptions, is longer than other parties' answers. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

type BasiqClientOptions = Reached & { baseUrl: string; apiKey: string };

export interface BasiqClient {
  readonly tokens: BasiqTokens;
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  post<T>(path: string, body: unknown, schema: z.ZodType<T>, headers?: Record<string, string>): Promise<T>;
  delete(path: string): Promise<void>;
  /** Every item of a list under /users/{id}, over all its pages, each page and item checked to be that user's. */
  listOfUser<T extends Owned>(providerUserId: string, resource: string, item: z.ZodType<T>): Promise<T[]>;
  /** Yields a list that belongs to no user, page by page, until `isOver` or the maximum number of pages. */
  listLong<T>(path: string, item: z.ZodType<T>, isOver?: (page: readonly T[]) => boolean): Promise<T[]>;
}

export function userPath(providerUserId: string, resource?: string): string {
  const user = `/users/${encodeURIComponent(providerUserId)}`;
  return resource ? `${user}/${resource}` : user;
}

/** Calls the provider with our server's token, renewing the token once if it was refused as expired. */
export function createBasiqClient(options: BasiqClientOptions): BasiqClient {
  const { baseUrl, clock, apiKey } = options;
  const http = createBasiqHttp(options);
  const tokens = createBasiqTokens({ client: http, clock, baseUrl, apiKey });

  async function withToken<T>(call: OutboundCall, run: (call: OutboundCall) => Promise<T>): Promise<T> {
    const attempt = (token: string) => run({ ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } });
    const token = await tokens.serverToken();
    try {
      return await attempt(token);
    } catch (error) {
      if (!isTokenRefusal(error)) throw error;
      tokens.forget(token);
      return attempt(await tokens.serverToken());
    }
  }

  const get: Get = (url, schema) => withToken({ method: "GET", url }, (call) => http.callJson(call, schema));
  return {
    tokens,
    get: (path, schema) => get(baseUrl + path, schema),
    post: (path, body, schema, headers) =>
      withToken(
        {
          method: "POST",
          url: baseUrl + path,
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        },
        (call) => http.callJson(call, schema),
      ),
    delete: (path) => withToken({ method: "DELETE", url: baseUrl + path }, (call) => http.callWithoutAnswer(call)),
    listOfUser: (providerUserId, resource, item) => listOfUser(get, baseUrl, { providerUserId, resource, item }),
    listLong: (path, item, isOver = () => false) => listLong(get, baseUrl + path, item, isOver),
  };
}

/** Reads one answer from a complete URL. */
type Get = <T>(url: string, schema: z.ZodType<T>) => Promise<T>;

function createBasiqHttp({ baseUrl, fetch, clock, timeoutMs }: BasiqClientOptions): HttpClient {
  return createHttpClient({
    party: "basiq",
    fetch,
    clock,
    timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    describeError: (body) => {
      const error = errorSchema.safeParse(body).data;
      const first = error?.data?.[0] ?? error;
      const correlation = error?.correlationId ? `(correlation ${error.correlationId})` : "";
      return {
        code: first?.code ?? undefined,
        detail: [first?.detail ?? first?.title ?? first?.message, correlation].filter(Boolean).join(" "),
      };
    },
    classify: ({ status, url }) => {
      // 403 is about our key, our plan or our rate (api.basiq.io, API rate limiting), and POST /token answers 404 for
      // an unknown key. Both are ours to fix or wait out, and say nothing about the payee.
      return status === 403 || (status === 404 && url === `${baseUrl}/token`) ? "unavailable" : undefined;
    },
  });
}

type UserList<T> = { providerUserId: string; resource: string; item: z.ZodType<T> };

async function listOfUser<T extends Owned>(get: Get, baseUrl: string, { providerUserId, resource, item }: UserList<T>) {
  const own = baseUrl + userPath(providerUserId, resource);
  const schema = listSchema(item);
  const items = [];
  let url: string | undefined = own;
  for (let page = 0; page < MAX_PAGES && url; page++) {
    const { data, links }: z.infer<typeof schema> = await get(url, schema);
    for (const part of [{ links }, ...data]) assertBelongsTo(providerUserId, part);
    items.push(...data);
    url = nextPage(links?.next, url, own);
  }
  if (url) throw new UpstreamError("basiq", "malformed", `the list of ${resource} has more than ${MAX_PAGES} pages`);
  return items;
}

async function listLong<T>(get: Get, list: string, item: z.ZodType<T>, isOver: (page: readonly T[]) => boolean) {
  const schema = looseListSchema(item);
  const items = [];
  let url: string | undefined = list;
  for (let page = 0; page < MAX_LONG_PAGES && url; page++) {
    const answer: z.infer<typeof schema> = await get(url, schema);
    const data: readonly T[] = answer.data ?? [];
    items.push(...data);
    url = isOver(data) ? undefined : nextPage(answer.links?.next, url, list);
  }
  return items;
}

/** The token is sent along, so the next page must be of the same list. */
function nextPage(next: string | null | undefined, current: string, list: string): string | undefined {
  if (!next) return undefined;
  const url = URL.canParse(next, current) ? new URL(next, current).toString() : "";
  if (url.split("?")[0] !== list) throw new UpstreamError("basiq", "malformed", "links.next leads out of the list");
  return url;
}

function isTokenRefusal(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false;
  const { httpStatus } = error.options;
  return httpStatus === 401 || (httpStatus === 403 && /token has expired/i.test(error.message ?? ""));
}

type Link = string | null | undefined;
type Owned = { userId?: string | null; links?: { self?: Link; source?: Link; next?: Link } | null };

const USER_IN_LINK = /\/users\/([^/?#]+)/;

/**
 * Throws `wrong_tenant` when an answer names another provider user than the one asked about.
 *
 * Links that name no user (a job's own address) prove nothing and are skipped.
 */
export function assertBelongsTo(providerUserId: string, answer: Owned, ...otherLinks: Link[]): void {
  const links = [answer.links?.self, answer.links?.source, answer.links?.next, ...otherLinks];
  const named = [answer.userId, ...links.map((link) => userOfLink(link))];
  if (named.some((userId) => userId && userId !== providerUserId)) throw wrongTenant();
}

/** The user that a link of the provider belongs to, e.g. "ea3a81" for ".../users/ea3a81/accounts". */
function userOfLink(link: Link): string | undefined {
  const found = link ? USER_IN_LINK.exec(link)?.[1] : undefined;
  return found === undefined ? undefined : safeDecode(found);
}

export function wrongTenant(): UpstreamError {
  return new UpstreamError("basiq", "wrong_tenant", "the answer is about another record than the one asked for");
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
