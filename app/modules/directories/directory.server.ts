import {
  bsbDirectory,
  businessRegister,
  columnsOf,
  domainAnswers,
  outbox,
  type Statement,
  subjectWatches,
} from "@db/database";
import { and, eq, gte, isNotNull, type SQL, sql } from "drizzle-orm";
import type { DirectoryEntry } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import { registeredAtOf } from "~/kernel/domain-name";
import { askedDomain, emailDomain } from "~/kernel/email";
import { DOMAIN_PARTIES } from "~/kernel/enums";
import type { PayeeDetails } from "~/kernel/payee";
import { enqueueJobs } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services, TimedServices } from "~/services-and-actor";
import type { DomainAnswers } from "./email-domain";
import type { RegisterAnswer } from "./register";

/**
 * What public directories say about payees, what of it is to be looked up, and which organisations are told about news.
 * The look-ups are made by jobs: of ABNs in `register.server.ts`, of email domains in `email-domain.server.ts`.
 */

/** The BSB's entry; null when the loaded directory does not have it, undefined when no directory is loaded. */
export async function findDirectoryEntry(services: ReadServices, bsb: string) {
  return (await findDirectoryEntries(services, [bsb]))(bsb);
}

/** The same for many BSBs, in one statement. */
export async function findDirectoryEntries(
  { db }: ReadServices,
  bsbs: readonly string[],
): Promise<(bsb: string) => DirectoryEntry | null | undefined> {
  const asked = JSON.stringify([...new Set(bsbs)]);
  const [rows, [any]] = await Promise.all([
    db
      .select(columnsOf(bsbDirectory, "bsb", "mnemonic", "name", "electronic", "status", "successorBsb"))
      .from(bsbDirectory)
      .where(sql`${bsbDirectory.bsb} IN (SELECT value FROM json_each(${asked}))`),
    db.select({ bsb: bsbDirectory.bsb }).from(bsbDirectory).where(gte(bsbDirectory.bsb, "")).limit(1),
  ]);
  const entries = new Map(rows.map(({ bsb, ...entry }) => [bsb, entry]));
  return (bsb) => entries.get(bsb) ?? (any ? null : undefined);
}

/** The register's answers about these ABNs, by ABN; unanswered ones are missing. */
export async function findRegisterAnswers(
  { db }: ReadServices,
  abns: readonly (string | null)[],
): Promise<Map<string, RegisterAnswer>> {
  const asked = [...new Set(abns.filter((abn) => abn !== null))];
  if (asked.length === 0) return new Map();
  const rows = await db
    .select({ abn: businessRegister.abn, entry: businessRegister.entry, fetchedAt: businessRegister.fetchedAt })
    .from(businessRegister)
    .where(
      and(
        sql`${businessRegister.abn} IN (SELECT value FROM json_each(${JSON.stringify(asked)}))`,
        isNotNull(businessRegister.fetchedAt),
      ),
    );
  return new Map(rows.map(({ abn, entry, fetchedAt }) => [abn, { entry, fetchedAt: fetchedAt ?? 0 }]));
}

/** The same for one. */
export const findRegisterAnswer = async (services: ReadServices, abn: string | null) =>
  abn === null ? undefined : (await findRegisterAnswers(services, [abn])).get(abn);

/** The look-up results for these addresses' domains, by address. */
export async function findDomainAnswers(
  { db }: ReadServices,
  emails: readonly (string | null)[],
): Promise<(email: string | null) => DomainAnswers> {
  const asked = [...new Set(emails)].flatMap((email) => askedDomain(email) ?? []);
  if (asked.length === 0) return () => ({});
  const domains = [...new Set(asked.flatMap(({ domain, registered }) => [domain, registered]))];
  const rows = await db
    .select()
    .from(domainAnswers)
    .where(sql`${domainAnswers.domain} IN (SELECT value FROM json_each(${JSON.stringify(domains)}))`);
  const known = new Map(rows.map((row) => [`${row.party} ${row.domain}`, row]));
  return (email) => {
    const of = askedDomain(email);
    const dns = of && known.get(`dns ${of.domain}`);
    const rdap = of && known.get(`rdap ${of.registered}`);
    return {
      ...(dns && { dns: { said: dns.mail, fetchedAt: dns.fetchedAt, failedAt: dns.failedAt } }),
      ...(rdap && { rdap: { said: rdap.registration, fetchedAt: rdap.fetchedAt, failedAt: rdap.failedAt } }),
    };
  };
}

