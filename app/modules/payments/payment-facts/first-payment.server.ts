import { sql } from "drizzle-orm";
import type { BankDetails, DetailsOrigin } from "~/kernel/payee";
import { hasUnknownEditor, originOf } from "~/modules/payees/second-person";
import type { ReadServices } from "~/services";

/** Payments to accounts that came in from an accounting system: the first of each is told to people. */

/** Part of a statement about `"payee"`: whether money was let out to the account that it has now. */
export const wasPaid = sql`EXISTS (SELECT 1 FROM "payment_records" AS "paid"
  WHERE "paid"."organizationId" = "payee"."organizationId" AND "paid"."payeeId" = "payee"."id"
    AND "paid"."status" IN ('authorised', 'successful') AND "paid"."bsb" = "payee"."bsb"
    AND ltrim("paid"."accountNumber", '0') = ltrim("payee"."accountNumber", '0'))`;

/** What the audit trail says of a first payment, and alerts from it. */
export type CameFrom = { system: string; editedBy: string | null; isEditorKnown: boolean };

export const cameFrom = ({ system, editedBy, isEditorKnown }: CameFrom): CameFrom => ({
  system,
  editedBy,
  isEditorKnown,
});

type Payee = BankDetails & { id: string; accountingOrigins: readonly DetailsOrigin[] | null };

/** Where the payee's account came from, if a payment to it would be the first one; undefined: it would not, or it came from no system. */
export async function findFirstPaymentFrom(
  { db }: ReadServices,
  organizationId: string,
  payee: Payee | null,
): Promise<CameFrom | undefined> {
  const origin = payee && originOf(payee);
  if (!origin) return undefined;
  const [row] = await db.all<{ isPaid: number }>(sql`SELECT ${wasPaid} AS "isPaid" FROM "payees" AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = ${payee.id}`);
  if (row?.isPaid !== 0) return undefined;
  return cameFrom({ ...origin, isEditorKnown: !hasUnknownEditor(payee) });
}
