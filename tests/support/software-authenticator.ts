import { toBase64Url } from "~/kernel/encodings";

/**
 * A device with passkeys, as programs meet one: keys of WebCrypto on P-256, authenticator data and attestation "none" written
 * by hand (WebAuthn level 3, 6.1 and 6.5.4; CBOR of RFC 8949 as far as it is needed). Everything a browser or a device says
 * can be said wrongly, so that a test can be an attacker.
 */

const UP = 0x01;
const UV = 0x04;
const BE = 0x08;
const BS = 0x10;
const AT = 0x40;

const text = (value: string) => new TextEncoder().encode(value);

const joined = (...parts: (Uint8Array | number[])[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** The head of a CBOR item: its kind and a number. */
function head(kind: number, value: number): number[] {
  if (value < 24) return [(kind << 5) | value];
  return value < 256 ? [(kind << 5) | 24, value] : [(kind << 5) | 25, value >> 8, value & 0xff];
}

const cborNumber = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const cborText = (value: string) => joined(head(3, value.length), text(value));
const cborBytes = (value: Uint8Array) => joined(head(2, value.length), value);

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

const uint32 = (value: number) => [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];

/** ECDSA in ASN.1, as devices send it, of the two numbers that WebCrypto gives. */
function asDer(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const integer = (part: Uint8Array) => {
    const first = part.findIndex((byte) => byte !== 0);
    const trimmed = part.subarray(first === -1 ? part.length - 1 : first);
    const body = (trimmed[0] ?? 0) >= 0x80 ? joined([0], trimmed) : trimmed;
    return joined([0x02, body.length], body);
  };
  const [r, s] = [integer(raw.subarray(0, 32)), integer(raw.subarray(32))];
  return joined([0x30, r.length + s.length], r, s);
}

/** What an attacker, or a careless browser, may say instead. */
export type Wrong = Partial<{
  origin: string;
  rpId: string;
  challenge: string;
  type: string;
  verified: boolean;
  present: boolean;
  crossOrigin: boolean;
  /** More flags of the authenticator data. */
  flags: number;
  /** Bytes after its end. */
  tail: number[];
  /** Another key's signature, as it is sent. */
  signer: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;
  counter: number;
  userHandle: string;
  credentialId: string;
}>;

/** Where the device believes it is. */
type Site = { origin: string; rpId: string };

export type SoftwareKey = Awaited<ReturnType<typeof aSoftwareKey>>;

/** A fresh key on a device. @param backedUp whether the device says that it may be, and is, copied */
export async function aSoftwareKey(site: Site, backedUp = false) {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const { publicKey, privateKey } = pair as CryptoKeyPair;
  const point = new Uint8Array((await crypto.subtle.exportKey("raw", publicKey)) as ArrayBuffer);
  const id = crypto.getRandomValues(new Uint8Array(32));
  const backup = backedUp ? BE | BS : 0;
  let counter = 0;

  const clientData = (type: string, challenge: string, wrong: Wrong) =>
    text(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? site.origin,
        crossOrigin: wrong.crossOrigin ?? false,
      }),
    );

  const authenticatorData = async (flags: number, wrong: Wrong, attested: Uint8Array = new Uint8Array()) =>
    joined(
      await sha256(text(wrong.rpId ?? site.rpId)),
      [flags | backup | (wrong.flags ?? 0) | (wrong.present === false ? 0 : UP) | (wrong.verified === false ? 0 : UV)],
      uint32(wrong.counter ?? counter),
      attested,
      wrong.tail ?? [],
    );

  return {
    id: toBase64Url(id),
    /** Answers what a page asked when a passkey was added, as the form's field carries it. */
    async make(challenge: string, wrong: Wrong = {}): Promise<string> {
      // COSE: EC2 (1: 2), ES256 (3: -7), P-256 (-1: 1), x, y.
      const cose = joined(
        head(5, 5),
        cborNumber(1),
        cborNumber(2),
        cborNumber(3),
        cborNumber(-7),
        cborNumber(-1),
        cborNumber(1),
        cborNumber(-2),
        cborBytes(point.subarray(1, 33)),
        cborNumber(-3),
        cborBytes(point.subarray(33)),
      );
      const attested = joined(new Uint8Array(16), [id.length >> 8, id.length & 0xff], id, cose);
      const authData = await authenticatorData(AT, wrong, attested);
      const attestation = joined(
        head(5, 3),
        cborText("fmt"),
        cborText("none"),
        cborText("attStmt"),
        head(5, 0),
        cborText("authData"),
        cborBytes(authData),
      );
      return JSON.stringify({
        id: toBase64Url(id),
        rawId: toBase64Url(id),
        type: "public-key",
        response: {
          clientDataJSON: toBase64Url(clientData("webauthn.create", challenge, wrong)),
          attestationObject: toBase64Url(attestation),
          transports: ["internal"],
        },
        clientExtensionResults: {},
      });
    },
    /** Signs what a page asked for, in the format of the form's field. */
    async sign(challenge: string, wrong: Wrong = {}): Promise<string> {
      counter += 1;
      const client = clientData("webauthn.get", challenge, wrong);
      const authData = await authenticatorData(0, wrong);
      const signed = joined(authData, await sha256(client));
      const ownSignature = async () =>
        asDer(new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, signed)));
      const signature = await (wrong.signer?.(signed) ?? ownSignature());
      const credentialId = wrong.credentialId ?? toBase64Url(id);
      return JSON.stringify({
        id: credentialId,
        rawId: credentialId,
        type: "public-key",
        response: {
          clientDataJSON: toBase64Url(client),
          authenticatorData: toBase64Url(authData),
          signature: toBase64Url(signature),
          ...(wrong.userHandle ? { userHandle: toBase64Url(text(wrong.userHandle)) } : {}),
        },
        clientExtensionResults: {},
      });
    },
  };
}

export const RSA_2048 = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** {1: 1, 3: -8, -1: 6, -2: x} */
export const okpKey = (x: string) =>
  Buffer.concat([Buffer.from("a4010103272006215820", "hex"), Buffer.from(x, "base64url")]);

/** {1: 3, 3: -257, -1: n, -2: e} */
export function rsaKey(n: string, e: string): Buffer {
  const [modulus, exponent] = [Buffer.from(n, "base64url"), Buffer.from(e, "base64url")];
  const length = Buffer.alloc(2);
  length.writeUInt16BE(modulus.length);
  return Buffer.concat([
    Buffer.from("a401030339010020", "hex"),
    Buffer.from("59", "hex"),
    length,
    modulus,
    Buffer.from([0x21, 0x40 | exponent.length]),
    exponent,
  ]);
}
