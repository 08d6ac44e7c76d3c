import { type Endpoint, type Example, GROUPS } from "./endpoint.server";
import { exampleOf, type JsonSchema } from "./example-of";
import { guideOf, sayLimit } from "./guide";
import { isRequired, limitNames, type Surroundings, VERSION } from "./openapi.server";
import { toScript } from "./quick-start";
import type { ApiGuide, FieldTable, ShownCall, ShownField, ShownGroup } from "./reference.view";
import { REFUSALS } from "./refusals";
import { answerSchemas, requestSchema } from "./schemas.server";

/** The fields of a request, as a table that people read. Pure. */

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;
const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** `062-000 or null`, `list of whole numbers`: what may stand in a field. */
function typeWord(schema: JsonSchema): string {
  const { type, format, items } = schema;
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (choices.length > 0) return [...new Set(choices.map(typeWord))].join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (Array.isArray(type)) return type.map((each: unknown) => typeWord({ type: each })).join(" or ");
  if (type === "array") return isSchema(items) ? `list of ${typeWord(items)}` : "list";
  if (type === "string")
    return format === "date-time" ? "instant" : format === "date" ? "day" : format === "uuid" ? "id" : "text";
  if (type === "integer") return "whole number";
  return { boolean: "true or false", number: "number", object: "object", null: "null" }[String(type)] ?? "any";
}

const limitsOf = ({ minimum, maximum, maxLength }: JsonSchema): string[] => [
  ...(typeof minimum === "number" ? [`At least ${minimum}.`] : []),
  ...(typeof maximum === "number" ? [`At most ${maximum.toLocaleString("en-AU")}.`] : []),
  ...(typeof maxLength === "number" && maxLength < 1_000 ? [`At most ${maxLength} characters.`] : []),
];

const describedBy = (schema: JsonSchema): string[] => {
  const inner = listOf(schema.anyOf).find(({ type }) => type !== "null") ?? {};
  const description = schema.description ?? inner.description;
  const byDefault = "default" in schema ? [`Unless told otherwise ${JSON.stringify(schema.default)}.`] : [];
  return [
    ...(typeof description === "string" ? [description] : []),
    ...limitsOf({ ...inner, ...schema }),
    ...byDefault,
  ];
};

/** The fields of an object; those of an object within it follow it, as `outer.inner`. */
function fieldsOf(schema: JsonSchema, prefix = ""): ShownField[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  return properties.flatMap(([name, field]) => {
    if (!isSchema(field)) return [];
    const own = {
      name: prefix + name,
      type: typeWord(field),
      isRequired: required.has(name),
      text: describedBy(field).join(" "),
    };
    const inner = [field, ...listOf(field.anyOf)].find(({ properties }) => isSchema(properties));
    return inner ? [own, ...fieldsOf(inner, `${prefix}${name}.`)] : [own];
  });
}

/** A table for each way of writing the body. */
function bodyTables(schema: JsonSchema): FieldTable[] {
  const ways = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  const all = ways.length > 0 ? ways : [schema];
  const tables = all.map((way, at) => ({
    title: all.length === 1 ? "In the body" : `In the body, way ${at + 1} of ${all.length}`,
    fields: fieldsOf(way),
  }));
  return tables.filter(({ fields }) => fields.length > 0);
}

/** The API's document as the pages show it: every sentence is made here. */

const isGroup = (name: string): name is keyof typeof GROUPS => Object.hasOwn(GROUPS, name);

const shownGroups = (all: readonly Endpoint[]): ShownGroup[] =>
  Object.entries(GROUPS).map(([id, { title, intro }]) => ({
    id,
    title,
    intro,
    calls: all
      .filter(({ group }) => group === id)
      .map((call) => ({
        id: call.id,
        method: call.method,
        path: call.path,
        title: call.title,
      })),
  }));

