import { ACCOUNT_NUMBER_WIDTH, padAccountNumber } from "~/kernel/bank-account";
import { cleanLine, foldDiacritics } from "~/kernel/text";

/**
 * The texts whose keyed digests identify an account without revealing it (a plain digest of fifteen digits could be
 * found by trying them all). 012345678 and 12345678 give the same text, because they are the same account.
 */

export const SHORTEST_NUMBER = 4;
const LEADING_ZEROS = /^0+/;

type Account = { bsb: string; accountNumber: string };

/** For `payees.accountFingerprint` and other look-ups of an account. */
export function accountText({ bsb, accountNumber }: Account): string {
  return `account:${bsb}:${padAccountNumber(accountNumber)}`;
}

/** For `payees.hash`: the account together with its name, ignoring case, accents and spacing. */
export function payeeText(payee: Account & { accountName: string }): string {
  const name = foldDiacritics(cleanLine(payee.accountName));
  return `payee:${payee.bsb}:${padAccountNumber(payee.accountNumber)}:${name}`;
}

/** A digest in stored form, with the id of its key. */
export function storedDigest({ keyId, digest }: { keyId: string; digest: string }): string {
  return `${keyId}:${digest}`;
}

/**
 * Every possible spelling of an account number, shortest first: `0012345` gives `12345` to `000012345`. Within an
 * organisation, accounts are looked up by these, whatever key their fingerprint was made with.
 */
export function spellingsOf(accountNumber: string): string[] {
  const shortest = accountNumber.replace(LEADING_ZEROS, "").padStart(SHORTEST_NUMBER, "0");
  return Array.from({ length: ACCOUNT_NUMBER_WIDTH - shortest.length + 1 }, (_, zeros) => "0".repeat(zeros) + shortest);
}
