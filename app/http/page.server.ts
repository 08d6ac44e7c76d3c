import { parseWithZod } from "@conform-to/zod/v4";
import { countHit } from "@db/rate-counter";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import type { FormAnswer } from "~/components/forms/form";
import { type Need, refusalOf } from "~/kernel/access";
import { findConnectable } from "~/kernel/accounting-system";
import { AppError, type FieldErrors, invalidInput, notFound } from "~/kernel/app-error";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { UserRole } from "~/kernel/enums";
import { NEVER_SHOWN_AGAIN, TYPIST_FIELD } from "~/kernel/form-fields";
import { isId } from "~/kernel/ids";
import { subscriberOf } from "~/kernel/ip-address";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { plainWords } from "~/kernel/plain-issues";
import { findVouchedSession } from "~/modules/accounts/single-sign-on/company-sign-in.server";
import { type Actor, formOwnerOf, type Person, type Services } from "~/services-and-actor";
import { MAX_BODY_BYTES, readForm, sizeText } from "./body.server";
import { findTokenHash, type RequestScope } from "./context.server";
import { flashCookie, readCookie } from "./cookies.server";
import {
  errorAnswer,
  errorHeaders,
  isDocumentPost,
  safeRedirectPath,
  toAppError,
  toPageError,
} from "./responses.server";
import { findPerson } from "./session.server";

/** What the routes of pages and API calls need: who may use them, limits, loaders and actions, and answers to forms. */

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
  if (!person) throw new AppError("SIGNED_OUT", "Sign in first.");
  return person;
}

/** A placeholder for an active person without an organisation: it owns no rows, so lists are empty and ids unknown. */
const NO_ORGANIZATION = { organizationId: "", organizationName: "" };

/** Returns the person if they may do this. @throws AppError 403 with the code for why not */
export function permit(person: Person, need: Need): Person {
  const refusal = refusalOf(person, need);
  if (refusal) throw new AppError(refusal.code, refusal.message);
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
    const message = "Your organisation requires a code or a passkey first: open the page of a payee in the browser.";
    throw new AppError("STEP_UP_REQUIRED", message);
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
export function systemParam({ accounting }: Pick<Services, "accounting">, params: Record<string, string | undefined>) {
  const system = findConnectable(params.system);
  if (!system || !accounting[system]) throw notFound();
  return system;
}

/** Limits per IP address. On a developer's machine `RATE_LIMIT_SCALE` multiplies them, not the limits per account. */
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
    throw new AppError("RATE_LIMITED", "Too many tries from your address. Please wait a moment and try again.", {
      retryAfterSeconds,
    });
  }
}

const flashSchema = z.object({
  tone: z.enum(["success", "error", "info"]),
  title: z.string().max(200),
  description: z.string().max(500).optional(),
  action: z.object({ label: z.string().max(60), href: z.string().startsWith("/").max(300) }).optional(),
});

/** A message shown once, on the next page. */
export type Flash = z.infer<typeof flashSchema>;

type Config = Pick<Services, "config">;

const cookieOf = ({ config }: Config) => flashCookie(config.appOrigin, config.cookieSecrets);

/** The `Set-Cookie` for a message on the next page; long texts are shortened. */
export function setFlash(services: Config, flash: Flash): Promise<string> {
  const { description } = flash;
  return cookieOf(services).serialize({ ...flash, description: description?.slice(0, 500) });
}

/** The message for this page, and the `Set-Cookie` that deletes it. */
export async function takeFlash(services: Config, request: Request): Promise<{ flash: Flash; clear: string } | null> {
  const value = await readCookie<unknown>(cookieOf(services), request);
  const flash = flashSchema.safeParse(value);
  if (!flash.success) return null;
  return { flash: flash.data, clear: await cookieOf(services).serialize("", { maxAge: 0 }) };
}

export type PageArgs = RequestScope & { request: Request; url: URL; params: Record<string, string | undefined> };

/**
 * Wraps a page's loader or action: errors reach the nearest error boundary with a known status and sentence. A page
 * that shows a refused post says so in its title.
 *
 * The compiler ships a loader to the browser unless the call is marked pure, hence the mark at every use.
 *
 * @example export const loader = /* @__PURE__ *\/ page(async ({ services, request, params }) => { ... });
 */
export function page<T>(run: (args: PageArgs) => Promise<T>) {
  return async ({ request, context, params }: LoaderFunctionArgs | ActionFunctionArgs): Promise<T> => {
    const { services, origin, nonce } = context;
    try {
      const answer = await run({ services, origin, nonce, request, url: new URL(request.url), params });
      if (request.method !== "GET" && isRefusal(answer)) setResponseState({ origin }, { hasErrors: true });
      return answer;
    } catch (error) {
      throw toPageError(error, services.log, origin.requestId);
    }
  };
}

