import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { until } from "../support/api-client";
import { fillPath, listRoutePaths } from "../support/every-route";
import { oneConnection, type RawAnswer, type RawRequest, rawRequest } from "../support/raw-http";

/**
 * Hostile requests against every route: the paths are read from the route files, so that new ones are covered. No
 * response may be a server error, have an undocumented format, or contain another organisation's data.
 */

const { origin, simulators, stateDir } = inject("app");
/** Other files make the same people on the same server, and set their password anew: it is one for all. */
const { DEMO_PASSWORD: PASSWORD } = JSON.parse(readFileSync(path.join(stateDir, "secrets.json"), "utf8")) as {
  DEMO_PASSWORD: string;
};

const MISSING = "01900000-0000-7000-8000-000000000000";

type TwoOrganizations = {
  organizationId: string;
  payees: string[];
  pending: string[];
  links: { token: string; vid: string; pid: string }[];
  markers: string[];
};
type Fixtures = { people: Record<string, { email: string }>; A: TwoOrganizations; B: TwoOrganizations };

const routes = listRoutePaths();
/** The API documentation consists of pages, not calls. */
const calls = routes.filter((route) => route.startsWith("/api/") && !route.startsWith("/api/docs"));
const pages = routes.filter((route) => !/^\/(api|webhooks)\//.test(route));

let fixtures: Fixtures;
let cookie: string;
let foreign: { cookie: string; payeeId: string; verificationId: string; paymentId: string };

const ask = (request: RawRequest) => rawRequest(origin, request);
const asA = (request: RawRequest) => ask({ ...request, headers: { cookie, ...request.headers } });
const sendJson = (path: string, body: unknown, headers: Record<string, string> = {}, method = "POST") =>
  ask({ method, path, body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } });

async function signIn(person: string): Promise<string> {
  const answer = await sendJson("/api/login", { email: fixtures.people[person]?.email, password: PASSWORD });
  expect(answer.status).toBe(200);
  return [answer.headers["set-cookie"] ?? []]
    .flat()
    .map((line) => line.split(";")[0])
    .join("; ");
}

beforeAll(async () => {
  const made = await sendJson("/__local/fixtures", { password: PASSWORD });
  expect(made.status, made.text).toBe(200);
  fixtures = JSON.parse(made.text);
  cookie = await signIn("adminA");
  const theirs = await signIn("adminB");
  const [payeeId = "", [verificationId = ""]] = [fixtures.B.payees[0], fixtures.B.pending];
  const paid = await sendJson("/api/payments", { payeeId, amount: 100, reference: "Theirs" }, { cookie: theirs });
  foreign = { cookie: theirs, payeeId, verificationId, paymentId: JSON.parse(paid.text).payment.id };
});

/** No server error, no internal details, and the documented format for API clients. */
function expectRefusal(answer: RawAnswer, what: string) {
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBeGreaterThanOrEqual(400);
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBeLessThan(500);
  expect(answer.text, what).not.toMatch(/D1_ERROR|SQLITE|Unexpected Server Error|\.js:\d+/);
  const error = {
    message: expect.any(String),
    code: expect.stringMatching(/^[A-Z_]+$/),
    requestId: expect.any(String),
  };
  expect(JSON.parse(answer.text), what).toMatchObject(error);
}

/** Something of ours for every parameter, so that the request gets as far as its body. */
function ownPath(route: string): string {
  const { payees, pending, links } = fixtures.A;
  const id = route.includes("/verifications/:id") ? pending[0] : payees[0];
  return fillPath(route, (route.includes("/verify/") ? links[0]?.token : id) ?? "");
}

/** Every third payload, starting at a different one for each path, because the same code parses all of them. */
const someOf = <T>(all: readonly T[], nth: number) => all.filter((_, at) => at % 3 === nth % 3);

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

