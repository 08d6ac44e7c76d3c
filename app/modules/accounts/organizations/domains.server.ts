import type { Statement } from "@db/client";
import { organizationDomains, users } from "@db/schema";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { type Actor, canAdminister } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import { idField } from "~/kernel/fields.schema.server";
import { UpstreamError } from "~/kernel/upstream-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { DOMAIN_FIELD } from "~/modules/rules/policy-changes";
import type { ReadServices, Services, WriteServices } from "~/services";
import { claimStateOf } from "./domains";
import { claimDomain } from "./organization.server";
import { findPolicy } from "./policy.server";
import { prepareWeaker, splitChanges } from "./policy-changes.server";

/** What the page of domains posts. */
export const domainPostSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("claim") }),
  z.object({ intent: z.enum(["make_primary", "remove", "trust", "distrust"]), id: idField }),
]);

/** The page of email domains: those claimed, and whether the reader's own can be. */
export async function readDomainsPage(services: Services, actor: Actor) {
  const domains = await listDomains(services, actor.organizationId);
  return {
    rows: domains.map(({ createdAt, ...row }) => ({ ...row, claimedOn: formatDate(createdAt, actor.timeZone) })),
    claim: claimStateOf(actor, domains),
    canAdminister: canAdminister(actor),
  };
}

/** The email domains an organisation has claimed, the primary one first. */
export async function listDomains({ db }: ReadServices, organizationId: string) {
  return db
    .select({
      id: organizationDomains.id,
      domain: organizationDomains.domain,
      isPrimary: organizationDomains.isPrimary,
      autoApprove: organizationDomains.autoApprove,
      createdAt: organizationDomains.createdAt,
      provedAt: organizationDomains.provedAt,
    })
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organizationId))
    .orderBy(desc(organizationDomains.isPrimary), asc(organizationDomains.domain));
}

export type DomainChange = { act: "auto_approve"; on: boolean } | { act: "make_primary" } | { act: "remove" };

/**
 * Claims the domain of the actor's own confirmed address for their organisation. Organisations may share a domain: people
 * with an address in it are then asked which one is theirs.
 * @throws AppError 409 DOMAIN_NOT_PROVEN for an unconfirmed address or an email provider's domain, 409 DOMAIN_CLAIMED
 */
export async function claimOwnDomain(services: Services, actor: Actor): Promise<string> {
  const { db } = services;
  const { organizationId, userId, email } = actor;
  const domain = emailDomain(email);
  if (!actor.emailVerified || isFreeMailDomain(domain)) throw notProven();
  const proven = db
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, email), sql`${users.emailVerifiedAt} IS NOT NULL`));
  const result = await runCommand(services, actor, {
    conditions: [{ name: "not_proven", found: proven }],
    uniques: { domain_claimed: "organization_domains" },
    statements: [claimDomain(services, { organizationId, domain })],
    audit: [{ ...about(organizationId), action: "organization.domain_claimed", details: { domain } }],
    answer: domain,
  });
  if (result.ok) return result.answer;
  if (result.refused === "not_proven") throw notProven();
  throw new AppError("DOMAIN_CLAIMED", 409, `Your organisation has claimed ${domain} already.`);
}

const notProven = () =>
  new AppError(
    "DOMAIN_NOT_PROVEN",
    409,
    "You can claim the domain of your own confirmed email address. Domains of public email providers cannot be claimed.",
  );

/**
 * Changes how a claimed domain is treated, or gives it up. That people come in without approval waits first.
 * @throws AppError 404
 * @returns the domain, and from when what waits holds; null: it holds now
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
        ? [{ ...about(organizationId), action, details: { domain, ...detailsOf(found, change) } }]
        : [],
    answer: { domain, waitsUntil },
  });
  if (!result.ok) throw notFound();
  return result.answer;
}

/** What the DNS of a domain has to hold: whoever publishes it decides about the domain, and not only about a mailbox in it. */
export const proofOfDomain = (organizationId: string, domain: string) => ({
  name: `_payeeproof.${domain}`,
  text: `payeeproof-organisation=${organizationId}`,
});

/**
 * Looks whether the DNS of a claimed domain names this organisation. From then on a claim of another organisation, which needs
 * only a mailbox there, changes nothing about sign-in; of two that were named the later one counts.
 * @throws AppError 404, 409 DOMAIN_NOT_PROVEN, 503 UPSTREAM_UNAVAILABLE
 */
export async function proveDomain(services: Services, actor: Actor, { id }: { id: string }): Promise<string> {
  const { db, clock, domainRecords } = services;
  const { organizationId } = actor;
  const one = and(eq(organizationDomains.id, id), eq(organizationDomains.organizationId, organizationId));
  const claim = db.select({ domain: organizationDomains.domain }).from(organizationDomains).where(one);
  const [found] = await claim;
  if (!found || !domainRecords) throw notFound();
  const { domain } = found;
  const { name, text } = proofOfDomain(organizationId, domain);
  const texts = await domainRecords.findTexts(name).catch((error: unknown) => {
    if (!(error instanceof UpstreamError)) throw error;
    throw new AppError("UPSTREAM_UNAVAILABLE", 503, "The DNS does not answer. Try again in a few minutes.");
  });
  if (!texts?.some((each) => each.trim() === text)) {
    throw new AppError(
      "DOMAIN_NOT_PROVEN",
      409,
      `The DNS has no TXT record ${name} with that text yet. A new record can take some hours to be seen.`,
    );
  }
  const result = await runCommand(services, actor, {
    conditions: [{ name: "domain_gone", found: claim }],
    statements: [db.update(organizationDomains).set({ provedAt: clock.now(), updatedAt: clock.now() }).where(one)],
    audit: [{ ...about(organizationId), action: "organization.domain_proved", details: { domain } }],
    answer: domain,
  });
  if (!result.ok) throw notFound();
  return result.answer;
}

const about = (organizationId: string) => ({ entityType: "organization", entityId: organizationId }) as const;

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
  // When the primary one goes, the one claimed first takes its place.
  const oldest = sql`(SELECT "id" FROM "organization_domains" WHERE "organizationId" = ${actor.organizationId} ORDER BY "isPrimary" DESC, "id" LIMIT 1)`;
  return [
    db.delete(organizationDomains).where(one),
    db
      .update(organizationDomains)
      .set({ isPrimary: true, updatedAt })
      .where(and(mine, sql`${organizationDomains.id} = ${oldest}`)),
  ];
}
