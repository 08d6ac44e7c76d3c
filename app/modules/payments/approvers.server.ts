import { organizationUsers, payeeChanges, payees, paymentFileSettings, users, verifications } from "@db/database";
import { and, asc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { dueChanges, withDue } from "~/modules/accounts/organizations/policy-changes.server";
import { bankDetailsEditors, ENTERED_FIELDS, isOwnWork } from "~/modules/payees/second-person";
import { bankDetailChangeColumns } from "~/modules/payees/second-person.server";
import { type Actor, displayName, type ReadServices, type TimedServices } from "~/services-and-actor";
import { type Colleague, describeApprovers, NO_LIMITS, type PaymentLimits, whoMayApprove } from "./approval-limits";
import type { PaymentView } from "./payment-page.server";

/** Who may approve payments and files: by the organisation's limits, and not what is the person's own work. */

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
        id: payees.id,
        name: payees.name,
        accountName: payees.accountName,
        bsb: payees.bsb,
        accountNumber: payees.accountNumber,
        createdById: payees.createdById,
        accountingOrigins: payees.accountingOrigins,
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

export async function findOwnWork(
  services: ReadServices,
  actor: Actor,
  { uploadedById, lines, limits }: Asked,
): Promise<OwnWork> {
  const payeeIds = [...new Set(lines.flatMap(({ payeeId }) => payeeId ?? []))];
  const payees = await listPayeesOfOwnWork(services, actor, payeeIds);
  if (uploadedById !== actor.userId) return { bar: null, payees };
  const approval = { enteredBy: new Set<string>(), requestedById: null, recordedBy: [uploadedById] };
  const approvers = whoMayApprove(await listColleagues(services, actor), { approval, limits, amount: 0 });
  const bar = `Your organisation requires a second person. You uploaded this file, so another person has to approve what is held. ${describeApprovers(approvers)}`;
  return { bar, payees };
}

type Columns = Pick<
  typeof paymentFileSettings.$inferSelect,
  "memberLimitCents" | "adminLimitCents" | "opensAtMinute" | "closesAtMinute" | "worksWeekends"
> & {
  /** JSON of delayed changes of limits and hours that are now due. */
  due: string;
};

/** The organisation's approval limits and working hours; no limits if it has set none. */
export async function findPaymentLimits({ db, clock }: TimedServices, organizationId: string): Promise<PaymentLimits> {
  const [row] = await db
    .select({
      memberLimitCents: paymentFileSettings.memberLimitCents,
      adminLimitCents: paymentFileSettings.adminLimitCents,
      opensAtMinute: paymentFileSettings.opensAtMinute,
      closesAtMinute: paymentFileSettings.closesAtMinute,
      worksWeekends: paymentFileSettings.worksWeekends,
      due: dueChanges(paymentFileSettings.organizationId, clock.now()),
    })
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  return row ? toPaymentLimits(row) : NO_LIMITS;
}

export function toPaymentLimits(row: Columns): PaymentLimits {
  const { memberLimitCents, adminLimitCents, opensAtMinute, closesAtMinute, worksWeekends } = row;
  const workingHours =
    opensAtMinute === null || closesAtMinute === null ? null : { opensAtMinute, closesAtMinute, worksWeekends };
  return withDue({ memberLimitCents, adminLimitCents, workingHours }, row.due);
}
