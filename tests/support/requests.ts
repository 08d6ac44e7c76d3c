import { sessions } from "@db/database";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { startSession } from "~/http/session.server";
import { DAY_MS } from "~/kernel/dates";
import type { Actor, Services } from "~/services-and-actor";
import { bodyOf, type SentBody } from "./sent-body";

/** The `Cookie` header of a signed-in browser. */
export async function cookieOf(services: Services, actor: Actor): Promise<string> {
  const { db, ids, clock, secrets } = services;
  const token = ids.secret();
  const now = clock.now();
  const id = await secrets.hashToken(token);
  await db
    .insert(sessions)
    .values({ id, userId: actor.userId, createdAt: now, lastSeenAt: now, expiresAt: now + 7 * DAY_MS });
  return (await startSession(services, token)).split(";")[0] ?? "";
}

/** The arguments of a route's loader or action, for a request by a signed-in person or, with null, by a visitor. */
export async function routeArgs(
  services: Services,
  actor: Actor | null,
  path: string,
  params: Record<string, string> = {},
  init: SentBody & {
    method?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<LoaderFunctionArgs & ActionFunctionArgs> {
  const headers = new Headers(init.headers);
  if (actor) headers.set("Cookie", await cookieOf(services, actor));
  const body = bodyOf(init, headers);
  const method = init.method ?? (body === undefined ? "GET" : "POST");
  const request = new Request(`${services.config.appOrigin}${path}`, { method, headers, body });
  const origin = { ipAddress: "203.0.113.7", userAgent: "test", requestId: services.ids.next() };
  return { request, params, context: { services, origin, nonce: "nonce" } };
}
