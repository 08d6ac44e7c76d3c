import { prepared } from "@db/prepared";
import {
  apiTokens,
  organizationPolicies,
  organizations,
  organizationUsers,
  sessions,
  twoSteps,
  users,
} from "@db/schema";
import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Origin, Person } from "~/kernel/actor";
import { DEFAULT_TIME_ZONE } from "~/kernel/dates";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import type { Services } from "~/services";
import { SESSION_IDLE_MS } from "./sessions/session";

type Reading = Pick<Services, "db" | "clock">;

/** What is read of a person, whatever they come with. */
const PERSON = {
  userId: users.id,
  username: users.username,
  email: users.email,
  emailVerifiedAt: users.emailVerifiedAt,
  firstName: users.firstName,
  lastName: users.lastName,
  status: users.status,
  userRole: users.role,
  organizationId: organizations.id,
  organizationName: organizations.name,
  organizationActive: organizations.active,
  organizationRole: organizationUsers.role,
  membershipStatus: organizationUsers.status,
  twoStepEnabledAt: twoSteps.enabledAt,
  twoStepRequired: organizationPolicies.twoStepRequired,
  timeZone: organizationPolicies.timeZone,
  // Written with the table's own name: Drizzle would name the column of the join around it.
  memberships: sql`(SELECT count(*) FROM (SELECT 1 FROM "organization_users" AS mine
    WHERE mine."userId" = ${users.id} AND mine."status" <> 'inactive' LIMIT 2) AS walk)` as SQL<number>,
};

type Row = {
  userId: string;
  username: string;
  email: string;
  emailVerifiedAt: number | null;
  firstName: string;
  lastName: string;
  status: UserStatus;
  userRole: UserRole;
  organizationId: string | null;
  organizationName: string | null;
  organizationActive: boolean | null;
  organizationRole: OrganizationRole | null;
  membershipStatus: UserStatus | null;
  twoStepEnabledAt: number | null;
  twoStepRequired: boolean | null;
  timeZone: string | null;
  memberships: number;
};

/** Undefined for people who may not come in any more. */
function toPerson(row: Row, sessionId: string, origin: Origin): Person | undefined {
  const { userRole, organizationActive, membershipStatus, emailVerifiedAt, twoStepEnabledAt, ...rest } = row;
  const { twoStepRequired, memberships, timeZone, ...known } = rest;
  // Without an organisation there is nothing to have a role in; a member no more, but not yet moved on, only looks.
  const fallback = row.organizationId === null ? "member" : "read_only";
  const role = userRole === "super_admin" ? userRole : (row.organizationRole ?? fallback);
  // The account's status is a copy of the membership's; should they ever differ, the stricter one counts.
  const status = row.status === "active" ? (membershipStatus ?? row.status) : row.status;
  if (status === "inactive") return undefined;
  const twoStepEnabled = twoStepEnabledAt !== null;
  return {
    ...known,
    sessionId,
    role,
    status,
    // Without a row of policies the organisation has decided nothing.
    timeZone: timeZone ?? DEFAULT_TIME_ZONE,
    hasSeveralOrganizations: memberships > 1,
    isSuspended: organizationActive === false,
    emailVerified: emailVerifiedAt !== null,
    twoStepEnabled,
    needsTwoStep: twoStepRequired === true && !twoStepEnabled,
    origin,
  };
}

const personBySession = prepared((db) =>
  db
    .select({ ...PERSON, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(organizations, eq(organizations.id, users.organizationId))
    .leftJoin(
      organizationUsers,
      and(eq(organizationUsers.organizationId, users.organizationId), eq(organizationUsers.userId, users.id)),
    )
    .leftJoin(twoSteps, eq(twoSteps.userId, users.id))
    .leftJoin(organizationPolicies, eq(organizationPolicies.organizationId, users.organizationId))
    .where(
      and(
        eq(sessions.id, sql.placeholder("sessionId")),
        gt(sessions.expiresAt, sql.placeholder("now")),
        gt(sessions.lastSeenAt, sql.placeholder("idleSince")),
      ),
    )
    .prepare(),
);

/**
 * The person behind a session, with role, status and organisation as they are now; undefined when the session is
 * unknown or over, or the person may not come in any more.
 */
export async function findPersonBySession(
  services: Reading,
  sessionId: string,
  origin: Origin,
): Promise<{ person: Person; lastSeenAt: number } | undefined> {
  const now = services.clock.now();
  const [found] = await personBySession(services.db).all({ sessionId, now, idleSince: now - SESSION_IDLE_MS });
  if (!found) return undefined;
  const { lastSeenAt, ...row } = found;
  const person = toPerson(row, sessionId, origin);
  return person && { person, lastSeenAt };
}

/** What an API token may do, and when it was last used. */
export type TokenHolder = { person: Person; tokenId: string; scopes: string[]; lastUsedAt: number | null };

/**
 * The person behind an API token, in the organisation that the token was made for, with the role they have there now;
 * undefined when it is unknown, revoked or expired, or the person may not come in, or belongs there, no more.
 */
export async function findPersonByApiToken(
  services: Reading,
  tokenHash: string,
  origin: Origin,
): Promise<TokenHolder | undefined> {
  const now = services.clock.now();
  const [found] = await services.db
    .select({ ...PERSON, tokenId: apiTokens.id, scopes: apiTokens.scopes, lastUsedAt: apiTokens.lastUsedAt })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .innerJoin(organizations, eq(organizations.id, apiTokens.organizationId))
    .innerJoin(
      organizationUsers,
      and(eq(organizationUsers.organizationId, apiTokens.organizationId), eq(organizationUsers.userId, users.id)),
    )
    .leftJoin(twoSteps, and(eq(twoSteps.userId, users.id), isNotNull(twoSteps.enabledAt)))
    .leftJoin(organizationPolicies, eq(organizationPolicies.organizationId, apiTokens.organizationId))
    .where(
      and(
        eq(apiTokens.tokenHash, tokenHash),
        isNull(apiTokens.revokedAt),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
      ),
    );
  if (!found) return undefined;
  const { tokenId, scopes, lastUsedAt, ...row } = found;
  // The account's status is about the person's current organisation; this is about the token's.
  const status = found.status === "inactive" ? found.status : (found.membershipStatus ?? found.status);
  const person = toPerson({ ...row, status }, "", origin);
  return person && { person, tokenId, scopes, lastUsedAt };
}
