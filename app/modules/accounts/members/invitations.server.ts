import { columnsOf, organizations, organizationUsers, tokens, users } from "@db/database";
import { aliasedTable, and, asc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, invalidInput, notFound } from "~/kernel/app-error";
import { DAY_MS, formatDate } from "~/kernel/dates";
import type { OrganizationRole, UserStatus } from "~/kernel/enums";
import { emailField, idField } from "~/kernel/fields.schema.server";
import { linkPaths } from "~/kernel/paths/links";
import { displayName, nameIfAny } from "~/kernel/text";
import { readPeopleQuery, toPersonRow } from "~/modules/accounts/administration/admin-lists";
import { countMembers, listMembers } from "~/modules/accounts/administration/people.server";
import type { SignedFields } from "~/modules/accounts/identity/signed-approval.server";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { isOutsideRefusal, outsideError } from "~/modules/messages/notifications/outside-messages";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { sendToOutsider } from "~/modules/messages/notifications/outside-messages.server";
import { type Actor, canAdminister, type ReadServices, type Services, type WriteServices } from "~/services-and-actor";
import { requireSignedRole, roleField } from "./members.server";

/** The members page: the members of the organisation, and open invitations. */
export async function readMembersPage(services: Services, actor: Actor, params: URLSearchParams) {
  const { organizationId, timeZone } = actor;
  const query = readPeopleQuery(params);
  const [list, counts, invitations, missing] = await Promise.all([
    listMembers(services, organizationId, query),
    countMembers(services, organizationId),
    listInvitations(services, organizationId),
    canAdminister(actor) ? findMissingConfirmation(services, actor) : null,
  ]);
  const zone = { timeZone, now: services.clock.now() };
  return {
    rows: list.people.map((person) => toPersonRow(person, zone)),
    next: list.next,
    counts,
    query,
    invitations: invitations.map(({ id, email, role, invitedBy, expiresAt, isExpired }) => ({
      id,
      email,
      roleLabel: ROLE_LABELS[role],
      invitedBy,
      /** "Until 27 Nov 2026", or that it has expired. */
      validity: isExpired ? "Expired: send it again" : `Until ${formatDate(expiresAt, timeZone)}`,
    })),
    canAdminister: canAdminister(actor),
    missing,
  };
}

export const invitationSchema = z.object({ email: emailField, role: roleField });

/** Form posts about one invitation of the list. */
export const invitationPostSchema = z.object({ intent: z.enum(["resend", "revoke"]), invitationId: idField });

/** An offer to an address to join an organisation. Pure. */

export const INVITATION_TTL_MS = 7 * DAY_MS;

type NewInvitation = { email: string; role: OrganizationRole };

type InvitationState = "open" | "used" | "expired";

function invitationState(link: { usedAt: number | null; expiresAt: number }, now: number): InvitationState {
  if (link.usedAt !== null) return "used";
  return link.expiresAt <= now ? "expired" : "open";
}

const MAX_LISTED = 200;

/** Literal SQL, not bound values, so that SQLite can use its partial index. */
export const isOpenInvitation = sql`${tokens.kind} = 'invitation' AND ${tokens.usedAt} IS NULL`;

const inviters = aliasedTable(users, "inviters");

/** Invitations that were neither accepted nor withdrawn, by address. */
export async function listInvitations({ db, clock }: Services, organizationId: string) {
  const rows = await db
    .select({
      ...columnsOf(tokens, "id", "email", "role", "createdAt", "expiresAt"),
      ...columnsOf(inviters, "firstName", "lastName"),
    })
    .from(tokens)
    .leftJoin(inviters, eq(inviters.id, tokens.invitedById))
    .where(and(isOpenInvitation, eq(tokens.organizationId, organizationId)))
    .orderBy(asc(tokens.email))
    .limit(MAX_LISTED);
  const now = clock.now();
  return rows.map(({ firstName, lastName, role, ...row }) => ({
    ...row,
    role: role ?? ("member" as const),
    invitedBy: nameIfAny({ firstName, lastName }),
    isExpired: row.expiresAt <= now,
  }));
}

