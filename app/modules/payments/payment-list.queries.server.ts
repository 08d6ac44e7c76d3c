import { counters, payees, paymentRecords } from "@db/schema";
import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import type { Services } from "~/services";
import { summaryColumns } from "./payment.columns.server";
import type { Asking } from "./payment.queries.server";
import { type PaymentFilter, statusOf } from "./payment-list";

export const PAYMENTS_PAGE_SIZE = 50;

type Reading = Pick<Services, "db">;

export type PaymentsQuery = {
  filter?: PaymentFilter;
  /** Key of the row after which the page begins, or before which it ends. */
  after?: string;
  before?: string;
};

export type ListedPayment = Awaited<ReturnType<typeof readPage>>[number];

export type PaymentsPage = { payments: ListedPayment[]; previous?: string; next?: string };

/** One page of an organisation's payments, newest first, by key. Rows read depend on the page, not on the table. */
export async function listPayments(services: Reading, actor: Asking, query: PaymentsQuery = {}): Promise<PaymentsPage> {
  const { after, before } = query;
  const backwards = after === undefined && before !== undefined;
  const rows = await readPage(services, actor, query, backwards);
  const shown = rows.slice(0, PAYMENTS_PAGE_SIZE);
  const hasMore = rows.length > PAYMENTS_PAGE_SIZE;
  if (backwards) shown.reverse();
  const hasPrevious = backwards ? hasMore : after !== undefined;
  const hasNext = backwards || hasMore;
  return {
    payments: shown,
    previous: hasPrevious ? shown[0]?.id : undefined,
    next: hasNext ? shown.at(-1)?.id : undefined,
  };
}

async function readPage({ db }: Reading, { organizationId }: Asking, query: PaymentsQuery, backwards: boolean) {
  const status = statusOf(query.filter ?? "all");
  const key = query.after ?? query.before;
  return db
    .select(summaryColumns)
    .from(paymentRecords)
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentRecords.payeeId)))
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        status && eq(paymentRecords.status, status),
        key === undefined ? undefined : (backwards ? gt : lt)(paymentRecords.id, key),
      ),
    )
    .orderBy(backwards ? asc(paymentRecords.id) : desc(paymentRecords.id))
    .limit(PAYMENTS_PAGE_SIZE + 1);
}

/** How many payments are held, kept by the database in the acting transaction. */
export async function countHeldPayments({ db }: Reading, { organizationId }: Asking): Promise<number> {
  const [row] = await db
    .select({ value: counters.value })
    .from(counters)
    .where(and(eq(counters.organizationId, organizationId), eq(counters.name, "heldPayments")));
  return row?.value ?? 0;
}
