import { BSB_INSTITUTIONS } from "./bsb-institutions";
import type { Account, DetailsOrigin } from "./payee";

/** The institution behind a BSB. */
export type Institution = {
  /** AusPayNet's short code; may be empty for a prefix without branches. */
  mnemonic: string;
  name: string;
  /** From the BSB directory, when one is loaded. */
  branch?: string;
  /** A sentence when the BSB cannot take direct entry, is closed or merged. */
  problem?: string;
};

/** The fields of a BSB directory entry that matter here. */
export type DirectoryEntry = {
  mnemonic: string;
  name: string;
  electronic: boolean;
  status: "open" | "closed" | "merged";
  successorBsb: string | null;
};

/** Inclusive range of digits. */
export type AccountLengths = { min: number; max: number };

const BLANKS = /\s+/g;
const BSB = /^(\d{3})[-\u2010-\u2015\u2212]?(\d{3})$/;

/** Usual account number lengths by mnemonic, as banks describe them; elsewhere up to direct entry's nine digits. */
const USUAL_LENGTHS: Readonly<Record<string, AccountLengths>> = {
  ANZ: { min: 9, max: 9 },
  CBA: { min: 8, max: 9 },
  NAB: { min: 9, max: 9 },
  WBC: { min: 6, max: 9 },
};
const OTHER_LENGTHS: AccountLengths = { min: 5, max: 9 };

/**
 * Parses a typed BSB (bank-state-branch number): `062-000`, `062 000` or `062000`.
 *
 * Blanks may be anywhere; one hyphen (or a dash that an editor made of it) only in the middle. ASCII digits only. The
 * third digit once named a state and no longer proves anything, so it is never checked. Source: AusPayNet, BSB numbers
 * in Australia; direct entry carries them as `NNN-NNN`.
 *
 * @returns six digits, or undefined
 */
export function parseBsb(text: string): string | undefined {
  const found = BSB.exec(text) ?? BSB.exec(text.replace(BLANKS, ""));
  return found ? `${found[1]}${found[2]}` : undefined;
}

/** Formats a BSB as `062-000`. Text that is not a BSB is returned unchanged: a page can show what was stored. */
export function formatBsb(bsb: string): string {
  const digits = parseBsb(bsb);
  return digits === undefined ? bsb : `${digits.slice(0, 3)}-${digits.slice(3)}`;
}

/**
 * The institution of a BSB, by its first three digits, otherwise by its first two.
 *
 * @returns undefined for a prefix that AusPayNet has not assigned, or when `bsb` is not a BSB
 */
export function institutionOf(bsb: string): Institution | undefined {
  const digits = parseBsb(bsb);
  if (digits === undefined) return undefined;
  const facts = BSB_INSTITUTIONS[digits.slice(0, 3)] ?? BSB_INSTITUTIONS[digits.slice(0, 2)];
  return facts && { mnemonic: facts[0], name: facts[1] };
}

/**
 * The institution and branch of a BSB, with a sentence when it cannot be paid.
 * @param directory the BSB's entry; null when the loaded directory does not have it; undefined when none is loaded
 */
export function describeInstitution(bsb: string, directory?: DirectoryEntry | null): Institution | null {
  const institution = institutionOf(bsb);
  if (!directory) {
    if (!institution) return null;
    return directory === null ? { ...institution, problem: UNKNOWN_BSB } : institution;
  }
  const problem = problemOf(directory);
  return {
    mnemonic: directory.mnemonic,
    name: institution?.name || directory.mnemonic,
    branch: directory.name,
    ...(problem ? { problem } : {}),
  };
}

const UNKNOWN_BSB = "The BSB directory does not have this BSB.";

function problemOf({ status, electronic, successorBsb }: DirectoryEntry): string | undefined {
  const next = successorBsb ? ` Its accounts are now under ${formatBsb(successorBsb)}.` : "";
  if (status === "closed") return `This BSB is closed.${next}`;
  if (status === "merged") return `This BSB was merged into another.${next}`;
  return electronic ? undefined : "This BSB does not take direct entry payments.";
}

/** The usual length of account numbers at this BSB's institution. Only for warnings, never a reason to refuse. */
export function usualAccountLengths(bsb: string): AccountLengths {
  return USUAL_LENGTHS[institutionOf(bsb)?.mnemonic ?? ""] ?? OTHER_LENGTHS;
}

/** True if an account number, as written, has an unusual length for this institution. */
export function hasUnusualAccountLength(bsb: string, accountNumber: string): boolean {
  const { min, max } = usualAccountLengths(bsb);
  return accountNumber.length < min || accountNumber.length > max;
}

/**
 * AusPayNet mnemonics of companies that hold BSBs without being authorised deposit-taking institutions: payment,
 * remittance and acquiring companies. Source: APRA's register of authorised deposit-taking institutions, compared with
 * the directory.
 */
