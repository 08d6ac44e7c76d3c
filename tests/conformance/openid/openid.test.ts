import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOpenIdConnect } from "~/adapters/identity-provider/openid-connect";
import type { ProviderClient } from "~/ports/identity-provider";
import { TEST_ENV } from "../../support/test-env";

/** Our side against an independent, certified provider over HTTP: npm oidc-provider in its own process. */

const PROGRAM = path.join(import.meta.dirname, "provider.mjs");
const returnUrl = "http://app.test/auth/company/org/return";

let child: ChildProcess;
/** Clients of two providers: one sends its secret in the body, one in the header. */
let post: ProviderClient;
let basic: ProviderClient;
beforeAll(async () => {
  child = fork(PROGRAM, ["client_secret_post", "client_secret_basic"], { silent: true });
  [[post, basic]] = (await once(child, "message")) as [[ProviderClient, ProviderClient]];
});
afterAll(() => child.kill());

const clock = { now: () => Date.now() };
/** Each request on a connection of its own: a kept one may just have been closed. */
const fetchAlone = (request: Request) => {
  const headers = new Headers(request.headers);
  headers.set("connection", "close");
  return fetch(new Request(request, { headers }));
};
const adapter = createOpenIdConnect({
  fetch: fetchAlone,
  clock,
  resolverUrl: TEST_ENV.DNS_RESOLVER_URL,
  isLocal: true,
});

const asking = (state = "state-of-this-browser") => ({
  state,
  nonce: "nonce-of-this-browser",
  codeVerifier: "a-verifier-that-only-this-browser-has-0123456789",
  returnUrl,
});

/** A browser that signs in at the provider's own pages: it follows redirects, keeps cookies and posts what the forms ask. */
async function signInThere(address: string, login: string): Promise<URLSearchParams> {
  const jar = new Map<string, string>();
  const open = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form && new URLSearchParams(form);
    const response = await fetchAlone(
      new Request(url, { method: body ? "POST" : "GET", headers: { cookie }, body, redirect: "manual" }),
    );
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  let [url, form]: [string, Record<string, string> | undefined] = [address, undefined];
  for (let step = 0; step < 20; step++) {
    const response = await open(url, form);
    form = undefined;
    const location = response.headers.get("location");
    if (location) {
      const next = new URL(location, url).href;
      if (next.startsWith(returnUrl)) return new URL(next).searchParams;
      url = next;
      continue;
    }
    const page = await response.text();
    const [, action = "", fields = ""] = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(page) ?? [];
    if (action === "") throw new Error(`no form at ${url}: ${page.slice(0, 500)}`);
    const [, prompt = ""] = /name="prompt" value="([^"]+)"/.exec(fields) ?? [];
    url = new URL(action, url).href;
    form = prompt === "login" ? { prompt, login, password: "any" } : { prompt };
  }
  throw new Error("the provider went on asking");
}

test.each([
  ["in the body", () => post],
  ["in the header, with every kind of letter in it", () => basic],
])(
  "a person signs in, with the client's secret %s, and the rest is asked for with the access token",
  async (_, clientOf) => {
    const client = clientOf();
    expect(await adapter.lookUp(`${client.issuer}/`)).toBe(client.issuer);
    const address = await adapter.signInUrl(client, asking(), { silently: false });
    const query = await signInThere(address, "mira");
    expect(query.get("iss")).toBe(client.issuer);
    expect(await adapter.readAnswer(client, asking(), query)).toEqual({
      subject: "mira",
      email: "mira@bigcorp.example",
      isEmailVerified: true,
      firstName: "Mira",
      lastName: "Okafor",
      usedTwoFactors: false,
    });
    await expect(adapter.readAnswer(client, asking(), query)).rejects.toMatchObject({ reason: "refused" });
  },
);

test("an address that it does not call verified is not", async () => {
  const query = await signInThere(await adapter.signInUrl(post, asking(), { silently: false }), "unverified-kim");
  expect(await adapter.readAnswer(post, asking(), query)).toMatchObject({ isEmailVerified: false });
});

test.each([
  ["another state", { ...asking(), state: "state-of-another-browser" }, "not_trusted"],
  ["another nonce", { ...asking(), nonce: "nonce-of-another-sign-in" }, "not_trusted"],
  ["another verifier", { ...asking(), codeVerifier: `${asking().codeVerifier}-not-mine` }, "refused"],
])("with %s its answer signs nobody in", async (_, kept, reason) => {
  const query = await signInThere(await adapter.signInUrl(post, asking(), { silently: false }), "mira");
  await expect(adapter.readAnswer(post, kept, query)).rejects.toMatchObject({ reason });
});

test("an answer that names another issuer, or none where it always does, signs nobody in", async () => {
  const query = await signInThere(await adapter.signInUrl(post, asking(), { silently: false }), "mira");
  const another = new URLSearchParams(query);
  another.set("iss", basic.issuer);
  await expect(adapter.readAnswer(post, asking(), another)).rejects.toMatchObject({ reason: "not_trusted" });
  another.delete("iss");
  await expect(adapter.readAnswer(post, asking(), another)).rejects.toMatchObject({ reason: "not_trusted" });
});

test("without a session there, a question that may ask nothing is answered that a person has to be asked", async () => {
  const address = await adapter.signInUrl(post, asking(), { silently: true });
  const response = await fetchAlone(new Request(address, { redirect: "manual" }));
  const query = new URL(response.headers.get("location") ?? "").searchParams;
  await expect(adapter.readAnswer(post, asking(), query)).rejects.toMatchObject({ reason: "asks_person" });
});

test("a wrong secret of the client is said to be refused", async () => {
  const query = await signInThere(await adapter.signInUrl(post, asking(), { silently: false }), "mira");
  await expect(adapter.readAnswer({ ...post, clientSecret: "wrong" }, asking(), query)).rejects.toMatchObject({
    reason: "refused",
    detail: expect.stringContaining("invalid_client"),
  });
});

test("the provider changed its key: the next person comes in at once", async () => {
  child.send(0);
  await once(child, "message");
  const query = await signInThere(await adapter.signInUrl(post, asking(), { silently: false }), "mira");
  expect(await adapter.readAnswer(post, asking(), query)).toMatchObject({ subject: "mira" });
});
