import { organizationUsers, users } from "@db/schema";
import { and, eq, ne } from "drizzle-orm";
import { normalizeEmail } from "~/kernel/email";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import type { Services } from "~/services";

export type Account = {
  id: string;
  password: string;
  status: UserStatus;
  role: UserRole;
  organizationId: string | null;
};

/** The account behind an email address, or a username where there is no `@`. */
export async function findAccount(services: Pick<Services, "db">, login: string): Promise<Account | undefined> {
  const name = normalizeEmail(login);
  const [row] = await services.db
    .select({
      id: users.id,
      password: users.password,
      status: users.status,
      role: users.role,
      organizationId: users.organizationId,
    })
    .from(users)
    .where(eq(name.includes("@") ? users.email : users.username, name));
  return row;
}

export type Membership = { role: OrganizationRole; status: UserStatus };

/** What a person is in an organisation; undefined when they do not belong to it, or not any more. */
export async function findMembership(
  services: Pick<Services, "db">,
  organizationId: string,
  userId: string,
): Promise<Membership | undefined> {
  const [row] = await services.db
    .select({ role: organizationUsers.role, status: organizationUsers.status })
    .from(organizationUsers)
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.userId, userId),
        ne(organizationUsers.status, "inactive"),
      ),
    );
  return row;
}
