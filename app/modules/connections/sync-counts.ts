/** What a sync did with what it read, each counted once. Pure. */
export type SyncCounts = {
  /** Suppliers. */
  read: number;
  /** New payees. */
  added: number;
  /** Payees whose empty fields were filled in. */
  filled: number;
  /** Other bank details than the payee's: waiting for a decision. */
  changed: number;
  noAccount: number;
  refused: number;
  /** Out of use there. */
  archived: number;
  /** Approved bills. */
  bills: number;
  /** Payments recorded here that are successful by what was read there. */
  outcomes: number;
};

export const NO_COUNTS: SyncCounts = {
  read: 0,
  added: 0,
  filled: 0,
  changed: 0,
  noAccount: 0,
  refused: 0,
  archived: 0,
  bills: 0,
  outcomes: 0,
};

/** The sum of two; what was stored before something was counted is none of it. */
export function addCounts(a: SyncCounts, b: SyncCounts): SyncCounts {
  const names = Object.keys(NO_COUNTS) as (keyof SyncCounts)[];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)])) as SyncCounts;
}
