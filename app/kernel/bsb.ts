import { BSB_INSTITUTIONS } from "./bsb-institutions";

/** Who runs the accounts behind a BSB. `mnemonic` is AusPayNet's short code and may be empty for a prefix without branches. */
export type Institution = { mnemonic: string; name: string };

/** Inclusive range of digits. */
export type AccountLengths = { min: number; max: number };

const BLANKS = /\s+/g;
const BSB = /^(\d{3})[-\u2010-\u2015\u2212]?(\d{3})$/;

/** Usual lengths by mnemonic, as the banks describe their own account numbers; the rest is open within direct entry's nine. */
const USUAL_LENGTHS: Readonly<Record<string, AccountLengths>> = {
  ANZ: { min: 9, max: 9 },
  CBA: { min: 8, max: 9 },
  NAB: { min: 9, max: 9 },
  WBC: { min: 6, max: 9 },
};
const OTHER_LENGTHS: AccountLengths = { min: 5, max: 9 };

/**
 * Reads a BSB (bank-state-branch number) as people write it: `062-000`, `062 000` or `062000`.
 *
 * Blanks may be anywhere; one hyphen (or a dash that an editor made of it) only in the middle. ASCII digits only.
 * The third digit once named a state and no longer proves anything, so it is never checked.
 * Source: AusPayNet, BSB numbers in Australia; direct entry carries them as `NNN-NNN`.
 *
 * @returns six digits, or undefined
 */
export function parseBsb(text: string): string | undefined {
  const found = BSB.exec(text) ?? BSB.exec(text.replace(BLANKS, ""));
  return found ? `${found[1]}${found[2]}` : undefined;
}

/** Shows a BSB as `062-000`. Text that is not a BSB comes back unchanged, so that a page can show what was stored. */
export function formatBsb(bsb: string): string {
  const digits = parseBsb(bsb);
  return digits === undefined ? bsb : `${digits.slice(0, 3)}-${digits.slice(3)}`;
}

/**
 * The institution that holds a BSB, by its first three digits, else by its first two.
 *
 * @returns undefined for a prefix that AusPayNet has not assigned, or when `bsb` is not a BSB
 */
export function institutionOf(bsb: string): Institution | undefined {
  const digits = parseBsb(bsb);
  if (digits === undefined) return undefined;
  const facts = BSB_INSTITUTIONS[digits.slice(0, 3)] ?? BSB_INSTITUTIONS[digits.slice(0, 2)];
  return facts && { mnemonic: facts[0], name: facts[1] };
}

/** How long account numbers usually are at the institution of this BSB. Something to warn about, never a reason to refuse. */
export function usualAccountLengths(bsb: string): AccountLengths {
  return USUAL_LENGTHS[institutionOf(bsb)?.mnemonic ?? ""] ?? OTHER_LENGTHS;
}

/** True if an account number, as written, is shorter or longer than usual at this institution. */
export function hasUnusualAccountLength(bsb: string, accountNumber: string): boolean {
  const { min, max } = usualAccountLengths(bsb);
  return accountNumber.length < min || accountNumber.length > max;
}

/**
 * AusPayNet mnemonics of companies that hold BSBs and are no authorised deposit-taking institutions: payment, remittance
 * and acquiring companies. Source: APRA's register of authorised deposit-taking institutions, compared with the directory.
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
