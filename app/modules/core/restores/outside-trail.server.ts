import { auditLogs, columnsOf } from "@db/database";
import { and, asc, gt, sql } from "drizzle-orm";
import * as z from "zod";
import { DAY_MS } from "~/kernel/dates";
import { fingerprintsOfAccount } from "~/modules/core/payee-keys";
import { readTrailOn } from "~/modules/core/trail-reading.server";
import type { ReadServices, Services, WriteServices } from "~/services-and-actor";

/*
 * Notes events outside the database too, so that after a restore the contents of the lost period are known: each
 * audit entry by its ids and action, and payments by fingerprint and amount. No names, addresses or account
 * numbers.
 */

/** A little longer than the platform can restore back. */
const KEPT_SECONDS = (35 * DAY_MS) / 1000;
const PAGE_SIZE = 500;
const MAX_PAGES = 20;

const noted = z.object({
  id: z.string(),
  organizationId: z.string(),
  action: z.string(),
  entityType: z.string().nullable(),
  entityId: z.string().nullable(),
  createdAt: z.number(),
  /** For an entry about payments: id, account fingerprint, cents. */
  payments: z.array(z.tuple([z.string(), z.string(), z.number()])).optional(),
});
export const notedPage = z.array(noted);
export type NotedEntry = z.infer<typeof noted>;

/** "2026-11-26T14": notes are found by the hour in which they were written. */
export const hourOf = (ms: number): string => new Date(ms).toISOString().slice(0, 13);
export const trailNotes = (hour: string) => `trail/${hour}/`;

/**
 * Notes new audit entries, after every action and on every cron run.
 * @returns how many entries were noted
 */
export async function noteTrail(services: WriteServices): Promise<number> {
  return readTrailOn(services, {
    name: "outside",
    maxPages: MAX_PAGES,
    async readPage(position) {
      const rows = await readPage(services, position);
      const last = rows.at(-1);
      if (!last) return { readTo: position, hasMore: false, done: 0 };
      const paymentsOf = await readPayments(services, rows);
      const entries = rows.map(({ position: _, ...entry }): NotedEntry => {
        const payments = paymentsOf.get(entry.id);
        return { ...entry, ...(payments ? { payments } : {}) };
      });
      const key = trailNotes(hourOf(services.clock.now())) + services.ids.next();
      await services.notes.write(key, JSON.stringify(entries), KEPT_SECONDS);
      return { readTo: last.position, hasMore: rows.length === PAGE_SIZE, done: rows.length };
    },
  });
}

function readPage({ db }: ReadServices, position: number) {
  return db
    .select(columnsOf(auditLogs, "position", "id", "organizationId", "action", "entityType", "entityId", "createdAt"))
    .from(auditLogs)
    .where(and(gt(auditLogs.position, position)))
    .orderBy(asc(auditLogs.position))
    .limit(PAGE_SIZE);
}

/** Actions after which money may have been paid: for one payment, or for all that clearing a file recorded. */
const OF_PAYMENT = new Set(["payment.recorded", "payment.approved", "payment.succeeded"]);
const OF_FILE = "payment_file.cleared";

type Row = Awaited<ReturnType<typeof readPage>>[number];
type PaymentRow = { entryId: string; id: string; bsb: string; accountNumber: string; amount: number };

async function readPayments(services: ReadServices & Pick<Services, "secrets">, rows: readonly Row[]) {
  const asked = (isAsked: (action: string) => boolean) =>
    JSON.stringify(
      rows.flatMap(({ id, organizationId, action, entityId }) =>
        isAsked(action) ? [[organizationId, entityId, id]] : [],
      ),
    );
  const singles = asked((action) => OF_PAYMENT.has(action));
  const files = asked((action) => action === OF_FILE);
  const found: PaymentRow[] = [];
  if (singles !== "[]") {
    found.push(
      ...(await services.db.all<PaymentRow>(sql`SELECT "noted"."value" ->> 2 AS "entryId", "payment"."id",
          "payment"."bsb", "payment"."accountNumber", "payment"."amount"
        FROM json_each(${singles}) AS "noted" CROSS JOIN "payment_records" AS "payment"
        WHERE "payment"."organizationId" = "noted"."value" ->> 0 AND "payment"."id" = "noted"."value" ->> 1`)),
    );
  }
  if (files !== "[]") {
    found.push(
      ...(await services.db.all<PaymentRow>(sql`SELECT "noted"."value" ->> 2 AS "entryId", "line"."paymentId" AS "id",
          "line"."bsb", "line"."accountNumber", "line"."amount"
        FROM json_each(${files}) AS "noted" CROSS JOIN "payment_file_lines" AS "line"
        WHERE "line"."organizationId" = "noted"."value" ->> 0 AND "line"."fileId" = "noted"."value" ->> 1
          AND "line"."paymentId" IS NOT NULL`)),
    );
  }
  const payments = new Map<string, NonNullable<NotedEntry["payments"]>>();
  for (const { entryId, id, amount, ...account } of found) {
    const [fingerprint = ""] = await fingerprintsOfAccount(services, account);
    payments.set(entryId, [...(payments.get(entryId) ?? []), [id, fingerprint, amount]]);
  }
  return payments;
}
