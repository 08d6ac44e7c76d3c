import type { Grant } from "../accounting/grants";
import type { SimulatorContext } from "../party";
import { type Route, route } from "../routes";

/** Tokens as Xero's identity server signs them, and the addresses by which a client finds it (OpenID Connect). */

const KEY_ID = "simulated-key";
const SIGNATURE = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

let made: Promise<CryptoKeyPair> | undefined;

/** Made when the first token is signed: it takes a while. */
const keys = () => {
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  made ??= crypto.subtle.generateKey({ ...SIGNATURE, ...size }, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
  return made;
};

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const part = (value: object) => base64Url(new TextEncoder().encode(JSON.stringify(value)));

async function sign(claims: object): Promise<string> {
  const text = `${part({ alg: "RS256", kid: KEY_ID, typ: "JWT" })}.${part(claims)}`;
  const { privateKey } = await keys();
  const signature = await crypto.subtle.sign(SIGNATURE.name, privateKey, new TextEncoder().encode(text));
  return `${text}.${base64Url(new Uint8Array(signature))}`;
}

const issuerOf = ({ publicOrigin }: SimulatorContext) => `${publicOrigin}/xero/identity`;
const PERSON = { given_name: "Sam", family_name: "Lee", email: "sam.lee@alpha.example" };

/** Access tokens are JWTs; with the scope `openid` one more says who consented. */
export async function xeroTokens(context: SimulatorContext, clientId: string, grant: Grant, expiresAt: number) {
  const now = Math.floor(context.now() / 1000);
  const user = { sub: grant.id.replaceAll("-", ""), xero_userid: grant.id, auth_time: now };
  const claims = { iss: issuerOf(context), nbf: now, iat: now, exp: Math.floor(expiresAt / 1000), ...user };
  const access_token = await sign({
    ...claims,
    aud: `${issuerOf(context)}/resources`,
    client_id: clientId,
    jti: context.randomId(),
    authentication_event_id: grant.id,
    scope: grant.scopes,
  });
  if (!grant.scopes.includes("openid")) return { access_token };
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(access_token)));
  const at_hash = base64Url(hash.slice(0, hash.length / 2));
  const name = { preferred_username: PERSON.email, ...PERSON };
  return { access_token, id_token: await sign({ ...claims, aud: clientId, at_hash, ...name }) };
}

export function discoveryRoutes(context: SimulatorContext): Route[] {
  const issuer = issuerOf(context);
  return [
    route("GET", "/identity/.well-known/openid-configuration", () =>
      Response.json({
        issuer,
        authorization_endpoint: `${context.publicOrigin}/xero/authorize`,
        token_endpoint: `${issuer}/connect/token`,
        revocation_endpoint: `${issuer}/connect/revocation`,
        jwks_uri: `${issuer}/.well-known/openid-configuration/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      }),
    ),
    route("GET", "/identity/.well-known/openid-configuration/jwks", async () => {
      const { publicKey } = await keys();
      const { kty, n, e } = await crypto.subtle.exportKey("jwk", publicKey);
      return Response.json({ keys: [{ kty, use: "sig", kid: KEY_ID, alg: "RS256", n, e }] });
    }),
  ];
}
