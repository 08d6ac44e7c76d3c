/** What a new file changes in the BSB directory. Pure. */

/** The directory has about 15,000 rows of 90 characters. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** In the order of the page: what stops payments first. */
export const CHANGE_KINDS = ["closed", "merged", "removed", "added", "changed"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export type ChangedBsb = { bsb: string; name: string; successorBsb: string | null };

/** How many BSBs changed in one way, and the first of them by number. */
export type DirectoryChange = { kind: ChangeKind; count: number; first: ChangedBsb[] };

/** Payees in use whose BSB the file closes or merges, and the organisations that they belong to. */
export type TouchedPayees = { payees: number; organizations: number };
