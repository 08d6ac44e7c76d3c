import { expect, test } from "vitest";
import { createAzupayBankData } from "~/adapters/bank-data/azupay";
import { aClock } from "../support/clock";
import { type Json, pathsOf } from "../support/json-shapes";
import { AZUPAY_KEY, createHarness } from "../support/simulator-bench";
import { SIMULATORS_ORIGIN } from "../support/test-env";
import published from "./azupay/account-check.json";

/** Confirmation of Payee against what Azupay publishes of its interface, version 1 (tests/conformance/azupay/account-check.json). */

const QUESTION = {
  lookUpId: "0198c5a0-0000-7000-8000-000000000001",
  requesterId: "0198c5a0-0000-7000-8000-000000000000",
  accountName: "Wattle Joinery Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  purpose: "PYMT" as const,
};

function asking(answer: (request: Request) => Response | Promise<Response>) {
  const options = { baseUrl: "https://api.azupay.example/v1", apiKey: "SECR_1", clock: aClock(0) };
  return createAzupayBankData({ ...options, fetch: async (request) => answer(request) });
}

const ask = (body: Json, status = 200, question = QUESTION) =>
  asking(() => Response.json(body, { status }))
    .lookUp(question)
    .catch((error) => error.kind ?? String(error));

const said = (accountCheckResultCode: string, accountCheckResult: string, rest: object = {}) =>
  ({ accountCheckResultCode, accountCheckResult, ...rest }) as unknown as Json;

test("what is sent has the published fields in the published forms, and no others", async () => {
  let sent: Json = null;
  await asking(async (request) => {
    expect(request.method).toBe("POST");
    expect(request.url).toBe("https://api.azupay.example/v1/accountCheck");
    expect(request.headers.get("authorization")).toBe("SECR_1");
    sent = (await request.json()) as Json;
    return Response.json(said("MTCH", "Match"));
  }).lookUp(QUESTION);
  const flat = { ...(sent as unknown as Record<string, unknown>) };
  const { additionalDetails, ...rest } = flat as { additionalDetails: Record<string, string> };
  const values: Record<string, unknown> = {
    ...rest,
    ...Object.fromEntries(Object.entries(additionalDetails).map(([key, value]) => [`additionalDetails.${key}`, value])),
  };
  expect(Object.keys(values).sort()).toEqual(Object.keys(published.request).sort());
  for (const [field, pattern] of Object.entries(published.request)) {
    expect(values[field]).toMatch(new RegExp(pattern));
  }
  expect(rest).toMatchObject({ purposeCode: "PYMT" });
});

test.each<[string, Json, unknown]>([
  [
    "a match with its name",
    said("MTCH", "Match", { displayAccountName: "WATTLE JOINERY PTY LTD" }),
    { verdict: "match", name: "WATTLE JOINERY PTY LTD" },
  ],
  ["a match without one", said("MTCH", "Match"), { verdict: "match", name: null }],
  ["a close match", said("CMTC", "Close match"), { verdict: "close_match", name: null }],
  ["no match", said("NMTC", "No match"), { verdict: "no_match", name: null }],
  [
    "a code that is new, with words that are known",
    said("XX01", "Account closed"),
    { verdict: "account_closed", name: null },
  ],
  [
    "words that are new, with a code that is known",
    said("NMTC", "The names differ"),
    { verdict: "no_match", name: null },
  ],
  ["fields that nobody has heard of", said("MTCH", "Match", { more: { of: "it" } }), { verdict: "match", name: null }],
  ["a code and words that contradict each other", said("MTCH", "No match"), "malformed"],
  ["a verdict of which nothing is known", said("XX02", "Perhaps"), "malformed"],
  ["no verdict", { displayAccountName: "X" } as unknown as Json, "malformed"],
])("%s", async (_, body, expected) => {
  expect(await ask(body)).toEqual(expected);
});

test.each([...published.retryable, ...published.final])("the problem %s says nothing of the account", async (code) => {
  const answer = await ask(
    said("ERRR", "Error", { errorReasonCode: code, retryAdvice: published.retryable.includes(code) }),
  );
  expect(answer).toMatchObject({ verdict: "unable" });
});

test.each([
  [400, { verdict: "unable", problem: "details_not_accepted" }],
  [401, "unavailable"],
  [403, "unavailable"],
  [429, "rate_limited"],
  [500, "unavailable"],
])("status %s", async (status, expected) => {
  const body = { message: "m", details: { failureCode: "AZC1.1", failureReason: "r" } } as unknown as Json;
  expect(await ask(body, status)).toEqual(expected);
});

test.each(["a", " Wattle", "Wattle ", "x".repeat(141)])(
  "a name that the interface refuses (%j) is not sent",
  async (accountName) => {
    const provider = asking(() => Promise.reject(new Error("asked")));
    expect(await provider.lookUp({ ...QUESTION, accountName })).toEqual({
      verdict: "unable",
      problem: "details_not_accepted",
    });
  },
);

const simulated = createHarness({ clock: aClock(0), log: { warn() {} }, callApp: async () => new Response() });
const ENDINGS = ["000", "990", ...Array.from({ length: 13 }, (_, i) => String(900 + i))];

test.each(ENDINGS)(
  "the simulator answers an account that ends in %s with published fields, as the adapter reads them",
  async (ending) => {
    const fields: string[] = [];
    const provider = createAzupayBankData({
      baseUrl: `${SIMULATORS_ORIGIN}/azupay`,
      apiKey: AZUPAY_KEY,
      clock: aClock(0),
      async fetch(request) {
        const answer = await simulated.fetch(request);
        fields.push(...pathsOf((await answer.clone().json()) as Json));
        if (answer.ok) expect(published.required.filter((path) => !fields.includes(path))).toEqual([]);
        return answer;
      },
    });
    const said = await provider.lookUp({ ...QUESTION, accountNumber: `12345${ending}` }).catch((error) => error.kind);
    expect(fields.filter((path) => !published.fields.includes(path))).toEqual([]);
    expect(typeof said === "object" || said === "rate_limited").toBe(true);
  },
);
