import type { Statement } from "@db/client";
import { isPreconditionError, isUniqueError } from "@db/errors";
import { precondition } from "@db/precondition";
import { organizationDomains, users } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { Services } from "~/services";
import { commitAct } from "../administration/administration.server";
import { claimDomain } from "../organization.statements.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "queues">;

export type DomainChange = { act: "auto_approve"; on: boolean } | { act: "make_primary" } | { act: "remove" };

/**
 * Claims the domain of the actor's own confirmed address for their organisation. Organisations may share a domain: people
 * with an address in it are then asked which one is theirs.
 * @throws AppError 409 DOMAIN_NOT_PROVEN for an unconfirmed address or a mail provider's domain, 409 DOMAIN_CLAIMED
 */
export async function claimOwnDomain(services: Needs, actor: Actor): Promise<string> {
  const { db } = services;
  const { organizationId, userId, email } = actor;
  const domain = emailDomain(email);
  if (!actor.emailVerified || isFreeMailDomain(domain)) throw notProven();
  const proven = db
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, email), sql`${users.emailVerifiedAt} IS NOT NULL`));
  try {
    await commitAct(services, actor, {
      organizationId,
      statements: [precondition(db, proven), claimDomain(services, { organizationId, domain })],
      entry: entryOf("organization.domain_claimed", organizationId, { domain }),
    });
  } catch (error) {
    if (isPreconditionError(error)) throw notProven();
    if (!isUniqueError(error, "organization_domains")) throw error;
    throw new AppError("DOMAIN_CLAIMED", 409, `Your organisation has claimed ${domain} already.`);
  }
  return domain;
}

const notProven = () =>
  new AppError(
    "DOMAIN_NOT_PROVEN",
    409,
    "A domain is claimed by who has a confirmed address in it. The domains of mail providers are nobody's.",
  );

/** Changes how a claimed domain is treated, or gives it up. @throws AppError 404 */
export async function changeDomain(
  services: Needs,
  actor: Actor,
  { id, change }: { id: string; change: DomainChange },
): Promise<string> {
  const { db } = services;
  const { organizationId } = actor;
  const claim = db
    .select({ domain: organizationDomains.domain, autoApprove: organizationDomains.autoApprove })
    .from(organizationDomains)
    .where(and(eq(organizationDomains.id, id), eq(organizationDomains.organizationId, organizationId)));
  const [found] = await claim;
  if (!found) throw notFound();
  const { domain } = found;
  const action = change.act === "remove" ? "organization.domain_removed" : "organization.domain_changed";
  try {
    await commitAct(services, actor, {
      organizationId,
      statements: [precondition(db, claim), ...changeStatements(services, actor, id, change)],
      entry: entryOf(action, organizationId, { domain, ...detailsOf(found, change) }),
    });
  } catch (error) {
    throw isPreconditionError(error) ? notFound() : error;
  }
  return domain;
}

function detailsOf(before: { autoApprove: boolean }, change: DomainChange) {
  if (change.act === "auto_approve") return { autoApprove: { from: before.autoApprove, to: change.on } };
  return change.act === "make_primary" ? { isPrimary: true } : {};
}

function changeStatements({ db, clock }: Needs, actor: Actor, id: string, change: DomainChange): Statement[] {
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

function entryOf(
  action: "organization.domain_claimed" | "organization.domain_changed" | "organization.domain_removed",
  entityId: string,
  details: Record<string, unknown>,
) {
  return { action, entityType: "organization" as const, entityId, details };
}
