import { columnsOf, organizationUsers, payeeChanges, payees, users, verifications } from "@db/database";
import { and, asc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import type { OrganizationRole } from "~/kernel/enums";
import { displayName } from "~/kernel/text";
import {
  type Approval,
  bankDetailChangeColumns,
  bankDetailsEditors,
  ENTERED_FIELDS,
  isOwnWork,
} from "~/modules/payees/second-person.server";
import type { Actor, ReadServices } from "~/services-and-actor";
import { approvalLimitOf, type PaymentLimits } from "./approval-limits.server";
import type { PaymentView } from "./payment-page.server";

/** Who may approve payments and files: by the organisation's limits, and not what is the person's own work. */

export type Colleague = { userId: string; name: string; role: OrganizationRole };

type Approving = {
  /** The people who would approve their own work; null: the organisation requires no second person. */
  approval: Approval | null;
  limits: PaymentLimits;
  /** Integer cents. */
  amount: number;
};

/** The colleagues who may approve this payment now: within their role's limit, and not their own work. */
export function whoMayApprove(colleagues: readonly Colleague[], { approval, limits, amount }: Approving): Colleague[] {
  return colleagues.filter(({ userId, role }) => {
    const limit = approvalLimitOf(limits, role);
    const isWithinLimit = limit === null || amount <= limit;
    return role !== "read_only" && isWithinLimit && !(approval && isOwnWork(approval, userId));
  });
}

/** At most this many people are named in a sentence. */
const MAX_NAMED = 3;

/** Names the colleagues who may approve, in a sentence; when there are none, says what to do. */
export function describeApprovers(approvers: readonly Colleague[]): string {
  if (approvers.length === 0) {
    return "No one else in your organisation may approve it now. An administrator can invite a second person or raise an approval limit.";
  }
  const named = approvers.slice(0, MAX_NAMED).map(({ name }) => name);
  const others = approvers.length - named.length;
  const all = others > 0 ? [...named, `${others} other ${others === 1 ? "person" : "people"}`] : named;
  return `${new Intl.ListFormat("en-AU", { type: "disjunction" }).format(all)} may approve it.`;
}

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
    .select({ ...columnsOf(organizationUsers, "userId", "role"), ...columnsOf(users, "firstName", "lastName") })
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

/**
 * Payees for which approving a payment would be approving the person's own work: they entered some of its bank details,
 * or requested its newest verification. Two statements, however many payees.
 */
export async function listPayeesOfOwnWork(
  { db }: ReadServices,
  { organizationId, userId }: { organizationId: string; userId: string },
  payeeIds: readonly string[],
): Promise<Set<string>> {
  const asked = sql`(SELECT value FROM json_each(${JSON.stringify(payeeIds)}))`;
  const [rows, changes] = await Promise.all([
    db
      .select({
        ...columnsOf(payees, "id", "name", "accountName", "bsb", "accountNumber", "createdById", "accountingOrigins"),
        requestedById: sql<string | null>`(SELECT ${verifications.requestedById} FROM ${verifications}
          WHERE ${verifications.organizationId} = ${organizationId} AND ${verifications.payeeId} = ${payees.id}
          ORDER BY ${verifications.id} DESC LIMIT 1)`,
      })
      .from(payees)
      .where(and(eq(payees.organizationId, organizationId), sql`${payees.id} IN ${asked}`)),
    db
      .select({ payeeId: payeeChanges.payeeId, ...bankDetailChangeColumns })
      .from(payeeChanges)
      .where(
        and(
          eq(payeeChanges.organizationId, organizationId),
          sql`${payeeChanges.payeeId} IN ${asked}`,
          inArray(payeeChanges.field, [...ENTERED_FIELDS]),
        ),
      )
      .orderBy(asc(payeeChanges.id)),
  ]);
  const byPayee = new Map<string, typeof changes>();
  for (const change of changes) byPayee.set(change.payeeId, [...(byPayee.get(change.payeeId) ?? []), change]);
  const own = rows.filter((payee) => {
    const enteredBy = bankDetailsEditors(payee, byPayee.get(payee.id) ?? []);
    return isOwnWork({ enteredBy, requestedById: payee.requestedById, recordedBy: [] }, userId);
  });
  return new Set(own.map(({ id }) => id));
}

type Asked = {
  uploadedById: string | null;
  /** The lines on the page. */
  lines: readonly { payeeId: string | null }[];
  limits: PaymentLimits;
};

/** Which parts of a file this person may not approve, when the organisation requires a second person. */
export type OwnWork = {
  /** Why the person may approve none of the file, and who may; null: they did not upload it. */
  bar: string | null;
  /** Payees of the lines on the page whose bank details the person entered or had verified. */
  payees: ReadonlySet<string>;
};

export async function findOwnWork(services: ReadServices, actor: Actor, { uploadedById, lines, limits }: Asked) {
  const payeeIds = [...new Set(lines.flatMap(({ payeeId }) => payeeId ?? []))];
  const payees = await listPayeesOfOwnWork(services, actor, payeeIds);
  if (uploadedById !== actor.userId) return { bar: null, payees };
  const approval = { enteredBy: new Set<string>(), requestedById: null, recordedBy: [uploadedById] };
  const approvers = whoMayApprove(await listColleagues(services, actor), { approval, limits, amount: 0 });
  const bar = `Your organisation requires a second person. You uploaded this file, so another person has to approve what is held. ${describeApprovers(approvers)}`;
  return { bar, payees };
}
