import { organizationUsers, users } from "@db/schema";
import { and, asc, eq, isNotNull, ne } from "drizzle-orm";
import { type Actor, displayName } from "~/kernel/actor";
import type { OrganizationRole } from "~/kernel/enums";
import { type Approval, isOwnWork } from "~/modules/payees/second-person";
import type { ReadServices } from "~/services";
import { approvalLimitOf, type PaymentLimits } from "./payment-facts/payment-limits.server";
import type { PaymentView } from "./payment-page.server";

/** Who else may approve a payment, for a person who may not. */

export type Colleague = { userId: string; name: string; role: OrganizationRole };

type Asked = {
  /** Whose own work an approval would be; null: the organisation requires no second person. */
  approval: Approval | null;
  limits: PaymentLimits;
  /** Integer cents. */
  amount: number;
};

/** Names in a sentence at most. */
const MAX_NAMED = 3;
const NAMES = new Intl.ListFormat("en-AU", { type: "disjunction" });

/** The colleagues who may approve this payment now: their role allows the amount, and it is not their own work. */
export function whoMayApprove(colleagues: readonly Colleague[], { approval, limits, amount }: Asked): Colleague[] {
  return colleagues.filter(({ userId, role }) => {
    const limit = approvalLimitOf(limits, role);
    const isWithinLimit = limit === null || amount <= limit;
    return role !== "read_only" && isWithinLimit && !(approval && isOwnWork(approval, userId));
  });
}

/** The same in a sentence, with what to do where there is no such person. */
export function describeApprovers(approvers: readonly Colleague[]): string {
  if (approvers.length === 0) {
    return "No one else in your organisation may approve it now. An administrator can invite a second person or raise an approval limit.";
  }
  const named = approvers.slice(0, MAX_NAMED).map(({ name }) => name);
  const others = approvers.length - named.length;
  const all = others > 0 ? [...named, `${others} other ${others === 1 ? "person" : "people"}`] : named;
  return `${NAMES.format(all)} may approve it.`;
}

/** People looked at, the oldest members first. */
const MAX_COLLEAGUES = 200;

/** Who may approve a payment that this person may not; null where the reason is none that another person lifts. */
export async function findApprovers(
  services: ReadServices,
  actor: Actor,
  { bar, ...asked }: Asked & { bar: PaymentView["approvalBar"] },
): Promise<string | null> {
  if (bar !== "second_person_required" && bar !== "above_limit") return null;
  const colleagues = await listColleagues(services, actor);
  return describeApprovers(whoMayApprove(colleagues, asked));
}

/** The other active people of the organisation. */
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
