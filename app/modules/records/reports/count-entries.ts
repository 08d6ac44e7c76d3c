import type { reportDays } from "@db/database";
import { isoDay, MINUTE_MS } from "~/kernel/dates";
import type { ReportMetric } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import type { AuditAction, DetailsIn } from "~/modules/core/audit/audit";
import type { GradeName } from "~/modules/payees/verifications/outcomes";

/** What reports count in the audit trail: each entry adds to some counts of its day. Pure. */

/** An entry to be counted. `amount`: cents of the payment that the entry is about. */
export type CountedEntry = {
  organizationId: string;
  userId: string | null;
  action: string;
  entityId: string | null;
  details: Record<string, unknown> | null;
  createdAt: number;
  amount: number;
};

export type DayRow = typeof reportDays.$inferSelect;

type Count = { metric: ReportMetric; key: string; count?: number; sum?: number };
type Counting<Details = unknown> = (entry: Omit<CountedEntry, "details"> & { details: Details }) => Count[];

/** The key for decisions made by a rule. */
export const BY_RULE = "rule";

/** Upper limits of the classes of time to verify, in minutes; anything longer is `longer`. */
const TIME_CLASSES = { hour: 60, day: 1_440, three_days: 4_320, week: 10_080 } as const;
const LONGEST = "longer";

/** Lower limits of the score classes, the same as the badge's. */
const SCORE_CLASSES = { exact: 95, very_strong: 90, strong: 80, moderate: 70, weak: 50, poor: 0 } as const;

/**
 * When a verification was opened: ids begin with their time (UUID version 7), 48 bits of milliseconds.
 *
 * @returns epoch milliseconds, or undefined for an id of a different kind
 */
