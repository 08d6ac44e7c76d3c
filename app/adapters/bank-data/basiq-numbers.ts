import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import type { SharedAccount } from "~/ports/bank-data";
import type { BasiqAccount } from "./basiq-schema";

const BSB_LENGTH = 6;
/** A BSB (6) and an account number (4 to 9 digits) written as one. */
const COMBINED = /^\d{10,15}$/;
const MASK = /[x*#•.·?]/i;
const TRAILING_DIGITS = /(\d+)\D*$/;

type Numbers = Pick<SharedAccount, "bsb" | "accountNumber" | "combinedNumber" | "visibleDigits">;

/**
 * The BSB and account number of a shared account, whichever way the bank gave them:
 * `bsb` and `unmaskedAccNum` (open banking), `accountNo` with both in one, or masked forms such as "xxxx1234".
 *
 * A masked number yields only its last visible digits, never a guess at the rest.
 */
export function toNumbers(
  account: Pick<BasiqAccount, "bsb" | "unmaskedAccNum" | "accountNo" | "maskedNumber">,
): Numbers {
  const givenBsb = account.bsb ? parseBsb(account.bsb) : undefined;
  const written = [account.unmaskedAccNum, account.accountNo].map(unmaskedDigits);
  const combinedNumber = written.find((digits) => digits && COMBINED.test(digits) && startsWith(digits, givenBsb));
  const bsb = givenBsb ?? combinedNumber?.slice(0, BSB_LENGTH);
  const accountNumber =
    written.map((digits) => digits && parseAccountNumber(digits)).find(Boolean) ??
    (combinedNumber && parseAccountNumber(combinedNumber.slice(BSB_LENGTH)));
  if (accountNumber) return { bsb, accountNumber, combinedNumber: combinedNumber ?? (bsb && bsb + accountNumber) };
  return { bsb, visibleDigits: visibleDigits(account) };
}

/** Digits of a number without a mask; undefined for a masked or missing one. */
function unmaskedDigits(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  const digits = text.replace(/[\s-]/g, "");
  return /^\d+$/.test(digits) ? digits : undefined;
}

function startsWith(digits: string, bsb: string | undefined): boolean {
  return bsb === undefined || digits.startsWith(bsb);
}

function visibleDigits(
  account: Pick<BasiqAccount, "unmaskedAccNum" | "accountNo" | "maskedNumber">,
): string | undefined {
  const masked = [account.unmaskedAccNum, account.accountNo].filter((text) => text && MASK.test(text));
  for (const text of [...masked, account.maskedNumber]) {
    const digits = text ? TRAILING_DIGITS.exec(text)?.[1] : undefined;
    if (digits) return digits;
  }
  return undefined;
}
