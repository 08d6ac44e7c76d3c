import { showInstant } from "../control/pages";
import { html, page } from "../html";
import { PERSONAS } from "./personas";
import type { BasiqState } from "./state";

const SHOWN = 100;

/** What a person can do as the payee's bank, and what it has been asked so far. */
export function overviewPage(state: BasiqState): Response {
  const jobs = state.jobs
    .slice(-SHOWN)
    .reverse()
    .map(
      (job) =>
        html`<tr><td>${showInstant(job.createdAt)}</td><td>${job.userId}</td><td>${job.id}</td><td>${job.finishedAt ? job.ending.kind : "running"}</td></tr>`,
    );
  const events = state.events
    .slice(-SHOWN)
    .reverse()
    .map(
      (event) =>
        html`<tr><td>${showInstant(event.createdAt)}</td><td>${event.eventType}</td><td>${event.userId}</td><td><form method="post" action="/basiq/events/${event.id}/resend"><button class="quiet">Send again</button></form></td></tr>`,
    );
  const consents = state.consents
    .slice(-SHOWN)
    .reverse()
    .map(
      ({ id, userId, status, createdAt }) =>
        html`<tr><td>${showInstant(createdAt)}</td><td>${userId}</td><td>${status}</td><td>${status === "active" ? html`<form method="post" action="/basiq/consents/${id}/withdraw"><button class="quiet">Withdraw</button></form>` : ""}</td></tr>`,
    );
  return page(
    "Bank",
    html`<p>A payee gets here from PayeeProof's own page, by <a href="/mail">the link in a mail</a>. To play the payee for a verification without clicking through:</p>
<form method="post" action="/basiq/complete">
<label>Verification id <input name="verificationId" required size="40"></label>
<label>What the bank will say <select name="persona">${Object.entries(PERSONAS).map(([persona, meaning]) => html`<option value="${persona}">${persona}: ${meaning}</option>`)}</select></label>
<button>Complete</button>
</form>
<h2>Consents</h2>
<p class="hint">A payee may withdraw a consent at any time; to have time for it before the check ends, let the bank never finish.</p>
<table><thead><tr><th>At (UTC)</th><th>User</th><th>State</th><th></th></tr></thead><tbody>${consents}</tbody></table>
<h2>Jobs</h2>
<table><thead><tr><th>At (UTC)</th><th>User</th><th>Job</th><th>State</th></tr></thead><tbody>${jobs}</tbody></table>
<h2>Events</h2>
<p class="hint">The app is told of consents, connections and accounts; of users, who come and go by its own calls, only when an event is sent again.</p>
<table><thead><tr><th>At (UTC)</th><th>Event</th><th>User</th><th></th></tr></thead><tbody>${events}</tbody></table>`,
  );
}
