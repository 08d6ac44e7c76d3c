import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { expect, test } from "vitest";
import { aSoftwareKey, okpKey, RSA_2048, rsaKey, type Wrong } from "../../tests/support/software-authenticator";
import { toBase64Url } from "./encodings";
import { checkNewPasskey, checkSignature } from "./webauthn.server";

/** Compares every verdict with that of a library that implements all of WebAuthn. */

const SITE = { origin: "https://app.payeeproof.example", rpId: "app.payeeproof.example" };
const CHALLENGE = toBase64Url(new TextEncoder().encode("a challenge of thirty-two bytes!"));
const ASKED = { ...SITE, challenge: CHALLENGE };
const EXPECTED = { expectedChallenge: CHALLENGE, expectedOrigin: SITE.origin, expectedRPID: SITE.rpId };

const orRefused = <T>(verdict: Promise<T>) => verdict.catch(() => ({ verified: false }));

const CASES: readonly [string, Wrong, boolean][] = [
  ["right", {}, true],
  ["with a high counter", { counter: 4_000_000_000 }, true],
  ["of another origin", { origin: "https://app.payeepr00f.example" }, false],
  ["of our host by another scheme", { origin: "http://app.payeeproof.example" }, false],
  ["of another host", { rpId: "payeeproof.example" }, false],
  ["for another challenge", { challenge: toBase64Url(new TextEncoder().encode("another")) }, false],
  ["of another type", { type: "payment.get" }, false],
  ["without verification of the person", { verified: false }, false],
  ["with nobody present", { present: false }, false],
  ["backed up without being able to", { flags: 0x10 }, false],
  ["with bytes left over", { tail: [1, 2, 3] }, false],
];

test.each(CASES)("a passkey made %s gets the library's verdict", async (_, wrong, isRight) => {
  const key = await aSoftwareKey(SITE);
  const answer = JSON.parse(await key.make(CHALLENGE, wrong));
  const [own, theirs] = await Promise.all([
    checkNewPasskey(answer, ASKED),
    orRefused(verifyRegistrationResponse({ ...EXPECTED, response: answer, requireUserVerification: true })),
  ]);
  expect(["value" in own, theirs.verified]).toEqual([isRight, isRight]);
});

test.each(CASES)("a signature %s gets the library's verdict", async (_, wrong, isRight) => {
  const key = await aSoftwareKey(SITE);
  const made = await checkNewPasskey(JSON.parse(await key.make(CHALLENGE)), ASKED);
  if (!("value" in made)) throw new Error(made.refused);
  const answer = JSON.parse(await key.sign(CHALLENGE, wrong));
  const credential = { id: key.id, publicKey: Buffer.from(made.value.publicKey, "base64url"), counter: 0 };
  const [own, theirs] = await Promise.all([
    checkSignature(answer, ASKED, made.value.publicKey),
    orRefused(
      verifyAuthenticationResponse({
        ...EXPECTED,
        response: answer,
        credential: { ...credential, publicKey: new Uint8Array(credential.publicKey) },
        requireUserVerification: true,
      }),
    ),
  ]);
  expect(["value" in own, theirs.verified]).toEqual([isRight, isRight]);
});

test("what the library reads of a new key is what we keep", async () => {
  for (const isBackedUp of [true, false]) {
    const key = await aSoftwareKey(SITE, isBackedUp);
    const answer = JSON.parse(await key.make(CHALLENGE, { counter: 7 }));
    const own = await checkNewPasskey(answer, ASKED);
    const { registrationInfo } = await verifyRegistrationResponse({ ...EXPECTED, response: answer });
    if (!("value" in own) || !registrationInfo) throw new Error("refused");
    expect(own.value).toEqual({
      credentialId: registrationInfo.credential.id,
      publicKey: toBase64Url(registrationInfo.credential.publicKey),
      counter: registrationInfo.credential.counter,
      aaguid: registrationInfo.aaguid,
      kind: registrationInfo.credentialDeviceType,
      isBackedUp: registrationInfo.credentialBackedUp,
    });
  }
});

test("a page in a frame of another site is refused", async () => {
  const key = await aSoftwareKey(SITE);
  const made = await key.make(CHALLENGE, { crossOrigin: true });
  expect(await checkNewPasskey(JSON.parse(made), ASKED)).toEqual({ refused: "in a frame of another site" });
});

test("a signature with one bit changed, cut short, or of another key is refused", async () => {
  const [key, other] = [await aSoftwareKey(SITE), await aSoftwareKey(SITE)];
  const made = await checkNewPasskey(JSON.parse(await key.make(CHALLENGE)), ASKED);
  if (!("value" in made)) throw new Error(made.refused);
  const { publicKey } = made.value;
  const answer = JSON.parse(await key.sign(CHALLENGE));
  expect(await checkSignature(answer, ASKED, publicKey)).toHaveProperty("value");
  const signature = Buffer.from(answer.response.signature, "base64url");
  const bytes = [...signature.keys()];
  for (const at of bytes) {
    const changed = Buffer.from(signature);
    changed.writeUInt8((signature[at] ?? 0) ^ 0x01, at);
    const response = { ...answer.response, signature: changed.toString("base64url") };
    expect(await checkSignature({ ...answer, response }, ASKED, publicKey)).toHaveProperty("refused");
    const short = { ...answer.response, signature: signature.subarray(0, at).toString("base64url") };
    expect(await checkSignature({ ...answer, response: short }, ASKED, publicKey)).toHaveProperty("refused");
  }
  expect(await checkSignature(JSON.parse(await other.sign(CHALLENGE)), ASKED, publicKey)).toEqual({
    refused: "signature",
  });
});

test("authenticator data that was cut or changed anywhere is refused", async () => {
  const key = await aSoftwareKey(SITE);
  const answer = JSON.parse(await key.make(CHALLENGE));
  const whole = Buffer.from(answer.response.attestationObject, "base64url");
  for (let length = 0; length < whole.length; length++) {
    const response = { ...answer.response, attestationObject: whole.subarray(0, length).toString("base64url") };
    expect(await checkNewPasskey({ ...answer, response }, ASKED)).toHaveProperty("refused");
  }
});

test("Ed25519 and RSA keys of 2,048 bits are taken, shorter ones and other kinds are not", async () => {
  const kinds = [
    { kind: { name: "Ed25519" }, sign: { name: "Ed25519" }, isTaken: true },
    { kind: RSA_2048, sign: { name: "RSASSA-PKCS1-v1_5" }, isTaken: true },
    { kind: { ...RSA_2048, modulusLength: 1024 }, sign: { name: "RSASSA-PKCS1-v1_5" }, isTaken: false },
  ];
  for (const { kind, sign, isTaken } of kinds) {
    const pair = (await crypto.subtle.generateKey(kind, true, ["sign", "verify"])) as CryptoKeyPair;
    const jwk = await crypto.subtle.exportKey("jwk", pair.publicKey);
    const cose = jwk.kty === "OKP" ? okpKey(jwk.x ?? "") : rsaKey(jwk.n ?? "", jwk.e ?? "");
    const key = await aSoftwareKey(SITE);
    const answer = JSON.parse(
      await key.sign(CHALLENGE, {
        signer: async (bytes) => new Uint8Array(await crypto.subtle.sign(sign, pair.privateKey, bytes)),
      }),
    );
    const verdict = await checkSignature(answer, ASKED, cose.toString("base64url"));
    expect("value" in verdict).toBe(isTaken);
  }
});
