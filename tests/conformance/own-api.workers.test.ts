/// <reference types="vite/types/importMeta.d.ts" />
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { apiSurroundings, CALLS } from "~/api/calls.server";
import type { Endpoint, Example } from "~/api/endpoint.server";
import { describeApi } from "~/api/openapi.server";
import { anApi, requestOf, type Sent } from "../api/an-api";
import { withRealIds } from "../api/example-rows";

/**
 * Generated requests to every call of our own API; every response is validated against our own document.
 * API_REQUESTS=81000 sets their number.
 */

type Schema = Record<string, unknown>;
type Content = Record<string, { schema?: Schema }>;
type Operation = {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Schema } };

const document = describeApi(apiSurroundings({ appOrigin: "http://app.test" })) as Document;
const toDefs = (schema: unknown) =>
  JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/")) as Schema;
const $defs = toDefs(document.components.schemas);
type Zods = Parameters<typeof z.fromJSONSchema>[0];
const readers = new Map<string, z.ZodType>();

function readerOf(schema: Schema): z.ZodType {
  const key = JSON.stringify(schema);
  const reader = readers.get(key) ?? z.fromJSONSchema({ ...toDefs(schema), $defs } as Zods);
  readers.set(key, reader);
  return reader;
}

/** Enough to find an uncaught error in a normal test run. */
const REQUESTS_OF_A_CALL = 6;
/** After this many requests, a call uses its own organisation with real rows; only a long run gets this far. */
const ON_ONE_EXAMPLE = 40;

const { API_REQUESTS } = env as unknown as { API_REQUESTS: string };
const requestsOfACall = API_REQUESTS ? Math.ceil(Number(API_REQUESTS) / CALLS.length) : REQUESTS_OF_A_CALL;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", " ", "\0", "../..", "%00", "null", "-1", "1e309", "‮", "💸".repeat(30), "'; --", "9".repeat(40)),
  fc.constantFrom("\ud800", "2026-02-30", "0x10", "+61", "a@b", "http://", "x".repeat(9_000), "٣".repeat(6)),
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.integer(), fc.double({ noNaN: true }), fc.constant([]));

type Twist = {
  what: "field" | "drop" | "body" | "raw" | "path" | "query";
  nth: number;
  value: unknown;
  text: string;
  type: string;
};
const twist: fc.Arbitrary<Twist> = fc.record({
  what: fc.constantFrom("field", "field", "field", "drop", "body", "raw", "path", "query"),
  nth: fc.nat(50),
  value,
  text,
  type: fc.constantFrom("application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"),
});
const twists = fc.array(twist, { minLength: 1, maxLength: 3 });

const pick = (names: readonly string[], nth: number) => names[nth % Math.max(names.length, 1)] ?? "surplus";

/** A lone surrogate cannot be part of a URL, and an empty segment is a different URL. */
const inAnAddress = (part: string) => new TextDecoder().decode(new TextEncoder().encode(part)) || "-";

/** The names of all fields that the document allows in a call's body and query. */
function namesOf(call: Endpoint): { fields: string[]; parameters: string[] } {
  const operation = document.paths[call.path]?.[call.method.toLowerCase()];
  const properties = operation?.requestBody?.content["application/json"]?.schema?.properties ?? {};
  const parameters = (operation?.parameters ?? []).flatMap((each) => (each.in === "query" ? [each.name] : []));
  return { fields: Object.keys(properties), parameters };
}

