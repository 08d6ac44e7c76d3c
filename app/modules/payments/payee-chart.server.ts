import { columnsOf, paymentRecords } from "@db/database";
import { and, desc, eq, sql } from "drizzle-orm";
import { DAY_MS, formatDate, showTime, type Zone } from "~/kernel/dates";
import type { PaymentStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { CONTACT_AND_BANK_WINDOW_DAYS, FIELD_LABELS } from "~/kernel/payee";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { getPayee } from "~/modules/payees/payee.server";
import type { PayeeView } from "~/modules/payees/payee-page.server";
import type { Actor, ReadServices, TimedServices } from "~/services-and-actor";
import { stillReturned } from "./payment-facts/payees.server";

/** More would overlap in the picture; the payment list shows them all. */
const MAX_PAYMENTS = 60;

/**
 * When a payee's contact and bank details changed and were verified, and when it was paid. The picture shows what a
 * list hides: how close together these events were.
 */
export async function readPayeeChart(
  { db, clock }: TimedServices,
  { organizationId, timeZone }: Actor,
  payee: ChartedPayee,
) {
  const payments = await db
    .select({ at: paymentRecords.createdAt, status: paymentRecords.status, cents: paymentRecords.amount })
    .from(paymentRecords)
    .where(and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.payeeId, payee.id)))
    .orderBy(desc(paymentRecords.id))
    .limit(MAX_PAYMENTS);
  return toPayeeChart(payee, payments, { timeZone, now: clock.now() });
}

type ChartedPayee = Pick<PayeeView, "id" | "addedAt" | "changes" | "verifications">;
type Payment = { at: number; status: PaymentStatus; cents: number };

export type ChartMark = {
  lane: "contact" | "bank" | "payments";
  kind: "changed" | "verified" | "rejected" | "paid" | "open" | "held" | "stopped";
  /** Horizontal position between the start and now, in per cent. */
  x: number;
  /** One of the changes that happened close together. */
  isClose: boolean;
};

const KINDS: Readonly<Record<PaymentStatus, ChartMark["kind"]>> = {
  successful: "paid",
  authorised: "open",
  held: "held",
  verification_requested: "held",
  rejected: "stopped",
  failed: "stopped",
};

const CONTACT: readonly string[] = [FIELD_LABELS.email, FIELD_LABELS.phone];
const BANK: readonly string[] = [FIELD_LABELS.bsb, FIELD_LABELS.accountNumber, FIELD_LABELS.accountName];

/** The picture of a payee's history, and a sentence that describes it. Null while there is too little to show. Pure. */
export function toPayeeChart(payee: ChartedPayee, payments: readonly Payment[], zone: Zone) {
  const { now, timeZone } = zone;
  const timesOf = (fields: readonly string[]) => [
    ...new Set(payee.changes.filter(({ field }) => fields.includes(field)).map(({ at }) => Date.parse(at.dateTime))),
  ];
  const [contact, bank] = [timesOf(CONTACT), timesOf(BANK)];
  const decided = payee.verifications.flatMap(({ status, decidedAt }) =>
    decidedAt && (status === "verified" || status === "rejected")
      ? [{ at: Date.parse(decidedAt.dateTime), kind: status }]
      : [],
  );
  const from = Math.min(Date.parse(payee.addedAt.dateTime), ...payments.map(({ at }) => at));
  const count = contact.length + bank.length + decided.length + payments.length;
  if (count < 2 || now - from < DAY_MS) return null;

  const xOf = (at: number) => Math.round((1_000 * (at - from)) / (now - from)) / 10;
  const isNear = (at: number, others: readonly number[]) =>
    others.some((other) => Math.abs(at - other) <= CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS);
  const all: ChartMark[] = [
    ...contact.map((at) => ({ lane: "contact", kind: "changed", x: xOf(at), isClose: isNear(at, bank) }) as const),
    ...bank.map((at) => ({ lane: "bank", kind: "changed", x: xOf(at), isClose: isNear(at, contact) }) as const),
    ...decided.map(({ at, kind }) => ({ lane: "bank", kind, x: xOf(at), isClose: false }) as const),
    ...payments.map(
      ({ at, status }) => ({ lane: "payments", kind: KINDS[status], x: xOf(at), isClose: false }) as const,
    ),
  ];
  // Only one of two marks at the same position would be visible.
  const marks = [...new Map(all.map((mark) => [`${mark.lane} ${mark.kind} ${mark.x}`, mark])).values()];
  const close = [...contact.filter((at) => isNear(at, bank)), ...bank.filter((at) => isNear(at, contact))];
  const middle = from + (now - from) / 2;
  return {
    marks,
    /** The period during which changes count as close, starting at the first of them; null: no changes were close. */
    closeBand:
      close.length === 0
        ? null
        : {
            from: xOf(Math.min(...close)),
            to: xOf(Math.min(now, Math.max(...close) + CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS)),
          },
    ticks: [from, middle].map((at) => formatDate(at, timeZone)),
    sentence: describeChanges({ contact, bank, decided, payments }, timeZone),
    summary: [
      `From ${formatDate(from, timeZone)} until today`,
      `contact changed ${times(contact.length)}`,
      `bank details changed ${times(bank.length)}`,
      `verified ${times(decided.filter(({ kind }) => kind === "verified").length)}`,
      `${payments.length === MAX_PAYMENTS ? "the last " : ""}${payments.length} ${payments.length === 1 ? "payment" : "payments"} recorded.`,
    ].join(", "),
  };
}

