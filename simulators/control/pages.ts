import { html, page } from "../html";
import type { Party, SimulatorContext } from "../party";
import { FAULT_KINDS, type Faults } from "./faults";
import type { Ledger } from "./ledger";

/** Instants as people read them in the ledger: UTC, to the second. */
export function showInstant(at: number): string {
  return new Date(at).toISOString().replace("T", " ").slice(0, 19);
}

export function frontPage(parties: readonly Party[], context: Pick<SimulatorContext, "appOrigin">): Response {
  return page(
    "Simulators",
    html`<p>They stand in for everyone PayeeProof talks to. Nothing here leaves this machine.</p>
<p><a href="${context.appOrigin}">Open PayeeProof</a></p>
${parties.map((party) => html`<h2>${party.name}</h2><ul>${party.links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}</ul>`)}
<h2>Testing</h2>
<ul>
<li><a href="/faults">Faults</a>: make the next calls fail</li>
<li><a href="/ledger">Ledger</a>: every call received (<a href="/ledger.json">JSON</a>)</li>
</ul>`,
  );
}

export function faultsPage(faults: Faults, parties: readonly Party[], problem?: string): Response {
  const rows = faults
    .list()
    .map(
      (fault) =>
        html`<tr><td>${fault.party}</td><td>${fault.fault}</td><td>${fault.times}</td><td>${fault.path}</td><td>${fault.body}</td><td>${fault.retryAfter}</td></tr>`,
    );
  return page(
    "Faults",
    html`${problem ? html`<p role="alert"><strong>${problem}</strong></p>` : undefined}
<form method="post" action="/faults">
<label>Party <select name="party">${parties.map((party) => html`<option>${party.name}</option>`)}</select></label>
<label>Fault <select name="fault">${FAULT_KINDS.map((kind) => html`<option>${kind}</option>`)}</select></label>
<label>Number of calls <input name="times" type="number" min="1" max="1000" value="1"></label>
<label>Only paths that contain <input name="path"></label>
<label>Only bodies that contain <input name="body"></label>
<label>Retry-After, in seconds <input name="retryAfter" type="number" min="0"></label>
<button>Add</button>
</form>
<h2>Waiting</h2>
<table><thead><tr><th>Party</th><th>Fault</th><th>Calls left</th><th>Path</th><th>Body</th><th>Retry-After</th></tr></thead><tbody>${rows}</tbody></table>
<form method="post" action="/faults/clear"><p><button class="quiet">Clear all</button></p></form>`,
    problem ? 400 : 200,
  );
}

const SHOWN_ENTRIES = 200;

export function ledgerPage(ledger: Ledger, parties: readonly Party[], party: string | undefined): Response {
  const rows = ledger
    .list(party)
    .slice(0, SHOWN_ENTRIES)
    .map(
      (entry) =>
        html`<tr><td>${showInstant(entry.at)}</td><td>${entry.party}</td><td>${entry.method} ${entry.path}</td><td>${entry.status ?? "open"} ${entry.fault ?? ""}</td><td>${entry.idempotencyKey ?? ""}</td><td>${entry.correlationId}</td><td>${entry.body}</td></tr>`,
    );
  return page(
    "Ledger",
    html`<p>Calls received from the app, newest first (at most ${SHOWN_ENTRIES} shown).
<a href="/ledger">All</a> ${parties.map(({ name }) => html`<a href="/ledger?party=${name}">${name}</a> `)}</p>
<table><thead><tr><th>At (UTC)</th><th>Party</th><th>Call</th><th>Answer</th><th>Idempotency key</th><th>Correlation</th><th>Body</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}
