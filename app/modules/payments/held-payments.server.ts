import { columnsOf, type Db, paymentFiles, paymentRecords } from "@db/database";
import { IS_WAITING } from "@db/schema/payment-files";
import { and, asc, desc, eq, gte, lt, type Placeholder, sql } from "drizzle-orm";
import { AppError, type ErrorCode } from "~/kernel/app-error";
import { type ShownTime, showTime, type Zone } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import type { Actor, Asking, ReadServices, Services } from "~/services-and-actor";
import { decidePayment } from "./decide-payment.server";
import { getPayment } from "./payment.server";
import type { PaymentConditions } from "./payment-list";

/** The queue of held payments: red ones first, then the largest possible loss, then the oldest. */

/** How many payments of the queue are read. The rest move up as the first ones are decided. */
const MAX_QUEUE = 1_000;

/**
 * The ids of held payments in queue order, and one more than the queue has if there are others. Literals, because SQLite cannot use a partial index with bound parameters.
 */
export async function listHeldIds(
  { db }: ReadServices,
  { organizationId }: Asking,
  { payeeId, since, before }: Pick<PaymentConditions, "payeeId" | "since" | "before"> = {
    payeeId: undefined,
    since: undefined,
    before: undefined,
  },
): Promise<string[]> {
  const rows = await db
    .select({ id: paymentRecords.id })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        sql`${paymentRecords.status} = 'held'`,
        payeeId === undefined ? undefined : sql`+${paymentRecords.payeeId} = ${payeeId}`,
        since === undefined ? undefined : gte(paymentRecords.createdAt, since),
        before === undefined ? undefined : lt(paymentRecords.createdAt, before),
      ),
    )
    .orderBy(asc(paymentRecords.heldRank), desc(paymentRecords.amount), asc(paymentRecords.id))
    .limit(MAX_QUEUE + 1);
  return rows.map(({ id }) => id);
}

/** A held payment's place in the queue, "3 of 40", and its neighbours; one no longer held links to the first. */
export const findHeldPlace = async (services: ReadServices, asking: Asking, paymentId: string) =>
  placeAmong(await listHeldIds(services, asking), paymentId, { most: MAX_QUEUE, hrefOf: appPaths.payment });

/**
 * The place of an item in a queue that has at most `most` places: more ids say that there are others. After the last the
 * first follows, which may still wait. An item that is no longer in the queue has the neighbours of the place that it
 * had (`was`, from 0).
 */
export function placeAmong(
  ids: readonly string[],
  id: string,
  {
    most = ids.length,
    isPartial = ids.length > most,
    hrefOf = (each) => each,
    was = 0,
  }: { most?: number; isPartial?: boolean; hrefOf?: (id: string) => string; was?: number },
) {
  const queue = ids.slice(0, most);
  const at = queue.indexOf(id);
  const linkTo = (each: string | undefined) => (each === undefined ? null : hrefOf(each));
  if (at === -1) {
    return { position: null, previousHref: linkTo(queue[was - 1]), nextHref: linkTo(queue[was] ?? queue[0]) };
  }
  const total = `${formatCount(queue.length)}${isPartial ? "+" : ""}`;
  const next = queue[at + 1] ?? (at > 0 ? queue[0] : undefined);
  return {
    position: `${formatCount(at + 1)} of ${total}`,
    previousHref: linkTo(queue[at - 1]),
    nextHref: linkTo(next),
  };
}

/** At most this many files are listed, oldest first. */
const MAX_FILES = 50;

/** Files with payments that wait for a decision, oldest first. */
export const selectWaitingFiles = (db: Db, organizationId: string | Placeholder, limit: number | Placeholder) =>
  db
    .select(columnsOf(paymentFiles, "id", "name", "heldCount", "heldCents", "createdAt"))
    .from(paymentFiles)
    .where(and(eq(paymentFiles.organizationId, organizationId), sql.raw(IS_WAITING)))
    .orderBy(asc(paymentFiles.id))
    .limit(limit);

/** The files on the list, largest amount first. */
export async function listWaitingFiles({ db }: ReadServices, { organizationId }: Asking, zone: Zone) {
  const rows = await selectWaitingFiles(db, organizationId, MAX_FILES);
  return rows
    .map(({ createdAt, ...file }): WaitingFile => ({ ...file, uploadedAt: showTime(createdAt, zone) }))
    .sort((a, b) => b.heldCents - a.heldCents);
}

export type WaitingFile = { id: string; name: string; heldCount: number; heldCents: number; uploadedAt: ShownTime };

/** The result for each payment of a bulk rejection. */
export type HeldResult = {
  id: string;
  name: string;
  isDone: boolean;
  text: string;
  /** The error code of a refusal; null if the payment was rejected. */
  code: ErrorCode | null;
};

/**
 * Rejects several held payments for one reason, one after the other, each with the command for a single payment; a
 * refusal does not stop the rest. Bulk approval does not exist.
 */
export async function rejectHeldPayments(
  services: Services,
  actor: Actor,
  { ids, reason, key }: { ids: readonly string[]; reason: string; key?: string },
): Promise<HeldResult[]> {
  const results: HeldResult[] = [];
  for (const id of ids) {
    let name = "A payment that no longer exists";
    try {
      const payment = await getPayment(services, actor, id);
      name = `${formatAud(payment.amount)} to ${payment.payee?.name ?? payment.accountName}`;
      const idempotencyKey = key && `${key}-${id.slice(-12)}`;
      await decidePayment(services, actor, { paymentId: id, decision: "reject", reason, idempotencyKey });
      results.push({ id, name, isDone: true, text: "Rejected", code: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ id, name, isDone: false, text: error.message, code: error.code });
    }
  }
  return results;
}

/** "3 of 4 rejected", with the refusals listed first. */
export function sumUpRejected(results: readonly HeldResult[]): { title: string; results: HeldResult[] } {
  const done = results.filter(({ isDone }) => isDone);
  return {
    title: `${done.length} of ${results.length} rejected`,
    results: [...results.filter(({ isDone }) => !isDone), ...done],
  };
}
