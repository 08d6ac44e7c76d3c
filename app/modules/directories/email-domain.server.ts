import type { Statement } from "@db/client";
import { domainAnswers, outbox } from "@db/schema";
import { and, asc, eq, lte, or, type SQL, sql } from "drizzle-orm";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { asciiDomain, splitDomain } from "~/kernel/domain-name";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import { DOMAIN_PARTIES } from "~/kernel/enums";
import { UpstreamError } from "~/kernel/upstream-error";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { enqueueJobs, jobIsLeased, postponeJob } from "~/modules/core/commands/outbox.statements.server";
import { runStatement, runStep } from "~/modules/core/commands/run-command.server";
import type { DomainRecords } from "~/ports/domain-records";
import type { ReadServices, Services, WriteServices } from "~/services";
import { type Dmarc, hasDmarc, isTopOfOrganization, readDmarc } from "./dmarc";
import { type DomainAnswers, domainConcerns, type MailRecords } from "./email-domain";
import { markNews } from "./watched-subjects.server";

/** An email domain as it is asked about; undefined where that says nothing about an organisation: without an address, or at a free-mail provider. */
export function askedDomain(email: string | null | undefined): { domain: string; registered: string } | undefined {
  const domain = emailDomain(email ?? "");
  if (domain === "" || isFreeMailDomain(domain)) return undefined;
  const [ascii, registered] = [asciiDomain(domain), asciiDomain(splitDomain(domain).registered)];
  return ascii && registered ? { domain: ascii, registered } : undefined;
}

/** What was looked up of the domains of these addresses, by the address. */
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

/**
 * Asks for what is public about the domains of these addresses, for the batch that adds them. What is known or asked about
 * already stays as it is.
 * @param withinMs they are not asked about at once but some time within this, each at its own
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

/**
 * What is known of the domain of an address, asked about at once where nothing is: whoever writes for the first time is who
 * a person wants to know about. What has no answer in time, or is asked too fast, is left to the schedule.
 */
export async function lookUpDomainSoon(
  services: Looking & Pick<Services, "ids">,
  email: string,
  withinMs: number,
): Promise<DomainAnswers> {
  const asked = askedDomain(email);
  if (!asked) return {};
  const known = (await findDomainAnswers(services, [email]))(email);
  const rows = [
    { domain: asked.domain, party: "dns" as const, isKnown: known.dns !== undefined },
    { domain: asked.registered, party: "rdap" as const, isKnown: known.rdap !== undefined },
  ].filter(({ isKnown }) => !isKnown);
  if (rows.length === 0 || !(services.domainRecords || services.domainRegistry)) return known;
  const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), withinMs));
  const answers = rows.map(async ({ domain, party }) => {
    const ask = askerOf(services, party);
    const row: Row = { domain, party, wantedAt: 0, attempts: 0, mail: null, registration: null, ...NEVER };
    const answer = ask?.(row).catch((error: unknown) => {
      if (!(error instanceof UpstreamError)) throw error;
      services.log.warn("domain.unanswered", { party, error: error.message });
      return [];
    });
    return answer ? Promise.race([answer, late]) : [];
  });
  const [insert, queue] = requestDomains(services, [email]);
  if (!(insert && queue)) return known;
  const isAnswered = rows.map((row) => isRow(row));
  const found = sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${domainAnswers} WHERE ${domainAnswers.fetchedAt} IS NOT NULL AND ${or(...isAnswered)})`;
  await runStep(services, {
    conditions: [{ name: "answered_already", found }],
    statements: [insert, ...(await Promise.all(answers)).flat(), queue],
  });
  return (await findDomainAnswers(services, [email]))(email);
}

const NEVER = { fetchedAt: null, failedAt: null };

const PARTS = 10_007;

/** A part of a time, by the letters of the name: the same part every time, and another for most other names. */
const shareOf = (domain: string, ms: number): number =>
  Math.floor((ms * [...domain].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % PARTS, 7)) / PARTS);

/**
 * One job for each party looks up what any organisation asks about, so that none is asked twice or too fast: none is queued
 * while there is one, or nothing is due. What becomes due as a job ends the schedule finds.
 */
function queueDomains(services: Pick<Services, "db" | "clock" | "ids">): Statement {
  const dueAt = services.clock.now();
  const jobs = DOMAIN_PARTIES.map((party) => ({ id: services.ids.next(), subjectId: party, dueAt }));
  const isDue = (party: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${domainAnswers} AS due WHERE due."party" = ${party} AND due."wantedAt" <= ${dueAt})
      AND NOT EXISTS (SELECT 1 FROM ${outbox} AS held WHERE held."subjectId" = ${party} AND held."kind" = 'domain_lookup'
        AND held."status" = 'pending')`;
  return enqueueJobs(services, "domain_lookup", jobs, isDue);
}

