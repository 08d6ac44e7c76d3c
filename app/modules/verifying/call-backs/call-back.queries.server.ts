import { prepared } from "@db/prepared";
import { payeeChanges, payees, users, verificationCalls } from "@db/schema";
import { and, asc, eq, sql } from "drizzle-orm";
import { withUserName } from "~/modules/core/audit/timeline.queries.server";
import type { Asking } from "~/modules/payees/verifications/verification.queries.server";
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
  const rows = await callsOf(db).all({ organizationId, verificationId });
  return rows.map(withUserName);
}

const callsOf = prepared((db) =>
  db
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
      and(
        eq(verificationCalls.organizationId, sql.placeholder("organizationId")),
        eq(verificationCalls.verificationId, sql.placeholder("verificationId")),
      ),
    )
    .orderBy(asc(verificationCalls.id))
    .limit(CALLS_SIZE)
    .prepare(),
);

/** Every number the payee has or had, with when and by whom it was set. */
export async function listKnownPhones(
  { db }: ReadServices,
  { organizationId }: Asking,
  payeeId: string,
): Promise<KnownPhone[]> {
  const asked = { organizationId, payeeId };
  const [[payee], changes] = await Promise.all([phoneOf(db).all(asked), phoneChangesOf(db).all(asked)]);
  if (!payee) return [];
  const { phone, createdAt, userName } = withUserName(payee);
  return listPhones({ phone, createdAt, createdBy: userName }, changes.map(withUserName));
}

const phoneOf = prepared((db) =>
  db
    .select({
      phone: payees.phone,
      createdAt: payees.createdAt,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(payees)
    .leftJoin(users, eq(users.id, payees.createdById))
    .where(and(eq(payees.organizationId, sql.placeholder("organizationId")), eq(payees.id, sql.placeholder("payeeId"))))
    .prepare(),
);

const phoneChangesOf = prepared((db) =>
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
        eq(payeeChanges.organizationId, sql.placeholder("organizationId")),
        eq(payeeChanges.payeeId, sql.placeholder("payeeId")),
        eq(payeeChanges.field, "phone"),
      ),
    )
    .orderBy(asc(payeeChanges.id))
    .limit(PHONE_CHANGES_SIZE)
    .prepare(),
);
