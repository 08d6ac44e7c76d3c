import { columnsOf, organizationDomains, rowIn, type Statement, users } from "@db/database";
import { and, asc, desc, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound, UpstreamError } from "~/kernel/app-error";
import { DAY_MS, formatDate, formatDateTime, HOUR_MS } from "~/kernel/dates";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import { idField } from "~/kernel/fields.schema.server";
import { runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { DOMAIN_FIELD } from "~/modules/rules/policy-changes";
import type { DomainRecords } from "~/ports/domains";
import {
  type Actor,
  canAdminister,
  type ReadServices,
  type Services,
  systemActor,
  type WriteServices,
} from "~/services-and-actor";
import { claimStateOf } from "./organization";
import { claimDomain } from "./organization.server";
import { findPolicy } from "./policy.server";
import { prepareWeaker, splitChanges } from "./policy-changes.server";

/** Form posts of the domains page. */
export const domainPostSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("claim") }),
  z.object({ intent: z.enum(["make_primary", "remove", "trust", "distrust", "prove"]), id: idField }),
]);

/** The email domains page: claimed domains, and whether the reader's own can be claimed. */
export async function readDomainsPage(services: Services, actor: Actor) {
  const { organizationId, timeZone } = actor;
  const domains = await listDomainStates(services, organizationId);
  const isAdmin = canAdminister(actor);
  return {
    rows: domains.map(({ createdAt, provedAt, proofGoneAt, proofDueAt, ...row }) => ({
      ...row,
      claimedOn: formatDate(createdAt, timeZone),
      provedOn: provedAt === null ? null : formatDate(provedAt, timeZone),
      gone:
        proofGoneAt === null || proofDueAt === null
          ? null
          : { since: formatDateTime(proofGoneAt, timeZone), again: formatDateTime(proofDueAt, timeZone) },
      proof: isAdmin && services.domainRecords && !row.isProved ? proofOfDomain(organizationId, row.domain) : null,
    })),
    claim: claimStateOf(actor, domains),
    canAdminister: isAdmin,
  };
}

/**
 * Which people of a domain can sign in at the organisation's provider: everybody (`open`), only those who have
 * done so already (`shared`), or nobody (`taken`).
 */
export type DomainState = "open" | "shared" | "taken";

/** The state of each domain, considering other organisations' claims and proofs. */
export async function listDomainStates(services: ReadServices, organizationId: string) {
  const domains = await listDomains(services, organizationId);
  return Promise.all(
    domains.map(async (row) => {
      const claims = await services.db.all<{ id: string }>(
        sql`SELECT "id" FROM "organization_domains" WHERE "domain" = ${row.domain} ORDER BY "provedAt" DESC, "id" LIMIT 2`,
      );
      const isNamed = row.provedAt !== null && row.proofGoneAt === null;
      const isAlone = claims.length === 1 || isNamed;
      const state: DomainState = claims[0]?.id !== row.id ? "taken" : isAlone ? "open" : "shared";
      return { ...row, state, isProved: isNamed && state === "open" };
    }),
  );
}

/** The email domains that an organisation has claimed, the primary one first. */
export async function listDomains({ db }: ReadServices, organizationId: string) {
  return db
    .select({
      ...columnsOf(organizationDomains, "id", "domain", "isPrimary", "autoApprove"),
      ...columnsOf(organizationDomains, "createdAt", "provedAt", "proofDueAt", "proofGoneAt"),
    })
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organizationId))
    .orderBy(desc(organizationDomains.isPrimary), asc(organizationDomains.domain));
}

export type DomainChange = { act: "auto_approve"; on: boolean } | { act: "make_primary" } | { act: "remove" };

/**
 * Claims the domain of the actor's own confirmed address for their organisation. Organisations may share a domain;
 * people with an address there are then asked which organisation is theirs.
 * @throws AppError 409 DOMAIN_NOT_PROVEN for an unconfirmed address or an email provider's domain, 409 DOMAIN_CLAIMED
 */
