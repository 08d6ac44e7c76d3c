import { preparedPer } from "@db/prepared";
import { organizationUsers, users } from "@db/schema";
import { and, asc, eq, ne, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import type { ReadServices } from "~/services";

export type Colleague = { userId: string; name: string };

/** More people than a list of names offers. */
const MAX_COLLEAGUES = 200;

/** The active people of an organisation, by their time in it; `canWrite`: only those who may change things. */
export async function listColleagues(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  { canWrite = false }: { canWrite?: boolean } = {},
): Promise<Colleague[]> {
  const rows = await colleaguesOf(db, { canWrite }).all({ organizationId });
  return rows.map(({ userId, ...name }) => ({ userId, name: displayName(name) }));
}

const colleaguesOf = preparedPer((db, { canWrite }: { canWrite: boolean }) =>
  db
    .select({ userId: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, sql.placeholder("organizationId")),
        eq(organizationUsers.status, "active"),
        ne(users.status, "inactive"),
        canWrite ? ne(organizationUsers.role, "read_only") : undefined,
      ),
    )
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_COLLEAGUES)
    .prepare(),
);

/** Members that a name is compared with, the oldest first. */
const MAX_NAMED = 1_000;

/** Everybody who is or was a member of an organisation, whatever they may do now. */
export const listEveryMember = ({ db }: ReadServices, { organizationId }: { organizationId: string }) =>
  db
    .select({ userId: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(eq(organizationUsers.organizationId, organizationId))
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_NAMED);
