import { Webhook } from "standardwebhooks";
import * as z from "zod";
import { showInstant } from "../control/pages";
import { html, page } from "../html";
import { findLinks } from "../links";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { tellApp, tellUntilTaken } from "../tell-app";

export type Mail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Headers that the app added. */
  headers: Record<string, string>;
  /** Every address that the email links to, in order, each once. */
  links: string[];
  /** Epoch milliseconds. */
  receivedAt: number;
};

type Remembered = { mailId: string; body: string; at: number };
type MailState = { mails: Mail[]; keys: Record<string, Remembered> };

/** How long the provider remembers a key (resend.com/docs). */
const KEY_MEMORY_MS = 24 * 60 * 60 * 1000;
const KEPT_MAILS = 2_000;

interface Mailbox {
  /** Newest first. */
  list(): Mail[];
  find(id: string): Mail | undefined;
  receive(mail: Omit<Mail, "id" | "links" | "receivedAt">): Mail;
  recall(key: string): Remembered | undefined;
  remember(key: string, mailId: string, body: string): void;
}

function createMailbox(context: Pick<SimulatorContext, "slice" | "save" | "now" | "randomId">): Mailbox {
  const state = context.slice<MailState>("mail", () => ({ mails: [], keys: {} }));
  return {
    list: () => [...state.mails].reverse(),
    find: (id) => state.mails.find((mail) => mail.id === id),
    receive(mail) {
      const received = {
        id: context.randomId(),
        ...mail,
        links: findLinks(mail.html, mail.text),
        receivedAt: context.now(),
      };
      state.mails.push(received);
      if (state.mails.length > KEPT_MAILS) state.mails.splice(0, state.mails.length - KEPT_MAILS);
      context.save();
      return received;
    },
    recall(key) {
      for (const [known, { at }] of Object.entries(state.keys)) {
        if (context.now() - at > KEY_MEMORY_MS) delete state.keys[known];
      }
      return Object.hasOwn(state.keys, key) ? state.keys[key] : undefined;
    },
    remember(key, mailId, body) {
      state.keys[key] = { mailId, body, at: context.now() };
      context.save();
    },
  };
}

/** Waits before each further try (resend.com/docs/webhooks/retries-and-replays). */
const RETRY_DELAYS_MS = [5, 300, 1_800, 7_200, 18_000, 36_000].map((seconds) => seconds * 1000);

const REPORTS = ["delivered", "bounced", "complained", "suppressed"] as const;
type Report = (typeof REPORTS)[number];

const isReport = (text: string): text is Report => REPORTS.some((report) => report === text);

/** The report that an address is always answered with, as the provider's own test addresses are: `bounced@...`. */
const reportOf = (to: string): Report | undefined => REPORTS.find((report) => to.startsWith(`${report}@`));

const SUPPRESSED = {
  diagnosticCode: ["smtp; 550 5.1.1 unknown user"],
  message: "The address is on the account's suppression list.",
  reason: "previous_bounce",
  type: "OnAccountSuppressionList",
};

/** Reports an email's delivery to the app, signed, until the app accepts it. */
function sendReport(context: SimulatorContext, mail: Mail, report: Report): void {
  const id = `msg_${context.randomId()}`;
  const signer = new Webhook(context.secrets.mailWebhookSecret);
  const at = new Date(context.now());
  const payload = JSON.stringify({
    type: `email.${report}`,
    created_at: at.toISOString(),
    data: {
      email_id: mail.id,
      created_at: new Date(mail.receivedAt).toISOString(),
      to: [mail.to],
      subject: mail.subject,
      ...(report === "bounced"
        ? { bounce: { type: "Permanent", subType: "General", message: "The mailbox does not exist." } }
        : {}),
      ...(report === "suppressed" && { suppressed: SUPPRESSED }),
    },
  });
  const tell = () => {
    const sentAt = new Date(context.now());
    return tellApp(context, "mail", payload, {
      "svix-id": id,
      "svix-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "svix-signature": signer.sign(id, sentAt, payload),
    });
  };
  context.background(tellUntilTaken(context, RETRY_DELAYS_MS, tell));
}

const SHOWN_MAILS = 200;
const REFRESH_SECONDS = 3;

function mailboxPage(mailbox: Mailbox): Response {
  const rows = mailbox
    .list()
    .slice(0, SHOWN_MAILS)
    .map(
      (mail) =>
        html`<tr><td>${showInstant(mail.receivedAt)}</td><td>${mail.to}</td><td><a href="/mail/${encodeURIComponent(mail.id)}">${mail.subject}</a></td></tr>`,
    );
  return page(
    "Mail",
    html`<p>Every email the app has sent, to anyone, newest first (<a href="/mail/messages">JSON</a>). New emails appear by themselves.</p>
<table><thead><tr><th>At (UTC)</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows}</tbody></table>`,
    200,
    REFRESH_SECONDS,
  );
}

