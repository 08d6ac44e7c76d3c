/** What a sync did with the suppliers that it read, each counted once. Pure. */
export type SyncCounts = {
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
};

export const NO_COUNTS: SyncCounts = {
  read: 0,
  added: 0,
  filled: 0,
  changed: 0,
  noAccount: 0,
  refused: 0,
  archived: 0,
};

export const addCounts = (a: SyncCounts, b: SyncCounts): SyncCounts => ({
  read: a.read + b.read,
  added: a.added + b.added,
  filled: a.filled + b.filled,
  changed: a.changed + b.changed,
  noAccount: a.noAccount + b.noAccount,
  refused: a.refused + b.refused,
  archived: a.archived + b.archived,
});
