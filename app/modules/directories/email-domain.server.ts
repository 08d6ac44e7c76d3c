import { domainAnswers, type Statement } from "@db/database";
import { and, asc, eq, lte, or, sql } from "drizzle-orm";
import { UpstreamError } from "~/kernel/app-error";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { asciiDomain, splitDomain } from "~/kernel/domain-name";
import { askedDomain } from "~/kernel/email";
import { DOMAIN_PARTIES } from "~/kernel/enums";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { jobIsLeased, postponeJob, runStatement, runStep } from "~/modules/core/commands/run-command.server";
import type { DomainRecords } from "~/ports/domains";
import type { Services, WriteServices } from "~/services-and-actor";
import { findDomainAnswers, markNews, queueDomains, requestDomains, shareOf } from "./directory.server";
import {
  type Dmarc,
  type DomainAnswers,
  domainConcerns,
  hasDmarc,
  isTopOfOrganization,
  type MailRecords,
  readDmarc,
} from "./email-domain";

/**
 * The look-up result for an address's domain; if there is none, looks it up at once, because first-time senders are the
 * ones people want to know about. If the answer is too slow or rate-limited, a cron run looks it up.
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

type Party = (typeof DOMAIN_PARTIES)[number];
type Looking = WriteServices & Pick<Services, "domainRecords" | "domainRegistry">;
type Row = typeof domainAnswers.$inferSelect;

/** Look-ups of one delivery, one after the other, and the pause after it: rdap.org allows ten in ten seconds. */
const PER_STEP = 5;
const PAUSE_MS = 5_000;
/** After two failures in a row, the rest waits for the next delivery: eight timeouts would outlast the lease. */
const MOST_FAILURES = 2;
/** A job that would wait longer than this ends; a cron run queues the next. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
const SHORTEST_RETRY_MS = 10_000;
/** A failed look-up is repeated after 5, 20, 80 and 320 minutes; then it is unanswered until the next regular one. */
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = 5 * MINUTE_MS;
/** Each domain is looked up about once a month; those of one day are spread over different days the next time. */
const AGAIN_MS = 25 * DAY_MS;
const SPREAD_MS = 10 * DAY_MS;
const againAt = (now: number, domain: string): number => now + AGAIN_MS + shareOf(domain, SPREAD_MS);

/** Makes one party's next look-ups. A failed look-up is repeated later and does not delay the others. */
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

/** Stores the results, and puts the job back until something is due again, or ends it. */
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

/** How a party is asked about a row, and the statements that store its answer; undefined: it is not configured. */
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

/** The DNS records, and whether an earlier policy is gone. */
async function readMail(records: DomainRecords, { domain, mail: before, fetchedAt }: Row): Promise<MailRecords> {
  const [dmarc, hosts] = await Promise.all([findDmarc(records, domain), records.findMailHosts(domain)]);
  const had =
    before?.dmarc.state === "policy" && fetchedAt !== null ? new Date(fetchedAt).toISOString() : before?.hadDmarcAt;
  return { dmarc, mail: mailOf(hosts), ...(dmarc.state !== "policy" && had !== undefined && { hadDmarcAt: had }) };
}

/** In a longer name, the labels in between are skipped (RFC 9989, section 4.10). */
const LONGEST_WALK = 7;

/**
 * The domain's own record; otherwise that of the domain it belongs to: the highest one with a record, unless a lower
 * one says that an organisation begins there (RFC 9989, section 4.10).
 */
async function findDmarc(records: DomainRecords, domain: string): Promise<Dmarc> {
  const own = (await records.findTexts(`_dmarc.${domain}`)) ?? [];
  if (hasDmarc(own)) return readDmarc(own, domain);
  const labels = domain.split(".");
  // Public suffixes such as com.au are not queried, because they have no policies.
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

/** RFC 7505: a single MX host without a name means that the domain accepts no email. */
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

/** The earlier answer is kept. */
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

/** An error of our own: the next requested domain, or a cron run, starts again. */
export const giveUpDomains = (services: Looking, job: Job, error: string) => finishJob(services, job, "failed", error);

/** Queues the look-ups that have become due. */
export const queueDueDomains = (services: WriteServices) => runStatement(services, queueDomains(services));