/** A registration older than this is not a concern, whatever age a rule uses. */
const YOUNG_MS = 365 * DAY_MS;

/** The facts about an email domain for the rules: only signs against it; empty: none, or not looked up. */
export function findAgainstDomain(email: string | null, { dns, rdap }: DomainAnswers, now: number) {
  const since = registeredAtOf(rdap?.said);
  const isUnregistered = rdap?.said?.state === "not_registered";
  const isYoung = since !== null && now - since < YOUNG_MS;
  const hasNoDmarc = dns?.said != null && dns.said.dmarc.state !== "policy";
  if (email === null || !(isUnregistered || isYoung || hasNoDmarc)) return undefined;
  const hadDmarcAt = dns?.said?.hadDmarcAt;
  return {
    domain: emailDomain(email),
    ...((isYoung || isUnregistered) && {
      registration: { since: isUnregistered ? null : since, lookedUpAt: rdap?.fetchedAt ?? 0 },
    }),
    ...(hasNoDmarc && {
      noDmarc: { lookedUpAt: dns.fetchedAt ?? 0, ...(hadDmarcAt !== undefined && { hadAt: Date.parse(hadDmarcAt) }) },
    }),
  };
}

/** Queues look-ups of public information about payees that are new or have changed: their ABNs and email domains. */
export function lookUpLater(
  services: Pick<Services, "db" | "clock" | "ids">,
  organizationId: string,
  details: readonly Partial<Pick<PayeeDetails, "abn" | "email">>[],
): Statement[] {
  const abns = details.map(({ abn }) => abn);
  const emails = details.map(({ email }) => email);
  const subjects = [...abns, ...emails.map((email) => askedDomain(email)?.registered)];
  return [
    ...requestAnswers(services, abns),
    ...requestDomains(services, emails),
    ...watchSubjects(
      services,
      [...new Set(subjects)].map((subject) => ({ organizationId, subject })),
    ),
  ];
}

/** Requests the register's answers about these ABNs, for the batch that adds them; known ones stay as they are. */
function requestAnswers(
  services: Pick<Services, "db" | "clock" | "ids">,
  abns: readonly (string | null | undefined)[],
): Statement[] {
  const wanted = [...new Set(abns)].filter((abn) => abn != null);
  if (wanted.length === 0) return [];
  const { db, clock } = services;
  const wantedAt = clock.now();
  return [
    db
      .insert(businessRegister)
      .select(sql`SELECT value, ${wantedAt}, NULL, NULL, 0 FROM json_each(${JSON.stringify(wanted)}) WHERE true`)
      .onConflictDoNothing(),
    queueLookUp(services),
  ];
}

/** The single job that looks up ABNs for all organisations. */
const REGISTER_JOB = "business register";

/** Queues the look-up of all requested ABNs, unless it is already queued. */
export const queueLookUp = (services: Pick<Services, "db" | "clock" | "ids">): Statement =>
  enqueueJobs(services, "register_lookup", [
    { id: services.ids.next(), subjectId: REGISTER_JOB, dueAt: services.clock.now() },
  ]);

/**
 * Requests look-ups of these addresses' domains, for the batch that adds them. Known or requested domains stay as they
 * are.
 * @param withinMs spreads the look-ups over this time instead of making them at once
 */
