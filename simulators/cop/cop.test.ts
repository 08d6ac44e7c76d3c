import { expect, test } from "vitest";
import { createCopBankData } from "~/adapters/bank-data/cop";
import { createBench } from "../../tests/support/simulator-bench";
import { BEHAVIOURS, type Behaviour, ENDINGS } from "./party";

/** An account whose last digits choose this behaviour. */
const accountOf = (behaviour: Behaviour): string => {
  const ending = Object.keys(ENDINGS).find((key) => ENDINGS[key] === behaviour);
  return `12345${ending}`;
};

let tries = 0;
const ask = (accountNumber: string, lookUpId = `look-up-${++tries}`) => ({
  lookUpId,
  requesterId: "0198c5a0-0000-7000-8000-000000000000",
  accountName: "Acme Pty Ltd",
  bsb: "062000",
  accountNumber,
  purpose: "VADR" as const,
});

test.each([
  ["match", { verdict: "match", name: "ACME PTY LTD" }],
  ["close_match", { verdict: "close_match", name: "ACME" }],
  ["individual_no_match", { verdict: "no_match", name: null }],
  ["non_individual_no_match", { verdict: "no_match", name: "MERIDIAN QUILTING SUPPLIES PTY LTD" }],
  ["account_closed", { verdict: "account_closed", name: null }],
  ["no_account_found", { verdict: "account_not_found", name: null }],
  ["bic_lookup_failed", { verdict: "unable", problem: "bsb_not_found" }],
  ["account_daily_no_match_limit_exceeded", { verdict: "unable", problem: "account_limit" }],
  ["requester_daily_no_match_limit_exceeded", { verdict: "unable", problem: "requester_limit" }],
  ["account_daily_request_limit_exceeded", { verdict: "unable", problem: "account_limit" }],
  ["requester_daily_request_limit_exceeded", { verdict: "unable", problem: "requester_limit" }],
  ["unable_to_confirm", { verdict: "unable", problem: "bank_not_confirmed" }],
] as const)("%s is answered", async (behaviour, expected) => {
  expect(await createBench().instantBankData.lookUp(ask(accountOf(behaviour)))).toEqual(expected);
});

test("every behaviour of the provider's sandbox has an ending", () => {
  expect(Object.values(ENDINGS).sort()).toEqual(Object.keys(BEHAVIOURS).sort());
});

test("of a joint account one holder is named, without the words for the others", async () => {
  const answer = await createBench().instantBankData.lookUp(ask("12345990"));
  expect(answer).toEqual({ verdict: "match", name: "ACME PTY LTD" });
});

test.each([
  ["429", "rate_limited"],
  ["500", "unavailable"],
  ["503", "unavailable"],
  ["401", "unavailable"],
  ["malformed", "malformed"],
  ["truncated", "malformed"],
  ["empty", "malformed"],
  ["wrong_tenant", "wrong_tenant"],
])("the fault %s is %s, never an answer, and the next look-up is answered", async (fault, kind) => {
  const bench = createBench();
  await bench.postJson("/faults", { party: "cop", fault, times: 1 });
  const look = () => bench.instantBankData.lookUp(ask("12345678"));
  await expect(look()).rejects.toMatchObject({ party: "cop", kind });
  expect(await look()).toMatchObject({ verdict: "match" });
});

test("the provider's own 429 is told from an answer", async () => {
  const look = createBench().instantBankData.lookUp(ask(accountOf("rate_limited")));
  await expect(look).rejects.toMatchObject({ kind: "rate_limited" });
});

test("an answer that does not come in time is a timeout", async () => {
  const bench = createBench({ timeoutMs: 20 });
  await bench.postJson("/faults", { party: "cop", fault: "timeout", times: 1 });
  await expect(bench.instantBankData.lookUp(ask("12345678"))).rejects.toMatchObject({ kind: "timeout" });
});

test("a look-up's id works once, and a refusal without a code is about the details", async () => {
  const bench = createBench();
  await bench.instantBankData.lookUp(ask("12345678", "same"));
  expect(await bench.instantBankData.lookUp(ask("12345678", "same"))).toEqual({
    verdict: "unable",
    problem: "details_not_accepted",
  });
});

/** The adapter against one answer. */
const against = (status: number, body: unknown) => {
  const bench = createBench();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const fetch = async () => new Response(text, { status });
  const options = { baseUrl: "http://cop.test", token: "secret-token", apiVersion: "20260101", fetch };
  return createCopBankData({ ...options, clock: bench.clock }).lookUp(ask("12345678"));
};

test.each([
  ["a code that the documents do not have", 422, { errors: [{ code: "ZCOPR03", retryable: true }] }, "bank_unable_now"],
  ["an inherited name", 422, { errors: [{ code: "toString" }] }, "bank_unable_now"],
  ["a refusal without a body", 400, "", "details_not_accepted"],
])("%s says nothing about the account", async (_, status, body, problem) => {
  expect(await against(status, body)).toEqual({ verdict: "unable", problem });
});

test.each([
  ["our own access is refused", 403, { errors: [{ title: "Unauthorised", detail: "Not permitted" }] }, "unavailable"],
  ["another address than the provider's", 404, "Not Found", "unavailable"],
  ["a result that is not known", 200, { data: { outcome: { result: "maybe" } } }, "malformed"],
  ["a name that cannot be stored", 200, { data: { outcome: { result: "match", match_name: "A\u0000" } } }, "malformed"],
  ["no outcome", 200, { data: {} }, "malformed"],
  ["a page instead of an answer", 200, "<html>", "malformed"],
  ["a long answer", 200, { data: { outcome: { result: "match", message: "x".repeat(20_000) } } }, "malformed"],
  ["a redirect", 302, "", "malformed"],
])("%s is no answer", async (_, status, body, kind) => {
  const error = await against(status, body).catch((thrown) => thrown);
  expect(error).toMatchObject({ party: "cop", kind });
  expect(String(error)).not.toMatch(/secret-token|12345678/);
});

test("a name of blanks is no name, and one is cleaned of what cannot be seen", async () => {
  const body = { data: { outcome: { result: "match", match_name: "  " } } };
  expect(await against(200, body)).toEqual({ verdict: "match", name: null });
  const odd = { data: { outcome: { result: "match", match_name: " ACME\u200b  PTY LTD\n" } } };
  expect(await against(200, odd)).toEqual({ verdict: "match", name: "ACME PTY LTD" });
});
