import { type Condition, organizationUsers, providerPeople, rowIn, type Statement, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { emailDomain } from "~/kernel/email";
import type { OrganizationRole } from "~/kernel/enums";
import { firstNameField, isPersonName, lastNameField } from "~/kernel/fields.schema.server";
import { displayName } from "~/kernel/text";
import { type Account, aboutUser, type Membership } from "~/modules/accounts/identity/account.server";
import { queueConfirmation } from "~/modules/accounts/identity/confirmation.server";
import { changedMeanwhile } from "~/modules/accounts/identity/proof.server";
import { usernameFrom, withFreeUsername } from "~/modules/accounts/identity/register.server";
import {
  closeSession,
  getSignedIn,
  openSession,
  rememberDevice,
  type SignedIn,
} from "~/modules/accounts/identity/session.server";
import {
  addMember,
  addOrReturnMember,
  getOrganizationName,
} from "~/modules/accounts/organizations/organization.server";
import { type CommandAudit, type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import type { ProviderAnswer } from "~/ports/identity-provider";
import type { Origin, Services, Vouched } from "~/services-and-actor";
import { isSoleClaim } from "./provider-rule.server";
import { type ProviderSettings, settingsAreUnchanged } from "./settings.server";

/** People who come through their organisation's provider or directory for the first time. */

type Names = { firstName: string; lastName: string };

/** The names that were sent, if our emails can contain them; otherwise those that the address suggests. */
export function namesFrom(sent: Names, email: string): Names {
  const firstName = firstNameField.safeParse(sent.firstName).data;
  const lastName = lastNameField.safeParse(sent.lastName).data ?? "";
  if (firstName !== undefined && isPersonName({ firstName, lastName })) return { firstName, lastName };
  return { firstName: usernameFrom(email), lastName: "" };
}

/** The organisation supplied the address and no mailbox has confirmed it, so it counts only within the organisation. */
type NewAccount = Names & {
  userId: string;
  organizationId: string;
  email: string;
  role: OrganizationRole;
  by: "sign_in" | "directory";
  /** The ids under which the provider and the directory know the person. */
  known: Partial<Pick<typeof providerPeople.$inferInsert, "issuer" | "subject" | "externalId" | "lastSignInAt">>;
};

/** Creates an account for a new person of an organisation, without a usable password. `username` is chosen last. */
export async function makeAccount(services: Services, account: NewAccount) {
  const { db, clock, ids, passwords } = services;
  const { userId, organizationId, email, role, firstName, lastName, by, known } = account;
  const now = clock.now();
  const password = await passwords.hash(ids.secret());
  const { name: organizationName } = await getOrganizationName(services, organizationId);
  const addressed = { userId, email, firstName, lastName, organizationName, createdOrganizationId: null };
  const confirmation = await queueConfirmation(services, addressed);
  const person = {
    id: userId,
    email,
    firstName,
    lastName,
    password,
    role,
    organizationId,
    reviewKeys: true,
    createdAt: now,
    updatedAt: now,
  };
  const audit: CommandAudit = {
    action: "member.provider_joined",
    ...aboutUser(userId),
    details: { person: displayName({ firstName, lastName }), email, role, by },
  };
  return {
    condition: { name: "domain_changed" as const, found: isSoleClaim(organizationId, emailDomain(email)) },
    partsFor: (username: string): CommandPart[] => [
      {
        statements: [
          db.insert(users).values({ ...person, username, lastLoginAt: by === "sign_in" ? now : null }),
          addMember(services, { organizationId, userId, role, status: "active" }),
          db
            .insert(providerPeople)
            .values({ id: ids.next(), organizationId, userId, isMadeHere: true, createdAt: now, ...known }),
        ],
        audit: [audit],
      },
      confirmation,
    ],
  };
}

type Newcomer = {
  settings: ProviderSettings;
  answer: ProviderAnswer;
  email: string;
  vouchedBy: Vouched;
  presentedSessionId?: string;
};

/** Creates an account for a person who is new here, and signs them in. @throws AppError 409 CHANGED_MEANWHILE */
export async function signInNewcomer(services: Services, origin: Origin, newcomer: Newcomer): Promise<SignedIn> {
  const { settings, answer, email, vouchedBy, presentedSessionId } = newcomer;
  const { organizationId, newcomerRole: role, issuer } = settings;
  const userId = services.ids.next();
  const { condition, partsFor } = await makeAccount(services, {
    userId,
    organizationId,
    email,
    role,
    by: "sign_in",
    ...namesFrom(answer, email),
    known: { issuer, subject: answer.subject, lastSignInAt: services.clock.now() },
  });
  const session = await openSession(services, userId, origin, {
    ...(answer.usedTwoFactors
      ? { signInMethod: "provider_two_step", provenAt: services.clock.now() }
      : { signInMethod: "provider" }),
    vouchedBy,
  });
  const device = await rememberDevice(services, userId, origin);
  const closing = presentedSessionId ? [closeSession(services, presentedSessionId)] : [];
  const signIn = { statements: [session.statement, device.statement, ...closing] };
  await withFreeUsername(services, email, async (username) => {
    const { ok } = await runCommand(
      services,
      { userId, organizationId, origin },
      {
        conditions: [settingsAreUnchanged(services, settings), condition],
        uniques: { email_taken: "users.email" },
        parts: [...partsFor(username), signIn],
        audit: [{ action: "session.started", ...aboutUser(userId), details: { with: "provider" } }],
      },
    );
    if (!ok) throw changedMeanwhile();
  });
  return getSignedIn(services, origin, session);
}

type Joining = {
  current: Membership & { id: string };
  conditions: Condition[];
  statements: Statement[];
  audit: CommandAudit[];
};

/** Adds a person with an account to their provider's organisation; undefined for a present or former member. */
export async function joinByProvider(
  services: Services,
  { organizationId, newcomerRole: role }: ProviderSettings,
  account: Account,
): Promise<Joining | undefined> {
  const { db } = services;
  const place = and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.userId, account.id));
  const [before] = await db.select({ status: organizationUsers.status }).from(organizationUsers).where(place);
  if (before && before.status !== "pending") return undefined;
  const [person] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, account.id));
  if (!person) throw new AppError("CHANGED_MEANWHILE", "Your account was changed in the meantime.");
  const waiting = rowIn(db, organizationUsers).where(and(place, eq(organizationUsers.status, "pending")));
  return {
    current: { id: organizationId, role, status: "active" },
    conditions: before ? [{ name: "member_changed", found: waiting }] : [],
    statements: [addOrReturnMember(services, { organizationId, userId: account.id, role }, before !== undefined)],
    audit: [
      {
        action: "member.provider_joined",
        ...aboutUser(account.id),
        details: { person: displayName(person), email: account.email, role, by: "sign_in" },
      },
    ],
  };
}
