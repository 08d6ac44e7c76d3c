import { expect, test } from "vitest";
import { aBrowser } from "../support/worker";
import { aWorld, PEOPLE, type Who, type World } from "./people";
import { listEndpoints, listPaths } from "./routes";
import { type Row, type Sent, TABLE } from "./table";

/** Every endpoint of the built Worker, called by every kind of person. */

const world = await aWorld();

const methodOf = (row: Row) => row.endpoint.slice(0, row.endpoint.indexOf(" "));

/**
 * A request from a separate IP address. After a call that did something, which may have ended the session, the person signs in
 * again. No response depends on another.
 */
async function knock(row: Row, who: Who, address: string, sent: Sent): Promise<Response> {
  const method = methodOf(row);
  const cookie = await world.cookieFor(who);
  const headers: Record<string, string> = cookie ? { Cookie: cookie } : {};
  if (sent.text !== undefined) headers["Content-Type"] = "application/json";
  const response = await aBrowser().send(address, { method, ...sent, headers });
  if (method !== "GET" && response.status < 400) world.signInAgain(who);
  return response;
}

test("every endpoint has a row, and every row an endpoint", () => {
  expect(TABLE.map((row) => row.endpoint).sort()).toEqual(listEndpoints());
});

test.each(TABLE.map((row) => [row.endpoint, row.rule, row] as const))(
  "%s is for: %s",
  async (_endpoint, _rule, row) => {
    const answers: string[] = [];
    for (const who of PEOPLE) {
      const sent = row.ours && who === "other" ? row.ours : row.send;
      const response = await knock(row, who, row.at(world), sent);
      answers.push(`${who} ${response.status}`);
      await response.body?.cancel();
    }
    expect(answers.join(", ")).toBe(PEOPLE.map((who) => `${who} ${row.expected[who]}`).join(", "));
  },
);

const ROWS_OF_OURS = TABLE.filter((row) => row.ours !== undefined);

/** The same path with unknown ids. */
function addressOfNobody(row: Row): string {
  const nobody = world.services.ids.next();
  const missing: World = {
    ...world,
    payeeId: nobody,
    verificationId: nobody,
    paymentId: nobody,
    fileId: nobody,
    invoiceId: nobody,
    endpointId: nobody,
  };
  return row.at(missing);
}

/** A JSON response without its request id; a page's text without its ids. */
async function bodyOf(response: Response): Promise<string> {
  const text = await response.text();
  return text
    .replace(/"requestId":"[^"]*"/, "")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
    .replace(/nonce="[^"]*"/g, "");
}

test.each(ROWS_OF_OURS.map((row) => [row.endpoint, row] as const))(
  "%s tells other organisations nothing: ours, nobody's and nonsense are answered alike",
  async (_endpoint, row) => {
    const sent = row.ours ?? {};
    const foreign = await knock(row, "other", row.at(world), sent);
    const missing = await knock(row, "other", addressOfNobody(row), sent);
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(await bodyOf(foreign)).toBe(await bodyOf(missing));
  },
);

const OWN_ORIGIN = "http://app.test";
const FORGED: [method: string, headers: Record<string, string>][] = [
  ...["POST", "PUT", "PATCH", "DELETE"].map((method): [string, Record<string, string>] => [
    method,
    { Origin: "https://elsewhere.example" },
  ]),
  ["POST", { Origin: "null" }],
  ["POST", { Origin: `${OWN_ORIGIN}.elsewhere.example` }],
  ["POST", { Origin: OWN_ORIGIN, "Sec-Fetch-Site": "cross-site" }],
  ["POST", { "Sec-Fetch-Site": "same-site" }],
];
const adminCookie = (await world.cookieFor("admin")) ?? "";

// One guard protects all routes, so each method is tried on every eighth path, and the first on all of them.
test.each(
  listPaths()
    .filter((path) => !path.startsWith("/webhooks/"))
    .map(
      (path, at) =>
        [path, [...FORGED.slice(0, 1), ...FORGED.slice(at % FORGED.length, (at % FORGED.length) + 1)]] as const,
    ),
)("at %s another site's page changes nothing", async (path, ways) => {
  const address = path.replace(/:\w+|\*/g, world.payeeId);
  for (const [method, forged] of ways) {
    const headers = { Cookie: adminCookie, ...forged };
    const response = await aBrowser(OWN_ORIGIN).send(address, { method, text: "a=1", headers });
    expect([response.status, await response.text()], `${method} ${JSON.stringify(forged)}`).toEqual([
      403,
      expect.stringContaining("FORBIDDEN_ORIGIN"),
    ]);
  }
});
