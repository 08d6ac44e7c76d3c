import { organizationUsers, users } from "@db/schema";
import { and, asc, eq, isNotNull, ne } from "drizzle-orm";
import { type Actor, displayName } from "~/kernel/actor";
import type { ReadServices } from "~/services";
import { type Colleague, describeApprovers, whoMayApprove } from "./approval-limits";
import type { PaymentView } from "./payment-page.server";

/** Finds who else may approve a payment, for a person who may not. */

/** How many people are looked at, longest-standing members first. */
const MAX_COLLEAGUES = 200;

/** Who may approve a payment that this person may not; null when nobody else could approve it either. */
export async function findApprovers(
  services: ReadServices,
  actor: Actor,
  { bar, ...asked }: Parameters<typeof whoMayApprove>[1] & { bar: PaymentView["approvalBar"] },
): Promise<string | null> {
  if (bar !== "second_person_required" && bar !== "above_limit") return null;
  const colleagues = await listColleagues(services, actor);
  return describeApprovers(whoMayApprove(colleagues, asked));
}

/** The other active members of the organisation. */
export async function listColleagues({ db }: ReadServices, actor: Actor): Promise<Colleague[]> {
  const rows = await db
    .select({
      userId: organizationUsers.userId,
      role: organizationUsers.role,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, actor.organizationId),
        eq(organizationUsers.status, "active"),
        ne(organizationUsers.userId, actor.userId),
        ne(users.status, "inactive"),
        isNotNull(users.emailVerifiedAt),
      ),
    )
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_COLLEAGUES);
  return rows.map(({ userId, role, ...person }) => ({ userId, role, name: displayName(person) }));
}
