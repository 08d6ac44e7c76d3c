import { expect, test } from "vitest";
import type { Fetch } from "../http-client";
import { createRdap } from "./rdap";

const NOW = Date.UTC(2026, 10, 20);
const clock = { now: () => NOW };
const BASE = "https://rdap.org";
const REGISTRY = "https://rdap.verisign.com/com/v1/domain/acme.com";

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/rdap+json", ...headers } });
const sendOn = (location: string, status = 302) => new Response(null, { status, headers: { location } });
const event = (eventAction: string, eventDate: string) => ({ eventAction, eventDate });
const anAnswer = (events: unknown, more: object = {}) =>
  json({ objectClassName: "domain", ldhName: "ACME.COM", events, ...more });

/** Answers by address; an unknown address fails the test. */
function aServer(answers: Record<string, () => Response | Promise<Response>>) {
  const asked: string[] = [];
  const fetch: Fetch = async ({ url }) => {
    asked.push(url);
    const answer = answers[url];
    if (!answer) throw new Error(`nobody answers ${url}`);
    return answer();
  };
  return { asked, fetch };
}

const ask = (answers: Parameters<typeof aServer>[0], domain = "acme.com") =>
  createRdap({ baseUrl: BASE, fetch: aServer(answers).fetch, clock, timeoutMs: 200 }).findRegistration(domain);

const fromRegistry = (answer: () => Response) =>
  ask({ [`${BASE}/domain/acme.com`]: () => sendOn(REGISTRY), [REGISTRY]: answer });

test.each<[string, unknown, string | null]>([
  [
    "a generic ending",
    [
      event("registration", "1997-09-15T04:00:00Z"),
      event("expiration", "2028-09-14T04:00:00Z"),
      event("last update of RDAP database", "2026-11-19T11:35:32Z"),
    ],
    "1997-09-15T04:00:00.000Z",
  ],
  [
    "RFC 9083, section 5.3: a zone of its own and other events",
    [event("registration", "1990-12-31T23:59:59Z"), event("last changed", "1991-12-31T23:59:59Z")],
    "1990-12-31T23:59:59.000Z",
  ],
  ["an offset", [event("registration", "2012-03-14T10:00:00+11:00")], "2012-03-13T23:00:00.000Z"],
  ["fractions of a second", [event("registration", "2019-02-14T00:00:00.123456Z")], "2019-02-14T00:00:00.123Z"],
  ["capital letters", [event("Registration", "2012-03-14T00:00:00Z")], "2012-03-14T00:00:00.000Z"],
  [
    "registered again",
    [event("registration", "2001-01-01T00:00:00Z"), event("reregistration", "2026-11-01T00:00:00Z")],
    "2026-11-01T00:00:00.000Z",
  ],
  ["no registration, as .au", [event("last changed", "2026-02-01T00:00:00Z")], null],
  ["no events", undefined, null],
  ["null events", null, null],
  ["a registration without a date", [{ eventAction: "registration" }], null],
  ["a date that is none", [event("registration", "long ago")], null],
  ["a date before there were domains", [event("registration", "0001-01-01T00:00:00Z")], null],
  ["a date in the future", [event("registration", "2027-01-01T00:00:00Z")], null],
])("%s: since when", async (_, events, registeredAt) => {
  expect(await fromRegistry(() => anAnswer(events))).toEqual({ state: "registered", registeredAt });
});

/** As the registry of .au publishes who holds a domain. */
const eligibility = (pairs: Record<string, unknown>) => Object.entries(pairs).map(([name, value]) => ({ name, value }));

test.each<[string, unknown, object | undefined]>([
  [
    "a company by its ABN",
    eligibility({
      "registrant name": " ACME  PTY LTD ",
      "registrant id": "ABN 53004085616",
      "eligibility type": "Company",
      "eligibility name": "ACME TOOLS",
      "eligibility id": "NSW BN 12345678",
    }),
    { name: "ACME PTY LTD", number: "53004085616" },
  ],
  ["a company by its ACN", eligibility({ "registrant id": "ACN 004 085 616" }), { name: null, number: "004085616" }],
  [
    "by what makes it eligible",
    eligibility({ "registrant name": "Acme", "eligibility id": "53 004 085 616" }),
    { name: "Acme", number: "53004085616" },
  ],
  ["a number whose check digits are wrong", eligibility({ "registrant id": "ABN 53004085617" }), undefined],
  ["a trade mark", eligibility({ "registrant name": "Acme", "eligibility id": "TM 1234567" }), undefined],
  ["a person without a number", eligibility({ "registrant name": "Jo Doe" }), undefined],
  ["a form that is not known", { "registrant id": "ABN 53004085616" }, undefined],
  ["a value that is none", eligibility({ "registrant id": null }), undefined],
])("a domain of .au: %s", async (_, auData_eligibility, registrant) => {
  const start = `${BASE}/domain/acme.com.au`;
  const answer = () => json({ objectClassName: "domain", ldhName: "acme.com.au", auData_eligibility });
  expect(await ask({ [start]: answer }, "acme.com.au")).toEqual({
    state: "registered",
    registeredAt: null,
    ...(registrant && { registrant }),
  });
});