export async function claimOwnDomain(services: Services, actor: Actor): Promise<string> {
  const { db } = services;
  const { organizationId, userId, email } = actor;
  const domain = emailDomain(email);
  if (!actor.emailVerified || isFreeMailDomain(domain)) throw notProven();
  const proven = rowIn(db, users).where(
    and(eq(users.id, userId), eq(users.email, email), sql`${users.emailVerifiedAt} IS NOT NULL`),
  );
  const result = await runCommand(services, actor, {
    conditions: [{ name: "not_proven", found: proven }],
    uniques: { domain_claimed: "organization_domains" },
    statements: [claimDomain(services, { organizationId, domain })],
    audit: [{ action: "organization.domain_claimed", entityId: organizationId, details: { domain } }],
    answer: domain,
  });
  if (result.ok) return result.answer;
  if (result.refused === "not_proven") throw notProven();
  throw new AppError("DOMAIN_CLAIMED", `Your organisation has already claimed ${domain}.`);
}

const notProven = () =>
  new AppError(
    "DOMAIN_NOT_PROVEN",
    "You can claim the domain of your own confirmed email address. Domains of public email providers cannot be claimed.",
  );

/**
 * Changes how a claimed domain is treated, or gives it up. Letting its people join without approval takes effect after
 * a delay.
 * @throws AppError 404
 * @returns the domain, and when the delayed change takes effect; null: at once
 */
export async function changeDomain(
  services: WriteServices,
  actor: Actor,
  { id, change }: { id: string; change: DomainChange },
): Promise<{ domain: string; waitsUntil: number | null }> {
  const { db } = services;
  const { organizationId } = actor;
  const claim = db
    .select({ domain: organizationDomains.domain, autoApprove: organizationDomains.autoApprove })
    .from(organizationDomains)
    .where(and(eq(organizationDomains.id, id), eq(organizationDomains.organizationId, organizationId)));
  const [found] = await claim;
  if (!found) throw notFound();
  const { domain } = found;
  const isTrusted = change.act === "auto_approve" && change.on;
  const { weakeningDelayHours: delayHours } = await findPolicy(services, organizationId);
  const field = { [`${DOMAIN_FIELD}${domain}`]: { from: found.autoApprove, to: isTrusted } };
  const split = change.act === "make_primary" ? { atOnce: {}, weaker: {} } : splitChanges(field);
  const { part, isNew, dueAt } = await prepareWeaker(services, actor, { ...split, delayHours });
  const waitsUntil = isTrusted && !found.autoApprove ? dueAt : null;
  if (waitsUntil !== null && !isNew) return { domain, waitsUntil };
  const action = change.act === "remove" ? "organization.domain_removed" : "organization.domain_changed";
  const result = await runCommand(services, actor, {
    conditions: [{ name: "domain_gone", found: claim }],
    statements: waitsUntil === null ? changeStatements(services, actor, id, change) : [],
    parts: [part],
    audit:
      waitsUntil === null
        ? [{ action, entityId: organizationId, details: { domain, ...detailsOf(found, change) } }]
        : [],
    answer: { domain, waitsUntil },
  });
  if (!result.ok) throw notFound();
  return result.answer;
}

/** The DNS record that proves a domain: publishing it requires control of the domain, not just a mailbox in it. */
export const proofOfDomain = (organizationId: string, domain: string) => ({
  name: `_payeeproof.${domain}`,
  text: `payeeproof-organisation=${organizationId}`,
});

/**
 * Checks whether the DNS of a claimed domain names this organisation. From then on, another organisation's claim, which
 * needs only a mailbox there, does not affect sign-in; if two are named, the later one counts.
 * @throws AppError 404, 409 DOMAIN_NOT_PROVEN, 503 UPSTREAM_UNAVAILABLE
 */
