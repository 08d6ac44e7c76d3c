import {
  type Condition,
  organizationDomains,
  organizationUsers,
  rowIn,
  type Statement,
  tokens,
  users,
} from "@db/database";
import { and, eq, isNull, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { claimDomain } from "~/modules/accounts/organizations/organization.server";
import { type CommandAudit, runCommand } from "~/modules/core/commands/run-command.server";
import { type Origin, PLATFORM_ORGANIZATION_ID, type Services, type WriteServices } from "~/services-and-actor";
import { endAllAccess, linkIsOpen, removeTwoStep, revokeInvitationsBy } from "./account.server";
import { type AccountProof, type Confirmation, getOpenConfirmation } from "./confirmation.server";
import { requireUnknownPassword } from "./password.server";
import { findPersonBySession } from "./person.server";
import { changedMeanwhile, requirePassword } from "./proof.server";
import { closeSession, openSession, rememberDevice } from "./session.server";

const WRONG_PASSWORD = "This is not the password of this account";

/**
 * Checks that the person with the link also controls the account. The password signs them in unless the account has
 * two-step sign-in; a new password ends every session and token of the person who registered.
 * @throws AppError 403 ACCOUNT_NOT_PROVED, 400 beside `password`, 429 SIGN_IN_LOCKED
 */
async function proveAccount(services: Services, origin: Origin, confirmation: Confirmation, proof: AccountProof) {
  switch (proof.by) {
    case "session":
      if (proof.userId === confirmation.userId) return { conditions: [], statements: [] };
      throw new AppError("ACCOUNT_NOT_PROVED", "Enter the password of this account to confirm the address.");
    case "password":
      return provePassword(services, origin, confirmation, proof.password);
    case "new_password":
      return chooseNewPassword(services, origin, confirmation, proof.password);
  }
}

async function provePassword(services: Services, origin: Origin, confirmation: Confirmation, password: string) {
  const says = { field: "password", wrong: WRONG_PASSWORD };
  const { account, conditions, statements } = await requirePassword(services, confirmation, password, says);
  if (account.twoStep) return { conditions, statements };
  const signIn = await startSession(services, origin, account.id);
  return { conditions, statements: [...statements, ...signIn.statements], session: signIn.session };
}

async function chooseNewPassword(
  services: Services,
  origin: Origin,
  { userId, createdOrganizationId }: Confirmation,
  password: string,
) {
  await requireUnknownPassword(services, password);
  const hash = await services.passwords.hash(password);
  const signIn = await startSession(services, origin, userId);
  return {
    conditions: [],
    statements: [
      services.db.update(users).set({ password: hash }).where(eq(users.id, userId)),
      ...endAllAccess(services, userId),
      ...removeTwoStep(services, userId),
      ...(createdOrganizationId ? [revokeInvitationsBy(services, userId, createdOrganizationId)] : []),
      ...signIn.statements,
    ],
    session: signIn.session,
  };
}

async function startSession(services: Services, origin: Origin, userId: string) {
  const { statement, ...session } = await openSession(services, userId, origin);
  const device = await rememberDevice(services, userId, origin);
  const seen = services.db.update(users).set({ lastLoginAt: services.clock.now() }).where(eq(users.id, userId));
  return { session, statements: [statement, device.statement, seen] };
}

type Confirm = {
  token: string;
  proof: AccountProof;
  /** The request's session; a confirmation that signs the person in ends it. */
  presentedSessionId?: string;
};

/** Each failed attempt means that another request was faster; even two are rare. */
const TRIES = 3;

/**
 * Confirms the address that a link was sent to, for a person who controls the mailbox and the account. The organisation
 * that the person created gets the domain, and a waiting person whose organisation trusts the domain becomes a member.
 * @returns the address, and the session if a password started one
 * @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED, 410 LINK_EXPIRED, and the errors of `proveAccount`
 */
export async function confirmEmail(services: Services, origin: Origin, input: Confirm) {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const confirmed = await tryConfirming(services, origin, input);
    if (confirmed) return confirmed;
  }
  throw changedMeanwhile();
}

