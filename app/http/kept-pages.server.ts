import type { AppConfig } from "~/services";
import type { RequestScope } from "./context.server";
import { PUBLIC_HEADERS } from "./public-headers.server";
import { readTheme } from "./theme.server";

/**
 * Copies of public pages, kept in memory by path and colours while this build runs. Only for visitors who carry no cookie
 * but the colours they chose: a visitor who may be signed in, or has a message waiting, gets a page of their own and leaves no
 * copy. A page with a nonce in it is never kept: no two answers may share one.
 */
type Copy = { keptAt: number; html: string; headers: [string, string][]; etag: string };

type Scope = RequestScope & { request: Request };

const MAX_AGE_MS = 10 * 60_000; // The year is in the footer.
const MAX_COPIES = 128;
const ETAG_LENGTH = 32;
/** Stands in the policy of a copy where each answer has its own. */
const NONCE = "{nonce}";
const PATH = /^\/[a-z0-9-]*(\/[a-z0-9-]+)?$/;
const ONLY_COLOURS = /^\s*(theme=[^;]*)?\s*$/;

const copies = new WeakMap<AppConfig, Map<string, Copy>>();

/** A public page from memory, or drawn and then kept. */
export async function answerFromCopy(scope: Scope, draw: () => Promise<Response>): Promise<Response> {
  const key = await keyOf(scope.request);
  if (key === undefined) return draw();
  const { config, clock } = scope.services;
  const kept = copies.get(config) ?? new Map<string, Copy>();
  copies.set(config, kept);
  const before = kept.get(key);
  if (before && clock.now() - before.keptAt < MAX_AGE_MS) return toAnswer(before, scope);
  const drawn = await draw();
  if (scope.request.method !== "GET" || !mayBeKept(drawn)) return drawn;
  const copy = await toCopy(drawn, scope);
  if (copy && (kept.has(key) || kept.size < MAX_COPIES)) kept.set(key, copy);
  return copy ? toAnswer(copy, scope) : drawn;
}

/** Undefined for a request whose answer could be about more than the path and the colours. */
async function keyOf(request: Request): Promise<string | undefined> {
  const { pathname, search } = new URL(request.url);
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (!isReading || search !== "" || !PATH.test(pathname)) return undefined;
  if (!ONLY_COLOURS.test(request.headers.get("Cookie") ?? "")) return undefined;
  return `${await readTheme(request)} ${pathname}`;
}

function mayBeKept({ status, headers }: Response): boolean {
  const isPublic = headers.get("Cache-Control") === PUBLIC_HEADERS["Cache-Control"];
  const isPage = headers.get("Content-Type")?.startsWith("text/html") === true;
  return status === 200 && isPublic && isPage && !headers.has("Set-Cookie");
}

async function toCopy(drawn: Response, { nonce, services }: Scope): Promise<Copy | undefined> {
  const html = await drawn.clone().text();
  if (html.includes(nonce)) return undefined;
  const etag = `W/"${(await services.secrets.hashToken(html)).slice(0, ETAG_LENGTH)}"`;
  const headers = [...drawn.headers].map(([name, value]): [string, string] => [name, value.replaceAll(nonce, NONCE)]);
  return { keptAt: services.clock.now(), html, headers, etag };
}

function toAnswer(copy: Copy, { nonce, request }: Scope): Response {
  const headers = new Headers(
    copy.headers.map(([name, value]): [string, string] => [name, value.replaceAll(NONCE, nonce)]),
  );
  headers.set("ETag", copy.etag);
  const known = request.headers.get("If-None-Match")?.split(/,\s*/) ?? [];
  if (known.includes(copy.etag)) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : copy.html, { headers });
}