const PAYMENT_COMPANIES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "ADY",
  "AFT",
  "BNO",
  "CAG",
  "EPA",
  "FMO",
  "FPX",
  "FZB",
  "GPA",
  "MON",
  "REV",
  "SPL",
  "WSE",
]);

/** True if the BSB belongs to a payment company rather than a bank. */
export function isPaymentCompany(bsb: string): boolean {
  return PAYMENT_COMPANIES.has(institutionOf(bsb)?.mnemonic ?? "");
}

/** The width of the account number field in a direct entry record. */
export const ACCOUNT_NUMBER_WIDTH = 9;

/** How one account number could have been mistyped for another. */
export type AccountNumberSlip = "substitution" | "transposition";

const SEPARATORS = /[\s\-\u2010-\u2015\u2212]+/g;
const ACCOUNT_NUMBER = /^\d{4,9}$/;
const ALL_ZEROS = /^0+$/;
const KEPT_DIGITS = 3;
/** For a shorter number, three visible digits would reveal most of it. */
const SHORT_NUMBER = 6;
const KEPT_DIGITS_OF_SHORT = 2;

/**
 * Parses an Australian account number: blanks and hyphens are removed, and 4 to 9 ASCII digits must remain.
 *
 * Leading zeros are part of the number and are kept. All zeros is invalid. Source: direct entry record type 1, columns
 * 9-17 (nine characters, not all zeros).
 *
 * @returns the digits, or undefined
 */
export function parseAccountNumber(text: string): string | undefined {
  const digits = ACCOUNT_NUMBER.test(text) ? text : text.replace(SEPARATORS, "");
  return ACCOUNT_NUMBER.test(digits) && !ALL_ZEROS.test(digits) ? digits : undefined;
}

/** Left-pads with zeros to nine digits: the form in which account numbers are compared and hashed. */
export function padAccountNumber(accountNumber: string): string {
  return accountNumber.padStart(ACCOUNT_NUMBER_WIDTH, "0");
}

/** True if both name the same account: 12345678 and 012345678 do. */
export function sameAccountNumber(a: string, b: string): boolean {
  return padAccountNumber(a) === padAccountNumber(b);
}

/** A key for comparing accounts: two spellings of a number give the same key. */
export function accountKey({ bsb, accountNumber }: Account): string {
  return `${bsb} ${padAccountNumber(accountNumber)}`;
}

/**
 * Whether `typed` is one typing slip away from `known`: one digit replaced, or two neighbours swapped.
 *
 * Both are padded to nine digits first, so an omitted leading zero is not a slip.
 *
 * @returns undefined when they are the same account or further apart
 */
export function findAccountNumberSlip(typed: string, known: string): AccountNumberSlip | undefined {
  const a = padAccountNumber(typed);
  const b = padAccountNumber(known);
  if (a.length !== b.length) return undefined;

  const wrong: number[] = [];
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) wrong.push(i);
    if (wrong.length > 2) return undefined;
  }
  const [first, second] = wrong;
  if (first === undefined) return undefined;
  if (second === undefined) return "substitution";
  const exchanged = second === first + 1 && a[first] === b[second] && a[second] === b[first];
  return exchanged ? "transposition" : undefined;
}

/**
 * Hides all but the last three digits, `•••••678`, or all but the last two of a number with fewer than six digits,
 * `••34`. The length stays visible; text of three characters or fewer is hidden completely.
 */
export function maskAccountNumber(accountNumber: string): string {
  const { length } = accountNumber;
  const kept = length < SHORT_NUMBER ? KEPT_DIGITS_OF_SHORT : KEPT_DIGITS;
  const hidden = length > KEPT_DIGITS ? length - kept : length;
  return "•".repeat(hidden) + accountNumber.slice(hidden);
}

/** "062-000 •••••678", as lists, messages and the audit trail show an account. */
export const maskedAccount = ({ bsb, accountNumber }: Account): string =>
  `${formatBsb(bsb)} ${maskAccountNumber(accountNumber)}`;

/** An account of a payee, and where the payee's accounts were imported from; null: members entered all of them. */
export type Imported = Account & { accountingOrigins: readonly DetailsOrigin[] | null };

/** Where the payee's present account was imported from, most recently; undefined: it was not imported. */
export const originOf = (payee: Imported): DetailsOrigin | undefined => originsOf(payee).at(-1);

/** True if the account was imported and not everybody who edited the supplier in the accounting system is known. */
export const hasUnknownEditor = (payee: Imported): boolean =>
  originsOf(payee).some(({ isEditorKnown }) => !isEditorKnown);

const originsOf = ({ accountingOrigins, bsb, accountNumber }: Imported) =>
  (accountingOrigins ?? []).filter(
    (origin) => origin.bsb === bsb && sameAccountNumber(origin.accountNumber, accountNumber),
  );
