import { describe, expect, test } from "vitest";
import { createCopBankData } from "~/adapters/bank-data/cop";
import { aClock } from "../support/clock";
import { type Json, pathsOf, withUnknownFields } from "../support/json-shapes";
import { createBench } from "../support/simulator-bench";
import { TEST_ENV } from "../support/test-env";
import published from "./zepto/cop.json";

/** Confirmation of Payee against what Zepto publishes of its interface, version 20260101 (tests/conformance/zepto/cop.json). */

const ANSWERS = published.answers as unknown as Record<string, { status: number; body: Json }>;

const QUESTION = {
  lookUpId: "lookup-1",
  requesterId: "org-1",
  accountName: "Wattle Joinery Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  purpose: "VADR" as const,
};

function ask(name: string, change: (body: Json) => Json = (body) => body) {
  const { status, body } = ANSWERS[name] ?? { status: 500, body: null };
  const text = body === "" ? "" : JSON.stringify(change(body));
  const cop = createCopBankData({
    baseUrl: "https://api.zeptopayments.example",
    token: "t",
    apiVersion: "20260101",
    clock: aClock(0),
    fetch: async () => new Response(text, { status }),
  });
  return cop.lookUp(QUESTION).catch((error) => error.kind ?? String(error));
}

const unable = (problem: string) => ({ verdict: "unable", problem });

const EXPECTED: Record<string, unknown> = {
  match: { verdict: "match", name: "Wattle Joinery Pty Ltd" },
  "joint match": { verdict: "match", name: "Kim Nguyen" },
  close_match: { verdict: "close_match", name: "Wattle Joinery" },
  "no_match of a person": { verdict: "no_match", name: null },
  "no_match of a business": { verdict: "no_match", name: "Meridian Quilting Pty Ltd" },
  account_closed: { verdict: "account_closed", name: null },
  "no account": { verdict: "account_not_found", name: null },
  unable: unable("bank_not_confirmed"),
  "no bank": unable("bsb_not_found"),
  "account no-match limit": unable("account_limit"),
  "requester no-match limit": unable("requester_limit"),
  "account limit": unable("account_limit"),
  "requester limit": unable("requester_limit"),
  invalid: unable("details_not_accepted"),
  unauthorised: "unavailable",
  forbidden: "unavailable",
  "rate limited": "rate_limited",
};

test("every published answer is among the cases", () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(ANSWERS).sort());
});

describe.each<[string, ((body: Json) => Json) | undefined]>([
  ["as published", undefined],
  ["with fields nobody has heard of", withUnknownFields],
  ["without anything around it", unwrapped],
])("%s", (_, change) => {
  test.each(Object.entries(EXPECTED))("%s", async (name, expected) => {
    expect(await ask(name, change)).toEqual(expected);
  });
});

/** The outcome without `data`, an error without its list. */
function unwrapped(body: Json): Json {
  const { data, errors } = (body ?? {}) as { data?: Json; errors?: Json[] };
  return errors?.[0] ?? data ?? body;
}

test.each<[string, Json]>([
  ["a verdict of a kind that is not published", { data: { outcome: { result: "probably" } } }],
  ["no verdict", { data: { outcome: {} } }],
  ["a name that is no text", { data: { outcome: { result: "match", match_name: 7 } } }],
])("%s is no answer", async (_, body) => {
  expect(await ask("match", () => body)).toBe("malformed");
});

test("insights that cannot be read are passed over: the verdict stands", async () => {
  const body = { data: { outcome: { result: "match", match_name: "Kim Nguyen and others" }, insights: "soon" } };
  expect(await ask("match", () => body)).toEqual({ verdict: "match", name: "Kim Nguyen" });
});

test("the simulator answers with the published fields and no others", async () => {
  const known = new Set(Object.values(ANSWERS).flatMap(({ body }) => pathsOf(body)));
  const bench = createBench();
  for (const ending of ["000", "990", ...Array.from({ length: 13 }, (_, i) => String(900 + i))]) {
    const answer = await bench.fetch(
      new Request(`${TEST_ENV.COP_BASE_URL}/cop/account/validate`, {
        method: "POST",
        headers: { authorization: `Bearer ${TEST_ENV.COP_TOKEN}`, "zepto-api-version": "20260101" },
        body: JSON.stringify({
          uid: `uid-${ending}`,
          account_identifier: { type: "bban", value: `062000-12345${ending}` },
          party_name: "Wattle Joinery Pty Ltd",
          requester: { id: "org-1" },
        }),
      }),
    );
    const text = await answer.text();
    const given = text === "" ? [] : pathsOf(JSON.parse(text));
    expect(given.filter((path) => !known.has(path))).toEqual([]);
    if (answer.ok) expect(published.required.filter((path) => !given.includes(path))).toEqual([]);
  }
});
