import type { HealthKind } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";

/** Addresses of the health report, and what its page draws. Pure. */

export function healthHref({ kind, after }: { kind: HealthKind; after?: { cents: number; payeeId: string } }): string {
  const key = after && `${after.cents}.${after.payeeId}`;
  return `${withQuery(appPaths.payeeHealth, { kind, after: key })}#list`;
}

/**
 * Where the payees of a kind are checked in bulk, those that were paid first where any was; undefined for other kinds,
 * where no check helps.
 */
export function bulkHref(kind: HealthKind, paidCents: number): string | undefined {
  const paid = paidCents > 0 ? "year" : undefined;
  if (kind === "never_verified") return withQuery(appPaths.bulkChecks, { verified: "never", paid });
  return kind === "stale" ? withQuery(appPaths.bulkChecks, { verified: "stale", paid }) : undefined;
}

export const healthCsvPath = (kind: HealthKind): string => withQuery(appPaths.payeeHealthExport, { kind });

/** Reads `after=CENTS.PAYEE`; what it does not understand it leaves out. */
export function readAfter(text: string | null): { cents: number; payeeId: string } | undefined {
  const [, cents = "", payeeId = ""] = /^(\d{1,15})\.(.+)$/.exec(text ?? "") ?? [];
  return isId(payeeId) ? { cents: Number(cents), payeeId } : undefined;
}

type KindText = {
  title: string;
  /** What it means, in a sentence. */
  meaning: string;
  /** What to do about all of them. */
  next: string;
};

export const KIND_TEXTS: Readonly<Record<HealthKind, KindText>> = {
  never_verified: {
    title: "Never verified",
    meaning: "These bank details have not been checked to belong to these payees.",
    next: "Ask them all for a bank check, those that you pay first.",
  },
  stale: {
    title: "Verified long ago",
    meaning: "The last verification is older than your organisation's policy allows.",
    next: "Ask them all for a new bank check.",
  },
  bsb_closed: {
    title: "BSB closed or merged",
    meaning: "Payments to these BSBs will fail, or go through another branch.",
    next: "Ask the payee for the new details. The successor of the BSB is named where there is one.",
  },
  bsb_unusable: {
    title: "BSB cannot be paid",
    meaning: "The directory does not have the BSB, or it takes no direct entry payments.",
    next: "Look for a mistyped BSB, then ask the payee.",
  },
  abn_bad: {
    title: "ABN cancelled or unknown",
    meaning: "The business register has cancelled the ABN, or does not have it.",
    next: "Ask the payee for a current ABN, or whether they still trade.",
  },
  register_name: {
    title: "Name differs from the register",
    meaning: "The business register knows the ABN under another name.",
    next: "Compare the names; a wrong ABN is as likely as a wrong payee.",
  },
  lookalike: {
    title: "Looks like another payee",
    meaning: "Another payee has a similar name or email domain, and another account.",
    next: "Compare both and archive the one that you do not pay.",
  },
  same_abn: {
    title: "Several payees with one ABN",
    meaning: "The same business stands in the list more than once, with different accounts.",
    next: "Keep the account that you pay, and archive the rest.",
  },
  no_contact: {
    title: "No email and no phone",
    meaning: "These payees cannot be asked to confirm their details, or be told of a change.",
    next: "Import a file with their email addresses: empty fields are filled in.",
  },
  staff_account: {
    title: "Account of your staff",
    meaning: "You pay a member of your staff to the same account. Only administrators see this.",
    next: "Find out why, apart from the person who entered the payee.",
  },
};