export function apiGuide({ origin, facts, calls }: Surroundings): ApiGuide {
  const sections = guideOf({ ...facts, limitNames: limitNames(calls) });
  return { sections, script: toScript(origin), groups: shownGroups(calls), version: VERSION };
}

/** The calls of a group; undefined for a group that there is not. */
export function apiGroup(surroundings: Surroundings, name: string) {
  if (!isGroup(name)) return undefined;
  const { title, intro } = GROUPS[name];
  const calls = surroundings.calls.filter(({ group }) => group === name).map((call) => shownCall(call, surroundings));
  return { id: name, title, intro, calls, groups: shownGroups(surroundings.calls) };
}

function shownCall(call: Endpoint, surroundings: Surroundings): ShownCall {
  return {
    id: call.id,
    method: call.method,
    path: call.path,
    title: call.title,
    text: call.text ?? "",
    access: sayAccess(call),
    notes: notesOf(call, surroundings),
    tables: tablesOf(call),
    examples: call.examples.map((example) => ({ title: example.title, request: toRequest(call, example) })),
    answers: answersOf(call),
    refusals: (call.refusals ?? []).map((code) => ({ code, ...REFUSALS[code] })),
  };
}

function sayAccess({ by, needs }: Endpoint): string {
  if (by === "anyone") return "Anyone may make this call.";
  if (needs === undefined) return "Signed-in people only; an API token cannot make this call.";
  return needs === "any" ? "Any API token may make this call." : `An API token needs the scope \`${needs}\`.`;
}

function notesOf({ isIdempotent, limit, body, files }: Endpoint, { facts }: Surroundings): string[] {
  const found = limit === undefined ? undefined : facts.limits[limit];
  return [
    ...(isIdempotent ? ["Takes an `Idempotency-Key`."] : []),
    ...(found ? [`${sayLimit(found)} from one address.`] : []),
    ...(files ? [`The body is the file's bytes: ${files.map((type) => `\`${type}\``).join(", ")}.`] : []),
    ...(files && body ? ["Or JSON, as `application/json`."] : []),
  ];
}

function tablesOf({ parameters, query, body }: Endpoint): FieldTable[] {
  const table = (title: string, all: Endpoint["query"]): FieldTable => ({
    title,
    fields: Object.entries(all).map(([name, declared]) => {
      const { description, ...schema } = requestSchema(declared);
      return { name, type: typeWord(schema), isRequired: isRequired(declared), text: String(description) };
    }),
  });
  const all = [table("In the path", parameters), table("In the query", query)];
  return [...all.filter(({ fields }) => fields.length > 0), ...(body ? bodyTables(requestSchema(body)) : [])];
}

/** The call as curl makes it. */
function toRequest(call: Endpoint, { path = {}, query = {}, json, file }: Example): string {
  const filled = call.path.replace(/\{(\w+)\}/g, (_, name: string) => String(path[name]));
  const asked = new URLSearchParams(query).toString();
  const lines = [
    `curl ${call.method === "GET" || call.method === "POST" ? "" : `-X ${call.method} `}"$SITE${filled}${asked && `?${asked}`}"`,
    ...(call.by === "anyone" ? [] : ['  -H "Authorization: Bearer $TOKEN"']),
    ...(json === undefined ? [] : ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(json, null, 2)}'`]),
    ...(file ? [`  -H "Content-Type: ${file.type}"`, `  --data-binary '${file.text}'`] : []),
    ...(call.method === "POST" && json === undefined && !file ? ["  -X POST"] : []),
  ];
  return lines.join(" \\\n");
}

function answersOf({ answers }: Endpoint): ShownCall["answers"] {
  const schemas = answerSchemas(Object.values(answers).flatMap(({ schema }) => schema ?? []));
  return Object.entries(answers).map(([status, { text, schema }]) => {
    const example = schema && exampleOf(schemas.of(schema), schemas.named);
    return { status: Number(status), text, body: example === undefined ? null : JSON.stringify(example, null, 2) };
  });
}
