import { decodePartialCBOR } from "@levischuck/tiny-cbor";
import { fromBase64Url, toBase64Url } from "./encodings";

/**
 * Checks what a device returns when a passkey is created or used, as WebAuthn level 3 requires of a relying party
 * without attestation (w3.org/TR/webauthn-3, 7.1 and 7.2). Small enough for the Worker, because libraries include
 * certificate checks that are not needed here. A test compares every verdict with such a library. Pure.
 */

/** The fields of a device's response that are used; others are ignored. Base64url. */
export type NewPasskeyAnswer = { id: string; response: { clientDataJSON: string; attestationObject: string } };
export type SignedAnswer = {
  id: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
};

/** What was requested: this challenge, from pages of this origin, for keys of this host. */
export type Asked = { challenge: string; origin: string; rpId: string };

/** Whether the key stays on one device or can be copied to others, and whether there is a copy. */
type Backup = { kind: "singleDevice" | "multiDevice"; isBackedUp: boolean };

export type NewPasskey = Backup & {
  credentialId: string;
  /** COSE (RFC 9052), base64url. */
  publicKey: string;
  counter: number;
  /** The authenticator's model as a UUID; zeros if it does not say. */
  aaguid: string;
};

/** ES256, EdDSA with Ed25519, and RS256 (IANA COSE algorithms), which devices use and WebCrypto can verify. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

/** A check failed; the text is for the log. */
class Refusal extends Error {}

function requireThat(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Refusal(what);
}

/** Runs the checks. @returns the value, or the reason why there is none */
async function judged<T>(run: () => Promise<T>): Promise<{ value: T } | { refused: string }> {
  try {
    return { value: await run() };
  } catch (error) {
    return { refused: error instanceof Refusal ? error.message : "it cannot be read" };
  }
}

/** Checks a key that a device created for us. */
export const checkNewPasskey = (answer: NewPasskeyAnswer, asked: Asked) =>
  judged<NewPasskey>(async () => {
    const { clientDataJSON, attestationObject } = answer.response;
    requireClientData(bytesOf(clientDataJSON), "webauthn.create", asked);
    const [attestation, length] = decodePartialCBOR(bytesOf(attestationObject), 0);
    requireThat(attestation instanceof Map && length === bytesOf(attestationObject).length, "attestation object");
    const authData = attestation.get("authData");
    requireThat(authData instanceof Uint8Array, "authenticator data");
    // The attestation statement is not checked: none is requested, and it says nothing about the person.
    const read = await readAuthenticatorData(new Uint8Array(authData), asked.rpId);
    requireThat(read.attested !== undefined, "no key");
    const { credentialId, cose, aaguid } = read.attested;
    requireThat(credentialId === answer.id, "another key's name");
    await importKey(cose);
    const { kind, isBackedUp, counter } = read;
    return { kind, isBackedUp, counter, credentialId, aaguid, publicKey: toBase64Url(cose) };
  });

/** Checks a signature by a stored key. The caller judges the counter. */
export const checkSignature = (answer: SignedAnswer, asked: Asked, publicKey: string) =>
  judged<Backup & { counter: number }>(async () => {
    const clientData = bytesOf(answer.response.clientDataJSON);
    requireClientData(clientData, "webauthn.get", asked);
    const authData = bytesOf(answer.response.authenticatorData);
    const { kind, isBackedUp, counter } = await readAuthenticatorData(authData, asked.rpId);
    const { key, algorithm, asRaw } = await importKey(bytesOf(publicKey));
    const signed = joined(authData, await sha256(clientData));
    const signature = asRaw(bytesOf(answer.response.signature));
    requireThat(await crypto.subtle.verify(algorithm, key, signature, signed), "signature");
    return { kind, isBackedUp, counter };
  });

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(text: string): Bytes {
  const bytes = fromBase64Url(text);
  requireThat(bytes !== undefined, "not base64url");
  return bytes;
}

const sha256 = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