test("a payee of the fixtures is renamed like any other", async () => {
  const renamed = await sendJson(`/api/payees/${fixtures.A.payees[2]}`, { name: "Renamed Here" }, { cookie }, "PATCH");
  expect(JSON.parse(renamed.text)).toMatchObject({ payee: { name: "Renamed Here" } });
});

describe("JSON calls", () => {
  const JSON_TYPE = "application/json";
  const MALFORMED: [what: string, type: string, body: string | Uint8Array][] = [
    ["no JSON", JSON_TYPE, "{nope"],
    ["blanks", JSON_TYPE, "   "],
    ["JSON under another type", "text/plain", "{}"],
    ["JSON without a type", "", "{}"],
    ["a form", "application/x-www-form-urlencoded", "a=1"],
    ["invalid UTF-8", JSON_TYPE, bytes('{"name":"', [0xff, 0xfe, 0xc0], '"}')],
    ["100,000 nested arrays", JSON_TYPE, "[".repeat(100_000) + "]".repeat(100_000)],
    ["30,000 nested arrays", JSON_TYPE, "[".repeat(30_000) + "]".repeat(30_000)],
    ["a megabyte", JSON_TYPE, JSON.stringify({ name: "x".repeat(1024 * 1024) })],
    ["an array", JSON_TYPE, "[]"],
    ["a string", JSON_TYPE, '"x"'],
    ["null", JSON_TYPE, "null"],
    ["a number too large", JSON_TYPE, "1e999"],
  ];

  test.each(["POST", "PATCH", "DELETE"])("what is no body is refused by every %s", async (method) => {
    let reached = 0;
    for (const [nth, route] of calls.filter((call) => call !== "/api/logout").entries()) {
      const path = ownPath(route);
      for (const [what, type, body] of method === "POST" ? someOf(MALFORMED, nth) : MALFORMED) {
        // Plain text is a file here, and any file may be compared with what was cleared.
        if (path === "/api/payment-files/prove" && type === "text/plain") continue;
        const answer = await asA({ method, path, body, headers: { "content-type": type } });
        expectRefusal(answer, `${method} ${path}, ${what}`);
        if (answer.status === 405 || answer.status === 404) break;
        reached++;
      }
    }
    expect(reached).toBeGreaterThanOrEqual(MALFORMED.length);
  });

  test.each(["PUT", "OPTIONS", "TRACE", "PROPFIND"].map((method, nth) => [method, nth] as const))(
    "%s is answered in our own words",
    async (method, nth) => {
      for (const route of someOf(calls, nth))
        expectRefusal(await asA({ method, path: ownPath(route) }), `${method} ${route}`);
    },
  );

  const CURSOR = Buffer.from('{"id":1}').toString("base64url");
  const TEXTS = [
    "%",
    "'",
    "NEAR(",
    "\u0000",
    "\u{1f600}",
    "x".repeat(60),
    "z".repeat(3000),
    "1795159492000.x",
    "-1",
    CURSOR,
  ];

  test("searches, filters and cursors of pages take any text", async () => {
    for (const value of TEXTS.map(encodeURIComponent)) {
      for (const path of ["/payees?q", "/payees?after", "/payments?before", "/verifications/pending?q", "/audit?by"]) {
        const answer = await asA({ path: `${path}=${value}` });
        expect(answer.status, `${path}=${value.slice(0, 40)}`).toBe(200);
      }
    }
  });
});