/** True if an action's answer has an error status. */
function isRefusal(answer: unknown): boolean {
  const { init } = { ...(answer as { init?: ResponseInit | null } | null) };
  return (init?.status ?? 200) >= 400;
}

/** The same for a path that has no page, such as a file: without a boundary, an error is answered directly. */
export function withoutPage(run: (args: PageArgs) => Promise<Response>) {
  return async ({ request, context, params }: ActionFunctionArgs): Promise<Response> => {
    const { services, origin, nonce } = context;
    try {
      return await run({ services, origin, nonce, request, url: new URL(request.url), params });
    } catch (error) {
      return error instanceof Response ? error : errorAnswer(toAppError(error, services.log), origin.requestId);
    }
  };
}

/**
 * What an action tells the loaders of the same response. Without JavaScript a post is answered with a page, and its
 * action and loaders share only the request's origin object, which is therefore the key.
 */
type ResponseState = {
  flash?: Flash;
  /** The post was refused, so the page's title begins with "Error: ". */
  hasErrors?: true;
};
const states = new WeakMap<RequestScope["origin"], ResponseState>();

export function setResponseState(scope: Pick<RequestScope, "origin">, state: ResponseState): void {
  states.set(scope.origin, { ...states.get(scope.origin), ...state });
}

/** The state that the action set; empty when there is none. */
export function readResponseState(scope: Pick<RequestScope, "origin">): ResponseState {
  return states.get(scope.origin) ?? {};
}

/** Where an accepted form leads, and the message on the next page. */
export type Accepted = {
  /** A path of ours. */
  to: string;
  flash?: Flash;
  headers?: HeadersInit;
  /** With scripts the page stays and receives this; without, the browser goes to `to`. */
  stay?: Record<string, unknown>;
};

/** The form again with what was typed, and the next step; nothing is wrong. */
export type NextStep = { next: Record<string, unknown>; headers?: HeadersInit };

/** The extra bytes that a form adds around a file. */
const FORM_AROUND_FILE_BYTES = MAX_BODY_BYTES;

type Options = {
  /** The size limit of the largest file, if a form has one. */
  fileBytes?: number;
  /** The sentence about a form that is larger, if it may have several files. */
  tooLarge?: string;
  /** The title above the errors of a refused form. */
  title?: string | ((form: FormData) => string);
  /** Rewords the error for this form, e.g. a different sentence for a code. */
  describe?: (error: AppError, form: FormData) => AppError | Promise<AppError>;
};

/**
 * The only way to answer a page's form: reads the form, runs the command, then redirects to the next page with its
 * message, or shows the form again with what was typed and sentences about what is wrong. A missing row is the page's
 * 404.
 *
 * @example export const action = /* @__PURE__ *\/ page(async (scope) => {
 *   const actor = await pageWriter(scope);
 *   return formAction(scope, async (form) => {
 *     const details = parseForm(form, detailsSchema);
 *     await changeDetails(scope.services, actor, details);
 *     return { to: settingsPath(), flash: { tone: "success", title: "Details saved" } };
 *   });
 * });
 */
export async function formAction(
  scope: PageArgs,
  run: (form: FormData) => Promise<Accepted | NextStep | Response>,
  options: Options = {},
) {
  const { services, request } = scope;
  const { fileBytes } = options;
  const maxBytes = fileBytes === undefined ? undefined : fileBytes + FORM_AROUND_FILE_BYTES;
  const reading = readForm(request, maxBytes);
  const form = await reading.catch((error) => asTooLarge(error, options));
  if (form instanceof AppError) return data(tooLargeAnswer(form, options), { status: form.status });
  try {
    await requireTypist(scope, form);
    const accepted = await run(form);
    if (accepted instanceof Response) return accepted;
    if ("next" in accepted) {
      const { next, headers } = accepted;
      return data(toFormAnswer(form, { code: "NEXT_STEP", extra: next }, ""), { headers });
    }
    return await answerAccepted(scope, accepted);
  } catch (error) {
    if (error instanceof Response) throw error;
    const refused = toAppError(error, services.log);
    if (refused.status === 404) throw refused;
    const described = options.describe ? await options.describe(refused, form) : refused;
    const title = typeof options.title === "function" ? options.title(form) : options.title;
    const answer = toFormAnswer(form, described, title ?? "There is a problem");
    return data(answer, { status: described.status, headers: errorHeaders(described) });
  }
}

/**
 * Requires that the form belongs to the signed-in person, because somebody else may have signed in with this browser
 * meanwhile. They do not see what was typed; the same person in a different organisation does, and is asked where it
 * belongs.
 * @throws AppError 409 CHANGED_MEANWHILE
 */
