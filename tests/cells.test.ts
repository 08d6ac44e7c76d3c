import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as schema from "@db/database";
import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";

/**
 * Which database each table would be in if there were several (docs/decisions, cells), and what would have to change:
 * files that use tables of both kinds in one join, batch or command.
 */

type Place =
  /** In the one central database: people, organisations, and whatever any organisation may look up. */
  | "directory"
  /** In one of many databases: data of one organisation, which moves with it. */
  | "cell"
  /** In every database separately: operational tables, and lists that rarely change. */
  | "everywhere";

/** Any other table with an organisation's id is in that organisation's cell. */
const ELSEWHERE: Readonly<Record<string, Exclude<Place, "cell">>> = {
  users: "directory",
  organizations: "directory",
  organizationUsers: "directory",
  organizationDomains: "directory",
  sessions: "directory",
  tokens: "directory",
  twoSteps: "directory",
  recoveryCodes: "directory",
  passkeys: "directory",
  providerPeople: "directory",
  scimTokens: "directory",
  singleSignOn: "directory",
  waysIn: "directory",
  usedPasskeyChallenges: "directory",
  emailChanges: "directory",
  apiTokens: "directory",
  knownDevices: "directory",
  alertContacts: "directory",
  contactSubmissions: "directory",
  outsideMessages: "directory",
  webhookEvents: "directory",
  providerUsers: "directory",
  sentMessages: "directory",
  stoppedAddresses: "directory",
  bsbDirectory: "everywhere",
  bsbUploads: "everywhere",
  bsbUploadRows: "everywhere",
  businessRegister: "everywhere",
  leases: "everywhere",
  preconditions: "everywhere",
  rateCounters: "everywhere",
  walkCursors: "everywhere",
  trailCursors: "everywhere",
  scheduleRuns: "everywhere",
  providerCalls: "everywhere",
  operationSamples: "everywhere",
  componentDays: "everywhere",
  incidents: "everywhere",
  siteNotices: "everywhere",
  keysInUse: "everywhere",
  schemaSupport: "everywhere",
  databaseState: "everywhere",
  databaseGate: "everywhere",
  domainAnswers: "everywhere",
  restores: "everywhere",
  lostMessages: "everywhere",
};

const tables = Object.entries(schema).flatMap(([name, value]) => (is(value, SQLiteTable) ? [{ name, value }] : []));

const placeOf = (name: string): Place | undefined => {
  const table = tables.find((each) => each.name === name)?.value;
  if (!table) return undefined;
  return ELSEWHERE[name] ?? ("organizationId" in table ? "cell" : undefined);
};

test("every table has its place: what stands in a cell belongs to an organisation, so that it can move with it", () => {
  expect(tables.filter(({ name }) => placeOf(name) === undefined).map(({ name }) => name)).toEqual([]);
  expect(Object.keys(ELSEWHERE).filter((name) => placeOf(name) === undefined)).toEqual([]);
});

/**
 * The kinds of tables that a file imports from the schema. `users` alone does not count, because people's names can be
 * looked up by id afterwards in any database.
 */
function placesIn(source: string): Set<Place> {
  const [, names = ""] = /import \{([^}]*)\} from "@db\/database";/.exec(source) ?? [];
  const imported = names.split(",").map((name) => name.trim().replace(/^type /, ""));
  return new Set(imported.filter((name) => name !== "users").flatMap((name) => placeOf(name) ?? []));
}

const MODULES = path.resolve("app/modules");

/** File: why it uses both. This list may only get shorter. */
const SPAN_BOTH: Readonly<Record<string, string>> = {
  "accounts/organizations/policy-changes.server.ts":
    "names of those who asked for weaker policies, and who may confirm them",
  "messages/alerts/choices.server.ts": "a person's quiet hours beside what they chose in this organisation",
  "messages/alerts/digest.server.ts": "names and addresses of those whose summary is due",
  "messages/alerts/alerts.server.ts": "who is told of an act: members, their phones and quiet hours",
  "core/audit/audit.server.ts": "names of those who acted",
  "verifying/bank-checks/bank-check.server.ts": "the organisation's name in the payee's email, and whom to tell",
  "accounts/billing/account.server.ts":
    "whether the organisation may act, beside its bills; a payment lets it act, in one batch",
  "accounts/organizations/name-requests.server.ts": "whose name waits for an operator, and whom to tell of it",
  "verifying/bank-checks/provider-data.server.ts": "whom of the provider's users no check names any more",
  "accounts/billing/trial-reminders.server.ts": "whose trial ends, and who was told",
  "core/housekeeping.server.ts": "removes what is over everywhere; each database would remove its own",
  "accounts/identity/proof.server.ts":
    "whether an organisation of theirs asks for passkeys; would be copied to the directory",
  "accounts/identity/person.server.ts":
    "two-step rule and time zone of the organisation, on every request; would be copied to the directory",
  "accounts/identity/password.server.ts":
    "a reset and its email in one batch; the directory would have an outbox of its own",
  "core/restores/database-state.server.ts":
    "a database that was put back ends everybody's sessions; each would be held by itself",
  "payments/invoices/receive-mail.server.ts": "whose address a message was sent to, and which of its people wrote it",
  "payments/invoices/take-in-invoice.server.ts": "the organisation's name in the answer to whoever sent the message",
  "verifying/bank-checks/ask-again.server.ts": "a walk over all organisations, each with its own payees",
  "records/inbox/inbox.server.ts": "names of those who ask to join, beside what else waits",
  "records/restores/ask-providers.server.ts":
    "connections of organisations, with their customers at the card provider, which are asked after a restore",
  "records/restores/restores.server.ts": "names of organisations beside what a restore lost",
  "records/sample-data.server.ts": "sample data has an organisation and invented people of its own",
  "records/restores/tell-organizations.server.ts": "a walk over all organisations, each with its own trail",
  "payees/payee-links/payee-link.server.ts": "the organisation's name on the payee's page",
  "payees/verifications/evidence.server.ts":
    "what other organisations vouch for: the directory would hold the fingerprints with what makes them count",
  "records/dashboard.server.ts": "the organisation and its members beside what waits for them",
  "verifying/review/review-page.server.ts": "which members may decide",
  "accounts/administration/data-requests.server.ts": "looks for a person in the directory and in every cell",
  "accounts/organizations/close-organization.server.ts": "an organisation closes, and its connections are cut with it",
  "accounts/billing/sync-billing.server.ts":
    "whether the organisation may act, beside its bills; a payment lets it act, in one batch",
  "messages/alerts/trail.server.ts": "names in what the trail says, and whom to tell of it",
  "messages/notifications/outside-messages.queries.server.ts":
    "what an organisation has sent outside, beside whether it has paid and who administers it",
  "payments/approvers.server.ts": "names of those who may approve what somebody else may not",
  "records/organization-export/organization-export.server.ts":
    "an organisation takes everything with it: its people, and every table of its cell",
};

test("no other file joins or writes tables of the directory and of a cell, and every file listed still does", () => {
  const spanning = readdirSync(MODULES, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".server.ts"))
    .filter((name) => {
      const places = placesIn(readFileSync(path.join(MODULES, name), "utf8"));
      return places.has("directory") && places.has("cell");
    })
    .map((name) => name.split(path.sep).join("/"));
  expect(spanning.sort()).toEqual(Object.keys(SPAN_BOTH).sort());
  for (const why of Object.values(SPAN_BOTH)) expect(why).not.toBe("");
});