export function requestDomains(
  services: Pick<Services, "db" | "clock" | "ids">,
  emails: readonly (string | null | undefined)[],
  withinMs = 0,
): Statement[] {
  const now = services.clock.now();
  const rows = [...new Set(emails)].flatMap((email) => {
    const asked = askedDomain(email);
    if (!asked) return [];
    const wantedAt = now + shareOf(asked.domain, withinMs);
    return [
      { domain: asked.domain, party: "dns", wantedAt },
      { domain: asked.registered, party: "rdap", wantedAt },
    ];
  });
  if (rows.length === 0) return [];
  const insert = services.db
    .insert(domainAnswers)
    .select(
      sql`SELECT value ->> 'domain', value ->> 'party', value ->> 'wantedAt', 0, NULL, NULL, NULL, NULL
        FROM json_each(${JSON.stringify(rows)}) WHERE true`,
    )
    .onConflictDoNothing();
  return withinMs === 0 ? [insert, queueDomains(services)] : [insert];
}

const PARTS = 10_007;

/** A fixed fraction of a period, derived from the letters of the name, so that names are spread over the period. */
export const shareOf = (domain: string, ms: number): number =>
  Math.floor((ms * [...domain].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % PARTS, 7)) / PARTS);

/**
 * One job per party makes the look-ups for all organisations, so that no domain is looked up twice or too fast. No job
 * is queued while there is one, or when nothing is due. If something becomes due just as a job ends, a cron run finds
 * it.
 */
export function queueDomains(services: Pick<Services, "db" | "clock" | "ids">): Statement {
  const dueAt = services.clock.now();
  const jobs = DOMAIN_PARTIES.map((party) => ({ id: services.ids.next(), subjectId: party, dueAt }));
  const isDue = (party: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${domainAnswers} AS due WHERE due."party" = ${party} AND due."wantedAt" <= ${dueAt})
      AND NOT EXISTS (SELECT 1 FROM ${outbox} AS held WHERE held."subjectId" = ${party} AND held."kind" = 'domain_lookup'
        AND held."status" = 'pending')`;
  return enqueueJobs(services, "domain_lookup", jobs, isDue);
}

/** `firstSeenAt`: now, if left out. `subject`: a registered domain or an ABN; without one nothing is stored. */
type Watched = { organizationId: string; subject: string | null | undefined; firstSeenAt?: number };

/**
 * Records which organisations have payees with these domains and ABNs, for the batch that adds or changes them. If a
 * subject was looked up before, their people may have to be told.
 */
export function watchSubjects({ db, clock }: TimedServices, watched: readonly Watched[]): Statement[] {
  const now = clock.now();
  const rows = watched.flatMap(({ firstSeenAt = now, ...row }) =>
    row.subject == null ? [] : [{ ...row, firstSeenAt }],
  );
  if (rows.length === 0) return [];
  const isKnown = sql`EXISTS (SELECT 1 FROM "domain_answers" AS d WHERE d."domain" = value ->> 'subject' AND d."fetchedAt" IS NOT NULL)
    OR EXISTS (SELECT 1 FROM "business_register" AS b WHERE b."abn" = value ->> 'subject' AND b."fetchedAt" IS NOT NULL)`;
  return [
    db
      .insert(subjectWatches)
      .select(
        sql`SELECT value ->> 'organizationId', value ->> 'subject', value ->> 'firstSeenAt', '[]', CASE WHEN ${isKnown} THEN ${now} END
          FROM json_each(${JSON.stringify(rows)}) WHERE true`,
      )
      .onConflictDoNothing(),
  ];
}

/** After a look-up: marks the organisations that were told about concerns, or may have to be told. */
export function markNews({ db, clock }: TimedServices, found: readonly { subject: string; isConcern: boolean }[]) {
  return found.map(({ subject, isConcern }) =>
    db
      .update(subjectWatches)
      .set({ newsAt: clock.now() })
      .where(and(eq(subjectWatches.subject, subject), isConcern ? undefined : sql`${subjectWatches.told} <> '[]'`)),
  );
}

/** When an organisation first had a payee with a domain or ABN; undefined: not recorded. */
export async function findFirstSeen({ db }: ReadServices, organizationId: string, subject: string) {
  const [row] = await db
    .select({ firstSeenAt: subjectWatches.firstSeenAt })
    .from(subjectWatches)
    .where(and(eq(subjectWatches.organizationId, organizationId), eq(subjectWatches.subject, subject)));
  return row?.firstSeenAt;
}
