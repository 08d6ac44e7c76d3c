import type { SimulatorContext } from "../party";

/** Tokens that a provider signs, and those that an attacker would send in their place. */

export type Lie =
  | "none"
  | "unverified"
  | "other_issuer"
  | "mixed_up"
  | "wrong_nonce"
  | "wrong_audience"
  | "other_party"
  | "two_audiences"
  | "unsigned"
  | "own_secret"
  | "unknown_key"
  | "expired";

const RS256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const SIZE = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
const HOUR_SECONDS = 3_600;

type Key = { kid: string; publicKey: JsonWebKey; privateKey: JsonWebKey };
type Claims = Readonly<Record<string, unknown>>;

/** The changes that each attack makes to the claims. */
const CHANGES: Readonly<Partial<Record<Lie, Claims>>> = {
  other_issuer: { iss: "https://another-provider.example" },
  wrong_nonce: { nonce: "the-nonce-of-another-sign-in" },
  wrong_audience: { aud: "another-application" },
  other_party: { azp: "another-application" },
  two_audiences: { aud: ["payeeproof", "another-application"] },
};

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The first key of each tenant, for every copy in this process: making one takes a tenth of a second. */
const firstKeys: Record<string, Promise<Key>> = {};

export function createSigner(context: SimulatorContext) {
  const kept = context.slice<Record<string, Key>>("identity-keys", () => ({}));

  async function newKey(): Promise<Key> {
    const pair = (await crypto.subtle.generateKey({ ...RS256, ...SIZE }, true, ["sign", "verify"])) as CryptoKeyPair;
    const [publicKey, privateKey] = await Promise.all([
      crypto.subtle.exportKey("jwk", pair.publicKey) as Promise<JsonWebKey>,
      crypto.subtle.exportKey("jwk", pair.privateKey) as Promise<JsonWebKey>,
    ]);
    return { kid: context.randomId(), publicKey, privateKey };
  }

  async function keyOf(tenant: string): Promise<Key> {
    firstKeys[tenant] ??= newKey();
    const key = kept[tenant] ?? (await firstKeys[tenant]);
    kept[tenant] = key;
    context.save();
    return key;
  }

  async function sign(claims: Claims, { kid, privateKey }: Key): Promise<string> {
    const text = `${encode({ alg: "RS256", kid, typ: "JWT" })}.${encode(claims)}`;
    const key = await crypto.subtle.importKey("jwk", privateKey, RS256, false, ["sign"]);
    const signature = await crypto.subtle.sign(RS256.name, key, new TextEncoder().encode(text));
    return `${text}.${Buffer.from(signature).toString("base64url")}`;
  }

  async function signWithSecret(claims: Claims): Promise<string> {
    const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    const secret = new TextEncoder().encode("simulated-client-secret");
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
    return `${text}.${Buffer.from(signature).toString("base64url")}`;
  }

  return {
    async idToken(tenant: string, lie: Lie, given: Claims): Promise<string> {
      const now = Math.floor(context.now() / 1000) - (lie === "expired" ? 2 * HOUR_SECONDS : 0);
      const claims = { iat: now, exp: now + HOUR_SECONDS, ...given, ...CHANGES[lie] };
      if (lie === "unsigned") return `${encode({ alg: "none", typ: "JWT" })}.${encode(claims)}.`;
      if (lie === "own_secret") return signWithSecret(claims);
      const key = await keyOf(tenant);
      return sign(claims, lie === "unknown_key" ? { ...(await newKey()), kid: key.kid } : key);
    },
    async keys(tenant: string) {
      const { kid, publicKey } = await keyOf(tenant);
      return { keys: [{ ...publicKey, kid, use: "sig", alg: "RS256" }] };
    },
    async rotate(tenant: string): Promise<void> {
      kept[tenant] = await newKey();
      context.save();
    },
  };
}
