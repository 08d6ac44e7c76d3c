import { organizations, tokens, users } from "@db/schema";
import { aliasedTable, and, asc, eq, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import type { OrganizationRole, UserStatus } from "~/kernel/enums";
import type { Services } from "~/services";
import { type InvitationState, invitationState } from "./invitations";

const MAX_LISTED = 200;

/** Written out, not bound: the database then knows that its partial index serves. */
export const isOpenInvitation = sql`${tokens.kind} = 'invitation' AND ${tokens.usedAt} IS NULL`;

const inviters = aliasedTable(users, "inviters");

/** Invitations that nobody has accepted or taken back, by address. */
export async function listInvitations({ db, clock }: Pick<Services, "db" | "clock">, organizationId: string) {
  const rows = await db
    .select({
      id: tokens.id,
      email: tokens.email,
      role: tokens.role,
      createdAt: tokens.createdAt,
      expiresAt: tokens.expiresAt,
      firstName: inviters.firstName,
      lastName: inviters.lastName,
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
    invitedBy: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }),
    isExpired: row.expiresAt <= now,
  }));
}

/** An account with the invited address. */
export type InvitedAccount = {
  userId: string;
  status: UserStatus;
  /** A person proved that the address is theirs. Otherwise anyone may have registered with it. */
  isConfirmed: boolean;
  organizationId: string | null;
  /** The name that was typed into the registration form. */
  registeredBy: string;
  registeredAt: number;
};

/** What is behind an invitation's link. */
export type Invitation = {
  id: string;
  state: InvitationState;
  email: string;
  role: OrganizationRole;
  organizationId: string;
  organizationName: string;
  isSuspended: boolean;
  invitedBy: string | null;
  /** The person who has this address already. */
  account: InvitedAccount | null;
};

/** Undefined for a token that was never ours, or that was replaced or taken back. */
export async function findInvitation(
  { db, clock, secrets }: Pick<Services, "db" | "clock" | "secrets">,
  token: string,
): Promise<Invitation | undefined> {
  const [row] = await db
    .select({
      id: tokens.id,
      usedAt: tokens.usedAt,
      expiresAt: tokens.expiresAt,
      email: tokens.email,
      role: tokens.role,
      organizationId: organizations.id,
      organizationName: organizations.name,
      active: organizations.active,
      firstName: inviters.firstName,
      lastName: inviters.lastName,
      account: {
        userId: users.id,
        status: users.status,
        emailVerifiedAt: users.emailVerifiedAt,
        organizationId: users.organizationId,
        firstName: users.firstName,
        lastName: users.lastName,
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
    invitedBy: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }),
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
