import { expect, test } from "vitest";
import { createBench, jsonOf, type List } from "../../tests/support/simulator-bench";

/** Follows the pages like a browser without JavaScript: hidden fields are sent along. */
function fieldsOf(page: string): Record<string, string> {
  const inputs = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, value]));
}

function local(address: string): string {
  const url = new URL(address);
  return url.pathname + url.search;
}

async function clickThrough(bench: ReturnType<typeof createBench>, userId: string, answers: Record<string, string>) {
  const consentUrl = await bench.bankData.createConsentUrl({ providerUserId: userId, state: "state-1" });
  const choose = await (await bench.get(local(consentUrl))).text();
  expect(choose).toContain("Bank simulator: local only");
  const chosen = new URLSearchParams({ ...fieldsOf(choose), institutionId: "AU99001" });
  const ask = await (await bench.get(`/basiq/consent/bank?${chosen}`)).text();
  expect(ask).toContain("Riverbend Mutual");
  return bench.postForm("/basiq/consent/decision", { ...fieldsOf(ask), ...answers });
}

test("a payee who allows comes back with the job and our state", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  expect(await bench.bankData.getProgress(providerUserId)).toEqual({ state: "waiting" });

  const answer = await clickThrough(bench, providerUserId, { decision: "allow", persona: "match" });
  expect(answer.status).toBe(303);
  const back = new URL(answer.headers.get("location") ?? "");
  expect(back.origin + back.pathname).toBe("http://app.test/bank-consent/return");
  expect(back.searchParams.get("state")).toBe("state-1");
  expect(back.searchParams.get("jobIds")).toBe(back.searchParams.get("jobId"));

  const looks = [];
  for (let i = 0; i < 3; i++) looks.push((await bench.bankData.getProgress(providerUserId)).state);
  expect(looks).toEqual(["running", "running", "succeeded"]);
  const { accounts } = await bench.bankData.getSharedData(providerUserId);
  expect(accounts[0]).toMatchObject({ accountHolder: "ACME PTY LTD", institutionName: "Riverbend Mutual" });
});

test("a job nobody looks at finishes by itself", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  await clickThrough(bench, providerUserId, { decision: "allow", persona: "match" });
  expect(await bench.runNextTimer()).toBe(2_000);
  expect((await bench.bankData.getProgress(providerUserId)).state).toBe("succeeded");
});

test("nothing is shared before the job is done", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  await clickThrough(bench, providerUserId, { decision: "allow", persona: "match" });
  expect((await bench.bankData.getSharedData(providerUserId)).accounts).toEqual([]);
});

test("a payee who refuses is a refusal, whatever persona was chosen", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  await clickThrough(bench, providerUserId, { decision: "refuse", persona: "match" });
  await bench.runNextTimer();
  const progress = await bench.bankData.getProgress(providerUserId);
  expect(progress).toMatchObject({ state: "failed", retryable: false });
});

test("a payee who refuses and tries again is judged by the later job", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  await clickThrough(bench, providerUserId, { decision: "refuse" });
  await bench.runNextTimer();
  bench.advance(60_000);
  await clickThrough(bench, providerUserId, { decision: "allow", persona: "match" });
  await bench.runNextTimer();
  expect((await bench.bankData.getProgress(providerUserId)).state).toBe("succeeded");
});

test("the consent pages open for a client token alone, and for an hour", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  const consentUrl = local(await bench.bankData.createConsentUrl({ providerUserId, state: "s" }));
  expect((await bench.get("/basiq/consent/home?token=made-up")).status).toBe(401);
  expect((await bench.get(consentUrl)).status).toBe(200);
  bench.advance(60 * 60 * 1000);
  expect((await bench.get(consentUrl)).status).toBe(401);
});

test("an auth link is good for seven days and until the next one", async () => {
  const bench = createBench();
  const { providerUserId } = await bench.startCheck();
  const basiq = await bench.api();
  const path = `/users/${providerUserId}/auth_link`;
  const create = async () => {
    const answer = basiq("POST", path, { mobile: "+61412345678" });
    return local((await jsonOf<{ links: { public: string } }>(answer)).links.public);
  };
  const first = await create();
  const opened = await bench.get(first);
  expect(opened.status).toBe(303);
  expect((await bench.get(opened.headers.get("location") ?? "")).status).toBe(200);
  const second = await create();
  expect((await bench.get(first)).status).toBe(410);
  bench.advance(7 * 24 * 60 * 60 * 1000);
  expect((await bench.get(second)).status).toBe(410);
  expect((await (await bench.api())("GET", path)).status).toBe(410);
});

test("a revoked consent takes the data away", async () => {
  const bench = createBench();
  const { providerUserId, verificationId } = await bench.startCheck();
  const basiq = await bench.api();
  const consents = `/users/${providerUserId}/consents`;
  expect((await basiq("GET", consents)).status).toBe(404);
  await bench.postJson("/basiq/complete", { verificationId, persona: "match" });
  const { data } = await jsonOf<List>(basiq("GET", consents));
  expect(data).toMatchObject([{ status: "active" }]);
  expect((await basiq("DELETE", `${consents}/${data[0]?.id}`)).status).toBe(204);
  expect((await jsonOf<List>(basiq("GET", consents))).data).toMatchObject([{ status: "revoked" }]);
  expect((await bench.bankData.getSharedData(providerUserId)).accounts).toEqual([]);
});
