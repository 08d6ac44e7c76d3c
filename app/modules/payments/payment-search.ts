import { endOfDay, parseDay, startOfDay } from "~/kernel/dates";
import type { PaymentStatus } from "~/kernel/enums";
import { parseAud } from "~/kernel/money";
import { type PaymentFilter, statusOf } from "./payment-list";

/** What somebody looks for among the payments, as the address of the list has it. Pure. */
export type PaymentSearch = {
  filter: PaymentFilter;
  /** Words of the reference, the payee, the account or the description. */
  q?: string;
  /** Calendar days, the last included: `2026-11-20`. */
  from?: string;
  to?: string;
  /** Dollars as people type them. */
  min?: string;
  max?: string;
  payeeId?: string;
  /** Who recorded it. */
  by?: string;
};

const MAX_WORDS = 6;
const BSB = /^(\d{3})-(\d{3})$/;

/** The words that must all be found, in small letters; a BSB without its hyphen. */
const wordsOf = (q: string | undefined): string[] =>
  (q ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS)
    .map((word) => word.replace(BSB, "$1$2"));

/** What a search asks of the database. Instants in epoch milliseconds, amounts in cents. */
export function conditionsOf(search: PaymentSearch, timeZone: string) {
  const { filter, q, min, max, payeeId, by } = search;
  const [from, to] = [search.from, search.to].map((day) => parseDay(day ?? ""));
  return {
    status: statusOf(filter),
    payeeId,
    since: from ? startOfDay(from, timeZone) : undefined,
    before: to ? endOfDay(to, timeZone) : undefined,
    minCents: min ? parseAud(min) : undefined,
    maxCents: max ? parseAud(max) : undefined,
    recordedById: by,
    words: wordsOf(q),
  };
}
export type PaymentConditions = ReturnType<typeof conditionsOf>;

/** Whether anything but the status narrows the list. */
export const isNarrowed = ({ filter: _, ...rest }: PaymentSearch): boolean => Object.values(rest).some(Boolean);

export type PaymentTotals = {
  byStatus: Partial<Record<PaymentStatus, { count: number; cents: number }>>;
  /** Older payments were not looked at. */
  isPartial: boolean;
};