function joined(one: Bytes, other: Bytes): Bytes {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** Checks the browser's record of the challenge and the page. A page in another site's frame is refused. */
function requireClientData(bytes: Bytes, type: string, { challenge, origin }: Asked): void {
  const said: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  requireThat(typeof said === "object" && said !== null, "client data");
  const client = said as Record<string, unknown>;
  requireThat(client.type === type, "type");
  requireThat(client.challenge === challenge, "challenge");
  requireThat(client.origin === origin, "origin");
  requireThat(client.crossOrigin !== true && client.topOrigin === undefined, "in a frame of another site");
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const HAS_KEY = 0x40;
const HAS_EXTENSIONS = 0x80;

const HASH_LENGTH = 32;
const HEAD_LENGTH = 37;
const AAGUID_LENGTH = 16;
const LONGEST_ID = 1023;

/** Parses what the device signed (6.1). No bytes may be left over. */
async function readAuthenticatorData(bytes: Bytes, rpId: string) {
  requireThat(bytes.length >= HEAD_LENGTH, "authenticator data");
  const rpIdHash = await sha256(new TextEncoder().encode(rpId));
  requireThat(
    bytes.subarray(0, HASH_LENGTH).every((byte, at) => byte === rpIdHash[at]),
    "host",
  );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(HASH_LENGTH);
  const has = (flag: number) => (flags & flag) !== 0;
  requireThat(has(PRESENT), "nobody was present");
  requireThat(has(VERIFIED), "the person was not verified");
  requireThat(has(BACKUP_ELIGIBLE) || !has(BACKED_UP), "backup flags");
  let end = HEAD_LENGTH;
  let attested: ReturnType<typeof readAttested> | undefined;
  if (has(HAS_KEY)) {
    attested = readAttested(bytes, view);
    end = attested.end;
  }
  if (has(HAS_EXTENSIONS)) end += decodePartialCBOR(bytes, end)[1];
  requireThat(end === bytes.length, "left over");
  return {
    counter: view.getUint32(HASH_LENGTH + 1),
    kind: has(BACKUP_ELIGIBLE) ? ("multiDevice" as const) : ("singleDevice" as const),
    isBackedUp: has(BACKED_UP),
    attested,
  };
}

/** Parses the new key and its id (6.5.1). */
function readAttested(bytes: Bytes, view: DataView) {
  const idLength = view.getUint16(HEAD_LENGTH + AAGUID_LENGTH);
  requireThat(idLength > 0 && idLength <= LONGEST_ID, "length of the key's name");
  const idAt = HEAD_LENGTH + AAGUID_LENGTH + 2;
  const keyAt = idAt + idLength;
  requireThat(keyAt < bytes.length, "no key");
  const [, keyLength] = decodePartialCBOR(bytes, keyAt);
  const hex = Array.from(bytes.subarray(HEAD_LENGTH, HEAD_LENGTH + AAGUID_LENGTH), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return {
    credentialId: toBase64Url(bytes.subarray(idAt, keyAt)),
    cose: bytes.slice(keyAt, keyAt + keyLength),
    aaguid: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    end: keyAt + keyLength,
  };
}

type Imported = { key: CryptoKey; algorithm: AlgorithmIdentifier | EcdsaParams; asRaw: (signature: Bytes) => Bytes };

// Labels in COSE keys (RFC 9053, 7), whose meaning depends on the key type.
const KIND = 1;
const ALGORITHM = 3;
const [CURVE, FIRST, SECOND] = [-1, -2, -3];
const [OKP, EC2, RSA] = [1, 2, 3];
const [P256, ED25519] = [1, 6];
const COORDINATE_LENGTH = 32;
/** 2,048 bits. */
const SHORTEST_MODULUS = 256;
const same = (signature: Bytes) => signature;

/** Converts a public key for WebCrypto. @throws Refusal for every key that is not one of our three kinds */
async function importKey(cose: Bytes): Promise<Imported> {
  const [key, length] = decodePartialCBOR(cose, 0);
  requireThat(key instanceof Map && length === cose.length, "key");
  const part = (label: number): Bytes => {
    const value = key.get(label);
    requireThat(value instanceof Uint8Array, "key");
    return new Uint8Array(value);
  };
  const isKind = (kind: number, algorithm: number, curve?: number) =>
    key.get(KIND) === kind && key.get(ALGORITHM) === algorithm && (curve === undefined || key.get(CURVE) === curve);
  if (isKind(EC2, -7, P256)) {
    const [x, y] = [part(FIRST), part(SECOND)];
    requireThat(x.length === COORDINATE_LENGTH && y.length === COORDINATE_LENGTH, "key");
    const raw = joined(new Uint8Array([0x04]), joined(x, y));
    const kind = { name: "ECDSA", namedCurve: "P-256" };
    const imported = await crypto.subtle.importKey("raw", raw, kind, false, ["verify"]);
    return { key: imported, algorithm: { name: "ECDSA", hash: "SHA-256" }, asRaw: fromDer };
  }
  if (isKind(OKP, -8, ED25519)) {
    const kind = { name: "Ed25519" };
    const imported = await crypto.subtle.importKey("raw", part(FIRST), kind, false, ["verify"]);
    return { key: imported, algorithm: kind, asRaw: same };
  }
  requireThat(isKind(RSA, -257), "algorithm");
  const modulus = part(CURVE);
  requireThat(modulus.length >= SHORTEST_MODULUS, "key too short");
  const jwk = { kty: "RSA", n: toBase64Url(modulus), e: toBase64Url(part(FIRST)) };
  const kind = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("jwk", jwk, kind, false, ["verify"]);
  return { key: imported, algorithm: kind, asRaw: same };
}

/** The two numbers of an ECDSA signature (RFC 3279, 2.2.3), 32 bytes each, as WebCrypto expects them. */
function fromDer(der: Bytes): Bytes {
  const raw = new Uint8Array(2 * COORDINATE_LENGTH);
  requireThat(der[0] === 0x30 && der[1] === der.length - 2, "signature");
  let at = 2;
  for (const end of [COORDINATE_LENGTH, 2 * COORDINATE_LENGTH]) {
    const length = der[at + 1] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    requireThat(der[at] === 0x02 && length > 0 && number.length === length, "signature");
    const digits = number[0] === 0 ? number.subarray(1) : number;
    requireThat(digits.length <= COORDINATE_LENGTH, "signature");
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  requireThat(at === der.length, "signature");
  return raw;
}
