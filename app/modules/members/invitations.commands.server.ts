import { isPreconditionError, isUniqueError } from "@db/errors";
import { precondition } from "@db/precondition";
import { countHit } from "@db/rate-counter";
import { organizationUsers, tokens, users } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { type Actor, displayName } from "~/kernel/actor";
import { AppError, invalidInput, notFound } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import type { OrganizationRole } from "~/kernel/enums";
import type { NewJob } from "~/modules/commands/outbox.statements.server";
import { queueEmail } from "~/modules/notifications/notifications.statements.server";
import { commitAct } from "~/modules/organizations/administration/administration.server";
import { ROLE_LABELS } from "~/modules/organizations/roles";
import type { Services } from "~/services";
import { INVITATION_TTL_MS, invitationPath, MAX_INVITATIONS_PER_DAY, type NewInvitation } from "./invitation";
import { isOpenInvitation } from "./invitations.queries.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "config">;

/**
 * Invites an address to the actor's organisation: a link that works once, for seven days.
 * @throws AppError 400 for somebody who is a member already, 409 ALREADY_INVITED, 429 RATE_LIMITED
 */
export async function invitePerson(services: Needs, actor: Actor, { email, role }: NewInvitation): Promise<void> {
  const { db, clock, ids } = services;
  const { organizationId } = actor;
  await requireNotMember(services, organizationId, email);
  await countInvitation(services, organizationId);
  const link = await newLink(services, actor, { email, role });
  const now = clock.now();
  const id = ids.next();
  try {
    await commitAct(services, actor, {
      organizationId,
      statements: [
        db.insert(tokens).values({
          id,
          kind: "invitation",
          tokenHash: link.tokenHash,
          organizationId,
          email,
          role,
          invitedById: actor.userId,
          createdAt: now,
          expiresAt: now + INVITATION_TTL_MS,
        }),
      ],
      entry: {
        action: "member.invited",
        entityType: "organization",
        entityId: organizationId,
        details: { email, role },
      },
      mail: link.mail,
    });
  } catch (error) {
    if (!isUniqueError(error, "tokens.organizationId")) throw error;
    throw new AppError("ALREADY_INVITED", 409, `${email} has an invitation already. Send it again from the list.`);
  }
}

/** A new link in the place of the old one, for seven more days. @throws AppError 404, 429 */
export async function resendInvitation(services: Needs, actor: Actor, { id }: { id: string }): Promise<string> {
  const { db, clock } = services;
  const { organizationId } = actor;
  const { email, role } = await requireOpen(services, actor, id);
  await countInvitation(services, organizationId);
  const link = await newLink(services, actor, { email, role });
  const now = clock.now();
  await orNotFound(
    commitAct(services, actor, {
      organizationId,
      statements: [
        precondition(db, openInvitation(services, actor, id)),
        db
          .update(tokens)
          .set({
            tokenHash: link.tokenHash,
            createdAt: now,
            expiresAt: now + INVITATION_TTL_MS,
            invitedById: actor.userId,
          })
          .where(eq(tokens.id, id)),
      ],
      entry: {
        action: "member.invitation_resent",
        entityType: "organization",
        entityId: organizationId,
        details: { email, role },
      },
      mail: link.mail,
    }),
  );
  return email;
}

/** Takes an invitation back: its link is unknown from now on. @throws AppError 404 */
export async function revokeInvitation(services: Needs, actor: Actor, { id }: { id: string }): Promise<string> {
  const { db } = services;
  const { organizationId } = actor;
  const { email, role } = await requireOpen(services, actor, id);
  await orNotFound(
    commitAct(services, actor, {
      organizationId,
      statements: [precondition(db, openInvitation(services, actor, id)), db.delete(tokens).where(eq(tokens.id, id))],
      entry: {
        action: "member.invitation_revoked",
        entityType: "organization",
        entityId: organizationId,
        details: { email, role },
      },
    }),
  );
  return email;
}

async function requireNotMember({ db }: Needs, organizationId: string, email: string): Promise<void> {
  const [member] = await db
    .select({ status: organizationUsers.status })
    .from(users)
    .innerJoin(organizationUsers, eq(organizationUsers.userId, users.id))
    .where(and(eq(users.email, email), eq(organizationUsers.organizationId, organizationId)));
  if (member?.status === "active") throw invalidInput({ email: [`${email} belongs to your organisation already`] });
  if (member?.status === "pending")
    throw invalidInput({ email: [`${email} is waiting for approval: let them in below`] });
}

async function countInvitation({ db, clock }: Needs, organizationId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `invitations:${organizationId}`, DAY_MS, now);
  if (count <= MAX_INVITATIONS_PER_DAY) return;
  throw new AppError(
    "RATE_LIMITED",
    429,
    "Your organisation has sent very many invitations today. Try again tomorrow.",
    {
      retryAfterSeconds: Math.ceil((windowEndsAt - now) / 1000),
    },
  );
}

async function newLink(
  services: Needs,
  actor: Actor,
  { email, role }: NewInvitation,
): Promise<{ tokenHash: string; mail: NewJob[] }> {
  const { ids, secrets, config } = services;
  const token = ids.secret();
  const mail = await queueEmail(services, actor.organizationId, [email], {
    template: "invitation",
    data: {
      organizationName: actor.organizationName,
      invitedBy: displayName(actor),
      role: ROLE_LABELS[role],
      link: `${config.appOrigin}${invitationPath(token)}`,
    },
  });
  return { tokenHash: await secrets.hashToken(token), mail };
}

const openInvitation = ({ db }: Needs, { organizationId }: Actor, id: string) =>
  db
    .select({ email: tokens.email, role: sql<OrganizationRole>`${tokens.role}` })
    .from(tokens)
    .where(and(eq(tokens.id, id), eq(tokens.organizationId, organizationId), isOpenInvitation));

async function requireOpen(services: Needs, actor: Actor, id: string): Promise<NewInvitation> {
  const [row] = await openInvitation(services, actor, id);
  if (!row) throw notFound();
  return row;
}

/** It was accepted or taken back in the meantime. */
async function orNotFound(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw isPreconditionError(error) ? notFound() : error;
  }
}
