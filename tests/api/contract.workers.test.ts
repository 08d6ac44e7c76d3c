/// <reference types="vite/types/importMeta.d.ts" />
import { expect, test } from "vitest";
import * as z from "zod";
import { apiSurroundings, CALLS } from "~/api/calls.server";
import type { Endpoint, Example } from "~/api/endpoint.server";
import { describeApi } from "~/api/openapi.server";
import { PAY_RUN, PAY_RUN_FILE, STEPS } from "~/api/reference.server";
import type { JsonSchema } from "~/api/schemas.server";
import { createApiToken } from "~/modules/accounts/identity/api-token.server";
import { PASSWORD } from "../support/people";
import { anApi, requestOf } from "./an-api";
import { addRowsForLists, withRealIds } from "./example-rows";

/** Sends every example of the API's document unchanged, and validates every response against the document. */

type Operation = { responses: Record<string, { content?: Record<string, Content> }> };
type Content = { schema?: JsonSchema; examples?: Record<string, unknown> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

const document = describeApi(apiSurroundings({ appOrigin: "http://app.test" })) as Document;

/** The same schema without additional properties, so that a field missing from the document is found. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const all = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]));
  if (typeof all.$ref === "string") all.$ref = all.$ref.replace("#/components/schemas/", "#/$defs/");
  return all.properties && all.additionalProperties === undefined ? { ...all, additionalProperties: false } : all;
}

type Zods = Parameters<typeof z.fromJSONSchema>[0];

const $defs = strict(document.components.schemas);
const readerOf = (schema: JsonSchema) => z.fromJSONSchema({ ...(strict(schema) as JsonSchema), $defs } as Zods);

const operationOf = (call: Endpoint) =>
  document.paths[call.path]?.[call.method.toLowerCase()] ?? expect.fail(`${call.path} is not in the document`);

const EXAMPLES = CALLS.flatMap((call) =>
  call.examples.map((example): [string, Endpoint, Example] => [`${call.id}: ${example.title}`, call, example]),
);

test("every call has an example, and so does every kind of body", () => {
  expect(CALLS.filter(({ examples }) => examples.length === 0).map(({ id }) => id)).toEqual([]);
});

test.each(EXAMPLES)("%s", async (_, call, example) => {
  const api = await anApi();
  if (call.method === "GET" && !example.path) await addRowsForLists(api);
  const sent = await withRealIds(api, example);
  const response = await api.send(requestOf(call, sent));
  const text = new TextDecoder().decode(await response.arrayBuffer());
  expect(response.status, text.slice(0, 500)).toBe(example.status);

  const described = operationOf(call).responses[String(example.status)];
  const content = described?.content ?? {};
  const type = (response.headers.get("Content-Type") ?? "").split(";")[0] ?? "";
  expect(Object.keys(content)).toEqual(text === "" ? [] : [type]);
  const { schema, examples } = content[type] ?? {};
  if (!schema) return;
  const answers: unknown[] = type.endsWith("ndjson")
    ? text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [JSON.parse(text)];
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) {
    const { error } = readerOf(schema).safeParse(answer);
    expect(error && z.prettifyError(error), text.slice(0, 1_000)).toBeUndefined();
    if (example.status >= 400) expect(Object.keys(examples ?? {})).toContain((answer as { code: string }).code);
  }
});

const at = (answer: unknown, path: string) =>
  path.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], answer);

test("the quick start adds a payee, has it verified, checks a pay run and clears it", async () => {
  const api = await anApi();
  const kept: Record<string, string> = {};
  for (const step of STEPS) {
    const path = step.path.replace(/\$(\w+)/g, (_, name: string) => kept[name] ?? "");
    if (step.until) {
      await api.world.drain();
      await api.world.completeAtBank(kept.VERIFICATION ?? "", "match");
      await api.world.drain();
    }
    if (step.only) expect(kept[step.only[0]]).toBe(step.only[1]);
    const file = step.file === PAY_RUN_FILE ? { type: "text/plain", text: PAY_RUN } : undefined;
    const [plain = "", query] = path.split("?");
    const sent = { json: step.json, file, query: Object.fromEntries(new URLSearchParams(query)) };
    const response = await api.send(requestOf({ method: step.method, path: `/api/${plain}` }, sent));
    const text = new TextDecoder().decode(await response.arrayBuffer());
    expect(response.status, `${step.text} ${text}`).toBeLessThan(300);
    for (const [name, member] of Object.entries(step.keeps ?? {})) kept[name] = String(at(JSON.parse(text), member));
    if (step.saves) expect(text).toContain("WATTLE CREEK ELECTRICAL");
  }
  expect(kept).toMatchObject({ OUTCOME: "match", HELD: "0", SHA256: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test.each(CALLS.filter(({ by }) => by !== "anyone").map((call): [string, Endpoint] => [call.id, call]))(
  "%s is refused without a token as the document says",
  async (_, call) => {
    const api = await anApi();
    const [example] = call.examples;
    if (!example) return expect.fail("no example");
    const response = await api.sendUnsigned(requestOf(call, example));
    const body = await response.json<{ code: string }>();
    expect([response.status, body.code]).toEqual([401, "SIGNED_OUT"]);
    const schema = operationOf(call).responses["401"]?.content?.["application/json"]?.schema ?? {};
    expect(readerOf(schema).safeParse(body).success).toBe(true);
  },
);

test.each(["register", "login", "logout"])("%s with an API token is refused as the document says", async (id) => {
  const api = await anApi();
  const call = CALLS.find((each) => each.id === id);
  const [example] = call?.examples ?? [];
  if (!call || !example) return expect.fail("no example");
  const input = { name: "A script", scopes: ["payees:read" as const], lifetimeDays: 30, currentPassword: PASSWORD };
  const { token } = await createApiToken(api.world, api.actor, input);
  for (const [sent, status, code] of [
    [token, 403, "SESSION_REQUIRED"],
    ["pp_unknown", 401, "INVALID_TOKEN"],
  ] as const) {
    const request = requestOf(call, example);
    request.headers.set("Authorization", `Bearer ${sent}`);
    const response = await api.sendUnsigned(request);
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([status, code]);
    const described = operationOf(call).responses[status]?.content?.["application/json"]?.examples ?? {};
    expect(Object.keys(described)).toContain(code);
  }
});

test.each(CALLS.filter((call) => call.isIdempotent).map((call): [string, Endpoint] => [call.id, call]))(
  "%s: a key that is too long is refused as the document says",
  async (_, call) => {
    const api = await anApi();
    const [example] = call.examples;
    if (!example) return expect.fail("no example");
    const request = requestOf(call, example);
    request.headers.set("Idempotency-Key", "k".repeat(201));
    const response = await api.send(request);
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([400, "INVALID_INPUT"]);
    const described = operationOf(call).responses["400"]?.content?.["application/json"]?.examples ?? {};
    expect(Object.keys(described)).toContain("INVALID_INPUT");
  },
);
