import * as schema from "@db/database";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterAll, expect } from "vitest";

/**
 * Every statement that a test file's commands and queries prepare is looked at when the file ends: it must run on an
 * index, and a statement about an organisation's rows must be bound to the organisation.
 */

const seen = new Set<string>();
/** Statements without faults. The schema is the same for all files, so none is checked twice. */
const right = new Set<string>();

/** D1 that remembers which statements were prepared. */
export function watchQueries(binding: D1Database): D1Database {
  return new Proxy(binding, {
    get(target, property) {
      const member = Reflect.get(target, property);
      if (typeof member !== "function") return member;
      if (property !== "prepare") return member.bind(target);
      return (sql: string) => {
        // The original statement: a batch of reads renames columns only while it runs.
        seen.add(sql.replace(/ as "~\d+"/g, ""));
        return target.prepare(sql);
      };
    },
  });
}

/** Tables with an organisation's id whose rows are found by something else, which is unique across organisations. */
const FOUND_OTHERWISE: ReadonlySet<string> = new Set([
  // A person, by their own id or email address; a token, by the hash of a secret; a job, by its id; a domain, by its
  // name.
  "users",
  "organization_users",
  "api_tokens",
  "tokens",
  "outbox",
  // A message, by the provider's id of it.
  "sent_messages",
  // A domain or an ABN, by itself: what was looked up of it concerns every organisation that has payees with it.
  "subject_watches",
  "organization_domains",
]);

const ORGANIZATION_TABLES = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .filter((table) => "organizationId" in getTableColumns(table) && !FOUND_OTHERWISE.has(getTableName(table)))
  .map(getTableName);

