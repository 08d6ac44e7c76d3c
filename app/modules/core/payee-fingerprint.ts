import { ACCOUNT_NUMBER_WIDTH, padAccountNumber } from "~/kernel/account-number";
import { cleanLine, foldDiacritics } from "~/kernel/text";

/**
 * The texts whose keyed digests recognise an account without showing it (a plain digest of fifteen digits is found by
 * trying them all). 012345678 and 12345678 give the same text: they are one account.
 */

export const SHORTEST_NUMBER = 4;
const LEADING_ZEROS = /^0+/;

type Account = { bsb: string; accountNumber: string };

/** For `payees.accountFingerprint`, and for looking an account up anywhere else. */
export function accountText({ bsb, accountNumber }: Account): string {
  return `account:${bsb}:${padAccountNumber(accountNumber)}`;
}

/** For `payees.hash`: the account together with its name, however it was cased, accented or spaced. */
export function payeeText(payee: Account & { accountName: string }): string {
  const name = foldDiacritics(cleanLine(payee.accountName));
  return `payee:${payee.bsb}:${padAccountNumber(payee.accountNumber)}:${name}`;
}

/** A digest as it is stored, with the name of its key. */
export function storedDigest({ keyId, digest }: { keyId: string; digest: string }): string {
  return `${keyId}:${digest}`;
}

/**
 * Every way one account number may have been written down, shortest first: `0012345` gives `12345` to `000012345`.
 * Inside an organisation an account is looked up by these, whatever key its fingerprint was made with.
 */
export function spellingsOf(accountNumber: string): string[] {
  const shortest = accountNumber.replace(LEADING_ZEROS, "").padStart(SHORTEST_NUMBER, "0");
  return Array.from({ length: ACCOUNT_NUMBER_WIDTH - shortest.length + 1 }, (_, zeros) => "0".repeat(zeros) + shortest);
}
