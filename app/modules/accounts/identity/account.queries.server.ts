import { organizationUsers, twoSteps, users } from "@db/schema";
import { and, eq, isNotNull, ne, type SQL } from "drizzle-orm";
import { normalizeEmail } from "~/kernel/email";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import type { ReadServices } from "~/services";
import type { TwoStep } from "./two-step/two-step.server";

export type Account = {
  id: string;
  email: string;
  firstName: string;
  /** The stored hash. */
  password: string;
  status: UserStatus;
  role: UserRole;
  organizationId: string | null;
  /** Null while it is off. */
  twoStep: TwoStep | null;
};

/** The account behind an email address, or a username where there is no `@`. */
export async function findAccount(services: ReadServices, login: string): Promise<Account | undefined> {
  const name = normalizeEmail(login);
  return findWhere(services, eq(name.includes("@") ? users.email : users.username, name));
}

export async function findAccountById(services: ReadServices, userId: string): Promise<Account | undefined> {
  return findWhere(services, eq(users.id, userId));
}

async function findWhere({ db }: ReadServices, which: SQL): Promise<Account | undefined> {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      password: users.password,
      status: users.status,
      role: users.role,
      organizationId: users.organizationId,
      sealedSecret: twoSteps.sealedSecret,
      lastStep: twoSteps.lastStep,
    })
    .from(users)
    .leftJoin(twoSteps, and(eq(twoSteps.userId, users.id), isNotNull(twoSteps.enabledAt)))
    .where(which);
  if (!row) return undefined;
  const { sealedSecret, lastStep, ...account } = row;
  return { ...account, twoStep: sealedSecret === null ? null : { sealedSecret, lastStep } };
}

export type Membership = { role: OrganizationRole; status: UserStatus };

/** What a person is in an organisation; undefined when they do not belong to it, or not any more. */
export async function findMembership(
  services: ReadServices,
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
