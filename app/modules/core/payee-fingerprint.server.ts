import type { BankDetails } from "~/kernel/payee";
import type { Services } from "~/services-and-actor";
import { accountText, payeeText, storedDigest } from "./payee-fingerprint";

type Keyed = Pick<Services, "secrets">;
type Account = Pick<BankDetails, "bsb" | "accountNumber">;

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
