import { prepared } from "@db/prepared";
import { payeeChanges, paymentRecords, verifications } from "@db/schema";
import { and, asc, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { BankDetails } from "~/kernel/payee";
import type { ReadServices } from "~/services";
import type { Asking } from "./payee.queries.server";
import { type Approval, bankDetailsEditors, ENTERED_FIELDS } from "./second-person";

/** Every person who entered any of the bank details that the payee has now, or gave it its name, however many edits lie between. */
export async function findBankDetailsEditors(
  { db }: ReadServices,
  { organizationId }: Asking,
  payee: BankDetails & { id: string; name: string; createdById: string | null },
): Promise<ReadonlySet<string>> {
  const changes = await bankDetailsChangesOf(db).all({ organizationId, payeeId: payee.id });
  return bankDetailsEditors(payee, changes);
}

const bankDetailsChangesOf = prepared((db) =>
  db
    .select({
      field: payeeChanges.field,
      oldValue: payeeChanges.oldValue,
      newValue: payeeChanges.newValue,
      userId: payeeChanges.userId,
    })
    .from(payeeChanges)
    .where(
      and(
        eq(payeeChanges.organizationId, sql.placeholder("organizationId")),
        eq(payeeChanges.payeeId, sql.placeholder("payeeId")),
        inArray(payeeChanges.field, [...ENTERED_FIELDS]),
      ),
    )
    .orderBy(asc(payeeChanges.id))
    .prepare(),
);

/** Every person whose own work trusting the payee would be: they entered its details, or asked for its newest verification. */
export async function findApprovalOfPayee(
  services: ReadServices,
  actor: Asking,
  payee: BankDetails & { id: string; name: string; createdById: string | null },
): Promise<Approval> {
  const [enteredBy, [newest]] = await Promise.all([
    findBankDetailsEditors(services, actor, payee),
    services.db
      .select({ requestedById: verifications.requestedById })
      .from(verifications)
      .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.payeeId, payee.id)))
      .orderBy(desc(verifications.id))
      .limit(1),
  ]);
  return { enteredBy, requestedById: newest?.requestedById ?? null, recordedBy: [] };
}

/** Every person who recorded a payment to the payee that waits for a decision. */
export async function findHeldPaymentRecorders(
  { db }: ReadServices,
  { organizationId }: Asking,
  payeeId: string,
): Promise<string[]> {
  const rows = await heldPaymentRecordersOf(db).all({ organizationId, payeeId });
  return rows.flatMap(({ userId }) => userId ?? []);
}

const heldPaymentRecordersOf = prepared((db) =>
  db
    .selectDistinct({ userId: paymentRecords.recordedById })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, sql.placeholder("organizationId")),
        eq(paymentRecords.payeeId, sql.placeholder("payeeId")),
        inArray(paymentRecords.status, ["held", "verification_requested"]),
        isNotNull(paymentRecords.recordedById),
      ),
    )
    .prepare(),
);
