import { countHit } from "@db/rate-counter";
import { redirect } from "@remix-run/cloudflare";
import { type Need, refusalOf } from "~/kernel/access";
import { type ConnectableSystem, findConnectable } from "~/kernel/accounting-system";
import type { Actor, Person } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { UserRole } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { subscriberOf } from "~/kernel/ip-address";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { findVouchedSession } from "~/modules/accounts/single-sign-on/company-sign-in.server";
import type { Services } from "~/services";
import { findTokenHash, type RequestScope } from "./context.server";
import { isDocumentPost, safeRedirectPath } from "./responses.server";
import { findPerson } from "./session.server";

type Scope = RequestScope & { request: Request };

/** Guards a page: signed-out people go to /auth and return to where they were (only to our own paths). */
export async function requirePerson(scope: Scope): Promise<Person> {
  const person = await findPerson(scope);
  if (person) return person;
  if (scope.request.method !== "GET") throw keptForm(scope.request, "signed_out");
  const { pathname, search } = new URL(scope.request.url);
  const next = safeRedirectPath(pathname + search);
  if (await hasLapsed(scope)) throw redirect(withQuery(sitePaths.companyRenew, { next }));
  throw redirect(withQuery(sitePaths.signIn, { next: pathname === appPaths.dashboard ? undefined : next }));
}

/**
 * Redirects a form that could not be processed, with its fields, to a page that keeps them (307: the browser posts it
 * again there). With scripts, the form stays on its own page, which recognises the reason by this address
 * (`keepWhatWasTyped`).
 */
function keptForm(request: Request, why: "signed_out" | "step_up"): Response {
  const { pathname, search } = new URL(request.url);
  const to = withQuery(sitePaths.keptForm, { to: safeRedirectPath(pathname + search), why });
  return redirect(to, { status: isDocumentPost(request) ? 307 : 302 });
}

/** True if the provider's sign-in for this session has expired and may be renewed. */
async function hasLapsed(scope: Scope): Promise<boolean> {
  const sessionId = await findTokenHash(scope);
  return Boolean(sessionId && (await findVouchedSession(scope.services, scope.origin, sessionId)));
}

/** Guards an API call: signed-out people get 401. */
export async function requireApiPerson(scope: Scope): Promise<Person> {
  const person = await findPerson(scope);
  if (!person) throw new AppError("SIGNED_OUT", 401, "Sign in first.");
  return person;
}

/** A placeholder for an active person without an organisation: it owns no rows, so lists are empty and ids unknown. */
const NO_ORGANIZATION = { organizationId: "", organizationName: "" };

/** Returns the person if they may do this. @throws AppError 403 with the code for why not */
export function permit(person: Person, need: Need): Person {
  const refusal = refusalOf(person, need);
  if (refusal) throw new AppError(refusal.code, 403, refusal.message);
  return person;
}

function asActor(person: Person): Actor {
  const { organizationId, organizationName } = person;
  if (organizationId === null || organizationName === null) return { ...person, ...NO_ORGANIZATION };
  return { ...person, organizationId, organizationName };
}

/**
 * The person as someone who may view their organisation's data.
 * @throws AppError 403 ACCOUNT_PENDING, ACCOUNT_REJECTED, ORGANIZATION_SUSPENDED
 */
export const asMember = (person: Person): Actor => asActor(permit(person, "look"));

/** The member as someone who may change things. @throws AppError 403 ORGANIZATION_REQUIRED, READ_ONLY */
const asWriter = (person: Person): Actor => asActor(permit(person, "change"));

/** The member as someone who administers the organisation. @throws AppError 403 ADMIN_REQUIRED */
export const asAdmin = (person: Person): Actor => asActor(permit(person, "administer"));

/**
 * Guards a page for certain roles: others go to the dashboard. People who are not approved yet pass, whatever their
 * role (specification, section 2, route guard); the page frame tells them why they see nothing.
 */
export async function requireRole(scope: Scope, roles: readonly UserRole[]): Promise<Person> {
  const person = await requirePerson(scope);
  const isWaiting = person.status === "pending" || person.status === "rejected";
  if (!isWaiting && !roles.includes(person.role)) throw redirect(appPaths.dashboard);
  return person;
}

