import { showInstant } from "../control/pages";
import { html, page } from "../html";
import { findLinks } from "../links";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { scheduleReports, tokenOf } from "./reports";

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
