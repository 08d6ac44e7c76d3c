import { prepared } from "@db/prepared";
import { users } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { listPendingOrganizations } from "~/modules/accounts/organizations/organization.server";
import type { ReadServices } from "~/services";
import { toUserJson, type UserJson } from "./user.json";

/** The user that GET /api/user answers, and every call that returns the user. */
export async function describeUser(services: ReadServices, person: Person): Promise<UserJson> {
  return toUserJson(person, await listPendingOrganizations(services, person));
}

/** True until the person signs in again after they registered. */
export async function findIsFirstVisit({ db }: ReadServices, userId: string): Promise<boolean> {
  const [row] = await visitsOf(db).all({ userId });
  return row !== undefined && row.lastLoginAt === row.createdAt;
}

const visitsOf = prepared((db) =>
  db
    .select({ createdAt: users.createdAt, lastLoginAt: users.lastLoginAt })
    .from(users)
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare(),
);