export function openedAtOf(id: string | null): number | undefined {
  if (id === null || !isId(id) || id[14] !== "7") return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function decided(
  status: "verified" | "rejected" | "failed",
  { entityId, createdAt, userId }: Parameters<Counting>[0],
  grade?: GradeName,
): Count[] {
  const openedAt = openedAtOf(entityId);
  const minutes = openedAt === undefined ? 0 : Math.max(0, Math.round((createdAt - openedAt) / MINUTE_MS));
  const own = { metric: "decider", key: `${userId ?? BY_RULE}:verification_${status}` } as const;
  return [
    { metric: "decided", key: status, sum: minutes },
    ...gradeCount(grade),
    ...(openedAt === undefined ? [] : [{ metric: "time" as const, key: timeClass(minutes), sum: minutes }]),
    ...(status === "failed" ? [] : [own]),
  ];
}

/** The columns of the verifications report for each grade in the audit trail. */
export const GRADE_KEYS = {
  bank_consent: "verified_bank",
  bank_instant: "verified_bank",
  call_back: "verified_call_back",
  vouched: "verified_vouched",
  person: "verified_person",
} as const satisfies Partial<Record<GradeName, string>>;

/** Approvals from before grades were stored add nothing. */
const gradeCount = (grade: unknown): Count[] =>
  typeof grade === "string" && Object.hasOwn(GRADE_KEYS, grade)
    ? [{ metric: "decided", key: GRADE_KEYS[grade as keyof typeof GRADE_KEYS] }]
    : [];

const timeClass = (minutes: number): string =>
  Object.entries(TIME_CLASSES).find(([, end]) => minutes <= end)?.[0] ?? LONGEST;

const scoreClass = (score: number): string =>
  Object.entries(SCORE_CLASSES).find(([, start]) => score >= start)?.[0] ?? "poor";

const checked: Counting<Pick<DetailsIn<"verification.bank_check_finished">, "outcome" | "score">> = ({
  details: { outcome, score },
}) => [
  { metric: "outcome", key: textOf(outcome) || "unable" },
  ...(typeof score === "number" ? [{ metric: "score" as const, key: scoreClass(score) }] : []),
];

/** If an existing answer of the verification was reused, it is not counted as another check. */
const checkedByConfirmationOfPayee: Counting<DetailsIn<"verification.checked_at_once">> = (entry) =>
  entry.details.answeredFrom !== undefined && entry.details.answeredFrom === entry.entityId ? [] : checked(entry);

const recorded: Counting<DetailsIn<"payment.recorded">> = ({ details: { amount, decision, reasons = [] } }) => [
  { metric: "payments", key: decision === "held" ? "held" : "authorised", sum: numberOf(amount) },
  ...reasons.map(({ rule, level }) => ({ metric: "rules" as const, key: `${textOf(rule)}:${textOf(level)}` })),
];

const payment =
  (key: "approved" | "rejected" | "held_again"): Counting =>
  ({ amount, userId }) => [
    { metric: "payments", key, sum: amount },
    ...(key === "held_again" ? [] : [{ metric: "decider" as const, key: `${userId ?? BY_RULE}:payment_${key}` }]),
  ];

/** Lines of a payment file, which become payments only when it is cleared. */
const lines =
  (key: "approved" | "rejected"): Counting<DetailsIn<"payment_file.lines_approved" | "payment_file.lines_rejected">> =>
  ({ details: { count, cents }, userId }) => [
    { metric: "payments", key: `lines_${key}`, count: numberOf(count), sum: numberOf(cents) },
    { metric: "decider", key: `${userId ?? BY_RULE}:payment_${key}`, count: numberOf(count) },
  ];

/** The rules that fired on a payment file's lines, and the held lines, counted once when all are checked. */
const fileChecked: Counting<DetailsIn<"payment_file.checked">> = ({
  details: { rules = [], heldCount, heldCents },
}) => [
  ...rules.map(
    ({ rule, level, count }): Count => ({
      metric: "rules",
      key: `${textOf(rule)}:${textOf(level)}`,
      count: numberOf(count),
    }),
  ),
  ...linesHeld(numberOf(heldCount), numberOf(heldCents)),
];

const linesHeld = (count: number, sum: number): Count[] =>
  count > 0 ? [{ metric: "payments", key: "lines_held", count, sum }] : [];

/** Authorised lines of a payment file that are held again when it is being cleared. */
const linesHeldAgain: Counting<DetailsIn<"payment_file.lines_held_again">> = ({ details: { count, cents } }) =>
  linesHeld(numberOf(count), numberOf(cents));

/** Invoices that a finding stopped, and people's decisions about them, with the amount if the total was read. */
const invoiceRead: Counting<DetailsIn<"invoice.read">> = ({ details: { stops, totalCents } }) =>
  numberOf(stops) > 0 ? [{ metric: "payments", key: "invoice_stopped", sum: numberOf(totalCents) }] : [];

const invoiceDecided =
  (key: "rejected" | "accepted"): Counting<DetailsIn<"invoice.rejected" | "invoice.accepted">> =>
  ({ details: { totalCents } }) => [{ metric: "payments", key: `invoice_${key}`, sum: numberOf(totalCents) }];

const whitelist =
  (key: "added" | "promoted" | "restored" | "removed" | "archived"): Counting =>
  () => [{ metric: "whitelist", key }];

const called: Counting<DetailsIn<"verification.call_recorded">> = ({ details: { outcome, noProof } }) => [
  { metric: "calls", key: outcome === "confirmed" && !noProof ? "proof" : textOf(outcome) || "no_answer" },
];

const COUNTINGS: { readonly [Action in AuditAction]?: Counting<DetailsIn<Action>> } = {
  "verification.approved": (entry) => decided("verified", entry, entry.details.grade),
  "verification.rejected": (entry) => decided("rejected", entry),
  "verification.failed": (entry) => decided("failed", entry),
  "verification.bank_check_finished": checked,
  "verification.checked_at_once": checkedByConfirmationOfPayee,
  "verification.call_recorded": called,
  "payment.recorded": recorded,
  "payment.approved": payment("approved"),
  "payment.rejected": payment("rejected"),
  "payment.returned_to_held": payment("held_again"),
  "payment_file.checked": fileChecked,
  "payment_file.lines_held_again": linesHeldAgain,
  "payment_file.lines_approved": lines("approved"),
  "payment_file.lines_rejected": lines("rejected"),
  "invoice.read": invoiceRead,
  "invoice.rejected": invoiceDecided("rejected"),
  "invoice.accepted": invoiceDecided("accepted"),
  "payee.whitelisted": whitelist("added"),
  "payee.promoted": whitelist("promoted"),
  "payee.details_restored": whitelist("restored"),
  "payee.unwhitelisted": whitelist("removed"),
  "payee.archived": whitelist("archived"),
};

/** The actions that reports count; entries with other actions add nothing. */
export const COUNTED_ACTIONS = Object.keys(COUNTINGS);

/** The counts of all entries, one row for each organisation, day, metric and key. */
export function countEntries(entries: readonly CountedEntry[], zoneOf: (organizationId: string) => string): DayRow[] {
  const rows = new Map<string, DayRow>();
  for (const entry of entries) {
    const { organizationId, createdAt } = entry;
    const day = isoDay(createdAt, zoneOf(organizationId));
    const counting: Counting<never> | undefined = COUNTINGS[entry.action as AuditAction];
    const counts = counting?.({ ...entry, details: (entry.details ?? {}) as never }) ?? [];
    for (const { metric, key, count = 1, sum = 0 } of counts) {
      const name = [organizationId, metric, day, key].join(" ");
      const row = rows.get(name) ?? { organizationId, metric, day, key, count: 0, sum: 0 };
      rows.set(name, { ...row, count: row.count + count, sum: row.sum + sum });
    }
  }
  return [...rows.values()];
}
