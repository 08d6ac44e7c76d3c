import {
  apiTokens,
  organizationDomains,
  organizations,
  organizationUsers,
  outsideMessages,
  providerPeople,
  scimTokens,
  singleSignOn,
  users,
  waysIn,
} from "@db/schema";
import { eq } from "drizzle-orm";
import type { ReadServices } from "~/services";
import { child, type Walk, walk } from "./walks";

/** What the directory of organisations and people says of an organisation: its members, domains and tokens. */
export const DIRECTORY_WALKS: Readonly<Record<string, Walk>> = {
  organizationUsers: walk(organizationUsers, {
    along: [organizationUsers.userId],
    children: [
      {
        name: "users",
        table: users,
        by: users.id,
        of: "userId",
        organizationId: null,
        columns: {
          id: users.id,
          username: users.username,
          email: users.email,
          firstName: users.firstName,
          lastName: users.lastName,
          createdAt: users.createdAt,
          lastLoginAt: users.lastLoginAt,
        },
      },
      child("apiTokens", apiTokens, apiTokens.userId, "userId"),
    ],
  }),
  organizationDomains: walk(organizationDomains, { along: [organizationDomains.domain] }),
  singleSignOn: walk(singleSignOn),
  waysIn: walk(waysIn),
  providerPeople: walk(providerPeople, { along: [providerPeople.userId] }),
  scimTokens: walk(scimTokens),
  outsideMessages: walk(outsideMessages, { along: [outsideMessages.createdAt, outsideMessages.id] }),
};

/** The organisation's own row. */
export async function readOrganization({ db }: ReadServices, organizationId: string) {
  const [row] = await db.select().from(organizations).where(eq(organizations.id, organizationId));
  return row;
}
