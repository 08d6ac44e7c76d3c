import { columnsOf, payees, payeeTerms, rowIn, subjectWatches } from "@db/database";
import { findWalk, saveWalk } from "@db/walk";
import { and, asc, eq, gt, isNotNull, isNull } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { registeredAtOf } from "~/kernel/domain-name";
import { askedDomain } from "~/kernel/email";
import { runCommand, runStatement, runStep } from "~/modules/core/commands/run-command.server";
import { domainTerms } from "~/modules/core/payee-keys";
import {
  findDomainAnswers,
  findRegisterAnswer,
  requestDomains,
  watchSubjects,
} from "~/modules/directories/directory.server";
import { domainConcerns } from "~/modules/directories/email-domain";
import { systemActor, type WriteServices } from "~/services-and-actor";
import type { PayeeConcern } from "./payee-actions";

/**
 * Reports concerns about an email domain or ABN to the organisations that have payees with it, as audit entries from
 * which alerts are made. Each concern is reported once, and again if it comes back.
 */

/** How many domains and ABNs, each of one organisation, one cron run handles: about six database queries each. */
const PER_RUN = 20;
/** At most this many payees of one domain or ABN are named. */
const MAX_PAYEES = 20;

type Watch = typeof subjectWatches.$inferSelect;
type Found = { payeeId: string; concern: PayeeConcern; since: number | null };

/** @returns how many payees had something reported */
export async function tellConcerns(services: WriteServices): Promise<number> {
  const due = await services.db
    .select()
    .from(subjectWatches)
    .where(isNotNull(subjectWatches.newsAt))
    .orderBy(asc(subjectWatches.newsAt))
    .limit(PER_RUN);
  let told = 0;
  for (const watch of due) told += await tell(services, watch);
  return told;
}

async function tell(services: WriteServices, watch: Watch): Promise<number> {
  const { db, ids } = services;
  const { organizationId, subject, newsAt } = watch;
  const found = ABN.test(subject) ? await findOfAbn(services, watch) : await findOfDomain(services, watch);
  const news = found.filter(({ concern }) => !watch.told.includes(concern));
  const isWatch = and(eq(subjectWatches.organizationId, organizationId), eq(subjectWatches.subject, subject));
  const asRead = rowIn(db, subjectWatches).where(and(isWatch, eq(subjectWatches.newsAt, newsAt ?? 0)));
  const step = {
    conditions: [{ name: "told_already" as const, found: asRead }] as const,
    statements: [
      db
        .update(subjectWatches)
        .set({ newsAt: null, told: [...new Set(found.map(({ concern }) => concern))] })
        .where(isWatch),
    ],
  };
  if (news.length === 0) {
    await runStep(services, step);
    return 0;
  }
  const { ok } = await runCommand(services, systemActor(organizationId, ids.next()), {
    ...step,
    audit: news.map(({ payeeId, concern, since }) => ({
      action: "payee.concern_found" as const,
      entityId: payeeId,
      details: { subject, concern, since },
    })),
  });
  return ok ? news.length : 0;
}

const ABN = /^\d{11}$/;

async function findOfAbn(services: WriteServices, watch: Watch): Promise<Found[]> {
  const entry = (await findRegisterAnswer(services, watch.subject))?.entry;
  if (!entry || entry.isActive) return [];
  const since = Date.parse(entry.statusFrom ?? "");
  const bearers = (await listBearers(services, watch, watch.subject)).filter(({ abn }) => abn === watch.subject);
  return bearers.map(({ id }) => ({
    payeeId: id,
    concern: "abn_cancelled",
    since: Number.isNaN(since) ? null : since,
  }));
}

async function findOfDomain(services: WriteServices, watch: Watch): Promise<Found[]> {
  const [term = ""] = domainTerms(`@${watch.subject}`);
  const near = await listBearers(services, watch, term);
  const bearers = near.filter(({ email }) => askedDomain(email)?.registered === watch.subject);
  const answersOf = await findDomainAnswers(
    services,
    bearers.map(({ email }) => email),
  );
  return bearers.flatMap(({ id, email }) => {
    const answers = answersOf(email);
    const hadDmarc = Date.parse(answers.dns?.said?.hadDmarcAt ?? "");
    return domainConcerns(answers, services.clock.now()).map((concern) => ({
      payeeId: id,
      concern,
      since: concern === "domain_new" ? registeredAtOf(answers.rdap?.said) : concern === "dmarc_gone" ? hadDmarc : null,
    }));
  });
}

/** Active payees that have this search term. */
const listBearers = ({ db }: WriteServices, { organizationId }: Watch, term: string) =>
  db
    .select({ id: payees.id, email: payees.email, abn: payees.abn })
    .from(payeeTerms)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, payeeTerms.payeeId)))
    .where(and(eq(payeeTerms.organizationId, organizationId), eq(payeeTerms.term, term), isNull(payees.archivedAt)))
    .limit(MAX_PAYEES);

const WALK = "payees_watched";
const EVERY_MS = 28 * DAY_MS;
const PAGE_SIZE = 500;
const PAGES = 4;
/** Domains that were never looked up are spread over these days rather than all looked up at once. */
const WITHIN_MS = 3 * DAY_MS;

/**
 * Goes through the payees of all organisations once in four weeks, so that payees from before the look-ups existed are
 * watched too.
 * @returns how many were visited
 */
export async function watchPayees(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const walk = await findWalk(db, WALK, clock.now(), EVERY_MS);
  if (!walk) return 0;
  let { key } = walk;
  let seen = 0;
  for (let page = 0; page < PAGES; page++) {
    const rows = await db
      .select(columnsOf(payees, "id", "organizationId", "email", "abn", "createdAt"))
      .from(payees)
      .where(and(gt(payees.id, key), isNull(payees.archivedAt)))
      .orderBy(asc(payees.id))
      .limit(PAGE_SIZE);
    const emails = rows.map(({ email }) => email);
    const watched = rows.flatMap(({ organizationId, email, abn, createdAt: firstSeenAt }) => [
      { organizationId, subject: askedDomain(email)?.registered, firstSeenAt },
      { organizationId, subject: abn, firstSeenAt },
    ]);
    for (const statement of [...requestDomains(services, emails, WITHIN_MS), ...watchSubjects(services, watched)])
      await runStatement(services, statement);
    key = rows.at(-1)?.id ?? key;
    seen += rows.length;
    if (rows.length < PAGE_SIZE) {
      await saveWalk(db, { ...walk, key }, clock.now());
      return seen;
    }
  }
  await saveWalk(db, { ...walk, key }, null);
  return seen;
}
