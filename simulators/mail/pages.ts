import { showInstant } from "../control/pages";
import { html, page } from "../html";
import type { Mail, Mailbox } from "./mailbox";

const SHOWN_MAILS = 200;
const REFRESH_SECONDS = 3;

export function mailboxPage(mailbox: Mailbox): Response {
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
export function mailPage(mail: Mail): Response {
  return page(
    mail.subject,
    html`<p>To ${mail.to}, ${showInstant(mail.receivedAt)} UTC</p>
<form method="post" action="/mail/${mail.id}/bounced"><button>Report that it bounced</button></form>
<form method="post" action="/mail/${mail.id}/complained"><button>Report it as unwanted</button></form>
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
