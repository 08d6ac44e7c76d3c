/// <reference types="vite/types/importMeta.d.ts" />
import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { apiSurroundings, CALLS } from "~/api/calls.server";
import type { Endpoint } from "~/api/endpoint.server";
import { describeApi } from "~/api/openapi.server";
import { anApi, requestOf, type Sent } from "../api/an-api";

/** Requests that nobody would write, to every call of our own API; every answer, held against our own document. */

type Schema = Record<string, unknown>;
type Operation = { responses: Record<string, { content?: Record<string, { schema?: Schema }> }> };
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

/** Enough to find what is not caught, few enough for the gate; more are a matter of this number. */
const REQUESTS_PER_CALL = 6;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", " ", "\0", "../..", "%00", "null", "-1", "1e309", "‮", "💸".repeat(30), "'; --", "9".repeat(40)),
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.integer(), fc.double({ noNaN: true }));

type Twist = { what: "field" | "drop" | "body" | "path" | "query"; nth: number; value: unknown; text: string };
const twist: fc.Arbitrary<Twist> = fc.record({
  what: fc.constantFrom("field", "field", "drop", "body", "path", "query"),
  nth: fc.nat(50),
  value,
  text,
});

const pick = (names: readonly string[], nth: number) => names[nth % Math.max(names.length, 1)] ?? "surplus";

function twisted(sent: Sent, { what, nth, value, text }: Twist): Sent {
  const body = (sent.json ?? {}) as Record<string, unknown>;
  const name = pick(Object.keys(body), nth);
  switch (what) {
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
    case "path": {
      const path = sent.path ?? {};
      return { ...sent, path: { ...path, [pick(Object.keys(path), nth)]: text || "-" } };
    }
    default: {
      const query = sent.query ?? {};
      return { ...sent, query: { ...query, [pick([...Object.keys(query), "limit", "cursor"], nth)]: text } };
    }
  }
}

/** The answer's faults: a failure of ours, a status or a body that the document does not have. */
async function faultsOf(call: Endpoint, response: Response): Promise<string[]> {
  const body = new TextDecoder().decode(await response.arrayBuffer());
  if (response.status >= 500) return [`${response.status}: ${body.slice(0, 200)}`];
  const described = document.paths[call.path]?.[call.method.toLowerCase()]?.responses[String(response.status)];
  if (!described) return [`${response.status} is not in the document: ${body.slice(0, 200)}`];
  const type = (response.headers.get("Content-Type") ?? "").split(";")[0] ?? "";
  const schema = described.content?.[type]?.schema;
  if (body === "" || !schema || type.endsWith("ndjson") || !type.endsWith("json")) return [];
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

let shared: ReturnType<typeof anApi> | undefined;

test.each(CALLS.map((call): [string, Endpoint] => [call.id, call]))("%s", async (id, call) => {
  shared ??= anApi();
  const api = await shared;
  const seed = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  const [example] = call.examples;
  if (!example) return expect.fail("no example");
  for (const each of fc.sample(twist, { numRuns: REQUESTS_PER_CALL, seed })) {
    const isRead = call.method === "GET";
    const sent = twisted(
      example,
      isRead && ["field", "drop", "body"].includes(each.what) ? { ...each, what: "query" } : each,
    );
    const response = await api.send(requestOf(call, sent));
    expect(await faultsOf(call, response), JSON.stringify(sent)).toEqual([]);
  }
});