export type PayeeChart = NonNullable<ReturnType<typeof toPayeeChart>>;

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

type ChartEvents = {
  contact: readonly number[];
  bank: readonly number[];
  decided: readonly { at: number; kind: "verified" | "rejected" }[];
  payments: readonly Payment[];
};

function describeChanges({ contact, bank, decided, payments }: ChartEvents, timeZone: string): string {
  if (bank.length === 0) return "Its bank details have not changed since it was added.";
  const changed = Math.max(...bank);
  const [nearest] = [...contact].sort((a, b) => Math.abs(a - changed) - Math.abs(b - changed));
  const beside = nearest === undefined ? "" : distanceWords(changed, nearest);
  const isVerified = decided.some(({ at, kind }) => kind === "verified" && at > changed);
  const since = payments.filter(({ at }) => at > changed);
  const held = since.filter(({ status }) => KINDS[status] === "held");
  const sum = (some: readonly Payment[]) => formatAud(some.reduce((cents, each) => cents + each.cents, 0));
  return [
    `The bank details last changed on ${formatDate(changed, timeZone)}${beside}.`,
    isVerified ? "They were verified after that." : "They have not been verified since.",
    since.length === 0
      ? "No payment was recorded after the change."
      : `${sum(since)} was recorded to it after the change${held.length > 0 ? `, of which ${sum(held)} is held` : ""}.`,
  ].join(" ");
}

/** How long before or after the bank details the contact changed, if the two were close. */
function distanceWords(changed: number, contact: number): string {
  const days = Math.round(Math.abs(changed - contact) / DAY_MS);
  if (days > CONTACT_AND_BANK_WINDOW_DAYS) return "";
  if (days === 0) return ", on the same day as the contact";
  return `, ${days} ${days === 1 ? "day" : "days"} ${contact < changed ? "after" : "before"} the contact`;
}

/** The payment that the bank returned, for the payee's page; null when something later supersedes it. */
export async function findReturnToShow(services: TimedServices, actor: Actor, payeeId: string) {
  const newest = await findNewestReturned(services, actor, payeeId);
  if (!newest) return null;
  const [payee, { timeZone }] = await Promise.all([
    getPayee(services, actor, payeeId),
    findPolicy(services, actor.organizationId),
  ]);
  if (!stillReturned(newest, payee)) return null;
  const { id, amount, reference, reason, returnedAt } = newest;
  const at = showTime(returnedAt, { timeZone, now: services.clock.now() });
  return { paymentId: id, amount, reference, reason, at };
}

/** The newest failed payment to a payee, with the details for the payee's page; undefined when none failed. */
async function findNewestReturned(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  payeeId: string,
) {
  const [row] = await db
    .select({
      ...columnsOf(paymentRecords, "id", "amount", "reference"),
      reason: paymentRecords.failureReason,
      ...columnsOf(paymentRecords, "processedAt", "updatedAt"),
    })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        eq(paymentRecords.payeeId, payeeId),
        sql`${paymentRecords.status} = 'failed'`,
      ),
    )
    .orderBy(desc(paymentRecords.id))
    .limit(1);
  return row && { ...row, returnedAt: row.processedAt ?? row.updatedAt };
}