type Party = (typeof DOMAIN_PARTIES)[number];
type Looking = WriteServices & Pick<Services, "domainRecords" | "domainRegistry">;
type Row = typeof domainAnswers.$inferSelect;

/** Look-ups of one delivery, one after the other, and the pause before the next: rdap.org takes ten in ten seconds of anyone. */
const PER_STEP = 5;
const PAUSE_MS = 5_000;
/** Where a party does not answer twice in a row the others wait for the next delivery: a lease ends before eight time limits do. */
const MOST_FAILURES = 2;
/** A job that would wait longer ends; the schedule queues the next. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
const SHORTEST_RETRY_MS = 10_000;
/** After 5, 20, 80 and 320 minutes it is tried again; then it counts as unanswered until it is asked again anyway. */
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = 5 * MINUTE_MS;
/** Each domain is asked about once a month, those of one day on other days the next time. */
const AGAIN_MS = 25 * DAY_MS;
const SPREAD_MS = 10 * DAY_MS;
const againAt = (now: number, domain: string): number => now + AGAIN_MS + shareOf(domain, SPREAD_MS);

/** Looks up the next domains that one party is asked about. One without an answer is asked about again, and holds up no other. */
export async function lookUpDomains(services: Looking, job: Job): Promise<void> {
  const party = DOMAIN_PARTIES.find((each) => each === job.subjectId);
  const ask = party && askerOf(services, party);
  if (!party || !ask) return finishJob(services, job);
  const wanted = await listWanted(services, party);
  const statements: Statement[] = [];
  let failures = 0;
  let resumeAt = services.clock.now() + PAUSE_MS;
  for (const row of wanted) {
    try {
      statements.push(...(await ask(row)));
      failures = 0;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      services.log.warn("domain.unanswered", { party, error: error.message });
      if (error.kind === "rate_limited") {
        resumeAt = services.clock.now() + Math.max(error.options.retryAfterMs ?? 0, SHORTEST_RETRY_MS);
        break;
      }
      statements.push(keepFailure(services, row, error));
      failures++;
      if (failures >= MOST_FAILURES) break;
    }
  }
  await goOn(services, job, party, { statements, resumeAt });
}

/** Keeps what was found, and puts the job back until something is due again, or ends it. */
async function goOn(
  services: Looking,
  job: Job,
  party: Party,
  { statements, resumeAt }: { statements: Statement[]; resumeAt: number },
): Promise<void> {
  const conditions = [jobIsLeased(services, job)] as const;
  if (statements.length > 0 && !(await runStep(services, { conditions, statements })).ok) return;
  const [next] = await services.db
    .select({ wantedAt: domainAnswers.wantedAt })
    .from(domainAnswers)
    .where(eq(domainAnswers.party, party))
    .orderBy(asc(domainAnswers.wantedAt))
    .limit(1);
  if (!next || next.wantedAt > services.clock.now() + LONGEST_WAIT_MS) return finishJob(services, job);
  const dueAt = Math.max(next.wantedAt, resumeAt);
  await runStep(services, {
    conditions,
    statements: [postponeJob(services, job, { dueAt, attempts: 0 })],
    woken: [{ ...job, dueAt }],
  });
}

const listWanted = ({ db, clock }: Looking, party: Party): Promise<Row[]> =>
  db
    .select()
    .from(domainAnswers)
    .where(and(eq(domainAnswers.party, party), lte(domainAnswers.wantedAt, clock.now())))
    .orderBy(asc(domainAnswers.wantedAt))
    .limit(PER_STEP);

/** How a party is asked about a row, and what its answer writes; undefined where it is not connected. */
function askerOf(services: Looking, party: Party): ((row: Row) => Promise<Statement[]>) | undefined {
  const { domainRecords: records, domainRegistry: registry } = services;
  if (party === "dns") {
    return records && (async (row) => keepAnswer(services, row, { mail: await readMail(records, row) }));
  }
  return (
    registry &&
    (async (row) => keepAnswer(services, row, { registration: await registry.findRegistration(row.domain) }))
  );
}

