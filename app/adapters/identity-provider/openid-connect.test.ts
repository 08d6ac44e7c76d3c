import { expect, test } from "vitest";
import { hosts } from "../../../simulators/hosts";
import { aClock } from "../../../tests/support/clock";
import { createOpenIdConnect, saysVerified } from "./openid-connect";

const ENTRA = "https://login.microsoftonline.com/0f0e/v2.0";
const GOOGLE = "https://accounts.google.com";
const OKTA = "https://bigcorp.okta.com";

test.each([
  ["Okta says so", OKTA, { email_verified: true }, true],
  ["Okta says no", OKTA, { email_verified: false }, false],
  ["Okta says nothing", OKTA, {}, false],
  ["somebody says it as text", OKTA, { email_verified: "true" }, false],
  ["Entra says that the domain is the tenant's", ENTRA, { xms_edov: true }, true],
  ["Entra says it as a number", ENTRA, { xms_edov: 1 }, true],
  ["Entra says it as text", ENTRA, { xms_edov: "1" }, true],
  ["Entra says no", ENTRA, { xms_edov: false }, false],
  ["Entra says nothing", ENTRA, {}, false],
  ["Entra says email_verified, which any administrator there may map", ENTRA, { email_verified: true }, false],
  [
    "Google says so of a company's own account",
    GOOGLE,
    { email: "a@bigcorp.example", email_verified: true, hd: "bigcorp.example" },
    true,
  ],
  [
    "Google says so of an account that is not the company's",
    GOOGLE,
    { email: "a@bigcorp.example", email_verified: true },
    false,
  ],
  [
    "Google says so of another company's account",
    GOOGLE,
    { email: "a@bigcorp.example", email_verified: true, hd: "other.example" },
    false,
  ],
])("an address counts as verified when %s: %s %j", (_, issuer, claims, expected) => {
  expect(saysVerified(issuer, claims)).toBe(expected);
});

/** A resolver that says where each name leads, and a provider with this document. */
function aProvider(document: object, addresses: readonly string[] = ["93.184.216.34"]) {
  const asked: string[] = [];
  const resolver = {
    fetch: async () => Response.json({ Status: 0, Answer: addresses.map((data) => ({ type: 1, data })) }),
  };
  const provider = {
    fetch: async ({ url }: Request) => {
      asked.push(url);
      return Response.json({ issuer: "https://idp.example", ...document });
    },
  };
  const fetch = hosts({ "https://resolver.example": resolver, "https://idp.example": provider });
  const resolverUrl = "https://resolver.example/dns-query";
  return { asked, at: createOpenIdConnect({ fetch, clock: aClock(), resolverUrl, isLocal: false }) };
}

const WHOLE = {
  authorization_endpoint: "https://idp.example/authorize",
  token_endpoint: "https://idp.example/token",
  jwks_uri: "https://idp.example/keys",
};

test("a provider is known by the issuer that its own document names", async () => {
  expect(await aProvider(WHOLE).at.lookUp("https://idp.example/")).toBe("https://idp.example");
});

test.each([
  ["leads to an address that is not public", WHOLE, ["10.0.0.5"]],
  ["leads to no address", WHOLE, []],
  ["names another issuer", { ...WHOLE, issuer: "https://other.example" }, undefined],
  ["lacks an address", { ...WHOLE, token_endpoint: undefined }, undefined],
  [
    "has an address that would run in the browser",
    { ...WHOLE, authorization_endpoint: "javascript:alert(1)" },
    undefined,
  ],
  ["has an address without TLS", { ...WHOLE, token_endpoint: "http://idp.example/token" }, undefined],
  ["signs with nothing", { ...WHOLE, id_token_signing_alg_values_supported: ["none", "HS256"] }, undefined],
])("a provider that %s is not used", async (_, document, addresses) => {
  await expect(aProvider(document, addresses).at.lookUp("https://idp.example")).rejects.toMatchObject({
    reason: "not_trusted",
  });
});

test("nothing is asked at a host that leads to a private address", async () => {
  const { at, asked } = aProvider(WHOLE, ["169.254.169.254"]);
  await expect(at.lookUp("https://idp.example")).rejects.toThrow("not public");
  expect(asked).toEqual([]);
});

test("what is asked of the browser carries PKCE, state and nonce, and asks silently only when told to", async () => {
  const { at } = aProvider(WHOLE);
  const asking = { state: "s", nonce: "n", codeVerifier: "v".repeat(43), returnUrl: "https://app.example/return" };
  const client = { issuer: "https://idp.example", clientId: "us" };
  const asked = new URL(await at.signInUrl(client, asking, { silently: false, email: "a@b.example" }));
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    client_id: "us",
    response_type: "code",
    scope: "openid email profile",
    state: "s",
    nonce: "n",
    code_challenge_method: "S256",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: "https://app.example/return",
    login_hint: "a@b.example",
  });
  expect(asked.searchParams.has("prompt")).toBe(false);
  expect(await at.signInUrl(client, asking, { silently: true })).toContain("prompt=none");
});
