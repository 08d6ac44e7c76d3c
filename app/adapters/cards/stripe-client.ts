import Stripe from "stripe";
import { UpstreamError, type UpstreamErrorKind } from "~/kernel/upstream-error";
import type { Fetch } from "../http-client";

const PARTY = "stripe";
const TIMEOUT_MS = 10_000;
/** The SDK repeats lost connections, conflicts and server errors, under the same idempotency key. */
const NETWORK_RETRIES = 2;
const PROVIDER = "https://api.stripe.com";

export type StripeClientOptions = {
  /** Without a trailing slash: "https://api.stripe.com". */
  apiBase: string;
  secretKey: string;
  fetch: Fetch;
  timeoutMs?: number;
};

/** The official SDK over our own fetch; what it asks of the provider's host goes to `apiBase`. */
export function createStripeClient({ apiBase, secretKey, fetch, timeoutMs }: StripeClientOptions): Stripe {
  return new Stripe(secretKey, {
    timeout: timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) =>
      fetch(new Request(String(input).replace(PROVIDER, apiBase), init)),
    ),
  });
}

/** Runs a call and turns whatever the SDK throws into our one error. */
export async function ask<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    if (error instanceof Stripe.errors.StripeError) throw toUpstreamError(error);
    throw error;
  }
}

function toUpstreamError(error: InstanceType<typeof Stripe.errors.StripeError>): UpstreamError {
  const { statusCode, code, requestId } = error;
  const retryAfter = Number(error.headers?.["retry-after"]);
  // The sentence may repeat what was sent; the code and the request's id say enough for the log.
  return new UpstreamError(PARTY, kindOf(error), [error.type, code, requestId].filter(Boolean).join(" "), {
    httpStatus: statusCode,
    code,
    retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : undefined,
    cause: error,
  });
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): UpstreamErrorKind {
  const { errors } = Stripe;
  if (error instanceof errors.StripeConnectionError)
    return /timed? ?out/i.test(error.message) ? "timeout" : "unreachable";
  if (error instanceof errors.StripeRateLimitError) return "rate_limited";
  // Our own key is what an operator can mend while the work waits; it says nothing about the request.
  if (error instanceof errors.StripeAuthenticationError) return "unavailable";
  const { statusCode = 0 } = error;
  if (statusCode === 409 || statusCode === 429) return "rate_limited";
  if (statusCode >= 500) return "unavailable";
  // A 2xx that is not JSON.
  return statusCode >= 400 ? "rejected" : "malformed";
}

export const malformed = (detail: string) => new UpstreamError(PARTY, "malformed", detail);
export const wrongTenant = () => new UpstreamError(PARTY, "wrong_tenant", "the answer is about another customer");

export function isRejection(error: unknown, ...codes: string[]): boolean {
  if (!(error instanceof UpstreamError) || error.kind !== "rejected") return false;
  return codes.length === 0 || codes.includes(error.options.code ?? "");
}
