import { counters, payees, paymentRecords, verifications } from "@db/schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CheckOutcome, CounterName } from "~/kernel/enums";
import type { ReadServices } from "~/services";

/** Rows of each kind that wait for somebody; the lists behind them have the rest. */
const WAITING_SIZE = 5;

export type WaitingVerification = {
  id: string;
  payeeName: string;
  outcome: CheckOutcome;
  nameMatchScore: number | null;
  createdAt: number;
};
export type WaitingPayment = {
  id: string;
  /** Null: the account is not one of the payees. */
  payeeName: string | null;
  accountName: string;
  reference: string | null;
  /** Integer cents. */
  amount: number;
  createdAt: number;
};
export type DisputedPayee = { id: string; name: string; disputedAt: number };

export type DashboardData = {
  counts: Partial<Record<CounterName, number>>;
  hasVerified: boolean;
  hasPayment: boolean;
  /** Pending verifications that have a result, oldest first. */
  answered: WaitingVerification[];
  held: WaitingPayment[];
  disputed: DisputedPayee[];
};

/** The rows of a bounded subquery as one JSON array. */
const listOf = (columns: SQL, rows: SQL) =>
  sql`(SELECT json_group_array(json_object(${columns})) FROM (${rows} LIMIT ${WAITING_SIZE}) AS walk)`;

/**
 * Everything the dashboard shows, in one query: counts that the database keeps, and the few rows that have waited
 * longest. Conditions of partial indexes are written out, not bound, so that the database knows they serve; where it would
 * still choose the whole queue (a walk over everything pending), the index is named.
 */
export async function readDashboard(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
): Promise<DashboardData> {
  const payeeOf = (column: SQL) => and(eq(payees.organizationId, organizationId), sql`${payees.id} = ${column}`);
  const [row] = await db.all<Record<"counts" | "answered" | "held" | "disputed", string> & Record<Seen, number>>(sql`
    SELECT
      (SELECT json_group_object("name", "value") FROM ${counters} WHERE "organizationId" = ${organizationId}) AS "counts",
      EXISTS (SELECT 1 FROM ${verifications}
        WHERE "organizationId" = ${organizationId} AND "status" = 'verified') AS "hasVerified",
      EXISTS (SELECT 1 FROM ${paymentRecords} WHERE "organizationId" = ${organizationId}) AS "hasPayment",
      ${listOf(
        sql`'id', "id", 'payeeName', "payeeName", 'outcome', "outcome", 'nameMatchScore', "nameMatchScore", 'createdAt', "createdAt"`,
        sql`SELECT ${verifications.id}, ${payees.name} AS "payeeName", ${verifications.outcome},
            ${verifications.nameMatchScore}, ${verifications.createdAt}
          FROM ${verifications} INDEXED BY "verifications_answered" JOIN ${payees} ON ${payeeOf(sql`${verifications.payeeId}`)}
          WHERE ${verifications.organizationId} = ${organizationId}
            AND ${verifications.status} = 'pending' AND ${verifications.outcome} IS NOT NULL
          ORDER BY ${verifications.id}`,
      )} AS "answered",
      ${listOf(
        sql`'id', "id", 'payeeName', "payeeName", 'accountName', "accountName", 'reference', "reference", 'amount', "amount", 'createdAt', "createdAt"`,
        sql`SELECT ${paymentRecords.id}, ${payees.name} AS "payeeName", ${paymentRecords.accountName},
            ${paymentRecords.reference}, ${paymentRecords.amount}, ${paymentRecords.createdAt}
          FROM ${paymentRecords} LEFT JOIN ${payees} ON ${payeeOf(sql`${paymentRecords.payeeId}`)}
          WHERE ${paymentRecords.organizationId} = ${organizationId} AND ${paymentRecords.status} = 'held'
          ORDER BY ${paymentRecords.id}`,
      )} AS "held",
      ${listOf(
        sql`'id', "id", 'name', "name", 'disputedAt', "disputedAt"`,
        sql`SELECT "id", "name", "disputedAt" FROM ${payees}
          WHERE "organizationId" = ${organizationId} AND "disputedAt" IS NOT NULL ORDER BY "id"`,
      )} AS "disputed"`);
  if (!row) throw new Error("the dashboard's query gave no row");
  return {
    counts: JSON.parse(row.counts) as DashboardData["counts"],
    hasVerified: row.hasVerified === 1,
    hasPayment: row.hasPayment === 1,
    answered: JSON.parse(row.answered) as WaitingVerification[],
    held: JSON.parse(row.held) as WaitingPayment[],
    disputed: JSON.parse(row.disputed) as DisputedPayee[],
  };
}

type Seen = "hasVerified" | "hasPayment";
