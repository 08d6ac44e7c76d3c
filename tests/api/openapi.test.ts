import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { apiSurroundings, CALLS } from "~/api/calls.server";
import { describeApi } from "~/api/openapi.server";
import { toScript } from "~/api/reference.server";

/** Validates the API's document against the OpenAPI 3.1 specification and the expectations of client generators. */

type Json = { [key: string]: unknown };

const document = describeApi(apiSurroundings({ appOrigin: "https://app.payeeproof.example" })) as Json & {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
};
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
};
type Content = { schema?: Json; example?: unknown; examples?: Record<string, { value?: unknown }> };

// The schema of OpenAPI 3.1 as its authors publish it: https://spec.openapis.org/oas/3.1/schema/2026-08-03 (Apache-2.0).
const metaSchema = JSON.parse(readFileSync(new URL("./openapi-3.1.schema.json", import.meta.url), "utf8")) as Json;

const OPERATIONS = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    path,
    operation,
  ]),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
// The validator treats the whole document as one schema, so that references resolve as in the document.
ajv.addSchema(document, "document");

const compiled = new Map<string, ValidateFunction>();

const problemsOf = (schema: Json, value: unknown) => {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const check = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute) as Json);
  compiled.set(absolute, check);
  return check(value) ? [] : check.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
};

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === "$ref" && typeof member === "string") yield member;
    else yield* referencesIn(member);
  }
}

const found = (reference: string) =>
  reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, name) => (at as Json | undefined)?.[name], document);

test("the document is one of OpenAPI 3.1", () => {
  const check = new Ajv2020({ strict: false, validateFormats: false }).compile(metaSchema);
  check(document);
  expect(check.errors ?? []).toEqual([]);
});

test("it says whose it is and under which terms it may be used", () => {
  const { contact, license } = document.info as Record<string, Json>;
  expect([contact, license]).toEqual([
    { name: "PayeeProof", url: "https://app.payeeproof.example/contact" },
    { name: "All rights reserved", url: "https://app.payeeproof.example/terms" },
  ]);
});

test("a document that is none would be found", () => {
  const check = new Ajv2020({ strict: false, validateFormats: false }).compile(metaSchema);
  expect(check({ ...document, paths: { payees: {} } })).toBe(false);
  expect(check({ ...document, info: { title: "No version" } })).toBe(false);
});

test("every reference leads somewhere", () => {
  const references = [...new Set(referencesIn(document))];
  expect(references.length).toBeGreaterThan(15);
  expect(references.filter((reference) => found(reference) === undefined)).toEqual([]);
});

test("every named schema is used, and every call has a name of its own", () => {
  const used = new Set(referencesIn(document));
  const { schemas } = document.components as { schemas: Json };
  expect(Object.keys(schemas).filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
  expect(new Set(CALLS.map(({ id }) => id)).size).toBe(CALLS.length);
});

test.each(OPERATIONS)("%s is described so that a client can be made of it", (_, path, operation) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const declared = (operation.parameters ?? []).filter((each) => each.in === "path").map(({ name }) => name);
  expect(declared).toEqual(inPath);
  expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
  expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
  expect(operation.description).toMatch(/^[A-Z`].+\.$/s);
  const statuses = Object.keys(operation.responses);
  expect(statuses.some((status) => status.startsWith("2"))).toBe(true);
  expect(statuses.some((status) => status.startsWith("4"))).toBe(true);
  expect(statuses).toContain("503");
  if (operation.security.length > 0) expect(statuses).toContain("401");
});

test.each(OPERATIONS)("%s: its examples are what its schemas allow", (_, __, operation) => {
  const contents = [
    ...Object.values(operation.requestBody?.content ?? {}),
    ...Object.values(operation.responses).flatMap(({ content }) => Object.values(content ?? {})),
  ];
  for (const { schema, example, examples = {} } of contents) {
    if (!schema) continue;
    const values = [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples).flatMap(({ value }) => value ?? []),
    ];
    for (const value of values) expect(problemsOf(schema, value)).toEqual([]);
  }
});

test("every example of a refusal is what the schema of errors allows", () => {
  const { examples } = document.components as { examples: Record<string, { value: unknown }> };
  const schema = { $ref: "#/components/schemas/Error" };
  for (const { value } of Object.values(examples)) expect(problemsOf(schema, value)).toEqual([]);
});

test("an example that its schema forbids would be found", () => {
  const schema = { $ref: "#/components/schemas/Payee" };
  expect(problemsOf(schema, { id: 1 })?.length).toBeGreaterThan(5);
});

test("the quick start is a script that a shell understands", () => {
  const { status, stderr } = spawnSync("sh", ["-n"], {
    input: toScript("https://app.payeeproof.example"),
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});
