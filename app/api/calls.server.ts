import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { ADDRESS_LIMITS } from "~/http/page.server";
import { api, errorAnswer } from "~/http/responses.server";
import { notFound } from "~/kernel/app-error";
import { API_SCOPES } from "~/modules/accounts/identity/api-token";
import type { AppConfig } from "~/services-and-actor";
import { ACCOUNT_CALLS, ALERT_CALLS, BILLING_CALLS } from "./account.server";
import { AUDIT_CALLS } from "./audit.server";
import { BULK_CHECK_CALLS } from "./bulk-checks.server";
import { CONNECTION_CALLS } from "./connections.server";
import { type Endpoint, endpoint, text } from "./endpoint.server";
import { IMPORT_CALLS } from "./imports.server";
import { INVOICE_CALLS } from "./invoices.server";
import { OPEN_CALLS } from "./open.server";
import { describeApi } from "./openapi.server";
import { PAYEE_REQUEST_CALLS } from "./payee-requests.server";
import { PAYEE_CALLS } from "./payees.server";
import { FILE_CALLS } from "./payment-files.server";
import { PAYMENT_CALLS } from "./payments.server";
import { VERIFICATION_CALLS } from "./verifications.server";

const READ_DOCUMENT = endpoint({
  id: "readDocument",
  group: "open",
  at: "GET /api/openapi.json",
  by: "anyone",
  title: "This document",
  text: "As OpenAPI 3.1, for programs that generate clients.",
  answers: { 200: { text: "The document.", schema: z.looseObject({ openapi: text("3.1.1") }) } },
  examples: [{ title: "The document", status: 200 }],
  run: async ({ services }) => describeApi(apiSurroundings(services.config)),
});

/** Every API call, in the order of the documentation. */
export const CALLS: readonly Endpoint[] = [
  ...PAYEE_CALLS,
  ...PAYEE_REQUEST_CALLS,
  ...VERIFICATION_CALLS,
  ...BULK_CHECK_CALLS,
  ...PAYMENT_CALLS,
  ...FILE_CALLS,
  ...INVOICE_CALLS,
  ...IMPORT_CALLS,
  ...CONNECTION_CALLS,
  ...AUDIT_CALLS,
  ...ACCOUNT_CALLS,
  ...ALERT_CALLS,
  ...BILLING_CALLS,
  READ_DOCUMENT,
  ...OPEN_CALLS,
];

/** Input for the API document: the calls, and the sign-in rules and limits that are enforced. */
export const apiSurroundings = ({ appOrigin }: Pick<AppConfig, "appOrigin">) => ({
  origin: appOrigin,
  calls: CALLS,
  facts: { scopes: API_SCOPES, limits: ADDRESS_LIMITS },
});

/** The loader and action for a path: each method's call, and 405 for other methods. */
export const routeOf = (path: string) =>
  api(Object.fromEntries(CALLS.filter((call) => call.path === path).map(({ method, handle }) => [method, handle])));

const isParameter = (part: string) => part.startsWith("{");
const parametersIn = (parts: readonly string[]) => parts.filter(isParameter).length;

/** Every path split into segments; if two match, the one with more literal segments comes first. */
const ROUTES = [...new Set(CALLS.map(({ path }) => path))]
  .map((path) => ({ parts: path.split("/"), answer: routeOf(path).loader }))
  .sort((one, other) => parametersIn(one.parts) - parametersIn(other.parts));

/** Answers a request under `/api`. Paths are matched like pages, ignoring case and trailing slashes. */
export async function answerApi(args: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  const asked = new URL(args.request.url).pathname.replace(/\/+$/, "").split("/").map(decoded);
  const fits = (part: string, at: number) => (isParameter(part) ? asked[at] !== "" : part === asked[at]?.toLowerCase());
  const found = ROUTES.find(({ parts }) => parts.length === asked.length && parts.every(fits));
  if (!found) return errorAnswer(notFound(), args.context.origin.requestId);
  args.context.onRoute?.(found.parts.join("/"));
  const named = found.parts.map((part, at) => [part.slice(1, -1), asked[at]] as const);
  return found.answer({
    ...args,
    params: Object.fromEntries(named.filter((_, at) => isParameter(found.parts[at] ?? ""))),
  });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