async function requireTypist(scope: PageArgs, form: FormData): Promise<void> {
  const typist = form.get(TYPIST_FIELD);
  form.delete(TYPIST_FIELD);
  const person = typist === null ? null : await findPerson(scope);
  if (!person || typist === formOwnerOf(person)) return;
  if (String(typist).split(".")[0] === formOwnerOf(person).split(".")[0]) {
    const now = `You are now working in ${person.organizationName ?? "no organisation"}`;
    const message = `You opened this form in another organisation. ${now}, so this was not saved: switch back first, or send it again if it belongs here.`;
    throw new AppError("CHANGED_MEANWHILE", message);
  }
  const description = "That form was filled in by somebody else, who was logged in here before you.";
  const flash = await setFlash(scope.services, { tone: "error", title: "Nothing was saved", description });
  throw redirect(appPaths.dashboard, { status: 303, headers: { "Set-Cookie": flash } });
}

/** Reports a too large file in the form. A form without a file that is this large was not written by a person. */
function asTooLarge(error: unknown, { fileBytes, tooLarge }: Options): AppError {
  if (!(error instanceof AppError) || error.code !== "TOO_LARGE" || fileBytes === undefined) throw error;
  return new AppError("TOO_LARGE", tooLarge ?? `The file is larger than ${sizeText(fileBytes)}.`);
}

/** The other fields were lost with the file, so the form comes back empty. */
function tooLargeAnswer(error: AppError, { title }: Options): FormAnswer {
  return toFormAnswer(new FormData(), error, typeof title === "string" ? title : "There is a problem");
}

async function answerAccepted({ services, request }: PageArgs, { to, flash, headers, stay }: Accepted) {
  const all = new Headers(headers);
  if (flash) all.append("Set-Cookie", await setFlash(services, flash));
  if (stay && !isDocumentPost(request)) return data(stay, { headers: all });
  return redirect(to, { status: 303, headers: all });
}

/**
 * Parses the fields of a form.
 * @throws AppError 400 INVALID_INPUT with the sentences beside their fields
 */
export function parseForm<T>(form: FormData, schema: z.ZodType<T>): T {
  const submission = parseWithZod(form, { schema, error: plainWords });
  if (submission.status === "success") return submission.value;
  const errors: FieldErrors = {};
  for (const [field, messages] of Object.entries(submission.error ?? {})) if (messages) errors[field] = messages;
  throw invalidInput(errors);
}

/** For `describe`: keeps every value of a field that has several, such as ticked boxes, for the form shown again. */
export const keepingAll =
  (name: string) =>
  (error: AppError, form: FormData): AppError => {
    const { code, status, message, fieldErrors, retryAfterSeconds, extra } = error;
    const kept = form.getAll(name).filter((value) => typeof value === "string");
    return new AppError(code, message, { status, fieldErrors, retryAfterSeconds, extra: { ...extra, [name]: kept } });
  };

/** For `describe`: an error of ours (5xx) in the words of the form. */
export const reword = (error: AppError, sentence: string): AppError =>
  error.status < 500 ? error : new AppError(error.code, sentence, { retryAfterSeconds: error.retryAfterSeconds });

/** The form again: every typed value except secrets, and the sentences beside their fields. */
function toFormAnswer(
  form: FormData,
  answered: { code: FormAnswer["code"]; message?: string; fieldErrors?: FieldErrors; extra?: Record<string, unknown> },
  title: string,
): FormAnswer {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === "string" && !NEVER_SHOWN_AGAIN.test(name)) values[name] = value;
  }
  const intent = form.get("intent");
  return {
    intent: typeof intent === "string" ? intent : "",
    code: answered.code,
    // A form that only lacks a passkey looks like a next step.
    title: answered.code === "PASSKEY_REQUIRED" && answered.extra?.approval ? "One more step: your passkey" : title,
    errors: byField(answered.fieldErrors ?? {}),
    formErrors: answered.fieldErrors || !answered.message ? [] : [answered.message],
    values,
    extra: answered.extra,
  };
}

/** Merges sentences by form field: `id[0]` and `scopes.1` are items of one field; repeated ones appear once. */
function byField(errors: FieldErrors): FieldErrors {
  const fields: FieldErrors = {};
  for (const [name, sentences] of Object.entries(errors)) {
    const field = name.replace(/(\[\d+\]|\.\d+)$/, "");
    fields[field] = [...new Set([...(fields[field] ?? []), ...sentences])];
  }
  return fields;
}

const OVER: readonly string[] = ["ALREADY_CONFIRMED", "LINK_EXPIRED", "LINK_USED"];

/**
 * Runs the form of a one-time link. If the link was used or expired after the page was opened, redirects to its page,
 * which shows the present state.
 * @param over the error codes for that
 */
export async function orShowLinkState<Done extends Accepted | Response>(
  scope: PageArgs,
  run: () => Promise<Done>,
  over: readonly string[] = OVER,
): Promise<Done | Accepted> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && over.includes(error.code)) return { to: scope.url.pathname };
    throw error;
  }
}
