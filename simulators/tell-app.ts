import type { SimulatorContext } from "./party";

/**
 * Calls the app's webhook.
 * @param isAnswer for a party that does not accept every answer
 * @returns the status of its answer; 0 when there was none
 */
export async function tellApp(
  context: SimulatorContext,
  path: string,
  body: string,
  headers: Record<string, string>,
  isAnswer: (response: Response, body: string) => boolean = () => true,
): Promise<number> {
  const request = new Request(`${context.appOrigin}/webhooks/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  try {
    const response = await context.callApp(request);
    return isAnswer(response, await response.text()) ? response.status : 0;
  } catch {
    return 0;
  }
}

/** Tells the app until it accepts, with a wait before each further try; gives up after the last. */
export function tellUntilTaken(context: SimulatorContext, delaysMs: readonly number[], tell: () => Promise<number>) {
  async function attempt(tries: number): Promise<void> {
    const status = await tell();
    const delay = delaysMs[tries];
    if (isTaken(status) || delay === undefined) return;
    context.timers.after(delay, () => context.background(attempt(tries + 1)));
  }
  return attempt(0);
}

export const isTaken = (status: number): boolean => status >= 200 && status < 300;

export async function hmacSha256(key: string, text: string): Promise<Uint8Array> {
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const signer = await crypto.subtle.importKey("raw", bytes.encode(key), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", signer, bytes.encode(text)));
}