export type InvitedAccount = {
  userId: string;
  status: UserStatus;
  /** A person has confirmed that the address is theirs. Otherwise anybody may have registered with it. */
  isConfirmed: boolean;
  organizationId: string | null;
  /** The name from the registration form. */
  registeredBy: string;
  registeredAt: number;
};

/** The invitation that a link belongs to. */
export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** Undefined for a token that is unknown, replaced or withdrawn. */
export async function findInvitation({ db, clock, secrets }: Services, token: string) {
  const [row] = await db
    .select({
      ...columnsOf(tokens, "id", "usedAt", "expiresAt", "email", "role"),
      organizationId: organizations.id,
      organizationName: organizations.name,
      active: organizations.active,
      ...columnsOf(inviters, "firstName", "lastName"),
      account: {
        userId: users.id,
        ...columnsOf(users, "status", "emailVerifiedAt", "organizationId", "firstName", "lastName"),
        registeredAt: users.createdAt,
      },
    })
    .from(tokens)
    .innerJoin(organizations, eq(organizations.id, tokens.organizationId))
    .leftJoin(inviters, eq(inviters.id, tokens.invitedById))
    .leftJoin(users, eq(users.email, tokens.email))
    .where(and(eq(tokens.tokenHash, await secrets.hashToken(token)), eq(tokens.kind, "invitation")));
  if (!row) return undefined;
  const { usedAt, expiresAt, active, firstName, lastName, account, role, ...rest } = row;
  return {
    ...rest,
    role: role ?? "member",
    state: invitationState({ usedAt, expiresAt }, clock.now()),
    isSuspended: !active,
    invitedBy: nameIfAny({ firstName, lastName }),
    account: account && describeAccount(account),
  };
}

type AccountRow = Omit<InvitedAccount, "isConfirmed" | "registeredBy"> & {
  emailVerifiedAt: number | null;
  firstName: string;
  lastName: string;
};

const describeAccount = ({ emailVerifiedAt, firstName, lastName, ...rest }: AccountRow): InvitedAccount => ({
  ...rest,
  isConfirmed: emailVerifiedAt !== null,
  registeredBy: displayName({ firstName, lastName }),
});

/**
 * Invites an address to the actor's organisation with a link that works once, for seven days.
 * @throws AppError 400 for a person who is a member already, 403 EMAIL_NOT_CONFIRMED, 409 ALREADY_INVITED, 429
 * RATE_LIMITED
 */
export async function invitePerson(services: Services, actor: Actor, invited: NewInvitation, fields?: SignedFields) {
  const { db, clock, ids } = services;
  const { organizationId, organizationName, userId } = actor;
  const { email, role } = invited;
  await requireNotMember(services, organizationId, email);
  const after = { role, status: "active" } as const;
  const signed = await requireSignedRole(services, actor, {
    ...{ organizationId, organizationName, person: "", email, after, fields },
  });
  const { tokenHash, message } = await newLink(services, actor, invited);
  const now = clock.now();
  const row = {
    id: ids.next(),
    kind: "invitation",
    tokenHash,
    organizationId,
    email,
    role,
    invitedById: userId,
  } as const;
  const result = await runCommand(services, actor, {
    conditions: [...message.conditions, ...(signed?.conditions ?? [])],
    uniques: { already_invited: "tokens.organizationId" },
    statements: [db.insert(tokens).values({ ...row, createdAt: now, expiresAt: now + INVITATION_TTL_MS })],
    audit: [entryOf(actor, "member.invited", invited)],
    parts: [message.part, ...(signed ? [signed.part] : [])],
  });
  if (result.ok) return;
  if (isOutsideRefusal(result.refused)) throw outsideError(result.refused);
  throw new AppError("ALREADY_INVITED", `${email} already has an invitation. Send it again from the list.`);
}

