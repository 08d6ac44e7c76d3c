import { type Endpoint, type Example, GROUPS } from "./endpoint.server";
import { exampleOf } from "./example-of";
import { bodyTables, typeWord } from "./fields-of";
import { guideOf, sayLimit } from "./guide";
import { isRequired, limitNames, type Surroundings, VERSION } from "./openapi.server";
import { toScript } from "./quick-start";
import type { ApiGuide, FieldTable, ShownCall, ShownGroup } from "./reference.view";
import { REFUSALS } from "./refusals";
import { answerSchemas, requestSchema } from "./schemas.server";

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