describe("pages", () => {
  const BOUNDARY = "multipart/form-data; boundary=XX";
  const HOSTILE: [what: string, type: string, body: string | Uint8Array][] = [
    ["no form", "application/json", "{}"],
    ["multipart without a boundary", "multipart/form-data", "x"],
    ["multipart without a part", BOUNDARY, "garbage"],
    ["multipart cut off", BOUNDARY, '--XX\r\nContent-Disposition: form-data; name="intent"\r\n\r\nappr'],
    ["a megabyte", "application/x-www-form-urlencoded", `reason=${"x".repeat(1024 * 1024)}`],
    ["invalid UTF-8", "application/x-www-form-urlencoded", bytes("intent=", [0xff, 0xfe])],
  ];
  /** Meaningless values that each page has to handle itself. */
  const MEANINGLESS: typeof HOSTILE = [
    ["an intent nobody has", "application/x-www-form-urlencoded", "intent=zzz&tab=zzz&response=zzz"],
    ["names of the language", "application/x-www-form-urlencoded", "__proto__=1&constructor=2&a[99999999]=1&a.b.c=1"],
  ];

  test("a form that is none is refused by every page, and never a fault of ours", async () => {
    let reached = 0;
    for (const [nth, route] of pages.filter((page) => !/^\/(logout|:splat)/.test(page)).entries()) {
      for (const [what, type, body] of [...MEANINGLESS, ...someOf(HOSTILE, nth)]) {
        const headers = { accept: "text/html", "content-type": type };
        const answer = await asA({ method: "POST", path: ownPath(route), body, headers });
        // Whoever asks is given a challenge for a passkey; nothing of what was sent is read.
        if (route !== "/auth/passkey") expect(answer.status, `${route}, ${what}`).toBeGreaterThanOrEqual(300);
        expect(answer.status, `${route}, ${what}`).toBeLessThan(500);
        if (answer.status === 405 || answer.status === 404) break;
        reached++;
      }
    }
    expect(reached).toBeGreaterThan(3 * HOSTILE.length);
  });

  test("a form of unknown length is refused when it is too large", async () => {
    const headers = { "content-type": BOUNDARY, "transfer-encoding": "chunked" };
    const answer = await asA({ method: "POST", path: "/payees/verify", body: Buffer.alloc(300_000, 97), headers });
    expect(answer.status).toBe(413);
  });

  test.each([
    "/%",
    "/%00",
    "/payees/%FF",
    "/api/payees/%",
    "/verify/%E0%A4%A?vid=1&pid=2",
    "//elsewhere.example/payees",
    "/payees/..%2f..%2fapi%2fuser",
    `/verify/${"t".repeat(8000)}?vid=1&pid=2`,
  ])("the address %j is answered calmly", async (path) => {
    for (const method of ["GET", "POST"]) {
      const answer = await asA({ method, path });
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers.location ?? "").not.toContain("elsewhere");
    }
  });
});

describe("connections", () => {
  test("a body that nobody wanted does not break the request that follows it", async () => {
    const agent = oneConnection();
    const paths = [
      "/api/payees",
      "/api/login",
      "/api/nothing",
      "/payees/verify",
      "/auth",
      "/nothing",
      "/webhooks/basiq",
    ];
    for (const size of [1_000, 100_000, 1_500_000]) {
      for (const path of paths) {
        const headers = { "content-type": "application/json" };
        const answer = await ask({ method: "POST", path, body: Buffer.alloc(size, 97), headers, agent });
        expect(answer.status, path).toBeLessThan(500);
        expect((await ask({ path: "/healthz", agent })).status, `after ${path}`).toBe(200);
      }
    }
    agent.destroy();
  });
});