/** Replaces the link with a new one, for seven more days. @throws AppError 403, 404, 429 */
export async function resendInvitation(services: WriteServices, actor: Actor, { id }: { id: string }): Promise<string> {
  const { db, clock } = services;
  const invited = await getOpenInvitation(services, actor, id);
  const { tokenHash, message } = await newLink(services, actor, invited);
  const now = clock.now();
  const renewed = { tokenHash, createdAt: now, expiresAt: now + INVITATION_TTL_MS, invitedById: actor.userId };
  const result = await runCommand(services, actor, {
    conditions: [invitationIsOpen(services, actor, id), ...message.conditions],
    statements: [db.update(tokens).set(renewed).where(eq(tokens.id, id))],
    audit: [entryOf(actor, "member.invitation_resent", invited)],
    parts: [message.part],
    answer: invited.email,
  });
  if (result.ok) return result.answer;
  throw isOutsideRefusal(result.refused) ? outsideError(result.refused) : notFound();
}

/** Withdraws an invitation: its link stops working. @throws AppError 404 */
export async function revokeInvitation(services: WriteServices, actor: Actor, { id }: { id: string }): Promise<string> {
  const invited = await getOpenInvitation(services, actor, id);
  const result = await runCommand(services, actor, {
    conditions: [invitationIsOpen(services, actor, id)],
    statements: [services.db.delete(tokens).where(eq(tokens.id, id))],
    audit: [entryOf(actor, "member.invitation_revoked", invited)],
    answer: invited.email,
  });
  if (!result.ok) throw notFound();
  return result.answer;
}

async function requireNotMember({ db }: ReadServices, organizationId: string, email: string): Promise<void> {
  const [member] = await db
    .select({ status: organizationUsers.status })
    .from(users)
    .innerJoin(organizationUsers, eq(organizationUsers.userId, users.id))
    .where(and(eq(users.email, email), eq(organizationUsers.organizationId, organizationId)));
  if (member?.status === "active") throw invalidInput({ email: [`${email} already belongs to your organisation`] });
  if (member?.status === "pending") {
    throw invalidInput({ email: [`${email} is waiting for approval: approve them in the list of members`] });
  }
}

type InvitationAct = "member.invited" | "member.invitation_resent" | "member.invitation_revoked";

const entryOf = ({ organizationId }: Actor, action: InvitationAct, { email, role }: NewInvitation) =>
  ({ action, entityType: "organization", entityId: organizationId, details: { email, role } }) as const;

/** A new secret link for an invitation, and its email. */
async function newLink(services: WriteServices, actor: Actor, { email, role }: NewInvitation) {
  const { ids, secrets, config } = services;
  const token = ids.secret();
  const message = await sendToOutsider(services, actor.organizationId, {
    kind: "invitation",
    channel: "email",
    to: email,
    email: {
      template: "invitation",
      data: {
        organizationName: actor.organizationName,
        invitedBy: displayName(actor),
        role: ROLE_LABELS[role],
        link: `${config.appOrigin}${linkPaths.invitation(token)}`,
      },
    },
  });
  return { tokenHash: await secrets.hashToken(token), message };
}

const selectOpenInvitation = ({ db }: ReadServices, { organizationId }: Actor, id: string) =>
  db
    .select({ email: tokens.email, role: sql<OrganizationRole>`${tokens.role}` })
    .from(tokens)
    .where(and(eq(tokens.id, id), eq(tokens.organizationId, organizationId), isOpenInvitation));

/** The condition that the invitation was neither accepted nor withdrawn meanwhile. */
const invitationIsOpen = (services: ReadServices, actor: Actor, id: string) => ({
  name: "invitation_gone" as const,
  found: selectOpenInvitation(services, actor, id),
});

async function getOpenInvitation(services: ReadServices, actor: Actor, id: string): Promise<NewInvitation> {
  const [row] = await selectOpenInvitation(services, actor, id);
  if (!row) throw notFound();
  return row;
}