function twisted(call: Endpoint, sent: Sent, { what, nth, value, text, type }: Twist): Sent {
  const { fields, parameters } = namesOf(call);
  const isObject = typeof sent.json === "object" && sent.json !== null && !Array.isArray(sent.json);
  const body = (isObject ? sent.json : {}) as Record<string, unknown>;
  const name = pick([...new Set([...Object.keys(body), ...fields])], nth);
  switch (call.method === "GET" && what !== "path" ? "query" : what) {
    case "field":
      return { ...sent, file: undefined, json: { ...body, [name]: value } };
    case "drop":
      return {
        ...sent,
        file: undefined,
        json: Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)),
      };
    case "body":
      return { ...sent, file: undefined, json: value };
    case "raw":
      return { ...sent, json: undefined, file: { type, text } };
    case "path": {
      const path = sent.path ?? {};
      return { ...sent, path: { ...path, [pick(Object.keys(path), nth)]: inAnAddress(text) } };
    }
    default: {
      const query = sent.query ?? {};
      return { ...sent, query: { ...query, [pick([...Object.keys(query), ...parameters, "surplus"], nth)]: text } };
    }
  }
}

/** The faults of a response: a server error, or a status or body that is not in the document. */
async function faultsOf(call: Endpoint, response: Response): Promise<string[]> {
  const body = new TextDecoder().decode(await response.arrayBuffer());
  if (response.status >= 500) return [`${response.status}: ${body.slice(0, 200)}`];
  const described = document.paths[call.path]?.[call.method.toLowerCase()]?.responses[String(response.status)];
  if (!described) return [`${response.status} is not in the document: ${body.slice(0, 200)}`];
  if (body === "") return [];
  const type = (response.headers.get("Content-Type") ?? "").split(";")[0] ?? "";
  const content = described.content?.[type];
  if (!content) return [`${response.status} as ${type} is not in the document: ${body.slice(0, 200)}`];
  const { schema } = content;
  if (!schema || type.endsWith("ndjson") || !type.endsWith("json")) return [];
  const { error } = readerOf(schema).safeParse(JSON.parse(body));
  return error ? [`${response.status}: ${z.prettifyError(error)}`] : [];
}

test("an answer that the document does not have is found", async () => {
  const call =
    CALLS.find(({ method, path }) => method === "GET" && path === "/api/payees") ?? expect.fail("no such call");
  const faults = (body: unknown, status: number) => faultsOf(call, Response.json(body, { status }));
  expect(await faults({}, 418)).toEqual([expect.stringContaining("418 is not in the document")]);
  expect(await faults({ message: 7 }, 401)).toHaveLength(1);
  expect(await faults({ message: "m", code: "SIGNED_OUT", requestId: "r" }, 500)).toHaveLength(1);
});

test("a cursor that no answer gave is refused", async () => {
  const call = CALLS.find(({ id }) => id === "listWebhookDeliveries") ?? expect.fail("no such call");
  const [example] = call.examples;
  if (!example) return expect.fail("no example");
  const api = await anApi();
  const sent = { ...(await withRealIds(api, example)), query: { cursor: "+61" } };
  const response = await api.send(requestOf(call, sent));
  expect(response.status).toBe(400);
  expect(await faultsOf(call, response)).toEqual([]);
});

let shared: ReturnType<typeof anApi> | undefined;

async function* worldsOf(example: Example) {
  shared ??= anApi();
  yield { api: await shared, sent: example as Sent };
  for (;;) {
    const api = await anApi();
    yield { api, sent: await withRealIds(api, example) };
  }
}

test.each(CALLS.map((call): [string, Endpoint] => [call.id, call]))(
  "%s",
  async (id, call) => {
    const seed = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
    const [example] = call.examples;
    if (!example) return expect.fail("no example");
    const samples = fc.sample(twists, { numRuns: requestsOfACall, seed });
    const worlds = worldsOf(example);
    const found: Record<string, string> = {};
    for (let from = 0; from < samples.length; from += ON_ONE_EXAMPLE) {
      const { value: world } = await worlds.next();
      if (!world) break;
      for (const each of samples.slice(from, from + ON_ONE_EXAMPLE)) {
        const sent = each.reduce((before, one) => twisted(call, before, one), world.sent);
        for (const fault of await faultsOf(call, await world.api.send(requestOf(call, sent))))
          found[fault] ??= JSON.stringify(sent);
      }
    }
    expect(found).toEqual({});
  },
  API_REQUESTS ? 3_600_000 : undefined,
);
