import { isPublicAddress } from "~/kernel/ip-address";
import type { WebhookAnswer, WebhookTransport } from "~/ports/webhook-transport";
import type { Clock } from "~/services";
import { dnsSchema, RECORDS, recordsIn } from "../dns/dns-over-https";
import type { Fetch } from "../http-client";
import { readLimitedText } from "../read-limited-text";

export type HttpsWebhookOptions = {
  fetch: Fetch;
  clock: Clock;
  /** A resolver of names over HTTPS that answers JSON. */
  resolverUrl: string;
  /** On a developer's machine and in tests: receives every event, with the address it was for in its path. */
  relayUrl?: string;
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_READ_BYTES = 64 * 1024;
/** Characters of an answer that are kept. */
const MAX_KEPT = 1_000;

/**
 * Sends events to addresses that customers chose. Before each sending the name is resolved, and refused when any of its
 * addresses is not of the public internet. Redirects are not followed.
 *
 * A Worker's `fetch` resolves the name once more itself and cannot be told which address to use, so a name that changes
 * in between is not caught here; the platform's own network does not reach private addresses either.
 */
export function createHttpsWebhook(options: HttpsWebhookOptions): WebhookTransport {
  const { clock, timeoutMs = TIMEOUT_MS } = options;
  return {
    async post(request) {
      const startedAt = clock.now();
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await attempt(options, request, signal).catch(() => {
        const seconds = Math.round(timeoutMs / 1000);
        return nothing(signal.aborted ? `No answer within ${seconds} seconds.` : "The connection failed.");
      });
      return { ...answer, durationMs: clock.now() - startedAt };
    },
  };
}

type Attempt = Omit<WebhookAnswer, "durationMs">;
type Outgoing = Parameters<WebhookTransport["post"]>[0];

const nothing = (problem: string): Attempt => ({ status: null, body: "", problem });

async function attempt(options: HttpsWebhookOptions, { url, headers, body }: Outgoing, signal: AbortSignal) {
  const problem = await findAddressProblem(options, new URL(url).hostname, signal);
  if (problem) return nothing(problem);
  const to = options.relayUrl ? `${options.relayUrl}/${encodeURIComponent(url)}` : url;
  const response = await options.fetch(new Request(to, { method: "POST", headers, body, redirect: "manual", signal }));
  const read = await readLimitedText(response, MAX_READ_BYTES);
  const text = "text" in read ? read.text : "";
  return { status: response.status, body: text.slice(0, MAX_KEPT), problem: problemOf(response.status) };
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 0 || (status >= 300 && status < 400))
    return "The address answers with a redirect, which is not followed.";
  return `The answer was ${status}.`;
}

async function findAddressProblem(options: HttpsWebhookOptions, host: string, signal: AbortSignal) {
  const found = await Promise.all((["A", "AAAA"] as const).map((type) => resolve(options, host, type, signal)));
  const addresses = found.flat();
  if (addresses.length === 0) return `The name ${host} leads to no address.`;
  if (!addresses.every(isPublicAddress)) return `The name ${host} leads to an address that is not public.`;
  return undefined;
}

async function resolve(
  { fetch, resolverUrl }: HttpsWebhookOptions,
  name: string,
  type: keyof typeof RECORDS,
  signal: AbortSignal,
) {
  const url = `${resolverUrl}?${new URLSearchParams({ name, type })}`;
  const response = await fetch(new Request(url, { headers: { accept: "application/dns-json" }, signal }));
  const read = await readLimitedText(response, MAX_READ_BYTES);
  const parsed = dnsSchema.safeParse("text" in read && response.ok ? JSON.parse(read.text) : undefined);
  if (!parsed.success) throw new Error("the resolver gave no answer");
  return recordsIn(parsed.data, RECORDS[type]);
}
