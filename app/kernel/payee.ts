import type { ConnectableSystem } from "./accounting-system";
import { DAY_MS } from "./dates";
import type { VerificationStatus } from "./enums";

/** A payee's details and how far it is trusted. Pure: no database, no clock. */

/** The three fields that decide where money goes. Changing any of them ends the trust, as renaming the payee does. */
export const BANK_FIELDS = ["accountName", "bsb", "accountNumber"] as const;

/** Ways to reach a payee. Somebody who changes both these and the bank details can answer our questions themselves. */
export const CONTACT_FIELDS = ["email", "phone"] as const;

/** The fields that people type about a payee, in form order, with their labels. */
export const FIELD_LABELS = {
  accountName: "Account name",
  bsb: "BSB",
  accountNumber: "Account number",
  name: "Payee name",
  abn: "ABN",
  email: "Email",
  phone: "Phone",
  address: "Address",
} as const;
export type PayeeField = keyof typeof FIELD_LABELS;
export const PAYEE_FIELDS = Object.keys(FIELD_LABELS) as PayeeField[];

/** A bank account: six digits, and the number with its leading zeros. */
export type Account = { bsb: string; accountNumber: string };

export type BankDetails = Account & { accountName: string };

/** The name, bank details and whitelisting of a payee before a change. */
export type FormerTrust = BankDetails & {
  /** Absent when it was stored before names were part of it: restoring the details then does not restore trust. */
  name?: string;
  renamedAt?: number | null;
  whitelistedAt: number | null;
  whitelistedById: string | null;
  whitelistedReason: string | null;
  whitelistGlobal: boolean;
  bankDetailsChangedAt: number | null;
  bankDetailsChangedById: string | null;
};

/**
 * Where imported bank details came from, and whose work they are. One entry for each import of an account: when the
 * payee was added, and when a person accepted a changed account. Instants in epoch milliseconds.
 */
export type DetailsOrigin = {
  system: ConnectableSystem;
  bsb: string;
  accountNumber: string;
  cameAt: number;
  /**
   * Who last edited the supplier in the accounting system, by the name in its history; null: the history does not say,
   * or was not asked.
   */
  editedBy: string | null;
  /** The members who edited the supplier in the accounting system, as far as the names there show. */
  editorIds: readonly string[];
  /** Everybody who edited the supplier in the accounting system is one of these members. */
  isEditorKnown: boolean;
  /** Who had connected the accounting system at the time. */
  connectedById: string | null;
};

/** A payee's fields, normalised: digits, E.164, lower-case email, null when unknown. */
export type PayeeDetails = BankDetails & {
  name: string;
  abn: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
};

/** Lengths of both names, in characters. */
export const NAME_LENGTH = { min: 2, max: 140 } as const;
export const MAX_ADDRESS_LENGTH = 300;
/** A reason for whitelisting a payee or taking it off the whitelist. */
export const REASON_LENGTH = { min: 3, max: 500 } as const;

/** If email or phone and bank details change within this many days of each other, that is a red flag. */
export const CONTACT_AND_BANK_WINDOW_DAYS = 30;

export type PayeeStatus =
  | "whitelisted"
  | "verified"
  | "pending"
  | "changed"
  | "disputed"
  | "rejected"
  | "failed"
  | "taken_off";

type Trust = {
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  /** When it was last renamed; null: never. */
  renamedAt: number | null;
  /** When a person took it off the whitelist; null: never, or it was trusted again since. */
  takenOffWhitelistAt: number | null;
};

type LatestVerification = BankDetails & { status: VerificationStatus; createdAt: number };

/** True if a verification is about the payee's present details. */
export function isForCurrentDetails(payee: BankDetails, verification: BankDetails): boolean {
  return BANK_FIELDS.every((field) => payee[field] === verification[field]);
}

/**
 * How far a payee is trusted at present, in one word. A dispute takes precedence until a person decides; a verified
 * result counts only for the details it was about, and only until a person takes the payee off the whitelist.
 */
export function payeeStatus(payee: Trust & BankDetails, latest: LatestVerification | null): PayeeStatus {
  if (payee.disputedAt !== null) return "disputed";
  if (payee.whitelisted) return "whitelisted";
  if (latest?.status === "verified" && isForCurrentDetails(payee, latest)) {
    return payee.takenOffWhitelistAt === null ? "verified" : "taken_off";
  }
  if (latest?.status === "rejected" || latest?.status === "failed") return latest.status;
  const changedAt = lastChangeOf(payee);
  return changedAt !== null && (latest === null || latest.createdAt <= changedAt) ? "changed" : "pending";
}

/** True if the payee's own status allows paying it. */
export const isTrusted = (status: PayeeStatus): boolean => status === "whitelisted" || status === "verified";

/** When a payee's verified details last changed, bank details or name; null: never. */
export function lastChangeOf(payee: Pick<Trust, "bankDetailsChangedAt" | "renamedAt">): number | null {
  const { bankDetailsChangedAt: bank, renamedAt } = payee;
  return bank === null ? renamedAt : Math.max(bank, renamedAt ?? bank);
}

/**
 * When the payee's present bank details were last approved under its present name; null: never. An approval at the same
 * instant as a rename may have come before it, so it does not count. Epoch milliseconds.
 */
export function approvedAt(
  payee: BankDetails & { renamedAt: number | null },
  approval: (BankDetails & { completedAt: number | null }) | null,
): number | null {
  if (!approval || approval.completedAt === null || !isForCurrentDetails(payee, approval)) return null;
  return approval.completedAt <= (payee.renamedAt ?? -1) ? null : approval.completedAt;
}

const WINDOW_MS = CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;

/** True if bank details and contact changed within each other's window, and the later change's is still open. */
export const areChangedTogether = (bank: number, contact: number, now: number): boolean =>
  Math.abs(bank - contact) <= WINDOW_MS && now - Math.max(bank, contact) <= WINDOW_MS;

export type RedFlag = "disputed" | "details_changed" | "renamed" | "former_account" | "contact_and_bank_changed";

/**
 * What a person should know before trusting this payee. `details_changed` and `renamed` remain until the change is
 * decided; `former_account` until a person who knows of the former holder approves the account;
 * `contact_and_bank_changed` until the later of the two changes is older than the window.
 *
 * @param now epoch milliseconds
 * @param latest the newest verification, with how many other payees had the account before; null: there is none
 */
export function findRedFlags(
  payee: Trust & { contactChangedAt: number | null },
  status: PayeeStatus,
  now: number,
  latest: { status: VerificationStatus; formerHolders: number } | null,
): RedFlag[] {
  const flags: RedFlag[] = [];
  if (payee.disputedAt !== null) flags.push("disputed");
  const { bankDetailsChangedAt: bank, contactChangedAt: contact } = payee;
  const isDecided = status === "whitelisted" || status === "verified" || status === "taken_off";
  if (bank !== null && !isDecided) flags.push("details_changed");
  if (latest !== null && latest.formerHolders > 0 && latest.status !== "verified") flags.push("former_account");
  if (payee.renamedAt !== null && !isDecided) flags.push("renamed");
  if (bank !== null && contact !== null && areChangedTogether(bank, contact, now))
    flags.push("contact_and_bank_changed");
  return flags;
}