/** The email's own markup stays in a sandbox without scripts and forms; its links are listed beside it. */
function mailPage(mail: Mail): Response {
  return page(
    mail.subject,
    html`<p>To ${mail.to}, ${showInstant(mail.receivedAt)} UTC</p>
<form method="post" action="/mail/${mail.id}/bounced"><button>Report that it bounced</button></form>
<form method="post" action="/mail/${mail.id}/complained"><button>Report it as unwanted</button></form>
<form method="post" action="/mail/${mail.id}/suppressed"><button>Report that nothing is sent to this address</button></form>
<h2>Headers</h2>
<ul>${Object.entries(mail.headers ?? {}).map(([name, value]) => html`<li>${name}: ${value}</li>`)}</ul>
<h2>Links</h2>
<ul>${mail.links.map((link) => html`<li><a href="${link}">${link}</a></li>`)}</ul>
<h2>As shown</h2>
<iframe sandbox="" title="The email as shown" srcdoc="${mail.html}"></iframe>
<h2>As text</h2>
<pre style="white-space:pre-wrap">${mail.text}</pre>`,
  );
}

const MAX_KEY_LENGTH = 256;

const mailSchema = z.object({
  from: z.string().min(3),
  to: z.union([z.string(), z.array(z.string()).min(1).max(50)]),
  subject: z.string(),
  html: z.string().optional(),
  text: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

const ERROR_NAMES: Record<number, string> = {
  400: "validation_error",
  401: "missing_api_key",
  429: "rate_limit_exceeded",
  500: "application_error",
};

function mailError(status: number, message: string, name = ERROR_NAMES[status] ?? "internal_server_error"): Response {
  return Response.json({ statusCode: status, name, message }, { status });
}

/** POST /emails as Resend documents it: the same key within 24 hours gets the first answer and sends nothing. */
function receiveMail(mailbox: Mailbox, { request, body }: SimulatedCall, onReceived: (mail: Mail) => void): Response {
  if (!/^Bearer \S+$/.test(request.headers.get("authorization") ?? "")) {
    return mailError(401, "Missing API key in the authorization header");
  }
  const key = request.headers.get("idempotency-key");
  if (key !== null && (key === "" || key.length > MAX_KEY_LENGTH)) {
    return mailError(400, "The key must be between 1-256 chars.", "invalid_idempotency_key");
  }
  const known = key === null ? undefined : mailbox.recall(key);
  if (known && known.body !== body) {
    return mailError(409, "Same idempotency key used with a different request payload.", "invalid_idempotent_request");
  }
  if (known) return Response.json({ id: known.mailId });

  const parsed = mailSchema.safeParse(parseJson(body));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") ?? "body";
    return mailError(422, `Missing or invalid \`${field}\` field.`, "missing_required_field");
  }
  const { to, subject, html = "", text = "", headers = {} } = parsed.data;
  const mail = mailbox.receive({ to: typeof to === "string" ? to : to.join(", "), subject, html, text, headers });
  if (key !== null) mailbox.remember(key, mail.id, body);
  onReceived(mail);
  return Response.json({ id: mail.id });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How long after an email its report comes. */
const REPORT_DELAY_MS = 1_000;

/** An email provider in the shape of Resend, and the mailbox of everyone it sends to. */
export function mailParty(context: SimulatorContext): Party {
  const mailbox = createMailbox(context);
  const notFound = () => page("No such email", html`<p><a href="/mail">Back to the mailbox</a></p>`, 404);
  const routes = [
    route("POST", "/emails", (call) =>
      receiveMail(mailbox, call, (mail) => {
        const report = reportOf(mail.to);
        if (report) context.timers.after(REPORT_DELAY_MS, () => sendReport(context, mail, report));
      }),
    ),
    route("GET", "", () => mailboxPage(mailbox)),
    route("GET", "/messages", () => Response.json(mailbox.list())),
    route("GET", "/:id", (_, { id = "" }) => {
      const mail = mailbox.find(id);
      return mail ? mailPage(mail) : notFound();
    }),
    route("POST", "/:id/:report", (_, { id = "", report = "" }) => {
      const mail = mailbox.find(id);
      if (!mail || !isReport(report)) return notFound();
      sendReport(context, mail, report);
      return page(
        "Reported",
        html`<p>The app is told: ${report}. <a href="/mail/${mail.id}">Back to the email</a></p>`,
      );
    }),
  ];
  return {
    name: "mail",
    links: [
      { href: "/mail", text: "Mailbox" },
      { href: "/mail/messages", text: "The same as JSON" },
    ],
    isAppCall: ({ path }) => path === "/emails",
    app: createRoutes(routes, () => mailError(404, "Not found", "not_found")),
    errorAnswer: (status) => mailError(status, "Simulated fault"),
    summarise: ({ body }) => envelope(body),
  };
}

/** An email's text contains one-time links, so the ledger keeps only its recipient and subject. */
function envelope(body: SimulatedCall["body"]): string {
  try {
    const { to, subject } = JSON.parse(body) as { to?: unknown; subject?: unknown };
    return JSON.stringify({ to, subject });
  } catch {
    return "(not JSON)";
  }
}
