import { organizationUsers, paymentRecords, users } from "@db/schema";
import { and, eq, ne } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** An alert goes to at most this many people. */
const MAX_ALERTED = 200;

/** Addresses of the people who recorded a payee's authorised payments and still belong to the organisation. */
export async function listRecordersOfAuthorised(
  { db }: ReadServices,
  payee: { organizationId: string; payeeId: string; except: string | null },
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ email: users.email })
    .from(paymentRecords)
    .innerJoin(users, eq(users.id, paymentRecords.recordedById))
    .innerJoin(
      organizationUsers,
      and(eq(organizationUsers.organizationId, payee.organizationId), eq(organizationUsers.userId, users.id)),
    )
    .where(
      and(
        eq(paymentRecords.organizationId, payee.organizationId),
        eq(paymentRecords.payeeId, payee.payeeId),
        eq(paymentRecords.status, "authorised"),
        eq(organizationUsers.status, "active"),
        ne(users.status, "inactive"),
        payee.except === null ? undefined : ne(users.id, payee.except),
      ),
    )
    .limit(MAX_ALERTED);
  return rows.map(({ email }) => email);
}