describe("other sites", () => {
  const FORGED: Record<string, string>[] = [
    { origin: "https://elsewhere.example" },
    { origin: "null" },
    { origin: `${origin}.elsewhere.example` },
    { origin, "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];

  // That every route refuses them is tried in tests/authorisation; here, that no header is lost on the way.
  test.each(["/api/payees", "/payees/verify"])("another site's page changes nothing at %s", async (path) => {
    for (const [index, forged] of FORGED.entries()) {
      for (const method of index === 0 ? ["POST", "PUT", "PATCH", "DELETE"] : ["POST"]) {
        const answer = await asA({ method, path, body: "a=1", headers: forged });
        expect([answer.status, answer.text], `${method} ${JSON.stringify(forged)}`).toEqual([
          403,
          expect.stringContaining("FORBIDDEN_ORIGIN"),
        ]);
      }
    }
  });

  test("a cookie that came along with a token is not believed", async () => {
    const headers = { ...FORGED[0], authorization: "Bearer pp_nothing", "content-type": "application/json" };
    const answer = await asA({ method: "POST", path: "/api/payees", body: "{}", headers });
    expect([401, 403]).toContain(answer.status);
  });

  test.each(["//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example", "/\t/elsewhere.example"])(
    "nobody is led to %j",
    async (next) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const email = fixtures.people.memberA?.email ?? "";
      const login = new URLSearchParams({ tab: "login", email, password: PASSWORD, next }).toString();
      const signedIn = await ask({ method: "POST", path: "/auth", body: login, headers });
      expect([signedIn.status, signedIn.headers.location]).toEqual([303, "/dashboard"]);
      const theme = new URLSearchParams({ theme: "dark", redirectTo: next }).toString();
      const led = await ask({ method: "POST", path: "/theme", body: theme, headers });
      expect([led.status, led.headers.location]).toEqual([303, "/"]);
    },
  );

  test("links in emails lead to our own address, whatever Host the request came with", async () => {
    const [verificationId = "", payeeId = ""] = [fixtures.A.pending[1], fixtures.A.payees[1]];
    const more = { cookie, host: "elsewhere.example", "x-forwarded-host": "elsewhere.example" };
    const sent = await sendJson(`/api/verifications/${verificationId}/send-link`, { channel: "email" }, more);
    expect(sent.status, payeeId).toBe(202);
    const mails = () =>
      fetch(`${simulators}/mail/messages`).then((answer) => answer.json() as Promise<{ links: string[] }[]>);
    const links = (all: { links: string[] }[]) =>
      all.flatMap((mail) => mail.links).filter((link) => link.includes(verificationId));
    const found = await until(mails, (all) => links(all).length > 0, "the mail with the link");
    for (const link of links(found)) expect(link.startsWith(`${origin}/verify/`)).toBe(true);
  });
});

describe("sessions", () => {
  test("a garbage cookie is a signed-out visitor", async () => {
    const [, value = ""] = /session=([^;]*)/.exec(cookie) ?? [];
    const garbage = [
      "",
      "session",
      "session=",
      "session=%",
      "session=%E0%A4%A",
      "session=null",
      "session=W10%3D.",
      ";;;",
    ];
    const forged = [
      `session=${value}x`,
      `session=${value.slice(0, -6)}`,
      `session="x"`,
      `session=${"a".repeat(6000)}`,
      "flash=%",
    ];
    for (const cookie of [...garbage, ...forged]) {
      expect((await ask({ path: "/api/user", headers: { cookie } })).status, cookie.slice(0, 40)).toBe(401);
      expect((await ask({ path: "/dashboard", headers: { cookie } })).status, cookie.slice(0, 40)).toBe(302);
      expect((await ask({ path: "/auth", headers: { cookie } })).status, cookie.slice(0, 40)).toBe(200);
    }
  });

  test("a session is over once its person has signed out, wherever the cookie was kept", async () => {
    const mine = await signIn("memberA");
    expect((await ask({ path: "/api/user", headers: { cookie: mine } })).status).toBe(200);
    expect((await sendJson("/api/logout", {}, { cookie: mine })).status).toBe(204);
    expect((await ask({ path: "/api/user", headers: { cookie: mine } })).status).toBe(401);
  });
});

describe("another organisation", () => {
  const withoutIds = ({ text }: RawAnswer, id: string) =>
    text
      .replaceAll(id, "ID")
      .replace(/"requestId":"[^"]*"/g, "")
      .replace(/nonce[=-]+"?[\w+/=]*/g, "");
  const theirIds = () => [foreign.payeeId, foreign.verificationId, foreign.paymentId, fixtures.B.organizationId];
  test("nothing of theirs can be changed, and the refusal is the one for what does not exist", async () => {
    const changes = (payee: string, verification: string, payment: string): [string, string, unknown][] => [
      ["PATCH", `/api/payees/${payee}`, { name: "Taken over" }],
      ["POST", `/api/payees/${payee}/verifications`, {}],
      ["POST", `/api/payees/${payee}/whitelist`, { reason: "Because we can" }],
      ["DELETE", `/api/payees/${payee}/whitelist`, { reason: "Because we can" }],
      ["POST", `/api/verifications/${verification}/review`, { approved: true, addToGlobalWhitelist: true }],
      ["POST", `/api/verifications/${verification}/verify-basiq`, {}],
      ["POST", `/api/verifications/${verification}/send-link`, { channel: "email" }],
      ["POST", "/api/payments", { payeeId: payee, amount: 100, reference: "Theirs" }],
      ["POST", `/api/payments/${payment}/decision`, { decision: "approve", reason: "Because we can" }],
      ["POST", `/api/payments/${payment}/outcome`, { status: "successful" }],
    ];
    const look = async () => {
      const headers = { cookie: foreign.cookie };
      const paths = [
        `payees/${foreign.payeeId}`,
        `verifications/${foreign.verificationId}`,
        `payments/${foreign.paymentId}`,
      ];
      return Promise.all(paths.map(async (path) => (await ask({ path: `/api/${path}`, headers })).text));
    };
    const before = await look();
    const missing = changes(MISSING, MISSING, MISSING);
    for (const [index, [method, path, body]] of changes(
      foreign.payeeId,
      foreign.verificationId,
      foreign.paymentId,
    ).entries()) {
      const theirs = await sendJson(path, body, { cookie }, method);
      const none = await sendJson(missing[index]?.[1] ?? "", missing[index]?.[2], { cookie }, method);
      expect([theirs.status, withoutIds(theirs, MISSING)], path).toEqual([404, withoutIds(none, MISSING)]);
    }
    expect(await look()).toEqual(before);
  });

  test.each(["adminA", "readOnlyA", "pendingA", "rejectedA", "superAdmin"])(
    "nothing of theirs is found by %s who follows every link",
    async (person) => {
      const mine = await signIn(person);
      const [marker = ""] = fixtures.B.markers;
      // Super admins see that an organisation exists, but none of its payees.
      const secrets =
        person === "superAdmin" ? [marker, ...theirIds().slice(0, 3)] : [...fixtures.B.markers, ...theirIds()];
      const searches = ["/payees", "/verifications/pending", "/api/payees", "/api/verifications/pending"];
      const listings = [
        "/dashboard",
        "/payments",
        "/audit",
        "/profile",
        "/subscription",
        "/api/audit",
        "/api/payments",
      ];
      const waiting = [...searches.map((path) => `${path}?q=${marker.slice(0, -1)}`), ...searches, ...listings];
      const seen = new Set<string>();
      // The documentation is the same for everybody, and would take the place of pages with data.
      for (let path = waiting.shift(); path !== undefined && seen.size < 40; path = waiting.shift()) {
        if (seen.has(path)) continue;
        seen.add(path);
        const { status, text } = await ask({ path, headers: { cookie: mine } });
        expect(status, path).toBeLessThan(500);
        for (const theirs of secrets) expect(text.includes(theirs), `${path} shows ${theirs}`).toBe(false);
        for (const [, href = ""] of text.matchAll(/href="(\/(?!build\/|favicon|api\/docs)[^"#]*)"/g))
          waiting.push(href.replaceAll("&amp;", "&"));
      }
      expect(seen.size).toBeGreaterThan(10);
    },
  );
});

test("whatever was sent, the trail of the organisation still holds", async () => {
  await fetch(`${origin}/__scheduled?cron=${encodeURIComponent("*/5 * * * *")}`);
  const verdict = await asA({ path: `/api/audit/verify?x=${randomUUID()}` });
  expect(JSON.parse(verdict.text)).toMatchObject({ ok: true });
});
