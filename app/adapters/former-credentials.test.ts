import { expect, test } from "vitest";
import { withFormer } from "./former-credentials";

/** A party that accepts one credential, and notes what it was asked. */
function aParty(accepted: string, refusal = () => new Response("{}", { status: 401 })) {
  const asked: string[] = [];
  const fetch = async (request: Request) => {
    const said = `${request.method} ${request.headers.get("authorization") ?? ""} ${await request.text()}`.trim();
    asked.push(said);
    return said.includes(accepted) ? new Response("ok") : refusal();
  };
  return { asked, fetch };
}

const URL_TEXT = "https://party.example/things";
const call = (credential: string, init: RequestInit = {}) =>
  new Request(URL_TEXT, { ...init, headers: { authorization: `Bearer ${credential}` } });

test("while the party knows only the old credential, a call with the new one is answered all the same", async () => {
  const party = aParty("Bearer old");
  const { current, fetch } = withFormer(["new", "old"], party.fetch);
  const answer = await fetch(call(current, { method: "POST", body: "a body" }));
  expect([answer.status, await answer.text()]).toEqual([200, "ok"]);
  expect(party.asked).toEqual(["POST Bearer new a body", "POST Bearer old a body"]);
});

test("once the party knows the new one the old one is never sent", async () => {
  const party = aParty("Bearer new");
  const { current, fetch } = withFormer(["new", "old"], party.fetch);
  expect((await fetch(call(current))).status).toBe(200);
  expect(party.asked).toEqual(["GET Bearer new"]);
});

test("a client's secret in a form is replaced too, where the party answers 400 invalid_client", async () => {
  const refusal = () => new Response(`{"error":"invalid_client"}`, { status: 400 });
  const party = aParty("client_secret=old%2F1", refusal);
  const { current, fetch } = withFormer(["new/2", "old/1"], party.fetch);
  const body = new URLSearchParams({ client_id: "us", client_secret: current, code: "c" }).toString();
  expect((await fetch(new Request(URL_TEXT, { method: "POST", body }))).status).toBe(200);
  expect(party.asked).toEqual([
    "POST  client_id=us&client_secret=new%2F2&code=c",
    "POST  client_id=us&client_secret=old%2F1&code=c",
  ]);
});

test("a name and a password together are spelt as the party wants them", async () => {
  const spell = (token: string) => btoa(`AC1:${token}`);
  const party = aParty(`Basic ${spell("old")}`);
  const { current, fetch } = withFormer(["new", "old"], party.fetch, spell);
  const headers = { authorization: `Basic ${spell(current)}` };
  expect((await fetch(new Request(URL_TEXT, { headers }))).status).toBe(200);
});

test.each([
  ["another refusal", () => new Response("no", { status: 403 }), "new"],
  ["a mistake of ours", () => new Response(`{"error":"invalid_grant"}`, { status: 400 }), "new"],
  ["a refused token that is not the credential", () => new Response("no", { status: 401 }), "an-access-token"],
])("%s is answered as it is, and the old credential is not sent", async (_, refusal, sent) => {
  const party = aParty("nothing", refusal);
  const { fetch } = withFormer(["new", "old"], party.fetch);
  expect((await fetch(call(sent))).status).toBe(refusal().status);
  expect(party.asked).toEqual([`GET Bearer ${sent}`]);
});

test("a single credential is sent once", async () => {
  const party = aParty("nothing");
  expect((await withFormer(["only"], party.fetch).fetch(call("only"))).status).toBe(401);
  expect(party.asked).toHaveLength(1);
});
