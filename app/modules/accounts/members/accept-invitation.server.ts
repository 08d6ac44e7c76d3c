import { type Condition, organizationUsers, rowIn, type Statement, tokens, users } from "@db/database";
import { isUniqueError } from "@db/errors";
import { and, eq, gt, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import {
  firstNameField,
  INSTITUTION_NAME,
  isPersonName,
  lastNameField,
  newPasswordField,
} from "~/kernel/fields.schema.server";
import { findOtherMembers } from "~/modules/accounts/identity/confirmation.server";
import { registrationIsUnconfirmed, removeRegistration } from "~/modules/accounts/identity/disown-registration.server";
import { requireUnknownPassword } from "~/modules/accounts/identity/password.server";
import { withFreeUsername } from "~/modules/accounts/identity/register.server";
import {
  closeSession,
  getSignedIn,
  openSession,
  rememberDevice,
  type SignedIn,
} from "~/modules/accounts/identity/session.server";
import { addMember, addOrReturnMember } from "~/modules/accounts/organizations/organization.server";
import { requireNoProvider, requireOwnSignIn } from "~/modules/accounts/single-sign-on/provider-rule.server";
import { type Acting, type CommandAudit, runCommand } from "~/modules/core/commands/run-command.server";
import type { Origin, Person, Services } from "~/services-and-actor";
import { findInvitation, type Invitation, type InvitedAccount, isOpenInvitation } from "./invitations.server";
import type { MembershipState } from "./members";

/** The form of a new person who accepts an invitation; made for one posted form, so every sentence shows at once. */
export function newcomerSchema(form: FormData) {
  const mismatch = "Passwords do not match";
  const fields = z.object({
    firstName: firstNameField,
    lastName: lastNameField,
    password: newPasswordField,
    confirmPassword: z.string({ error: mismatch }).refine((text) => text === form.get("password"), { error: mismatch }),
    acceptTerms: z.enum(["on", "true"], { error: "You must accept the Terms and Conditions to register" }),
  });
  return fields.refine(isPersonName, { path: ["firstName"], error: INSTITUTION_NAME });
}

/** What a new person enters; the address is the invitation's. */
export type Newcomer = { firstName: string; lastName: string; password: string };

/**
 * Makes a signed-in person a member of the organisation that invited their address. An admin sent the invitation, so no
 * approval is needed; using it also confirms the address. Because privileges change, the person gets a new session.
 * @throws AppError 404, 409 INVITATION_USED, 410 INVITATION_EXPIRED, 403 WRONG_PERSON, ORGANIZATION_SUSPENDED,
 * PROVIDER_REQUIRED, PROVIDER_SESSION
 */
export async function acceptInvitation(services: Services, person: Person, token: string): Promise<SignedIn> {
  const invitation = await requireOpen(services, token);
  const { userId, origin } = person;
  if (person.email !== invitation.email) throw wrongPerson(invitation);
  requireOwnSignIn(person);
  await requireNoProvider(services, invitation.organizationId, person);
  const { db, clock } = services;
  const now = clock.now();
  const place = await findMembershipState(services, invitation, userId);
  const isMember = place?.status === "active";
  const role = isMember ? place.role : invitation.role;
  const session = await openSession(services, userId, origin);
  const { organizationId } = invitation;
  const member = { organizationId, userId, role: invitation.role };
  const joined = isMember ? [] : [addOrReturnMember(services, member, place !== undefined)];
  await writeAcceptance(services, { userId, organizationId, origin }, token, {
    conditions: [
      invitationIsOpen(services, invitation),
      personIsUnchanged(services, person),
      ...(place ? [placeIsUnchanged(services, invitation, userId, place)] : []),
    ],
    statements: [
      ...joined,
      db
        .update(users)
        .set({
          organizationId,
          role: person.role === "super_admin" ? "super_admin" : role,
          status: "active",
          emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now})`,
          updatedAt: now,
        })
        .where(eq(users.id, userId)),
      markUsed(services, invitation, userId),
      session.statement,
      closeSession(services, person.sessionId),
    ],
    audit: [acceptance(invitation, userId)],
  });
  return getSignedIn(services, origin, session);
}

/**
 * Creates an account for a new person, as a member of the organisation that invited them. The invitation proves the
 * mailbox: an unconfirmed registration of the address is removed in the same batch, because anybody could have made it.
 * @throws AppError as `acceptInvitation`, and 409 EMAIL_EXISTS with action LOGIN
 */
export async function registerByInvitation(
  services: Services & Services,
  origin: Origin,
  token: string,
  { password, ...newcomer }: Newcomer,
): Promise<SignedIn> {
  const invitation = await requireOpen(services, token);
  const { account } = invitation;
  if (account && !isUnconfirmedRegistration(account)) throw accountExists();
  const { db, clock, ids, passwords } = services;
  const { email, role, organizationId } = invitation;
  await requireNoProvider(services, organizationId, { email });
  await requireUnknownPassword(services, password);
  const replaced = account && (await replaceRegistration(services, account, email));
  const hash = await passwords.hash(password);
  const now = clock.now();
  const userId = ids.next();
  const session = await openSession(services, userId, origin);
  const device = await rememberDevice(services, userId, origin);
  const person = {
    ...newcomer,
    id: userId,
    password: hash,
    email,
    emailVerifiedAt: now,
    reviewKeys: true,
    role,
    organizationId,
    createdAt: now,
    updatedAt: now,
    lastLoginAt: now,
  };
  try {
    await withFreeUsername(services, email, (username) =>
      writeAcceptance(services, { userId, organizationId, origin }, token, {
        conditions: [invitationIsOpen(services, invitation), ...(replaced?.conditions ?? [])],
        statements: [
          ...(replaced?.statements ?? []),
          db.insert(users).values({ ...person, username }),
          addMember(services, { organizationId, userId, role, status: "active" }),
          markUsed(services, invitation, userId),
          session.statement,
          device.statement,
        ],
        audit: [acceptance(invitation, userId), ...(replaced?.audit ?? [])],
      }),
    );
  } catch (error) {
    throw isUniqueError(error, "users.email") ? accountExists() : error;
  }
  return getSignedIn(services, origin, session);
}

/** True if somebody registered with the address and never confirmed it. */
export const isUnconfirmedRegistration = ({ isConfirmed, status }: InvitedAccount) =>
  !isConfirmed && status !== "inactive";

async function replaceRegistration(services: Services, account: InvitedAccount, email: string) {
  const { userId, organizationId } = account;
  const isAlone = organizationId !== null && !(await findOtherMembers(services, organizationId, userId));
  const registered = { userId, email, abandonedOrganizationId: isAlone ? organizationId : null };
  const { statements, audit = [] } = removeRegistration(services, registered);
  return { conditions: [registrationIsUnconfirmed(services, registered)], statements, audit };
}

const accountExists = () =>
  new AppError("EMAIL_EXISTS", "This address already has an account. Log in to accept the invitation.", {
    extra: { action: "LOGIN" },
  });

const wrongPerson = ({ email }: Invitation) =>
  new AppError("WRONG_PERSON", `This invitation is for ${email}. Log out, then log in with that address.`);

async function requireOpen(services: Services, token: string): Promise<Invitation> {
  const invitation = await findInvitation(services, token);
  if (!invitation) {
    throw new AppError("NOT_FOUND", "We do not recognise this invitation. It may have been withdrawn, or sent again.");
  }
  if (invitation.state === "used") throw new AppError("INVITATION_USED", "This invitation has already been accepted.");
  if (invitation.state === "expired") {
    throw new AppError("INVITATION_EXPIRED", "This invitation has expired. Ask for a new one.");
  }
  if (invitation.isSuspended) {
    throw new AppError("ORGANIZATION_SUSPENDED", `${invitation.organizationName} is suspended. Try again later.`);
  }
  return invitation;
}

type Acceptance = { conditions: Condition[]; statements: Statement[]; audit: CommandAudit[] };

/** Writes the acceptance, or reports what happened to the invitation meanwhile. */
async function writeAcceptance(services: Services, acting: Acting, token: string, decided: Acceptance): Promise<void> {
  const { ok } = await runCommand(services, acting, decided);
  if (ok) return;
  await requireOpen(services, token);
  throw new AppError("MEMBER_CHANGED", "Something changed while you pressed the button. Please try again.");
}

/** The condition that the invitation is open, has the role that was read, and its organisation is not suspended. */
function invitationIsOpen({ db, clock }: Services, { id, role, organizationId }: Invitation): Condition {
  return {
    name: "invitation_over",
    found: rowIn(db, tokens).where(
      and(
        eq(tokens.id, id),
        isOpenInvitation,
        eq(tokens.role, role),
        gt(tokens.expiresAt, clock.now()),
        sql`EXISTS (SELECT 1 FROM "organizations" WHERE "id" = ${organizationId} AND "active" = 1)`,
      ),
    ),
  };
}

/** The condition that the address is still theirs and they are not inactive. */
function personIsUnchanged({ db }: Services, { userId, email }: Person): Condition {
  return {
    name: "person_changed",
    found: rowIn(db, users).where(and(eq(users.id, userId), eq(users.email, email), ne(users.status, "inactive"))),
  };
}

const placeOf = ({ organizationId }: Invitation, userId: string) =>
  and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.userId, userId));

async function findMembershipState({ db }: Services, invitation: Invitation, userId: string) {
  const [row] = await db
    .select({ role: organizationUsers.role, status: organizationUsers.status })
    .from(organizationUsers)
    .where(placeOf(invitation, userId));
  return row;
}

const placeIsUnchanged = ({ db }: Services, invitation: Invitation, userId: string, place: MembershipState) => ({
  name: "place_changed",
  found: rowIn(db, organizationUsers).where(
    and(
      placeOf(invitation, userId),
      eq(organizationUsers.role, place.role),
      eq(organizationUsers.status, place.status),
    ),
  ),
});

const markUsed = ({ db, clock }: Services, { id }: Invitation, userId: string): Statement =>
  db.update(tokens).set({ usedAt: clock.now(), userId }).where(eq(tokens.id, id));

const acceptance = ({ email, role }: Invitation, userId: string): CommandAudit => ({
  action: "member.invitation_accepted",
  entityType: "user",
  entityId: userId,
  details: { email, role },
});
