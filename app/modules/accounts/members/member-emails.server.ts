import { organizationUsers, users } from "@db/schema";
import { and, eq, ne } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** An alert goes to at most this many people. */
export const MAX_ALERTED_MEMBERS = 200;

type Choice = {
  /** The person who acted and need not be told. */
  except?: string;
  /** Only people who may change things. */
  canWrite: true;
};

/** Addresses of an organisation's active members who can act, oldest members first, for alerts. */
export async function listMemberEmails(
  services: ReadServices,
  organizationId: string,
  choice: Choice,
): Promise<string[]> {
  const rows = await services.db
    .select({ email: users.email })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        ne(organizationUsers.role, "read_only"),
        eq(organizationUsers.status, "active"),
        ne(users.status, "inactive"),
        choice.except === undefined ? undefined : ne(organizationUsers.userId, choice.except),
      ),
    )
    .orderBy(organizationUsers.userId)
    .limit(MAX_ALERTED_MEMBERS);
  return rows.map((row) => row.email);
}
