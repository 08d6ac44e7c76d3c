import { expect, test } from "vitest";
import { UpstreamError } from "~/kernel/app-error";
import { createBench, jsonOf, type List } from "../../tests/support/simulator-bench";
import { TEST_ENV } from "../../tests/support/test-env";

async function kindOf(work: Promise<unknown>) {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
}

async function tokensBought(bench: ReturnType<typeof createBench>): Promise<number> {
  const calls = await jsonOf<{ path: string }[]>(bench.get("/ledger.json?party=basiq"));
  return calls.filter(({ path }) => path.endsWith("/token")).length;
}

test("the server token is kept for half an hour", async () => {
  const bench = createBench();
  await Promise.all([
    bench.bankData.createUser({ email: "a@example.com" }, "1"),
    bench.bankData.createUser({ email: "b@example.com" }, "2"),
  ]);
  bench.advance(30 * 60 * 1000 - 1);
  await bench.bankData.createUser({ email: "c@example.com" }, "3");
  expect(await tokensBought(bench)).toBe(1);
  bench.advance(1);
  await bench.bankData.createUser({ email: "d@example.com" }, "4");
  expect(await tokensBought(bench)).toBe(2);
});

test("a token that the provider no longer takes is renewed once", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  await bench.postJson("/faults", { party: "basiq", fault: "401", path: "/jobs" });
  expect(await bench.bankData.getProgress(providerUserId)).toEqual({ state: "waiting" });
  expect(await tokensBought(bench)).toBe(2);
  await bench.postJson("/faults", { party: "basiq", fault: "401", times: 2, path: "/jobs" });
  expect(await kindOf(bench.bankData.getProgress(providerUserId))).toBe("unavailable");
});

test("an expired token is renewed once", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  const { tokens } = bench.state.basiq as { tokens: Record<string, { expiresAt: number }> };
  for (const token of Object.values(tokens)) token.expiresAt = bench.clock.now();
  expect(await bench.bankData.getProgress(providerUserId)).toEqual({ state: "waiting" });
});

test("a client token is bought afresh for every visit", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  const first = await bench.bankData.createConsentUrl({ providerUserId, state: "s" });
  const second = await bench.bankData.createConsentUrl({ providerUserId, state: "s" });
  expect(new URL(first).searchParams.get("state")).toBe("s");
  expect(first).not.toBe(second);
});

test.each([
  [{}, "One of 'email' or 'mobile' is required."],
  [{ email: "nobody" }, "Provided email is in bad format."],
  [
    { email: "a@example.com", businessIdNo: "51824753556" },
    "Business name is required when business number is provided.",
  ],
])("the provider refuses the user %j", async (body, detail) => {
  const answer = await (await createBench().api())("POST", "/users", body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ type: "list", correlationId: expect.any(String), data: [{ detail }] });
});

test("a business is created with its ABN, and without a name the ABN stays away", async () => {
  const bench = createBench();
  const users = () => Object.values((bench.state.basiq as { users: Record<string, unknown> }).users);
  await bench.bankData.createUser({ mobile: "+61412345678", businessName: "Acme", abn: "51824753556" }, "1");
  await bench.bankData.createUser({ mobile: "+61412345678", abn: "51824753556" }, "2");
  expect(users()[0]).toMatchObject({ businessName: "Acme", businessIdNo: "51824753556", businessIdNoType: "ABN" });
  expect(users()[1]).not.toHaveProperty("businessIdNo");
});

test("a user the provider refuses is rejected", async () => {
  expect(await kindOf(createBench().bankData.createUser({ email: "nobody" }, "1"))).toBe("rejected");
});

test.each([
  [{ "basiq-version": "3.0" }, 404],
  [{ authorization: `Basic ${TEST_ENV.BASIQ_API_KEY}` }, 400],
  [{ authorization: `Basic ${TEST_ENV.BASIQ_API_KEY}`, "basiq-version": "2.0" }, 400],
  [{ authorization: `Basic ${TEST_ENV.BASIQ_API_KEY}`, "basiq-version": "3.0" }, 200],
])("a token asked for with %j answers %i", async (headers, status) => {
  const url = "http://simulators.test/basiq/token";
  const answer = await createBench().fetch(new Request(url, { method: "POST", headers, body: "scope=SERVER_ACCESS" }));
  expect(answer.status).toBe(status);
});

test("deleting a user takes everything, and deleting it again succeeds", async () => {
  const bench = createBench();
  const { providerUserId, verificationId } = await bench.startCheck();
  await bench.postJson("/basiq/complete", { verificationId, persona: "match" });
  await bench.bankData.deleteUser(providerUserId);
  await bench.bankData.deleteUser(providerUserId);
  expect(await kindOf(bench.bankData.getProgress(providerUserId))).toBe("rejected");
});

test("a list over several pages is read to its end", async () => {
  const bench = createBench({ pageSize: 1 });
  const { providerUserId, verificationId } = await bench.startCheck();
  await bench.postJson("/basiq/complete", { verificationId, persona: "match" });
  expect((await bench.bankData.getSharedData(providerUserId)).accounts).toHaveLength(2);
});

test("a list without end is malformed", async () => {
  const bench = createBench({ pageSize: 1 });
  const { providerUserId, verificationId } = await bench.startCheck();
  for (let i = 0; i < 8; i++) await bench.postJson("/basiq/complete", { verificationId, persona: "match" });
  expect(await kindOf(bench.bankData.getSharedData(providerUserId))).toBe("malformed");
});

test("accounts can be asked for by connection", async () => {
  const bench = createBench();
  const { providerUserId, verificationId } = await bench.startCheck();
  for (const persona of ["match", "not_shared"]) await bench.postJson("/basiq/complete", { verificationId, persona });
  const basiq = await bench.api();
  const accounts = `/users/${providerUserId}/accounts`;
  const all = await jsonOf<List>(basiq("GET", accounts));
  const filter = encodeURIComponent(`connection.id.eq('${all.data[0]?.connection}')`);
  expect(all.data).toHaveLength(5);
  expect((await jsonOf<List>(basiq("GET", `${accounts}?filter=${filter}`))).data).toHaveLength(3);
});

test("connectors are listed", async () => {
  const basiq = await createBench().api();
  expect((await jsonOf<List>(basiq("GET", "/connectors"))).data[0]).toMatchObject({
    id: "AU00000",
    status: "operational",
  });
});

test("without a token nothing is answered", async () => {
  const answer = await createBench().get("/basiq/connectors");
  expect(answer.status).toBe(401);
});
