import { showInstant } from "../control/pages";
import { html, page } from "../html";
import { findLinks } from "../links";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";

type Reported = { id: string; to: string; reportsUrl: string; authToken: string };

const SENT_AFTER_MS = 1_000;
const ENDED_AFTER_MS = 2_000;
/** Numbers with these endings are unreachable: "Unreachable destination handset" (twilio.com/docs/api/errors/30003). */
const UNREACHABLE = /99$/;
const UNREACHABLE_CODE = "30003";

/** The account's token, with which the app signs in and the provider signs its reports. */
function tokenOf(request: Request): string {
  const [, encoded = ""] = (request.headers.get("authorization") ?? "").split(" ");
  return atob(encoded).split(":").slice(1).join(":");
}

/** Reports that a text message was sent, and a moment later that it arrived or did not. */
function scheduleReports(context: SimulatorContext, message: Reported): void {
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
    // The provider does not repeat a report that was not accepted.
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

type TextMessage = { id: string; to: string; from: string; body: string; receivedAt: number };

const E164 = /^\+[1-9]\d{6,14}$/;
const MAX_BODY_LENGTH = 1_600;
const KEPT_MESSAGES = 2_000;
const REFRESH_SECONDS = 3;

/** A text message provider in the shape of Twilio, and the telephones of everyone it sends to. */
export function smsParty(context: SimulatorContext): Party {
  const messages = context.slice<TextMessage[]>("sms", () => []);
  const newestFirst = () => [...messages].reverse();

  function receive({ request, body }: SimulatedCall): Response {
    if (!/^Basic \S+$/.test(request.headers.get("authorization") ?? "")) return smsError(401, 20003, "Authenticate");
    const form = new URLSearchParams(body);
    const to = form.get("To") ?? "";
    const from = form.get("From") ?? form.get("MessagingServiceSid") ?? "";
    const text = form.get("Body") ?? "";
    if (!E164.test(to)) return smsError(400, 21211, "The 'To' number is not a valid phone number.");
    if (from === "") return smsError(400, 21603, "A 'From' phone number is required.");
    if (text === "") return smsError(400, 21602, "Message body is required.");
    if (text.length > MAX_BODY_LENGTH)
      return smsError(400, 21617, "The message body exceeds the 1600 character limit.");
    const id = `SM${context.randomId().replaceAll("-", "")}`;
    messages.push({ id, to, from, body: text, receivedAt: context.now() });
    if (messages.length > KEPT_MESSAGES) messages.splice(0, messages.length - KEPT_MESSAGES);
    context.save();
    const reportsUrl = form.get("StatusCallback");
    if (reportsUrl) scheduleReports(context, { id, to, reportsUrl, authToken: tokenOf(request) });
    return Response.json({ sid: id, status: "queued", to, from, body: text, error_code: null }, { status: 201 });
  }

  const routes = [
    route("POST", "/2010-04-01/Accounts/:accountSid/Messages.json", receive),
    route("GET", "", () => outboxPage(newestFirst())),
    route("GET", "/messages", () => Response.json(newestFirst())),
  ];
  return {
    name: "sms",
    links: [
      { href: "/sms", text: "Text messages" },
      { href: "/sms/messages", text: "The same as JSON" },
    ],
    isAppCall: ({ path }) => path.startsWith("/2010-04-01/"),
    app: createRoutes(routes, () => smsError(404, 20404, "The resource was not found")),
    errorAnswer: (status) => smsError(status, status === 429 ? 20429 : 20500, "Simulated fault"),
    summarise: ({ body }) => `To ${new URLSearchParams(body).get("To") ?? ""}`,
  };
}

function smsError(status: number, code: number, message: string): Response {
  return Response.json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, { status });
}

function outboxPage(messages: TextMessage[]): Response {
  const rows = messages.map(
    (message) =>
      html`<tr><td>${showInstant(message.receivedAt)}</td><td>${message.to}</td><td>${message.body} ${linksIn(message.body)}</td></tr>`,
  );
  return page(
    "Text messages",
    html`<p>Every text message the app has sent, newest first (<a href="/sms/messages">JSON</a>). New messages appear by themselves.</p>
<table><thead><tr><th>At (UTC)</th><th>To</th><th>Message</th></tr></thead><tbody>${rows}</tbody></table>`,
    200,
    REFRESH_SECONDS,
  );
}

function linksIn(body: string) {
  return findLinks("", body).map((link) => html`<br><a href="${link}">Open the link</a>`);
}
