import { fromBase32, toBase32 } from "~/kernel/base32";

/**
 * Codes of an authenticator app: RFC 6238 over RFC 4226, HMAC-SHA-1, six digits, thirty seconds.
 *
 * Computed here because the step has to be known exactly, for a code to work once, and by the clock that is given.
 */

const ISSUER = "PayeeProof";
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226, section 4 (R6) recommends 160 bits. */
const SECRET_BYTES = 20;
/** A code of the step before or after is taken too: clocks differ, and people need time to type. */
const WINDOW = 1;

/** A new secret, base32 as apps take it. */
export function newTotpSecret(): string {
  return toBase32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The address that an app reads from the QR code. Source: github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(secret: string, accountName: string): string {
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(accountName)}`;
  const [digits, period] = [String(DIGITS), String(PERIOD_SECONDS)];
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer: ISSUER, algorithm: "SHA1", digits, period })}`;
}

/** Which thirty seconds an instant is in. @param now epoch milliseconds */
export const totpStep = (now: number): number => Math.floor(now / 1000 / PERIOD_SECONDS);

/** The code of one step. */
export async function totpCode(secret: string, step: number): Promise<string> {
  const bytes = fromBase32(secret);
  if (!bytes) throw new Error("a secret that is not base32");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const digest = new DataView(await crypto.subtle.sign("HMAC", key, counter));
  const offset = digest.getUint8(digest.byteLength - 1) & 0xf;
  const number = digest.getUint32(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * The step that a code belongs to, of those around now. All of them are always computed, so that the time taken tells nothing.
 * @param now epoch milliseconds
 * @returns undefined for a wrong code
 */
export async function findTotpStep(secret: string, code: string, now: number): Promise<number | undefined> {
  const current = totpStep(now);
  let found: number | undefined;
  for (let step = current - WINDOW; step <= current + WINDOW; step++) {
    if ((await totpCode(secret, step)) === code) found = step;
  }
  return found;
}
