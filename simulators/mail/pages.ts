import { showInstant } from "../control/pages";
import { html, page } from "../html";
import type { Mail, Mailbox } from "./mailbox";

const SHOWN_MAILS = 200;

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
    html`<p>Everything the app has mailed, to anyone, newest first (<a href="/mail/messages">JSON</a>).</p>
<table><thead><tr><th>At (UTC)</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

/** The mail's own markup stays in a sandbox: no scripts, no forms, no way out but the links listed beside it. */
export function mailPage(mail: Mail): Response {
  return page(
    mail.subject,
    html`<p>To ${mail.to}, ${showInstant(mail.receivedAt)} UTC</p>
<h2>Links</h2>
<ul>${mail.links.map((link) => html`<li><a href="${link}">${link}</a></li>`)}</ul>
<h2>As shown</h2>
<iframe sandbox="" title="The mail as shown" srcdoc="${mail.html}"></iframe>
<h2>As text</h2>
<pre style="white-space:pre-wrap">${mail.text}</pre>`,
  );
}