test("another registry's word about an ABN is not taken", async () => {
  const auData_eligibility = eligibility({ "registrant id": "ABN 53004085616" });
  expect(await fromRegistry(() => anAnswer(null, { auData_eligibility }))).toEqual({
    state: "registered",
    registeredAt: null,
  });
});

test("a registry that has no such domain, and an ending that nobody answers for, are two answers", async () => {
  const none = () => json({ errorCode: 404, title: "Not Found" }, 404);
  expect(await fromRegistry(none)).toEqual({ state: "not_registered" });
  expect(await fromRegistry(() => json({ errorCode: 404 }))).toEqual({ state: "not_registered" });
  expect(await ask({ [`${BASE}/domain/acme.com`]: none })).toEqual({ state: "no_registry" });
});

test.each<[string, () => Response, object]>([
  [
    "too many questions",
    () => json({}, 429, { "retry-after": "30" }),
    { kind: "rate_limited", options: { retryAfterMs: 30_000 } },
  ],
  ["an outage", () => json({}, 503), { kind: "unavailable" }],
  ["a refusal", () => json({}, 400), { kind: "rejected" }],
  ["no JSON", () => new Response("<html>Maintenance</html>"), { kind: "malformed" }],
  ["nothing", () => new Response(""), { kind: "malformed" }],
  ["too much", () => new Response(`{"ldhName":"${"a".repeat(300_000)}"}`), { kind: "malformed" }],
  ["no UTF-8", () => new Response(new Uint8Array([0x22, 0xff, 0x22])), { kind: "malformed" }],
  ["events that are none", () => anAnswer("registration"), { kind: "malformed" }],
  ["another kind of thing", () => json({ objectClassName: "entity", ldhName: "acme.com" }), { kind: "malformed" }],
  ["no name", () => json({ objectClassName: "domain" }), { kind: "malformed" }],
  ["another domain", () => json({ ldhName: "acme.net" }), { kind: "wrong_tenant" }],
])("%s is no answer, and says nothing about the domain", async (_, answer, error) => {
  await expect(fromRegistry(answer)).rejects.toMatchObject({ party: "rdap", ...error });
});

test("a registry that does not answer in time is no answer", async () => {
  const never = ({ signal }: Request) =>
    new Promise<Response>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const rdap = createRdap({ baseUrl: BASE, fetch: never, clock, timeoutMs: 20 });
  await expect(rdap.findRegistration("acme.com")).rejects.toMatchObject({ kind: "timeout" });
});

test.each([
  ["http", "http://rdap.verisign.com/com/v1/domain/acme.com"],
  ["another port", "https://rdap.verisign.com:8443/domain/acme.com"],
  ["an address in digits", "https://93.184.216.34/domain/acme.com"],
  ["a private address", "https://10.0.0.5/domain/acme.com"],
  ["IPv6", "https://[2606:2800:220:1::1]/domain/acme.com"],
  ["a single label", "https://localhost/domain/acme.com"],
  ["a private name", "https://registry.internal/domain/acme.com"],
  ["a private name with a dot at its end", "https://registry.internal./domain/acme.com"],
  ["a name of a machine", "https://printer.local/domain/acme.com"],
  ["somebody's password", "https://a:b@rdap.verisign.com/domain/acme.com"],
  ["no address", "https://"],
  ["another protocol", "ftp://rdap.verisign.com/"],
])("it is not followed to %s", async (_, location) => {
  const server = aServer({ [`${BASE}/domain/acme.com`]: () => sendOn(location) });
  const rdap = createRdap({ baseUrl: BASE, fetch: server.fetch, clock });
  await expect(rdap.findRegistration("acme.com")).rejects.toMatchObject({ kind: "malformed" });
  expect(server.asked).toEqual([`${BASE}/domain/acme.com`]);
});

test("it is followed to an address of the same server, and three times at most", async () => {
  const start = `${BASE}/domain/acme.com`;
  const answer = () => anAnswer([event("registration", "2012-03-14T00:00:00Z")]);
  expect(
    await ask({
      [start]: () => sendOn("/2", 301),
      [`${BASE}/2`]: () => sendOn("/3", 307),
      [`${BASE}/3`]: () => sendOn(REGISTRY, 308),
      [REGISTRY]: answer,
    }),
  ).toMatchObject({ state: "registered" });
  const server = aServer({ [start]: () => sendOn(start) });
  const rdap = createRdap({ baseUrl: BASE, fetch: server.fetch, clock });
  await expect(rdap.findRegistration("acme.com")).rejects.toMatchObject({ kind: "malformed" });
  expect(server.asked).toHaveLength(4);
});

test("a name in another script is the same name", async () => {
  const start = `${BASE}/domain/xn--mller-kva.example`;
  const registry = "https://rdap.nic.example/domain/xn--mller-kva.example";
  const answers = { [start]: () => sendOn(registry), [registry]: () => json({ ldhName: "müller.example" }) };
  expect(await ask(answers, "xn--mller-kva.example")).toEqual({ state: "registered", registeredAt: null });
});
