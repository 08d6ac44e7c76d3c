import { createHmac } from "node:crypto";
import { fromBase64Url, toBase64Url, toHex } from "~/kernel/encodings";
import type { Secrets } from "~/services-and-actor";

/** One key: its public name and 32 random bytes, written `name:base64url`; and a digest by which it is recognised. */
type NamedKey = { id: string; bytes: Uint8Array<ArrayBuffer>; digest: string };

const KEY_BYTES = 32;
const IV_BYTES = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Reads a comma-separated list of `name:base64url` keys; the first is current, the rest are still accepted.
 * @throws Error naming the variable when a key is missing, unnamed or not 32 bytes
 */
export function parseKeys(variable: string, text: string): NamedKey[] {
  const keys = text.split(",").map((entry) => {
    const [id, encoded] = entry.trim().split(":");
    const bytes = encoded ? fromBase64Url(encoded) : undefined;
    if (!id || !/^[\w-]{1,40}$/.test(id) || bytes?.length !== KEY_BYTES)
      throw new Error(`${variable}: each key is name:base64url of 32 bytes`);
    return { id, bytes, digest: digestOf(bytes) };
  });
  return keys;
}

/**
 * Recognises a key without giving anything away: keyed with the key itself, over a text that is never fingerprinted. It
 * is stored beside the key's name (`keys_in_use`), so it stays as it is.
 */
const digestOf = (bytes: Uint8Array): string =>
  createHmac("sha256", bytes).update("PayeeProof recognises this key by").digest("base64url");

/** HMAC-SHA-256 fingerprints, AES-256-GCM envelopes (`keyId.iv.cipher`) and token hashes. */
export function createSecrets(keys: { fingerprint: NamedKey[]; encryption: NamedKey[] }): Secrets {
  const hmacKeys = keys.fingerprint.map((key) => ({
    id: key.id,
    key: crypto.subtle.importKey("raw", key.bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]),
  }));
  const aesKeys = keys.encryption.map((key) => ({
    id: key.id,
    key: crypto.subtle.importKey("raw", key.bytes, "AES-GCM", false, ["encrypt", "decrypt"]),
  }));

  const fingerprints = (text: string) =>
    Promise.all(
      hmacKeys.map(async ({ id, key }) => ({
        keyId: id,
        digest: toHex(new Uint8Array(await crypto.subtle.sign("HMAC", await key, encoder.encode(text)))),
      })),
    );

  return {
    fingerprints,
    async fingerprint(text) {
      const [current] = await fingerprints(text);
      if (!current) throw new Error("no fingerprint key");
      return current;
    },
    async seal(plainText, context) {
      const [current] = aesKeys;
      if (!current) throw new Error("no encryption key");
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(context) };
      const cipher = await crypto.subtle.encrypt(algorithm, await current.key, encoder.encode(plainText));
      return [current.id, toBase64Url(iv), toBase64Url(new Uint8Array(cipher))].join(".");
    },
    async open(envelope, context) {
      const [id, ivText = "", cipherText = ""] = envelope.split(".");
      const found = aesKeys.find((key) => key.id === id);
      const iv = fromBase64Url(ivText);
      const cipher = fromBase64Url(cipherText);
      if (!found || !iv || !cipher) throw new Error("an envelope cannot be opened: unknown key or damaged");
      const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(context) };
      return decoder.decode(await crypto.subtle.decrypt(algorithm, await found.key, cipher));
    },
    async hashToken(token) {
      return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(token))));
    },
  };
}