/** Short guards for pages and API calls. */
export const pageMember = async (scope: Scope): Promise<Actor> => asMember(await requirePerson(scope));
export const pageWriter = async (scope: Scope): Promise<Actor> => asWriter(await requirePerson(scope));
export const pageAdmin = async (scope: Scope): Promise<Actor> => asAdmin(await requirePerson(scope));
export const apiMember = async (scope: Scope): Promise<Actor> => asMember(await requireApiPerson(scope));
export const apiAdmin = async (scope: Scope): Promise<Actor> => asAdmin(await requireApiPerson(scope));
export const apiWriter = async (scope: Scope): Promise<Actor> => asWriter(await requireApiPerson(scope));

/**
 * Requires a recent second step if the organisation asks for one before showing full bank details. Others are led to
 * that step and back: for a file, to the page that offered it.
 * @throws AppError 403 STEP_UP_REQUIRED for a program that uses a session
 */
export function withStepUp({ services, request }: Scope, actor: Actor, gives: "page" | "file" | "answer"): Actor {
  const { stepUpMinutes, provenAt = 0 } = actor;
  if (stepUpMinutes === undefined || services.clock.now() < provenAt + stepUpMinutes * MINUTE_MS) return actor;
  if (gives === "answer" && !request.headers.get("Accept")?.includes("text/html")) {
    const message = "Your organisation asks for a code or a passkey first: open the page of a payee in the browser.";
    throw new AppError("STEP_UP_REQUIRED", 403, message);
  }
  if (request.method !== "GET") throw keptForm(request, "step_up");
  const { pathname, search, origin } = new URL(request.url);
  const referer = request.headers.get("Referer") ?? "";
  const before = URL.canParse(referer) ? new URL(referer) : undefined;
  const from = before?.origin === origin ? before.pathname + before.search : appPaths.dashboard;
  throw redirect(withQuery(sitePaths.stepUp, { next: safeRedirectPath(gives === "page" ? pathname + search : from) }));
}

/** An id in a path; a malformed one is treated as missing. */
export function idParam(params: Record<string, string | undefined>, name = "id"): string {
  const value = params[name];
  if (value === undefined || !isId(value)) throw notFound();
  return value;
}

/** The accounting system in a path. @throws AppError 404 for a system that is not configured here */
export function systemParam(
  { accounting }: Pick<Services, "accounting">,
  params: Record<string, string | undefined>,
): ConnectableSystem {
  const system = findConnectable(params.system);
  if (!system || !accounting[system]) throw notFound();
  return system;
}

/**
 * Limits per IP address. On a developer's machine `RATE_LIMIT_SCALE` multiplies them, but not the limits per account.
 */
export const ADDRESS_LIMITS = {
  "sign-in": { limit: 20, windowMs: MINUTE_MS },
  "passkey-options": { limit: 60, windowMs: MINUTE_MS },
  registration: { limit: 10, windowMs: HOUR_MS },
  "password-reset": { limit: 10, windowMs: HOUR_MS },
  contact: { limit: 5, windowMs: HOUR_MS },
  "organization-lookup": { limit: 60, windowMs: MINUTE_MS },
  certificate: { limit: 30, windowMs: MINUTE_MS },
  "verify-link": { limit: 60, windowMs: MINUTE_MS },
  "name-match": { limit: 120, windowMs: MINUTE_MS },
} as const;

/**
 * Counts this request towards its address's limit: the /64 network for IPv6. Without an address (a developer's
 * machine), all requests share one limit.
 * @throws AppError 429 RATE_LIMITED with Retry-After
 */
export async function limitByAddress(scope: RequestScope, name: keyof typeof ADDRESS_LIMITS): Promise<void> {
  const { db, clock, config } = scope.services;
  const { limit, windowMs } = ADDRESS_LIMITS[name];
  const now = clock.now();
  const { ipAddress } = scope.origin;
  const subscriber = ipAddress === null ? "local" : subscriberOf(ipAddress);
  const { count, windowEndsAt } = await countHit(db, `${name}:${subscriber}`, windowMs, now);
  if (count > limit * config.rateLimitScale) {
    const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
    throw new AppError("RATE_LIMITED", 429, "Too many tries from your address. Please wait a moment and try again.", {
      retryAfterSeconds,
    });
  }
}
