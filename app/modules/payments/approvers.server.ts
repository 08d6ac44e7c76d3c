import { organizationUsers, payeeChanges, payees, users, verifications } from "@db/database";
import { and, asc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { bankDetailsEditors, ENTERED_FIELDS, isOwnWork } from "~/modules/payees/second-person";
import { bankDetailChangeColumns } from "~/modules/payees/second-person.server";
import { type Actor, displayName, type ReadServices } from "~/services-and-actor";
import type { PaymentLimits } from "./approval-limits.server";
import { type Colleague, describeApprovers, whoMayApprove } from "./payment";
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
