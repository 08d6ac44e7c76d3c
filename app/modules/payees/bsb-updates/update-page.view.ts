import type { ShownTime } from "~/kernel/shown-time";
import type { ChangeKind, TouchedPayees } from "./directory-change";

/** What the page of the BSB directory draws. Pure. */

export type ChangeCard = {
  title: string;
  meaning: string;
  count: number;
  rows: { bsb: string; name: string; note: string }[];
};

export type UpdatePage = {
  /** Null: no file was taken into use yet. */
  inUse: { fileName: string; rowCount: number; loadedAt: ShownTime } | null;
  waiting: {
    uploadId: string;
    comparedWith: string;
    fileName: string;
    rowCount: number;
    uploadedAt: ShownTime;
    touched: string;
    changes: ChangeCard[];
  } | null;
};

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

/** How many payees have a BSB that the file closes or merges. */
export function sayTouched({ payees, organizations }: TouchedPayees): string {
  if (payees === 0) return "No payee has a BSB that this file closes or merges.";
  const count = (n: number, noun: string) => `${n.toLocaleString("en-AU")} ${noun}${n === 1 ? "" : "s"}`;
  const have = payees === 1 ? "has" : "have";
  return `${count(payees, "payee")} of ${count(organizations, "organisation")} ${have} a BSB that this file closes or merges. These organisations are told when you take the file.`;
}
