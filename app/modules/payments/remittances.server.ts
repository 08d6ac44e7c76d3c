import { payees, paymentFileSettings, paymentRecords, remittancesDue } from "@db/schema";
import { and, asc, eq, sql } from "drizzle-orm";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services } from "~/services";

/** Payments that one email tells of at most. */
const MAX_PAYMENTS = 100;

/** What one payee is to be told next; undefined when nothing is due. */
export async function findNextRemittance({ db }: ReadServices, organizationId: string) {
  const [first] = await db
    .select({ payeeId: remittancesDue.payeeId, payeeName: payees.name, email: payees.email })
    .from(remittancesDue)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, remittancesDue.payeeId)))
    .where(eq(remittancesDue.organizationId, organizationId))
    .orderBy(asc(remittancesDue.payeeId))
    .limit(1);
  if (!first) return undefined;
  const payments = await db
    .select({
      id: paymentRecords.id,
      amount: paymentRecords.amount,
      reference: paymentRecords.reference,
      processedAt: paymentRecords.processedAt,
      accountNumber: paymentRecords.accountNumber,
    })
    .from(remittancesDue)
    .innerJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, remittancesDue.paymentId)),
    )
    .where(and(eq(remittancesDue.organizationId, organizationId), eq(remittancesDue.payeeId, first.payeeId)))
    .orderBy(asc(remittancesDue.paymentId))
    .limit(MAX_PAYMENTS);
  return { ...first, payments };
}

export type Remittance = NonNullable<Awaited<ReturnType<typeof findNextRemittance>>>;

/** Payments of one statement: their ids are about 200 KB. */
const PAYMENTS_PER_STATEMENT = 5_000;
const NOTHING: CommandPart = { statements: [] };

async function sendsRemittances({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const [row] = await db
    .select({ isOn: paymentFileSettings.sendsRemittances })
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  return row?.isOn ?? false;
}

/**
 * For the command that records successful payments: their payees are to be told by email. Nothing unless the organisation
 * has chosen so. Payees without an email address are passed over.
 * @param paymentIds payments to the account that their payee has now
 */
export async function queueRemittances(
  services: Pick<Services, "db" | "ids">,
  organizationId: string,
  paymentIds: readonly string[],
): Promise<CommandPart> {
  if (paymentIds.length === 0 || !(await sendsRemittances(services, organizationId))) return NOTHING;
  const { db, ids } = services;
  const statements = [];
  for (let at = 0; at < paymentIds.length; at += PAYMENTS_PER_STATEMENT) {
    const part = JSON.stringify(paymentIds.slice(at, at + PAYMENTS_PER_STATEMENT));
    statements.push(
      db.insert(remittancesDue).select(sql`SELECT ${organizationId}, "payment"."id", "payee"."id"
        FROM json_each(${part}) AS "asked" CROSS JOIN "payment_records" AS "payment" CROSS JOIN "payees" AS "payee"
        WHERE "payment"."organizationId" = ${organizationId} AND "payment"."id" = "asked"."value"
          AND "payee"."organizationId" = ${organizationId} AND "payee"."id" = "payment"."payeeId"
          AND "payee"."email" IS NOT NULL`),
    );
  }
  return { statements, jobs: [{ id: ids.next(), kind: "remittance", organizationId, subjectId: null }] };
}
