import { PUBLIC_HEADERS } from "~/kernel/public-headers";
import type { AppConfig, Services } from "~/services-and-actor";
import { readTheme } from "./cookies.server";

/**
 * A cache of public pages in memory, by path and colours, while this build runs. Only for visitors whose only cookie is
 * the chosen colours: visitors who may be signed in, or have a waiting message, get a fresh page that is not cached. A
 * page that contains its nonce is never cached, because no two answers may share one.
 */
type Copy = {
  keptAt: number;
  /** Encoded once. The platform compresses it. */
  body: Uint8Array<ArrayBuffer>;
  headers: Headers;
  /** The content security policy, split at the nonce, which differs in each answer. */
  policy: string[];
  etag: string;
};

type Scope = {
  request: Request;
  services: Services;
  requestId: string;
  nonce: string;
  readNotices: () => Promise<readonly string[]>;
};

const MAX_AGE_MS = 10 * 60_000; // The year is in the footer.
const MAX_COPIES = 128;
const ETAG_LENGTH = 32;
const POLICY = "Content-Security-Policy";
const REQUEST_ID = "X-Request-Id";
const PATH = /^\/[a-z0-9-]*(\/[a-z0-9-]+)?$/;
const ONLY_COLOURS = /^\s*(theme=[^;]*)?\s*$/;

/** Cached pages contain the notices of their time; when these change, pages are rendered again. */
type Kept = { notices: readonly string[]; byKey: Map<string, Copy> };
const copies = new WeakMap<AppConfig, Kept>();

/** A public page from the cache before anything is looked up; otherwise the answer of `draw`, which is cached. */
export async function answerFromCopy(scope: Scope, draw: () => Promise<Response>): Promise<Response> {
  const key = await keyOf(scope);
  if (key === undefined) return draw();
  const { clock } = scope.services;
  const kept = await copiesOf(scope);
  const before = kept.get(key);
  if (before && clock.now() - before.keptAt < MAX_AGE_MS) return toAnswer(before, scope);
  const drawn = await draw();
  if (scope.request.method !== "GET" || !mayBeKept(drawn)) return drawn;
  const copy = await toCopy(drawn, scope);
  if (copy && (kept.has(key) || kept.size < MAX_COPIES)) kept.set(key, copy);
  return copy ? toAnswer(copy, scope) : drawn;
}

async function copiesOf({ services, readNotices }: Scope): Promise<Map<string, Copy>> {
  const notices = await readNotices();
  const known = copies.get(services.config);
  if (known && known.notices.join("\n") === notices.join("\n")) return known.byKey;
  const kept = { notices, byKey: new Map<string, Copy>() };
  copies.set(services.config, kept);
  return kept.byKey;
}

/** Undefined for a request whose answer may depend on more than the path and the colours. */
async function keyOf({ request, services }: Scope): Promise<string | undefined> {
  const { method, url, headers } = request;
  const { appOrigin } = services.config;
  if ((method !== "GET" && method !== "HEAD") || !url.startsWith(appOrigin)) return undefined;
  const path = url.slice(appOrigin.length);
  if (!PATH.test(path)) return undefined;
  const cookies = headers.get("Cookie");
  if (cookies === null) return `system ${path}`;
  return ONLY_COLOURS.test(cookies) ? `${await readTheme(request)} ${path}` : undefined;
}

function mayBeKept({ status, headers }: Response): boolean {
  const isPublic = headers.get("Cache-Control") === PUBLIC_HEADERS["Cache-Control"];
  const isPage = headers.get("Content-Type")?.startsWith("text/html") === true;
  return status === 200 && isPublic && isPage && !headers.has("Set-Cookie");
}

async function toCopy(drawn: Response, { nonce, services }: Scope): Promise<Copy | undefined> {
  const html = await drawn.clone().text();
  const headers = new Headers(drawn.headers);
  const policy = headers.get(POLICY)?.split(nonce) ?? [];
  headers.delete(POLICY);
  if (html.includes(nonce) || [...headers.values()].some((value) => value.includes(nonce))) return undefined;
  const etag = `W/"${(await services.secrets.hashToken(html)).slice(0, ETAG_LENGTH)}"`;
  headers.set("ETag", etag);
  return { keptAt: services.clock.now(), body: new TextEncoder().encode(html), headers, policy, etag };
}

function toAnswer(copy: Copy, { nonce, request, requestId }: Scope): Response {
  const answer = answerOf(copy, request);
  if (copy.policy.length > 0) answer.headers.set(POLICY, copy.policy.join(nonce));
  answer.headers.set(REQUEST_ID, requestId);
  return answer;
}

function answerOf({ body, headers, etag }: Copy, request: Request): Response {
  const known = request.headers.get("If-None-Match")?.split(/,\s*/).includes(etag);
  if (known) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}
