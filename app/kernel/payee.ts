import type { ConnectableSystem } from "./accounting-system";
import { DAY_MS } from "./dates";
import type { VerificationStatus } from "./enums";

/** What a payee is and how far it is trusted. Pure: no database, no clock. */

/** The three fields that decide where money goes. A change of any of them takes the trust away, as another payee name does. */
export const BANK_FIELDS = ["accountName", "bsb", "accountNumber"] as const;

/** Ways to reach a payee. A person who changes these and the bank details can answer our questions themselves. */
export const CONTACT_FIELDS = ["email", "phone"] as const;

/** What people may type about a payee, in the order of the form, with the words that are beside it. */
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

export type BankDetails = { accountName: string; bsb: string; accountNumber: string };

/** The name and bank details of a whitelisted payee and its place on the whitelist, as they were before a change. */
export type FormerTrust = BankDetails & {
  /** Absent where it was kept before names were part of it: the payee is then not trusted by going back. */
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
 * Bank details as they came in from an accounting system, and whose work they are. One entry each time an account came in:
 * when the payee was added, and when a person took a changed account over. Instants in epoch milliseconds.
 */
export type DetailsOrigin = {
  system: ConnectableSystem;
  bsb: string;
  accountNumber: string;
  cameAt: number;
  /** Who last edited the supplier there, as its history names them; null: it does not say, or was not asked. */
  editedBy: string | null;
  /** The people here who edited the supplier there, as far as their names there tell. */
  editorIds: readonly string[];
  /** Everybody who edited the supplier there is one of these people. */
  isEditorKnown: boolean;
  /** Who had connected the accounting system then. */
  connectedById: string | null;
};

/** What a payee is made of, normalised: digits, E.164, lower-case email, null for what is not known. */
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
/** A reason for putting a payee on the whitelist or taking it off. */
export const REASON_LENGTH = { min: 3, max: 500 } as const;

/** Email or phone and bank details changed within this time of each other: a red flag. */
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
  /** When it was given another name; null: never. */
  renamedAt: number | null;
  /** When a person took it off the whitelist; null: never, or trusted again since. */
  takenOffWhitelistAt: number | null;
};

type LatestVerification = BankDetails & { status: VerificationStatus; createdAt: number };

/** True if a verification is about the details the payee has now. */
export function isForCurrentDetails(payee: BankDetails, verification: BankDetails): boolean {
  return BANK_FIELDS.every((field) => payee[field] === verification[field]);
}

/**
 * How far a payee is trusted right now, in one word. A dispute outweighs everything until a person decides; a verified
 * answer counts only for the details it was about, and only until a person takes the payee off the whitelist.
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

/** True if the payee may be paid as far as its own standing goes. */
export const isTrusted = (status: PayeeStatus): boolean => status === "whitelisted" || status === "verified";

/** When what was verified of a payee last changed, its bank details or its name; null: never. */
export function lastChangeOf(payee: Pick<Trust, "bankDetailsChangedAt" | "renamedAt">): number | null {
  const { bankDetailsChangedAt: bank, renamedAt } = payee;
  return bank === null ? renamedAt : Math.max(bank, renamedAt ?? bank);
}

/**
 * When the bank details that the payee has now were last approved under its name; null: never. An approval of the very
 * instant of a renaming may have been made before it, so it does not count. Epoch milliseconds.
 */
export function approvedAt(
  payee: BankDetails & { renamedAt: number | null },
  approval: (BankDetails & { completedAt: number | null }) | null,
): number | null {
  if (!approval || approval.completedAt === null || !isForCurrentDetails(payee, approval)) return null;
  return approval.completedAt <= (payee.renamedAt ?? -1) ? null : approval.completedAt;
}

const WINDOW_MS = CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;

/** True if bank details and contact changed within the window of each other, and the window of the later one is still open. */
export const areChangedTogether = (bank: number, contact: number, now: number): boolean =>
  Math.abs(bank - contact) <= WINDOW_MS && now - Math.max(bank, contact) <= WINDOW_MS;

export type RedFlag = "disputed" | "details_changed" | "renamed" | "former_account" | "contact_and_bank_changed";

/**
 * What a person should know before trusting this payee. `details_changed` and `renamed` stand until it is decided about;
 * `former_account` until a person approved the account knowing whose it was; `contact_and_bank_changed` as long as the
 * later of the two changes is not older than the window.
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
