/** What a sync reads, in this order, and where it is. Pure. */

export const SYNC_PHASES = ["contacts", "bills", "payments"] as const;
export type SyncPhase = (typeof SYNC_PHASES)[number];

export type SyncPlace = { phase: SyncPhase; page: string | null };

/** The place that a connection remembers; suppliers from their first page where it remembers none. */
export function readPlace(stored: string | null): SyncPlace {
  const [, phase, page] = /^(bills|payments):(.*)$/s.exec(stored ?? "") ?? [];
  if (phase !== "bills" && phase !== "payments") return { phase: "contacts", page: stored };
  return { phase, page: page || null };
}

/** The same as text; `readPlace` reads it. */
export const writePlace = ({ phase, page }: SyncPlace): string | null =>
  phase === "contacts" ? page : `${phase}:${page ?? ""}`;

/** Where the sync goes on after a page of which `next` follows; undefined after the last of all. */
export function placeAfter(phase: SyncPhase, next: string | null): SyncPlace | undefined {
  if (next !== null) return { phase, page: next };
  const following = SYNC_PHASES[SYNC_PHASES.indexOf(phase) + 1];
  return following && { phase: following, page: null };
}

/** A page of payments, and from when on they are listed: all pages of a list are asked for with the same time. */
type PaymentsPage = { since: number; page: string };

export const writePaymentsPage = ({ since, page }: PaymentsPage): string => `${since}|${page}`;

/** The page as `writePaymentsPage` wrote it; undefined for any other text and for the first page. */
export function readPaymentsPage(text: string | null): PaymentsPage | undefined {
  const [, since, page] = /^(\d+)\|(.+)$/s.exec(text ?? "") ?? [];
  return since === undefined || page === undefined ? undefined : { since: Number(since), page };
}