export async function proveDomain(services: Services, actor: Actor, { id }: { id: string }): Promise<string> {
  const { db, clock, domainRecords } = services;
  const { organizationId } = actor;
  const now = clock.now();
  const one = and(eq(organizationDomains.id, id), eq(organizationDomains.organizationId, organizationId));
  const claim = db.select({ domain: organizationDomains.domain }).from(organizationDomains).where(one);
  const [found] = await claim;
  if (!found || !domainRecords) throw notFound();
  const { domain } = found;
  const isNamed = await isNamedByDns(services, domainRecords, { organizationId, domain });
  if (isNamed === undefined) {
    throw new AppError("UPSTREAM_UNAVAILABLE", "The DNS does not answer. Try again in a few minutes.");
  }
  if (!isNamed) {
    throw new AppError(
      "DOMAIN_NOT_PROVEN",
      `The DNS has no TXT record ${proofOfDomain(organizationId, domain).name} with that text yet. A new record can take some hours to appear.`,
    );
  }
  const result = await runCommand(services, actor, {
    conditions: [{ name: "domain_gone", found: claim }],
    statements: [
      db
        .update(organizationDomains)
        .set({ provedAt: now, proofDueAt: now + PROOF_AGAIN_MS, proofGoneAt: null, updatedAt: now })
        .where(one),
    ],
    audit: [{ action: "organization.domain_proved", entityId: organizationId, details: { domain } }],
    answer: domain,
  });
  if (!result.ok) throw notFound();
  return result.answer;
}

/** @returns undefined when the DNS gives no answer, which says nothing about the domain */
async function isNamedByDns(
  { log }: Pick<Services, "log">,
  records: DomainRecords,
  { organizationId, domain }: { organizationId: string; domain: string },
): Promise<boolean | undefined> {
  const { name, text } = proofOfDomain(organizationId, domain);
  try {
    const texts = (await records.findTexts(name)) ?? [];
    return texts.some((each) => each.trim() === text);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    log.warn("domain.proof_unanswered", { error: error.message });
    return undefined;
  }
}

/** A proof that was found is looked for again after a month; a missing one, or a silent DNS server, after a day. */
const PROOF_AGAIN_MS = 30 * DAY_MS;
const GONE_AGAIN_MS = DAY_MS;
/** The first sign-in of a new person triggers a check, unless one was made within the hour. */
const PROOF_FRESH_MS = HOUR_MS;
/** How many proofs one cron run checks. If the DNS does not answer twice in a row, the rest waits for the next run. */
const MOST_LOOKED_AT = 25;
const MOST_UNANSWERED = 2;

const PROOF = columnsOf(organizationDomains, "id", "organizationId", "domain", "provedAt", "proofDueAt", "proofGoneAt");
type Proof = Pick<typeof organizationDomains.$inferSelect, keyof typeof PROOF>;

/** Checks the proofs that are due again. @returns how many */
export async function lookAtProofs(services: Services): Promise<number> {
  const { db, clock, domainRecords } = services;
  if (!domainRecords) return 0;
  const { proofDueAt, provedAt } = organizationDomains;
  // One that release 0.1.0 wrote has no date. A single query for both would read every proof.
  const found = await Promise.all(
    [isNull(proofDueAt), lte(proofDueAt, clock.now())].map((isDue) =>
      db
        .select(PROOF)
        .from(organizationDomains)
        .where(and(isNotNull(provedAt), isDue))
        .orderBy(asc(proofDueAt))
        .limit(MOST_LOOKED_AT),
    ),
  );
  const due = found.flat().slice(0, MOST_LOOKED_AT);
  let unanswered = 0;
  for (const proof of due) {
    unanswered = (await lookAgain(services, domainRecords, proof)) ? 0 : unanswered + 1;
    if (unanswered >= MOST_UNANSWERED) break;
  }
  return due.length;
}

