import { organizations, organizationUsers, sessions, users } from "@db/schema";
import { and, eq, gt } from "drizzle-orm";
import type { Services } from "~/services";
import type { Origin, Person } from "./actor";
import { SESSION_IDLE_MS } from "./session";

/**
 * The person behind a session, with role, status and organisation as they are now; undefined when the session is
 * unknown or over, or the person may not come in any more.
 */
export async function findPersonBySession(
  services: Pick<Services, "db" | "clock">,
  sessionId: string,
  origin: Origin,
): Promise<{ person: Person; lastSeenAt: number } | undefined> {
  const now = services.clock.now();
  const [row] = await services.db
    .select({
      userId: users.id,
      username: users.username,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      firstName: users.firstName,
      lastName: users.lastName,
      status: users.status,
      userRole: users.role,
      organizationId: users.organizationId,
      organizationName: organizations.name,
      organizationActive: organizations.active,
      organizationRole: organizationUsers.role,
      membershipStatus: organizationUsers.status,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(organizations, eq(organizations.id, users.organizationId))
    .leftJoin(
      organizationUsers,
      and(eq(organizationUsers.organizationId, users.organizationId), eq(organizationUsers.userId, users.id)),
    )
    .where(
      and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, now - SESSION_IDLE_MS)),
    );
  if (!row || row.status === "inactive") return undefined;
  const { userRole, organizationActive, membershipStatus, emailVerifiedAt, lastSeenAt, ...rest } = row;
  // Without an organisation there is nothing to have a role in; a member no more, but not yet moved on, only looks.
  const fallback = row.organizationId === null ? "member" : "read_only";
  const role = userRole === "super_admin" ? userRole : (row.organizationRole ?? fallback);
  // The account's status is a copy of the membership's; should they ever differ, the stricter one counts.
  const status = row.status === "active" ? (membershipStatus ?? row.status) : row.status;
  if (status === "inactive") return undefined;
  const isSuspended = organizationActive === false;
  const person = { ...rest, sessionId, role, status, isSuspended, emailVerified: emailVerifiedAt !== null, origin };
  return { person, lastSeenAt };
}
