import { organizations, organizationUsers, users } from "@db/schema";
import { and, asc, eq, ne } from "drizzle-orm";
import { notFound } from "~/kernel/app-error";
import type { ReadServices } from "~/services";
import type { Account, Elsewhere, MembershipState } from "./members";

/** One person in one organisation, as changes to them are decided on. */
export type Member = MembershipState & {
  organizationId: string;
  organizationName: string;
  userId: string;
  firstName: string;
  lastName: string;
  email: string;
  emailVerified: boolean;
  account: Account;
};

type Whose = { organizationId: string; userId: string };

/** A person of this organisation. @throws AppError 404 */
export async function getMember({ db }: ReadServices, whose: Whose): Promise<Member> {
  const [row] = await db
    .select({
      role: organizationUsers.role,
      status: organizationUsers.status,
      organizationName: organizations.name,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      account: { role: users.role, status: users.status, organizationId: users.organizationId },
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(and(eq(organizationUsers.organizationId, whose.organizationId), eq(organizationUsers.userId, whose.userId)));
  if (!row) throw notFound();
  const { emailVerifiedAt, ...member } = row;
  return { ...member, ...whose, emailVerified: emailVerifiedAt !== null };
}

/** Another organisation in which the person is active and could go on; the one they joined first. */
export async function findElsewhere(
  { db }: ReadServices,
  { organizationId, userId }: Whose,
): Promise<Elsewhere | undefined> {
  const [row] = await db
    .select({ organizationId: organizationUsers.organizationId, role: organizationUsers.role })
    .from(organizationUsers)
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(
      and(
        eq(organizationUsers.userId, userId),
        ne(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.status, "active"),
        eq(organizations.active, true),
      ),
    )
    .orderBy(asc(organizationUsers.id))
    .limit(1);
  return row;
}

/** The organisation a person is in now, for who may act on people of every organisation. @throws AppError 404 */
export async function getCurrentOrganizationId({ db }: ReadServices, userId: string): Promise<string | null> {
  const [row] = await db.select({ organizationId: users.organizationId }).from(users).where(eq(users.id, userId));
  if (!row) throw notFound();
  return row.organizationId;
}