/** Before a new person is linked: checks that the DNS still names the organisation, if it ever did. */
export async function renewProof(services: Services, organizationId: string, domain: string): Promise<void> {
  const { db, clock, domainRecords } = services;
  const [proof] = await db
    .select(PROOF)
    .from(organizationDomains)
    .where(
      and(
        eq(organizationDomains.organizationId, organizationId),
        eq(organizationDomains.domain, domain),
        isNotNull(organizationDomains.provedAt),
      ),
    );
  const isFresh = (proof?.proofDueAt ?? 0) > clock.now() + PROOF_AGAIN_MS - PROOF_FRESH_MS;
  if (proof && domainRecords && !isFresh) await lookAgain(services, domainRecords, proof);
}

/**
 * Checks a proof in the DNS now. A proof that has been missing for a day no longer counts; administrators are told when
 * it goes missing and when it stops counting. @returns false: the DNS does not answer, so nothing changes
 */
async function lookAgain(services: Services, records: DomainRecords, proof: Proof): Promise<boolean> {
  const { db, clock, ids } = services;
  const { id, organizationId, domain, provedAt, proofGoneAt } = proof;
  const isNamed = await isNamedByDns(services, records, proof);
  const now = clock.now();
  const one = and(eq(organizationDomains.id, id), eq(organizationDomains.organizationId, organizationId));
  const asItWas = sql`${organizationDomains.provedAt} IS ${provedAt} AND ${organizationDomains.proofGoneAt} IS ${proofGoneAt}`;
  const isSame = {
    name: "looked_at_meanwhile",
    found: rowIn(db, organizationDomains).where(and(one, asItWas)),
  } as const;
  const change = (set: Partial<Proof>) => db.update(organizationDomains).set(set).where(one);
  if (isNamed !== false) {
    const set = isNamed ? { proofDueAt: now + PROOF_AGAIN_MS, proofGoneAt: null } : { proofDueAt: now + GONE_AGAIN_MS };
    await runStep(services, { conditions: [isSame], statements: [change(set)] });
    return isNamed === true;
  }
  if (proofGoneAt !== null && now < proofGoneAt + GONE_AGAIN_MS) return true;
  const isLost = proofGoneAt !== null;
  await runCommand(services, systemActor(organizationId, ids.next()), {
    conditions: [isSame],
    statements: [
      change(
        isLost
          ? { provedAt: null, proofDueAt: null, proofGoneAt: null }
          : { proofGoneAt: now, proofDueAt: now + GONE_AGAIN_MS },
      ),
    ],
    audit: [{ action: "organization.domain_proof_gone", entityId: organizationId, details: { domain, isLost } }],
  });
  return true;
}

function detailsOf(before: { autoApprove: boolean }, change: DomainChange) {
  if (change.act === "auto_approve") return { autoApprove: { from: before.autoApprove, to: change.on } };
  return change.act === "make_primary" ? { isPrimary: true as const } : {};
}

function changeStatements({ db, clock }: WriteServices, actor: Actor, id: string, change: DomainChange): Statement[] {
  const updatedAt = clock.now();
  const mine = eq(organizationDomains.organizationId, actor.organizationId);
  const one = and(mine, eq(organizationDomains.id, id));
  if (change.act === "auto_approve") {
    return [db.update(organizationDomains).set({ autoApprove: change.on, updatedAt }).where(one)];
  }
  if (change.act === "make_primary") {
    const isChosen = sql<boolean>`(${organizationDomains.id} = ${id})`;
    return [db.update(organizationDomains).set({ isPrimary: isChosen, updatedAt }).where(mine)];
  }
  // When the primary domain is given up, the one claimed first replaces it.
  const oldest = sql`(SELECT "id" FROM "organization_domains" WHERE "organizationId" = ${actor.organizationId} ORDER BY "isPrimary" DESC, "id" LIMIT 1)`;
  return [
    db.delete(organizationDomains).where(one),
    db
      .update(organizationDomains)
      .set({ isPrimary: true, updatedAt })
      .where(and(mine, sql`${organizationDomains.id} = ${oldest}`)),
  ];
}
