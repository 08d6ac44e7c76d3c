import { expect, test } from "vitest";
import { createBench, jsonOf } from "../../tests/support/simulator-bench";

type Completion = { ok: boolean; jobId: string; redirectUrl?: string };

test("a script is told the job and where a browser would be sent", async () => {
  const bench = createBench();
  const { verificationId } = await bench.startCheck();
  const answer = await jsonOf<Completion>(bench.postJson("/basiq/complete", { verificationId, persona: "match" }));
  expect(answer).toMatchObject({ ok: true, jobId: expect.any(String) });
  expect(answer.redirectUrl).toBe(
    `http://app.test/bank-consent/return?jobId=${answer.jobId}&jobIds=${answer.jobId}&state=state-1`,
  );
});

test("without a state there is nowhere to send a browser", async () => {
  const bench = createBench();
  const { verificationId } = await bench.startCheck({ state: null });
  const answer = await jsonOf<Completion>(bench.postJson("/basiq/complete", { verificationId, persona: "match" }));
  expect(answer).toEqual({ ok: true, jobId: answer.jobId });
});

test("a script may come before the app has created the provider's user", async () => {
  const bench = createBench({ impatient: true });
  const { providerUserId, verificationId } = await bench.startCheck();
  const [check] = bench.checks;
  if (!check) throw new Error("no check");
  check.providerUserId = null;
  let looks = 0;
  bench.app.beforeLookUp = () => {
    looks += 1;
    if (looks === 5) check.providerUserId = providerUserId;
  };
  const answer = await bench.postJson("/basiq/complete", { verificationId, persona: "match" });
  expect(answer.status).toBe(200);
  expect(looks).toBe(5);
});

test("a check that never starts is a conflict after ten seconds", async () => {
  const bench = createBench({ impatient: true });
  const { verificationId } = await bench.startCheck();
  for (const check of bench.checks) check.providerUserId = null;
  const start = bench.clock.now();
  const answer = await bench.postJson("/basiq/complete", { verificationId, persona: "match" });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toEqual({ ok: false, message: "No bank check is waiting for its payee" });
  expect(bench.clock.now() - start).toBe(9_750);
});

test("an app that is down is a conflict that says so", async () => {
  const bench = createBench({ impatient: true });
  bench.app.beforeLookUp = () => {
    throw new TypeError("fetch failed");
  };
  const answer = await bench.postJson("/basiq/complete", { verificationId: "v", persona: "match" });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toEqual({ ok: false, message: "The app did not answer" });
});

test("an unknown verification is not found at once", async () => {
  const answer = await createBench().postJson("/basiq/complete", { verificationId: "nobody's", persona: "match" });
  expect(answer.status).toBe(404);
});

test.each([
  [{ verificationId: "v", persona: "hero" }, "Unknown persona"],
  [{ persona: "match" }, "verificationId is missing"],
  [null, "verificationId is missing"],
])("%j is refused with the list of personas", async (body, message) => {
  const answer = await createBench().postJson("/basiq/complete", body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    ok: false,
    message,
    personas: expect.arrayContaining(["match", "never"]),
  });
});

test("the form on the bank's page sends the browser on", async () => {
  const bench = createBench();
  const { verificationId } = await bench.startCheck();
  expect(await (await bench.get("/basiq")).text()).toContain('action="/basiq/complete"');
  const answer = await bench.postForm("/basiq/complete", { verificationId, persona: "match" });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toContain("/bank-consent/return?");
});
