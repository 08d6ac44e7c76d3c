import { payeeChanges, payees, users, verificationCalls } from "@db/schema";
import { and, asc, eq } from "drizzle-orm";
import { withUserName } from "~/modules/audit/timeline.queries.server";
import type { Asking } from "~/modules/verifications/verification.queries.server";
import type { ReadServices } from "~/services";
import { type CallBack, type KnownPhone, listPhones } from "./call-back";

/** More calls than anybody makes about one verification. */
const CALLS_SIZE = 100;
const PHONE_CHANGES_SIZE = 100;

/** The calls made about a verification, oldest first. */
export async function listCalls(
  { db }: ReadServices,
  { organizationId }: Asking,
  verificationId: string,
): Promise<CallBack[]> {
  const rows = await db
    .select({
      id: verificationCalls.id,
      number: verificationCalls.number,
      source: verificationCalls.source,
      spokeTo: verificationCalls.spokeTo,
      outcome: verificationCalls.outcome,
      note: verificationCalls.note,
      noProof: verificationCalls.noProof,
      createdAt: verificationCalls.createdAt,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(verificationCalls)
    .leftJoin(users, eq(users.id, verificationCalls.calledById))
    .where(
      and(eq(verificationCalls.organizationId, organizationId), eq(verificationCalls.verificationId, verificationId)),
    )
    .orderBy(asc(verificationCalls.id))
    .limit(CALLS_SIZE);
  return rows.map(withUserName);
}

/** Every number the payee has or had, with when and by whom it was set. */
export async function listKnownPhones(
  { db }: ReadServices,
  { organizationId }: Asking,
  payeeId: string,
): Promise<KnownPhone[]> {
  const [[payee], changes] = await Promise.all([
    db
      .select({
        phone: payees.phone,
        createdAt: payees.createdAt,
        firstName: users.firstName,
        lastName: users.lastName,
      })
      .from(payees)
      .leftJoin(users, eq(users.id, payees.createdById))
      .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId))),
    db
      .select({
        oldValue: payeeChanges.oldValue,
        newValue: payeeChanges.newValue,
        createdAt: payeeChanges.createdAt,
        firstName: users.firstName,
        lastName: users.lastName,
      })
      .from(payeeChanges)
      .leftJoin(users, eq(users.id, payeeChanges.userId))
      .where(
        and(
          eq(payeeChanges.organizationId, organizationId),
          eq(payeeChanges.payeeId, payeeId),
          eq(payeeChanges.field, "phone"),
        ),
      )
      .orderBy(asc(payeeChanges.id))
      .limit(PHONE_CHANGES_SIZE),
  ]);
  if (!payee) return [];
  const { phone, createdAt, userName } = withUserName(payee);
  return listPhones({ phone, createdAt, createdBy: userName }, changes.map(withUserName));
}