/** Statements that may read across organisations, and why. Each is a fragment of the statement. */
const BEYOND_ONE_ORGANIZATION: readonly { piece: RegExp; why: string }[] = [
  {
    piece: /from "audit_logs" where "audit_logs"\."id" = \?$/,
    why: "a command asks whether its own entry was written",
  },
  { piece: /"audit_logs"\."position" > \?/, why: "sealing and alerts read on through everybody's entries" },
  { piece: /max\("position"\)/, why: "sealing reads on from the last seal of all" },
  {
    piece: /FROM json_each\(\?\).*"audit_seals"|from json_each\(\?\).*"audit_seals"/,
    why: "sealing reads the newest seal of each organisation it was given",
  },
  {
    piece: /"payee_requests"\."tokenHash" = \?$/,
    why: "a link to a payee's form: the hash of a secret finds its one row",
  },
  { piece: /"payee_links"\."tokenHash" = \?/, why: "a payee's link: the hash of a secret finds its one row" },
  {
    piece: /"invoice_settings"\."mailKey" = \?/,
    why: "an email: the secret in its address finds its one organisation",
  },
  { piece: /"stateHash" = \?/, why: "the way back from the bank: the hash of a secret finds its one row" },
  { piece: /"providerUserId" = \?/, why: "the provider tells of its own user; unique" },
  { piece: /"providerUserId" IN \(SELECT value/, why: "which of the provider's users any check of ours names" },
  { piece: /from "provider_users" left join "bank_checks"/, why: "who is left at the provider, of any check of ours" },
  {
    piece: /from "organization_names" inner join "organizations"/,
    why: "super admins list the names that wait, and decide one by its id",
  },
  { piece: /"bank_checks"\."id" = \?/, why: "a job names the one check it is about" },
  { piece: /"accountFingerprint" IN/i, why: "what other organisations say of an account: counted, never shown" },
  { piece: /"whitelistGlobal" = 1/, why: "the same, by id: who vouches is read to be counted, never shown" },
  { piece: /"audit_logs"\."position" <= \?/, why: "reports count everybody's entries, as far as a page goes" },
  {
    piece: /^delete from "\w+" where \(.*\) IN \(SELECT .* LIMIT \?\)/,
    why: "housekeeping removes everybody's old rows",
  },
  {
    piece: /^(delete from|SELECT .* FROM) "\w+" where \((, )?("\w+"(\."\w+")?(, )?)+\) > \(/i,
    why: "the same along the key of a table, where no index has the time",
  },
  { piece: /^SELECT json_array\(.*\) AS "keys"/, why: "sealing anew looks through everybody's envelopes" },
  {
    piece: /^(UPDATE|SELECT) .*"(sealed\w*|formerSealedSecret|credentials)".* "(id|userId)" = \?/,
    why: "the same: it reads and writes the one envelope by its row's key",
  },
  { piece: /^INSERT INTO "counters"/, why: "housekeeping counts every organisation's rows again" },
  { piece: /^delete from "promotion_due"/, why: "the promotion schedule takes up everybody's payees that are due" },
  {
    piece: /"policy_changes"\."dueAt" <= \? order by/,
    why: "the schedule takes everybody's due changes of policies up",
  },
  {
    piece: /from "payees" where \("payees"\."id" > \? and "payees"\."archivedAt" is null\) order by/,
    why: "a schedule walks over every organisation's payees, to watch their domains and ABNs",
  },
  { piece: /"payees"\."paymentCount" >= 3/, why: "the promotion schedule walks over every organisation's payees" },
  { piece: /"organizations"\."trialEndsAt" <= \?/, why: "the reminder schedule walks over every organisation's trial" },
  {
    piece: /"alerts"\."digestDueAt" > \?/,
    why: "the schedule of daily summaries walks over everybody's waiting alerts",
  },
  {
    piece: /from "certificates" where "certificates"\."id" = \?$/,
    why: "a public check of a record: its id finds its one row",
  },
  {
    piece: /"payees"\."bsb" = ended\."bsb"/,
    why: "a new BSB directory: payees of closed BSBs are counted for each organisation, never shown",
  },
  {
    piece: /from "passkeys" inner join "organization_users"/,
    why: "whether any organisation of a person asks for passkeys",
  },
  { piece: /"sessions"\."id" = \?/, why: "a session: the hash of a secret finds its one person and organisation" },
  {
    piece: /"api_tokens"\."tokenHash" = \?/,
    why: "a token: the hash of a secret finds its one person and organisation",
  },
  { piece: /max\("audit_logs"\."position"\)/, why: "the first webhook endpoint begins at the end of the trail" },
  {
    piece: /select 1 from "webhook_endpoints" where "webhook_endpoints"\."status" = \? limit/,
    why: "whether the trail has to be read for webhooks at all",
  },
  {
    piece: /"organization_integrations"\."ledgerId" IN \(SELECT value FROM json_each\(\?\)\)/,
    why: "an event of an accounting system names its books, not the customers of ours that read them",
  },
  {
    piece: /"organization_integrations"\."nextPollAt" <= \?/,
    why: "the schedule asks everybody's accounting systems what changed",
  },
  {
    piece: /from "(bank|account)_questions" where \("\1_questions"\."organizationId" > \?/,
    why: "the schedule asks banks for one organisation after the other",
  },
  {
    piece: /left join "single_sign_on" .*"organization_domains"."domain" = \?/,
    why: "an address says which organisation's provider its person signs in at",
  },
  {
    piece: /"scim_tokens"\."tokenHash" = \?/,
    why: "a token of a directory: the hash of a secret finds its one organisation",
  },
  {
    piece: /^update "provider_people" set .*"isMadeHere" = \? where "provider_people"."userId" = \?$/,
    why: "a person may have lost control of the account: no organisation's provider opens it any more",
  },
  {
    piece: /"payees"\."id" > \? order by "payees"\."id" asc limit/,
    why: "a super admin looks for a person among everybody's payees, audited",
  },
  { piece: /"reportedAt" IS NOT NULL/, why: "the platform's list of organisations counts their reported messages" },
  { piece: /"noted"\."value" ->> 0/, why: "payments of a page of everybody's entries, each by its own organisation" },
  { piece: /"audit_logs" WHERE "id" = noted\.value/, why: "after a restore: which noted entries are gone, by id" },
  { piece: /"lost_entries"\."restoreId" = \?|"lost"\."restoreId" = \?/, why: "the platform's report of a restore" },
  {
    piece: /"restoreId" = \? AND "action" = 'payment\.approved'/,
    why: "what a restore lost is said of the payments that wait",
  },
  { piece: /"organization_integrations"\."status" = 'connected'/, why: "the same report counts connections" },
  { piece: /"digestSentAt" IS NULL AND "createdAt" <= \?/, why: "everybody's summaries that a restore brought back" },
  { piece: /"outside_messages"\."id" = \?/, why: "a signed link names the one message that its reader reports" },
  {
    piece: /"outside_messages"\."recipientHash" = \?/,
    why: "what all organisations sent to one address: counted only",
  },
];

const ABOUT_ORGANIZATION = new RegExp(`\\b(from|join|update|delete from)\\s+"(${ORGANIZATION_TABLES.join("|")})"`, "i");
const isAboutOrganization = (sql: string) => ABOUT_ORGANIZATION.test(sql);

/** Equality with another column is not enough: the organisation must be a parameter. */
const isBound = (sql: string) =>
  /"organizationId"\s*(=\s*\?|IN\s*\(\s*(\?|SELECT value FROM json_each\(\?\)))/i.test(sql);

/**
 * Tables and partial indexes with a handful of rows, or none, and `json_each` under another name; walks over all
 * organisations that a schedule makes on purpose; `walk`, a subquery that itself runs on an index and has a limit; and
 * `given`, a list that an update takes its rows from.
 */
const MAY_SCAN =
  /json_each|VIRTUAL TABLE|CONSTANT ROW|VALUES CLAUSE|leases|preconditions|promotion_due|restores|sqlite_master|d1_migrations|outside_messages_reported|incidents_(open|current)|SCAN (walk|given)$/;

type Step = { detail: string; parent: number };

/** How the database would run a statement; undefined for one that reads no rows, or is explained above. */
function explain(binding: D1Database, sql: string): D1PreparedStatement | undefined {
  if (!/^\s*(select|with|update|delete|insert)\b/i.test(sql)) return undefined;
  // Deleting an organisation: the foreign key checks search the rows of all organisations.
  if (/^delete from "(payment_file_clearings|organizations)"/i.test(sql)) return undefined;
  const parameters = sql.replace(/'[^']*'|"[^"]*"/g, "").split("?").length - 1;
  return binding.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...Array.from({ length: parameters }, () => null));
}

/** In one call, because each call of the database costs more than its answer. */
async function plansOf(
  binding: D1Database,
  statements: readonly string[],
): Promise<ReadonlyMap<string, readonly Step[]>> {
  const asked = statements.flatMap((sql) => {
    const explained = explain(binding, sql);
    return explained ? [{ sql, explained }] : [];
  });
  if (asked.length === 0) return new Map();
  const answers = await binding.batch<Step>(asked.map(({ explained }) => explained));
  return new Map(asked.map(({ sql }, at) => [sql, answers[at]?.results ?? []]));
}

async function scansOf(binding: D1Database, sql: string, plan: readonly Step[]): Promise<string[]> {
  const loops = plan.filter(({ parent }) => parent === 0).map(({ detail }) => detail);
  const readsListAgain = /^\s*update\b/i.test(sql) && loops.slice(1).some((detail) => /VIRTUAL TABLE/.test(detail));
  if (readsListAgain) return [`${loops.join(", then for each row ")} (use jsonRows)`];
  const details = plan.map(({ detail }) => detail);
  return [
    ...details.filter((detail) => /^SCAN /.test(detail) && !MAY_SCAN.test(detail)),
    ...(await walksOf(binding, sql, details)),
  ];
}

const plain = (sql: string) => sql.replace(/"\w+"\./g, "").toLowerCase();
let partialIndexes: Promise<{ name: string; table: string; condition: string }[]> | undefined;

async function readPartialIndexes(binding: D1Database) {
  const { results } = await binding
    .prepare("SELECT name, tbl_name AS \"table\", sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'")
    .all<{ name: string; table: string; sql: string }>();
  return results
    .filter(({ sql }) => /\(["`]organizationId["`]/.test(sql))
    .map(({ sql, ...index }) => ({ ...index, condition: plain(sql.slice(sql.indexOf(" WHERE ") + 7)) }));
}

/**
 * Walks over all rows of an organisation that a partial index with the statement's own condition would spare: of two
 * indexes that serve equally well SQLite takes the one that was made later.
 */
async function walksOf(binding: D1Database, sql: string, details: readonly string[]): Promise<string[]> {
  partialIndexes ??= readPartialIndexes(binding);
  const text = plain(sql);
  const spared = (await partialIndexes)
    .filter(({ condition }) => text.includes(condition))
    .flatMap(({ name, table }) => {
      const walk = `SEARCH ${table} USING INDEX ${table}_org_id (organizationId=?)`;
      return details.includes(walk) ? [`${walk} in place of ${name}`] : [];
    });
  return [...spared, ...details.filter((detail) => isByStatus(detail, sql))];
}

/**
 * Walks over everybody's rows of a status to find those of one payee, because the index of either serves alike: the
 * statement says `+"status"`, so that SQLite does not use that one.
 */
function isByStatus(detail: string, sql: string): boolean {
  const [, name] = /^SEARCH (\w+) USING .*\(organizationId=\? AND status=\?\)/.exec(detail) ?? [];
  return name !== undefined && new RegExp(`("?${name}"?\\.|[^.])"payeeId" = `).test(sql);
}

/** Whether a statement reads or writes an organisation's rows and neither binds the organisation nor has an excuse. */
export const isUnbound = (sql: string): boolean =>
  isAboutOrganization(sql) && !isBound(sql) && !BEYOND_ONE_ORGANIZATION.some(({ piece }) => piece.test(sql));

/** Registers the check at the end of each test file. Called by the workers project's setup. */
export function checkQueriesAfterEachFile(binding: D1Database): void {
  afterAll(async () => {
    const problems: string[] = [];
    const fresh = [...seen].filter((sql) => !right.has(sql));
    const plans = await plansOf(binding, fresh);
    for (const sql of fresh) {
      const found = (await scansOf(binding, sql, plans.get(sql) ?? [])).map((scan) => `${scan}: ${sql}`);
      if (isUnbound(sql)) found.push(`not bound to an organisation: ${sql}`);
      if (found.length === 0) right.add(sql);
      problems.push(...found);
    }
    seen.clear();
    expect(problems).toEqual([]);
  });
}
