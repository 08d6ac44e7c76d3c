import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { askParty, PARTIES } from "../../scripts/lib/first-day.mjs";
import { FIRST_FILE } from "../../simulators/myob/state";
import { FIRST_TENANT } from "../../simulators/xero/state";
import { aClock } from "../support/clock";
import { AZUPAY_KEY, createHarness } from "../support/simulator-bench";
import { SIMULATORS_ORIGIN, TEST_ENV } from "../support/test-env";

/** The calls of the first day with a real sandbox, tried on the simulators. */

const page = readFileSync("docs/operations/first-day.md", "utf8");
const harness = createHarness({ clock: aClock(), log: { warn() {} }, callApp: async () => new Response() });

/** The simulators, and the service of breached passwords as it is published: it has no simulator. */
const answer = async (request: Request) =>
  request.url === "https://api.pwnedpasswords.com/range/5BAA6"
    ? new Response("1E4C9B93F3F0682250B6CF8331B7EE68FD8:3730471\r\n00000000000000000000000000000000000:0")
    : harness.fetch(request);

/** What a person copies out of a system's own explorer: a token, after consent. */
async function tokenOf(system: "xero" | "myob", field: string, ledgerId: string): Promise<string> {
  const adapter = harness.accounting[system];
  const returnUrl = `${TEST_ENV.APP_ORIGIN}/integrations/${system}/return`;
  const verifier = "a-verifier-of-forty-three-characters-or-more-000";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const codeChallenge = Buffer.from(digest).toString("base64url");
  const address = adapter.consentUrl({ state: "s", codeChallenge, writesNotes: false, returnUrl });
  const body = new URLSearchParams({ [field]: ledgerId, answer: "allow" });
  const answer = await harness.fetch(new Request(address, { method: "POST", body }));
  const query = new URL(answer.headers.get("location") ?? "").searchParams;
  const back = { code: query.get("code") ?? "", codeVerifier: verifier, returnUrl, query };
  return (await adapter.acceptConsent(back)).credentials.accessToken;
}

test.each(Object.keys(PARTIES))("the call to %s finds what it asks for, and the page names it", async (name) => {
  const shell = {
    ...TEST_ENV,
    AZUPAY_API_KEY: AZUPAY_KEY,
    AZUPAY_BASE_URL: `${SIMULATORS_ORIGIN}/azupay`,
    XERO_ACCESS_TOKEN: await tokenOf("xero", "tenantId", FIRST_TENANT),
    XERO_TENANT_ID: FIRST_TENANT,
    MYOB_ACCESS_TOKEN: await tokenOf("myob", "businessId", FIRST_FILE),
    MYOB_BUSINESS_ID: FIRST_FILE,
    COP_SIMULATE: "close_match",
    ABR_WITHHELD_ABN: "32000000001",
    SMS_TO: "+61491570156",
    MAIL_TO: "kim@wattle.example",
  };
  const { missing, found } = await askParty(name, shell, answer);
  expect(missing).toEqual([]);
  expect(found.filter(([, isTrue]) => !isTrue)).toEqual([]);
  expect(found.length).toBeGreaterThan(0);
  expect(page).toContain(`npm run first-day -- ${name}`);
  for (const needed of PARTIES[name]?.needs ?? []) expect(page).toContain(needed);
});

test("a variable that is not set is named, and nobody is asked", async () => {
  const fetch = () => Promise.reject(new Error("asked"));
  expect(await askParty("xero", { XERO_TENANT_ID: "t" }, fetch)).toEqual({
    missing: ["XERO_ACCESS_TOKEN"],
    found: [],
    refused: [],
  });
});

test("a party that answers something else is seen", async () => {
  const body = JSON.stringify({ type: "list", data: [{ type: "error", code: "access-denied" }] });
  const { found, refused } = await askParty(
    "basiq",
    { BASIQ_API_KEY: "k" },
    async () => new Response(body, { status: 403 }),
  );
  expect(found.every(([, isTrue]) => !isTrue)).toBe(true);
  expect(refused).toEqual([`POST /token answered 403 ${body}`, `GET /connectors answered 403 ${body}`]);
});

test("every party says what is not covered, and what proves it", () => {
  const parties = page.split(/^## /m).slice(1);
  expect(parties.map((party) => party.split("\n")[0])).toEqual([
    "Basiq",
    "Confirmation of Payee (Zepto)",
    "Confirmation of Payee (Azupay)",
    "Stripe",
    "Xero",
    "MYOB",
    "Business register",
    "Email domains (DNS and RDAP)",
    "Text messages (Twilio)",
    "Email (Resend)",
    "Email (Cloudflare)",
    "Breached passwords (Have I Been Pwned)",
  ]);
  for (const party of parties) {
    const rows = [...party.matchAll(/^\| \[ \] \| (.+) \| (.+) \|$/gm)];
    expect(rows.length, party).toBeGreaterThan(1);
    expect(party.match(/^\|/gm)?.length, party).toBe(rows.length + 2);
  }
});
