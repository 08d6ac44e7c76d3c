import type { SimulatorContext } from "../party";

type Reported = { id: string; to: string; reportsUrl: string; authToken: string };

const SENT_AFTER_MS = 1_000;
const ENDED_AFTER_MS = 2_000;
/** Numbers that end so cannot be reached: "Unreachable destination handset" (twilio.com/docs/api/errors/30003). */
const UNREACHABLE = /99$/;
const UNREACHABLE_CODE = "30003";

/** The account's token, with which the app signs in and the provider signs its reports. */
export function tokenOf(request: Request): string {
  const [, encoded = ""] = (request.headers.get("authorization") ?? "").split(" ");
  return atob(encoded).split(":").slice(1).join(":");
}

/** Reports that a text message was sent, and a moment later that it arrived or did not. */
export function scheduleReports(context: SimulatorContext, message: Reported): void {
  const ended: Record<string, string> = UNREACHABLE.test(message.to)
    ? { MessageStatus: "undelivered", ErrorCode: UNREACHABLE_CODE }
    : { MessageStatus: "delivered" };
  context.timers.after(SENT_AFTER_MS, () => context.background(report(context, message, { MessageStatus: "sent" })));
  context.timers.after(ENDED_AFTER_MS, () => context.background(report(context, message, ended)));
}

async function report(
  context: SimulatorContext,
  { id, to, reportsUrl, authToken }: Reported,
  status: Record<string, string>,
) {
  const form = new URLSearchParams({ MessageSid: id, SmsSid: id, To: to, ApiVersion: "2010-04-01", ...status });
  const signature = await sign(authToken, reportsUrl, form);
  const request = new Request(reportsUrl, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
    body: form.toString(),
  });
  try {
    const response = await context.callApp(request);
    await response.body?.cancel();
  } catch {
    // The provider does not repeat a report that was not taken.
  }
}

async function sign(token: string, url: string, form: URLSearchParams): Promise<string> {
  const text =
    url +
    [...form]
      .sort()
      .map(([name, value]) => name + value)
      .join("");
  const raw = new TextEncoder().encode(token);
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes));
}
