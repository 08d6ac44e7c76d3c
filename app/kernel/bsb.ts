import { BSB_INSTITUTIONS } from "./bsb-institutions";

/**
 * The institution behind a BSB. `mnemonic` is AusPayNet's short code and may be empty for a prefix without branches.
 */
export type Institution = { mnemonic: string; name: string };

/** Inclusive range of digits. */
export type AccountLengths = { min: number; max: number };

const BLANKS = /\s+/g;
const BSB = /^(\d{3})[-\u2010-\u2015\u2212]?(\d{3})$/;

/**
 * Usual account number lengths by mnemonic, from the banks' own descriptions; elsewhere any length up to direct entry's
 * nine is usual.
 */
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

/**
 * Formats a BSB as `062-000`. Text that is not a BSB is returned unchanged, so that a page can show what was stored.
 */
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
