import Stripe from "stripe";
import * as z from "zod";
import type { Fetch } from "~/adapters/http-client";
import { UpstreamError, type UpstreamErrorKind } from "~/kernel/app-error";
import { SUBSCRIPTION_STATUSES } from "~/kernel/enums";
import type {
  CardOnFile,
  Checkout,
  ProviderCharge,
  ProviderInvoice,
  ProviderRefund,
  ProviderSubscription,
} from "~/ports/cards";

const PARTY = "stripe";
const TIMEOUT_MS = 10_000;
/** The SDK retries lost connections, conflicts and server errors, with the same idempotency key. */
const NETWORK_RETRIES = 2;
const PROVIDER = "https://api.stripe.com";

export type StripeClientOptions = {
  /** Without a trailing slash: "https://api.stripe.com". */
  apiBase: string;
  secretKey: string;
  fetch: Fetch;
  timeoutMs?: number;
};

/** The official SDK over our own fetch; its requests to the provider's host go to `apiBase`. */
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
  // An operator can replace our own key while the work waits; a refused key says nothing about the request.
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

/*
 * What the provider's answers must have for us to use them (docs.stripe.com/api, 2026-10-28.endive), and what it means
 * in our terms. Fields that are not read are not checked.
 */

const seconds = z.number().int().nonnegative();
const toMs = (at: number) => at * 1000;
const toMsOrNull = (at: number | null | undefined) => (at === null || at === undefined ? null : toMs(at));

/** An object, or its id if it is not expanded. */
const idOf = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

const cardSchema = z
  .object({
    id: z.string(),
    created: seconds,
    card: z
      .object({ brand: z.string(), last4: z.string(), exp_month: z.number().int(), exp_year: z.number().int() })
      .nullish(),
  })
  .transform(({ id, created, card }): CardOnFile | null =>
    card
      ? {
          id,
          brand: card.brand,
          last4: card.last4,
          expMonth: card.exp_month,
          expYear: card.exp_year,
          savedAt: toMs(created),
        }
      : null,
  );

/** An unknown status counts as not live, so that it gives nobody access. */
const statusSchema = z.enum(SUBSCRIPTION_STATUSES).catch("paused");

export const subscriptionSchema = z
  .object({
    id: z.string().min(1),
    customer: idOf,
    status: statusSchema,
    created: seconds,
    cancel_at_period_end: z.boolean(),
    canceled_at: seconds.nullish(),
    latest_invoice: idOf.nullish(),
    default_payment_method: z.union([cardSchema, z.string()]).nullish(),
    items: z.object({ data: z.array(z.object({ current_period_end: seconds })) }),
  })
  .transform((raw) => ({
    customer: raw.customer,
    latestInvoiceId: raw.latest_invoice ?? null,
    subscription: {
      id: raw.id,
      status: raw.status,
      createdAt: toMs(raw.created),
      currentPeriodEnd: toMsOrNull(raw.items.data[0]?.current_period_end),
      cancelAtPeriodEnd: raw.cancel_at_period_end,
      canceledAt: toMsOrNull(raw.canceled_at),
      card: typeof raw.default_payment_method === "object" ? raw.default_payment_method : null,
    } satisfies ProviderSubscription,
  }));

export const invoiceSchema = z
  .object({
    id: z.string().min(1),
    customer: idOf,
    number: z.string().nullish(),
    // Without a known status, it does not count as money.
    status: z.enum(["draft", "open", "paid", "void", "uncollectible"]).catch("draft"),
    total: z.number().int(),
    total_taxes: z.array(z.object({ amount: z.number().int() })).nullish(),
    amount_remaining: z.number().int(),
    attempt_count: z.number().int(),
    created: seconds,
    period_start: seconds,
    period_end: seconds,
    status_transitions: z.object({ paid_at: seconds.nullish() }).nullish(),
    parent: z.object({ subscription_details: z.object({ subscription: idOf }).nullish() }).nullish(),
    confirmation_secret: z.object({ client_secret: z.string() }).nullish(),
    hosted_invoice_url: z.url().nullish(),
    invoice_pdf: z.url().nullish(),
  })
  .transform((raw) => ({
    customer: raw.customer,
    clientSecret: raw.confirmation_secret?.client_secret ?? null,
    hostedUrl: raw.hosted_invoice_url ?? null,
    pdfUrl: raw.invoice_pdf ?? null,
    invoice: {
      id: raw.id,
      number: raw.number ?? null,
      status: raw.status,
      subscriptionId: raw.parent?.subscription_details?.subscription ?? null,
      amount: raw.total,
      taxAmount: (raw.total_taxes ?? []).reduce((sum, tax) => sum + tax.amount, 0),
      amountDue: raw.amount_remaining,
      attempts: raw.attempt_count,
      createdAt: toMs(raw.created),
      paidAt: toMsOrNull(raw.status_transitions?.paid_at),
      periodStart: toMs(raw.period_start),
      periodEnd: toMs(raw.period_end),
    } satisfies ProviderInvoice,
  }));

const refundSchema = z
  .object({
    id: z.string(),
    amount: z.number().int(),
    status: z.enum(["pending", "succeeded", "failed", "canceled"]).catch("pending"),
    created: seconds,
  })
  .transform(
    (raw): ProviderRefund => ({ id: raw.id, amount: raw.amount, status: raw.status, createdAt: toMs(raw.created) }),
  );

export const chargeSchema = z
  .object({
    id: z.string().min(1),
    customer: idOf.nullish(),
    amount: z.number().int(),
    status: z.enum(["pending", "succeeded", "failed"]),
    refunded: z.boolean(),
    failure_message: z.string().nullish(),
    created: seconds,
    refunds: z.object({ data: z.array(refundSchema) }).nullish(),
  })
  .transform((raw) => ({
    customer: raw.customer ?? null,
    charge: {
      id: raw.id,
      amount: raw.amount,
      status: raw.status,
      isRefunded: raw.refunded,
      failureMessage: raw.failure_message ?? null,
      createdAt: toMs(raw.created),
      refunds: raw.refunds?.data ?? [],
    } satisfies ProviderCharge,
  }));

export const customerSchema = z.object({
  id: z.string().min(1),
  deleted: z.boolean().optional(),
  metadata: z.object({ organizationId: z.string().nullish() }).nullish(),
  invoice_settings: z.object({ default_payment_method: z.union([cardSchema, z.string()]).nullish() }).nullish(),
});

export const checkoutSchema = z
  .object({
    id: z.string().min(1),
    customer: idOf.nullish(),
    status: z.enum(["open", "complete", "expired"]),
    url: z.url().nullish(),
    subscription: idOf.nullish(),
  })
  .transform((raw) => ({
    customer: raw.customer ?? null,
    checkout: {
      id: raw.id,
      status: raw.status,
      url: raw.url ?? null,
      subscriptionId: raw.subscription ?? null,
    } satisfies Checkout,
  }));

export const paymentSchema = z.object({
  customer: idOf.nullish(),
  client_secret: z.string().nullish(),
  status: z.string(),
});

/** @throws UpstreamError malformed, naming what is missing */
export function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const paths = result.error.issues.slice(0, 3).map((issue) => issue.path.join(".") || "(root)");
  throw malformed(`the answer lacks or mistypes ${paths.join(", ")}`);
}

/** Reads an object that must be this customer's. @throws UpstreamError malformed, wrong_tenant */
export function readForCustomer<T extends { customer: string | null }>(
  schema: z.ZodType<T>,
  value: unknown,
  customerId: string,
): T {
  const found = read(schema, value);
  if (found.customer !== customerId) throw wrongTenant();
  return found;
}
