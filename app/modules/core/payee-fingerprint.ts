import { ACCOUNT_NUMBER_WIDTH, padAccountNumber } from "~/kernel/bank-account";
import type { BankDetails } from "~/kernel/payee";
import { cleanLine, foldDiacritics } from "~/kernel/text";
import type { Services } from "~/services-and-actor";

/**
 * The keyed digests that identify an account without revealing it, and their texts (a plain digest of fifteen digits
 * could be found by trying them all). 012345678 and 12345678 give the same text, because they are the same account.
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
function storedDigest({ keyId, digest }: { keyId: string; digest: string }): string {
  return `${keyId}:${digest}`;
}

type Keyed = Pick<Services, "secrets">;

/** `payees.hash` and `payees.accountFingerprint` under the current key. */
export async function fingerprintPayee(
  { secrets }: Keyed,
  details: BankDetails,
): Promise<{ hash: string; accountFingerprint: string }> {
  const [hash, account] = await Promise.all([
    secrets.fingerprint(payeeText(details)),
    secrets.fingerprint(accountText(details)),
  ]);
  return { hash: storedDigest(hash), accountFingerprint: storedDigest(account) };
}

/** Every fingerprint under which this account may be stored, current key first: look it up with `IN`. */
export async function fingerprintsOfAccount({ secrets }: Keyed, account: Account): Promise<string[]> {
  return (await secrets.fingerprints(accountText(account))).map(storedDigest);
}

/**
 * Every possible spelling of an account number, shortest first: `0012345` gives `12345` to `000012345`. Within an
 * organisation, accounts are looked up by these, whatever key their fingerprint was made with.
 */
export function spellingsOf(accountNumber: string): string[] {
  const shortest = accountNumber.replace(LEADING_ZEROS, "").padStart(SHORTEST_NUMBER, "0");
  return Array.from({ length: ACCOUNT_NUMBER_WIDTH - shortest.length + 1 }, (_, zeros) => "0".repeat(zeros) + shortest);
}