/** Undefined when something changed between reading and writing. */
async function tryConfirming(services: Services, origin: Origin, { token, proof, presentedSessionId }: Confirm) {
  const confirmation = await getOpenConfirmation(services, token);
  const { userId, email, organizationId } = confirmation;
  const { conditions, statements, session } = await proveAccount(services, origin, confirmation, proof);
  const claims = confirmation.claims && !(proof.by === "new_password" && confirmation.hasOtherMembers);
  const effects = [
    ...(claims ? [claimForCreator(services, confirmation)] : []),
    ...(confirmation.activates ? [activateMember(services, confirmation)] : []),
  ];
  const now = services.clock.now();
  const acting = { userId, organizationId: organizationId ?? PLATFORM_ORGANIZATION_ID, origin };
  const { ok } = await runCommand(services, acting, {
    conditions: [
      linkIsOpen(services, confirmation, isNull(users.emailVerifiedAt)),
      ...conditions,
      ...effects.map(({ condition }) => condition),
    ],
    statements: [
      services.db.update(tokens).set({ usedAt: now }).where(eq(tokens.id, confirmation.tokenId)),
      services.db.update(users).set({ emailVerifiedAt: now, updatedAt: now }).where(eq(users.id, userId)),
      ...statements,
      ...(session && presentedSessionId ? [closeSession(services, presentedSessionId)] : []),
    ],
    audit: [{ action: "user.email_confirmed", entityId: userId, details: { provedBy: proof.by } }],
    parts: effects.map(({ part }) => part),
  });
  if (!ok) return undefined;
  // The organisation may allow sign-in through its provider only.
  const found = session && (await findPersonBySession(services, session.sessionId, origin));
  return { email, signedIn: found && { token: session.token, person: found.person } };
}

/** A further effect of confirming, with its condition. */
type Effect = {
  condition: Condition<"domain_claimed" | "domain_not_trusted">;
  part: { statements: Statement[]; audit: CommandAudit[] };
};

function claimForCreator(services: Services, { domain, createdOrganizationId }: Confirmation): Effect {
  const organizationId = createdOrganizationId ?? "";
  const claimed = rowIn(services.db, organizationDomains).where(eq(organizationDomains.domain, domain));
  return {
    condition: { name: "domain_claimed", found: sql`SELECT 1 WHERE NOT EXISTS (${claimed.getSQL()})` },
    part: {
      statements: [claimDomain(services, { organizationId, domain })],
      audit: [{ organizationId, action: "organization.domain_claimed", entityId: organizationId, details: { domain } }],
    },
  };
}

/** The condition that the organisation still approves people of the domain, and this person is still waiting. */
function activateMember({ db, clock }: WriteServices, confirmation: Confirmation): Effect {
  const { userId, domain } = confirmation;
  const organizationId = confirmation.organizationId ?? "";
  const membership = and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.userId, userId));
  const trusted = rowIn(db, users)
    .innerJoin(organizationDomains, eq(organizationDomains.organizationId, users.organizationId))
    .where(
      and(
        eq(users.id, userId),
        eq(users.status, "pending"),
        eq(organizationDomains.organizationId, organizationId),
        eq(organizationDomains.domain, domain),
        eq(organizationDomains.autoApprove, true),
      ),
    );
  return {
    condition: { name: "domain_not_trusted", found: trusted },
    part: {
      statements: [
        // They are read-only until an administrator changes their role, because all we know is that they have a mailbox
        // at the domain.
        db
          .update(organizationUsers)
          .set({ status: "active", role: "read_only", updatedAt: clock.now() })
          .where(membership),
        db
          .update(users)
          .set({
            status: "active",
            role: sql`CASE ${users.role} WHEN 'super_admin' THEN ${users.role} ELSE 'read_only' END`,
          })
          .where(eq(users.id, userId)),
      ],
      audit: [
        {
          action: "organization.selected",
          entityType: "user",
          entityId: userId,
          details: { status: "active", role: "read_only", domain },
        },
      ],
    },
  };
}
