import { organizations, organizationUsers } from "@db/schema";
import { and, asc, eq, ne } from "drizzle-orm";
import type { PendingOrganization } from "~/modules/accounts/organizations/organization";
import type { ReadServices } from "~/services";

const MAX_LISTED = 50;

/** The organisations a person belongs to and may go to, by name; those that shut them out are not among them. */
export async function listMemberships({ db }: ReadServices, userId: string): Promise<PendingOrganization[]> {
  return db
    .select({
      id: organizations.id,
      name: organizations.name,
      logo: organizations.logo,
      subdomain: organizations.subdomain,
    })
    .from(organizationUsers)
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(and(eq(organizationUsers.userId, userId), ne(organizationUsers.status, "inactive")))
    .orderBy(asc(organizations.name))
    .limit(MAX_LISTED);
}
