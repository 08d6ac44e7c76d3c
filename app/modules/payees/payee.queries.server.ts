import { payees, verifications } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import { notFound } from "~/kernel/app-error";
import type { ReadServices } from "~/services";
import { hasAccount } from "./payee.statements.server";

/** Who is asking: their organisation bounds every answer. */
export type Asking = { organizationId: string };

/** A payee as it is stored. */
export type PayeeRow = typeof payees.$inferSelect;

/** @throws AppError 404, the same for missing and foreign ids */
export async function getPayee(services: ReadServices, actor: Asking, id: string): Promise<PayeeRow> {
  const [row] = await services.db
    .select()
    .from(payees)
    .where(and(eq(payees.organizationId, actor.organizationId), eq(payees.id, id)));
  if (!row) throw notFound();
  return row;
}

/** The organisation's payee that has an account, however its number is written and whatever key it was stored under. */
export async function findPayeeByAccount(
  services: ReadServices,
  organizationId: string,
  account: { bsb: string; accountNumber: string },
  exceptPayeeId = "",
): Promise<Pick<PayeeRow, "id" | "name" | "archivedAt"> | undefined> {
  const [row] = await services.db
    .select({ id: payees.id, name: payees.name, archivedAt: payees.archivedAt })
    .from(payees)
    .where(and(hasAccount(organizationId, account), ne(payees.id, exceptPayeeId)))
    .limit(1);
  return row;
}

/** The id of the payee's pending verification, if there is one: there is never more than one. */
export async function findPendingVerification(
  services: ReadServices,
  actor: Asking,
  payeeId: string,
): Promise<string | undefined> {
  const [row] = await services.db
    .select({ id: verifications.id })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, actor.organizationId),
        eq(verifications.payeeId, payeeId),
        sql`${verifications.status} = 'pending'`,
      ),
    );
  return row?.id;
}