/** What the DNS has, and whether a policy that it had before is gone. */
async function readMail(records: DomainRecords, { domain, mail: before, fetchedAt }: Row): Promise<MailRecords> {
  const dmarc = await findDmarc(records, domain);
  const hosts = await records.findMailHosts(domain);
  const had =
    before?.dmarc.state === "policy" && fetchedAt !== null ? new Date(fetchedAt).toISOString() : before?.hadDmarcAt;
  return { dmarc, mail: mailOf(hosts), ...(dmarc.state !== "policy" && had !== undefined && { hadDmarcAt: had }) };
}

/** Of a name that is longer, the labels between are left out (RFC 9989, section 4.10). */
const LONGEST_WALK = 7;

/**
 * The domain's own record; without one, that of the domain which it belongs to: the one furthest up that has a record,
 * unless one below it says that it is where an organisation begins (RFC 9989, section 4.10).
 */
async function findDmarc(records: DomainRecords, domain: string): Promise<Dmarc> {
  const own = (await records.findTexts(`_dmarc.${domain}`)) ?? [];
  if (hasDmarc(own)) return readDmarc(own, domain);
  const labels = domain.split(".");
  // Of an ending such as com.au nothing is asked: nobody's policy stands there.
  const registered = asciiDomain(splitDomain(domain).registered)?.split(".").length ?? labels.length;
  let found: Dmarc = { state: "none" };
  for (let length = Math.min(labels.length - 1, LONGEST_WALK); length >= registered; length--) {
    const name = labels.slice(-length).join(".");
    const texts = (await records.findTexts(`_dmarc.${name}`)) ?? [];
    if (hasDmarc(texts)) found = readDmarc(texts, name, true);
    if (isTopOfOrganization(texts)) break;
  }
  return found;
}

/** RFC 7505: a single host without a name says that no email is taken. */
function mailOf(hosts: string[] | undefined): MailRecords["mail"] {
  if (!hosts) return "no_domain";
  if (hosts.length === 0) return "no_hosts";
  return hosts.every((host) => host === "") ? "refused" : "hosts";
}

function keepAnswer(services: Looking, row: Row, said: Pick<Partial<Row>, "mail" | "registration">): Statement[] {
  const now = services.clock.now();
  const answer = { ...row, ...said };
  const concerns = domainConcerns(
    {
      dns: { said: answer.mail, fetchedAt: now, failedAt: null },
      rdap: { said: answer.registration, fetchedAt: now, failedAt: null },
    },
    now,
  );
  const subject = asciiDomain(splitDomain(row.domain).registered) ?? row.domain;
  return [
    services.db
      .update(domainAnswers)
      .set({ ...said, fetchedAt: now, failedAt: null, wantedAt: againAt(now, row.domain), attempts: 0 })
      .where(isRow(row)),
    ...markNews(services, [{ subject, isConcern: concerns.length > 0 }]),
  ];
}

/** What was said before stays. */
function keepFailure({ db, clock }: Looking, row: Row, error: UpstreamError): Statement {
  const now = clock.now();
  const attempts = row.attempts + 1;
  const isOver = attempts >= MAX_ATTEMPTS || !error.retryable;
  const retryMs = Math.max(FIRST_RETRY_MS * 4 ** row.attempts, error.options.retryAfterMs ?? 0);
  const next = isOver ? { wantedAt: againAt(now, row.domain), attempts: 0 } : { wantedAt: now + retryMs, attempts };
  return db
    .update(domainAnswers)
    .set({ failedAt: now, ...next })
    .where(isRow(row));
}

const isRow = ({ domain, party }: Pick<Row, "domain" | "party">) =>
  and(eq(domainAnswers.domain, domain), eq(domainAnswers.party, party));

/** Something is wrong with us: the next domain that is wanted, or the schedule, starts again. */
export const giveUpDomains = (services: Looking, job: Job, error: string) => finishJob(services, job, "failed", error);

/** Queues the look-up of what has become due. */
export const queueDueDomains = (services: WriteServices) => runStatement(services, queueDomains(services));
