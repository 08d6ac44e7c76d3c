import { formatCount } from "~/kernel/text";
/** How a new file changes the BSB directory. Pure. */

/** The directory has about 15,000 rows of 90 characters. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** In the order of the page: changes that stop payments come first. */
export const CHANGE_KINDS = ["closed", "merged", "removed", "added", "changed"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export type ChangedBsb = { bsb: string; name: string; successorBsb: string | null };

/** How many BSBs changed in this way, and the first few by number. */
export type DirectoryChange = { kind: ChangeKind; count: number; first: ChangedBsb[] };

/** The number of active payees whose BSB the file closes or merges, and of their organisations. */
export type TouchedPayees = { payees: number; organizations: number };

export const CHANGE_TEXTS: Readonly<Record<ChangeKind, { title: string; meaning: string }>> = {
  closed: { title: "Closed", meaning: "Payments to these BSBs can fail." },
  merged: { title: "Merged", meaning: "Accounts at these BSBs are now under another BSB." },
  removed: {
    title: "No longer listed",
    meaning: "The file does not have these BSBs. If there are many, the file may be incomplete.",
  },
  added: { title: "New", meaning: "The directory does not have these BSBs yet." },
  changed: {
    title: "Other changes",
    meaning: "The name, the address or the accepted payments changed, or the BSB is open again.",
  },
};

/** Says how many payees have a BSB that the file closes or merges. */
export function touchedSentence({ payees, organizations }: TouchedPayees): string {
  if (payees === 0) return "No payee has a BSB that this file closes or merges.";
  const have = payees === 1 ? "has" : "have";
  return `${formatCount(payees, "payee")} of ${formatCount(organizations, "organisation")} ${have} a BSB that this file closes or merges. These organisations are told when you use the file.`;
}
