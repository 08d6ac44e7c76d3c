import { type Reached, readLimitedText } from "~/adapters/http-client";
import type { WebhookAnswer, WebhookTransport } from "~/ports/messages";
import { findAddressProblem } from "../public-address";

export type HttpsWebhookOptions = Reached & {
  /** The resolver for `findAddressProblem`. */
  resolverUrl: string;
  /** On a developer's machine and in tests: receives every event, with its intended address in the path. */
  relayUrl?: string;
};

const TIMEOUT_MS = 10_000;
const MAX_READ_BYTES = 64 * 1024;
/** The number of characters of an answer that are kept. */
const MAX_KEPT = 1_000;

/**
 * Sends events to customers' addresses. Before each attempt the host name is resolved, and the attempt is refused if
 * any address is not public. Redirects are not followed.
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
type Outgoing = Parameters<WebhookTransport["post"]>[0];

const nothing = (problem: string): Omit<WebhookAnswer, "durationMs"> => ({ status: null, body: "", problem });

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
