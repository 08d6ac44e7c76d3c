import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { organizationDomains, organizationUsers, tokens, users } from "@db/schema";
import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { claimDomain } from "~/modules/organizations/organization.statements.server";
import type { Services } from "~/services";
import { type Confirmation, findConfirmation } from "./confirmation.queries.server";
import { promiseConfirmation } from "./confirmation.statements.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets">;

const UNKNOWN_LINK = "This link is not known. Please use the newest one in your mail.";
const USED_LINK = "This address has already been confirmed.";

/** Each try that fails found that somebody else was quicker; twice is already rare. */
const TRIES = 3;

/**
 * Confirms the address that a link was sent to. The domain goes to the organisation that the person created, and a waiting
 * person whose organisation trusts the domain becomes a member: all in one batch.
 * @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED, 410 LINK_EXPIRED
 */
export async function confirmEmail(services: Needs, origin: Origin, token: string): Promise<Confirmation> {
  for (let attempt = 1; ; attempt++) {
    const confirmation = await requireOpen(services, token);
    try {
      await commit(services.db, confirmationStatements(services, origin, confirmation), async () => {
        const now = await findConfirmation(services, token);
        return now?.state === "used";
      });
      return confirmation;
    } catch (error) {
      if (!isPreconditionError(error) || attempt === TRIES) throw error;
    }
  }
}

async function requireOpen(services: Needs, token: string): Promise<Confirmation> {
  const confirmation = await findConfirmation(services, token);
  if (!confirmation) throw new AppError("NOT_FOUND", 404, UNKNOWN_LINK);
  if (confirmation.state === "used") {
    throw new AppError("ALREADY_CONFIRMED", 409, USED_LINK);
  }
  if (confirmation.state === "expired") {
    throw new AppError("LINK_EXPIRED", 410, "This link has expired. It worked for 24 hours.");
  }
  return confirmation;
}

function confirmationStatements(services: Needs, origin: Origin, confirmation: Confirmation): Statement[] {
  const { db, clock } = services;
  const { tokenId, userId, organizationId, createdOrganizationId, domain } = confirmation;
  const now = clock.now();
  const acting = { userId, organizationId: organizationId ?? PLATFORM_ORGANIZATION_ID, origin };
  const claims = confirmation.claims && createdOrganizationId !== null;
  return [
    whileOpen(services, confirmation, now),
    db.update(tokens).set({ usedAt: now }).where(eq(tokens.id, tokenId)),
    db.update(users).set({ emailVerifiedAt: now, updatedAt: now }).where(eq(users.id, userId)),
    recordAudit(services, acting, { action: "user.email_confirmed", entityType: "user", entityId: userId }),
    ...(claims
      ? [
          whileUnclaimed(services, domain),
          claimDomain(services, { organizationId: createdOrganizationId, domain }),
          recordAudit(
            services,
            { ...acting, organizationId: createdOrganizationId },
            {
              action: "organization.domain_claimed",
              entityType: "organization",
              entityId: createdOrganizationId,
              details: { domain },
            },
          ),
        ]
      : []),
    ...(confirmation.activates && organizationId !== null
      ? [
          whileTrusted(services, { userId, organizationId, domain }),
          db
            .update(organizationUsers)
            .set({ status: "active", updatedAt: now })
            .where(and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.userId, userId))),
          db.update(users).set({ status: "active" }).where(eq(users.id, userId)),
          recordAudit(services, acting, {
            action: "organization.selected",
            entityType: "user",
            entityId: userId,
            details: { status: { from: "pending", to: "active" }, domain },
          }),
        ]
      : []),
  ];
}

/** The link is still unused and in time, and the person's address still the one it was sent to. */
function whileOpen({ db }: Needs, { tokenId, userId, email }: Confirmation, now: number): Statement {
  const one = { one: sql`1` };
  return precondition(
    db,
    db
      .select(one)
      .from(tokens)
      .innerJoin(users, eq(users.id, tokens.userId))
      .where(
        and(
          eq(tokens.id, tokenId),
          isNull(tokens.usedAt),
          gt(tokens.expiresAt, now),
          eq(users.id, userId),
          eq(users.email, email),
          ne(users.status, "inactive"),
        ),
      ),
  );
}

function whileUnclaimed({ db }: Needs, domain: string): Statement {
  const claimed = db.select({ one: sql`1` }).from(organizationDomains).where(eq(organizationDomains.domain, domain));
  return precondition(db, sql`SELECT 1 WHERE NOT EXISTS (${claimed.getSQL()})`);
}

/** The organisation still approves the domain's people, and this one is still waiting for it. */
function whileTrusted({ db }: Needs, who: { userId: string; organizationId: string; domain: string }): Statement {
  return precondition(
    db,
    db
      .select({ one: sql`1` })
      .from(users)
      .innerJoin(organizationDomains, eq(organizationDomains.organizationId, users.organizationId))
      .where(
        and(
          eq(users.id, who.userId),
          eq(users.status, "pending"),
          eq(organizationDomains.organizationId, who.organizationId),
          eq(organizationDomains.domain, who.domain),
          eq(organizationDomains.autoApprove, true),
        ),
      ),
  );
}

/**
 * Sends a new link in the place of an expired one, to the same address. Who holds the old link has read that mailbox, so
 * nothing more is asked; the old link is gone afterwards, so that each brings one mail at most.
 * @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED, 409 LINK_STILL_WORKS
 */
export async function renewConfirmation(
  services: Needs & Pick<Services, "queues" | "config">,
  token: string,
): Promise<void> {
  const { db } = services;
  const old = await findConfirmation(services, token);
  if (!old) throw new AppError("NOT_FOUND", 404, UNKNOWN_LINK);
  if (old.state === "used") throw new AppError("ALREADY_CONFIRMED", 409, USED_LINK);
  if (old.state === "open") throw new AppError("LINK_STILL_WORKS", 409, "This link still works.");
  const mail = await promiseConfirmation(services, old);
  const there = db.select({ one: sql`1` }).from(tokens).where(eq(tokens.id, old.tokenId));
  try {
    await commit(
      db,
      [precondition(db, there), db.delete(tokens).where(eq(tokens.id, old.tokenId)), ...mail.statements],
      async () => (await findConfirmation(services, token)) === undefined,
    );
  } catch (error) {
    // Somebody pressed twice: the other press has sent the mail.
    if (isPreconditionError(error)) return;
    throw error;
  }
  await services.queues.send("jobs", mail.jobIds);
}
