import { toHex } from "./encodings";

/** SHA-256 of bytes in lower-case hex, 64 characters. Source: FIPS 180-4, as WebCrypto computes it. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
