import type * as z from "zod";
import { UpstreamError, type UpstreamErrorKind } from "~/kernel/app-error";
import type { Clock } from "~/services-and-actor";

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Milliseconds to wait, from a Retry-After header: whole seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * Undefined when absent or unreadable; never negative, never more than a day.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  if (Number.isNaN(waitMs)) return undefined;
  return Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

/** The platform's `fetch`, or a test's. It is always called unbound. */
export type Fetch = (request: Request) => Promise<Response>;

/** The contents of a party's error body: its code, a sentence for the log, and how long to wait. */
type ErrorDescription = { code?: string; detail?: string; retryAfterMs?: number };

export type HttpClientOptions = {
  /** Named in every error, e.g. "basiq". */
  party: string;
  fetch: Fetch;
  clock: Clock;
  /** For the whole exchange, body included. Default 10 seconds. */
  timeoutMs?: number;
  /** Longer answers count as malformed. Default `MAX_ANSWER_BYTES`. */
  maxAnswerBytes?: number;
  /** Reads the party's error body (parsed JSON, or undefined if it is not JSON). */
  describeError?: (body: unknown) => ErrorDescription;
  /** Removes what the party wraps around its JSON, e.g. a JSONP callback. */
  unwrap?: (text: string) => string;
  /** Overrides the error kind of a non-2xx answer, according to the party's documentation. */
  classify?: (answer: { status: number; code?: string; detail?: string; url: string }) => UpstreamErrorKind | undefined;
};

/** How an adapter reaches its party; the time is that of a whole exchange. */
export type Reached = Pick<HttpClientOptions, "fetch" | "clock" | "timeoutMs">;

export type OutboundCall = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: string;
};

export interface HttpClient {
  /** Returns the JSON body, validated with `schema`. Throws `UpstreamError`. */
  callJson<T>(call: OutboundCall, schema: z.ZodType<T>): Promise<T>;
  /** Like `callJson`, for an answer with an ETag. Undefined: it still matches `if-none-match` (304, RFC 9110). */
  callTagged<T>(call: OutboundCall, schema: z.ZodType<T>): Promise<{ body: T; tag: string | null } | undefined>;
  /** For calls whose successful answer has no useful body. Throws `UpstreamError`. */
  callWithoutAnswer(call: OutboundCall): Promise<void>;
}

export const DEFAULT_TIMEOUT_MS = 10_000;
export const MAX_ANSWER_BYTES = 256 * 1024;

const NOT_MODIFIED = 304;
type Exchanged = { status: number; text: string; tag: string | null };

/** The only way in which adapters call outside parties over HTTP; maps every failure to `UpstreamError`. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { party, fetch, timeoutMs = DEFAULT_TIMEOUT_MS, maxAnswerBytes = MAX_ANSWER_BYTES } = options;

  async function exchange(call: OutboundCall): Promise<Exchanged> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(
        new Request(call.url, {
          method: call.method,
          headers: { accept: "application/json", ...call.headers },
          body: call.body,
          redirect: "manual",
          signal,
        }),
      );
      const body = await readLimitedText(response, maxAnswerBytes);
      const isUnchanged = response.status === NOT_MODIFIED && call.headers?.["if-none-match"] !== undefined;
      if (response.ok || isUnchanged) {
        if ("problem" in body)
          throw new UpstreamError(party, "malformed", body.problem, { httpStatus: response.status });
        return { status: response.status, text: body.text, tag: response.headers.get("etag") };
      }
      throw refusal(options, call.url, response, "text" in body ? body.text : "");
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      if (signal.aborted) throw new UpstreamError(party, "timeout", `no answer in ${timeoutMs} ms`, { cause: error });
      throw new UpstreamError(party, "unreachable", "the connection failed", { cause: error });
    }
  }

  function read<T>({ status, text }: Exchanged, schema: z.ZodType<T>): T {
    const malformed = (detail: string) => new UpstreamError(party, "malformed", detail, { httpStatus: status });
    if (text.trim() === "") throw malformed("the answer is empty");
    const parsed = parseJson(options.unwrap ? options.unwrap(text) : text);
    if (!parsed) throw malformed("the answer is not JSON");
    const checked = schema.safeParse(parsed.value);
    if (checked.success) return checked.data;
    const paths = checked.error.issues.slice(0, 3).map((issue) => issue.path.join(".") || "(root)");
    throw malformed(`the answer lacks or mistypes ${paths.join(", ")}`);
  }

  return {
    async callJson(call, schema) {
      return read(await exchange(call), schema);
    },
    async callTagged(call, schema) {
      const answer = await exchange(call);
      return answer.status === NOT_MODIFIED ? undefined : { body: read(answer, schema), tag: answer.tag };
    },
    async callWithoutAnswer(call) {
      await exchange(call);
    },
  };
}

/** Classifies a non-2xx answer by the party's documentation or by its status. */
function refusal(options: HttpClientOptions, url: string, response: Response, text: string): UpstreamError {
  const { status } = response;
  const { code, detail, ...described } = options.describeError?.(parseJson(text)?.value) ?? {};
  const kind = options.classify?.({ status, code, detail, url }) ?? kindOfStatus(status);
  const asked = parseRetryAfter(response.headers.get("retry-after"), options.clock.now());
  const retryAfterMs = asked ?? described.retryAfterMs;
  const words = [`HTTP ${status}`, code, detail && maskDigits(detail)].filter(Boolean).join(" ");
  return new UpstreamError(options.party, kind, words, { httpStatus: status, code, retryAfterMs });
}

function kindOfStatus(status: number): UpstreamErrorKind {
  if (status === 429) return "rate_limited";
  // 401 is about our own credentials, which an operator can fix while the work waits; it says nothing about the
  // request.
  if (status === 401 || status === 408 || status >= 500) return "unavailable";
  if (status >= 400) return "rejected";
  return "malformed"; // no party documents redirects, so they are never followed
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Error sentences sometimes repeat what was sent; numbers long enough to be an account or a phone stay out of logs. */
function maskDigits(text: string): string {
  return text.slice(0, 300).replace(/\d(?:[\s-]?\d){4,}/g, "***");
}

/**
 * Reads a body as strict UTF-8, counting bytes as they arrive, and stops reading beyond `maxBytes`.
 *
 * Network errors and aborts are thrown as they come.
 */
export async function readLimitedText(
  response: Response,
  maxBytes: number,
): Promise<{ text: string } | { problem: string }> {
  if (!response.body) return { text: "" };
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = response.body.getReader();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return { problem: `the answer is larger than ${maxBytes} bytes` };
    }
    try {
      text += decoder.decode(value, { stream: true });
    } catch {
      await reader.cancel();
      return { problem: "the answer is not UTF-8" };
    }
  }
  try {
    return { text: text + decoder.decode() };
  } catch {
    return { problem: "the answer is not UTF-8" };
  }
}
