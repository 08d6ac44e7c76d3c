import { type Condition, organizationDomains, rowIn, type Statement, tokens, users } from "@db/database";
import { and, eq, isNull, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { emailDomain } from "~/kernel/email";
import { initialName } from "~/modules/accounts/organizations/name-requests.server";
import { addMember, claimDomain, createOrganization } from "~/modules/accounts/organizations/organization.server";
import { type CommandAudit, runCommand } from "~/modules/core/commands/run-command.server";
import type { Person, Services, WriteServices } from "~/services-and-actor";
import { mayClaimDomain } from "./confirmation.server";
import { type NewOrganization, TRIAL_MS } from "./register.server";
import { closeSession, getSignedIn, openSession, type SignedIn } from "./session.server";

const ALREADY_A_MEMBER = "You already belong to an organisation. Reload the page to see it.";

/**
 * Creates an organisation for a person who registered without one, or is no longer a member of any: they become its
 * admin. It gets the domain of their address, now or once the address is confirmed. Because their privileges change,
 * they get a new session.
 * @throws AppError 409 ALREADY_A_MEMBER
 */
export async function createOwnOrganization(
  services: Services,
  person: Person,
  input: NewOrganization,
): Promise<SignedIn> {
  const { db, clock, ids } = services;
  const { userId, origin } = person;
  if (person.organizationId !== null || person.status !== "active") throw alreadyMember();
  const id = ids.next();
  const now = clock.now();
  const role = person.role === "super_admin" ? person.role : ("admin" as const);
  const { statement, ...session } = await openSession(services, userId, origin, person);
  const claim = await prepareClaim(services, person, id);
  const { name, part } = await initialName(services, { ...person, organizationId: id, name: input.name });
  const { ok } = await runCommand(
    services,
    { userId, organizationId: id, origin },
    {
      conditions: [hasNoOrganization(services, userId), ...claim.conditions],
      statements: [
        createOrganization(services, { id, ...input, name, trialEndsAt: now + TRIAL_MS }),
        addMember(services, { organizationId: id, userId, role: "admin", status: "active" }),
        db.update(users).set({ organizationId: id, role, updatedAt: now }).where(eq(users.id, userId)),
        ...claim.statements,
        statement,
        closeSession(services, person.sessionId),
      ],
      audit: [
        { action: "organization.created", entityId: id, details: { name, abn: input.abn ?? null } },
        ...claim.audit,
      ],
      parts: part ? [part] : [],
    },
  );
  if (!ok) throw alreadyMember();
  return getSignedIn(services, origin, session);
}

const alreadyMember = () => new AppError("ALREADY_A_MEMBER", ALREADY_A_MEMBER);

function hasNoOrganization({ db }: WriteServices, userId: string): Condition<"already_a_member"> {
  const found = rowIn(db, users).where(
    and(eq(users.id, userId), eq(users.status, "active"), isNull(users.organizationId)),
  );
  return { name: "already_a_member", found };
}

type Claim = { conditions: Condition<"domain_claimed">[]; statements: Statement[]; audit: CommandAudit[] };

/** Claims the domain of a confirmed address at once; otherwise stores the organisation with the open links. */
async function prepareClaim(services: Services, person: Person, organizationId: string): Promise<Claim> {
  const { db } = services;
  if (!person.emailVerified) {
    const waiting = and(eq(tokens.userId, person.userId), eq(tokens.kind, "email_confirmation"), isNull(tokens.usedAt));
    return { conditions: [], statements: [db.update(tokens).set({ organizationId }).where(waiting)], audit: [] };
  }
  const domain = emailDomain(person.email);
  const claimed = rowIn(db, organizationDomains).where(eq(organizationDomains.domain, domain));
  if (!mayClaimDomain({ domain, isCreator: true, isClaimed: (await claimed).length > 0 })) {
    return { conditions: [], statements: [], audit: [] };
  }
  return {
    conditions: [{ name: "domain_claimed", found: sql`SELECT 1 WHERE NOT EXISTS (${claimed.getSQL()})` }],
    statements: [claimDomain(services, { organizationId, domain })],
    audit: [{ action: "organization.domain_claimed", entityId: organizationId, details: { domain } }],
  };
}
