import { CALLS } from "./all-calls.server";
import { type Call, type Example, GROUPS, type Group, type Parameter, pathOf } from "./call";
import { exampleOf } from "./example-of";
import { bodyTables, typeWord } from "./fields-of";
import { guideOf, sayLimit } from "./guide";
import { limitNames, type Surroundings, VERSION } from "./openapi.server";
import { toScript } from "./quick-start";
import type { ApiGuide, FieldTable, ShownCall, ShownGroup } from "./reference.view";
import { REFUSALS } from "./refusals";
import { answerSchemas, requestSchema } from "./schemas.server";

/** The API's document as the pages show it: every sentence is made here. */

const isGroup = (name: string): name is Group => Object.hasOwn(GROUPS, name);

const shownGroups = (): ShownGroup[] =>
  Object.entries(GROUPS).map(([id, { title, intro }]) => ({
    id,
    title,
    intro,
    calls: CALLS.filter(({ group }) => group === id).map((call) => ({
      id: call.id,
      method: call.method,
      path: pathOf(call),
      title: call.title,
    })),
  }));

export function apiGuide({ origin, facts }: Surroundings): ApiGuide {
  const sections = guideOf({ ...facts, limitNames: limitNames() });
  return { sections, script: toScript(origin), groups: shownGroups(), version: VERSION };
}

/** The calls of a group; undefined for a group that there is not. */
export function apiGroup(surroundings: Surroundings, name: string) {
  if (!isGroup(name)) return undefined;
  const { title, intro } = GROUPS[name];
  const calls = CALLS.filter(({ group }) => group === name).map((call) => shownCall(call, surroundings));
  return { id: name, title, intro, calls, groups: shownGroups() };
}

function shownCall(call: Call, surroundings: Surroundings): ShownCall {
  const path = pathOf(call);
  return {
    id: call.id,
    method: call.method,
    path,
    title: call.title,
    text: call.text ?? "",
    access: sayAccess(call, surroundings.scopeOf(call.method, path)),
    notes: notesOf(call, surroundings),
    tables: tablesOf(call),
    examples: call.examples.map((example) => ({ title: example.title, request: toRequest(call, example) })),
    answers: answersOf(call),
    refusals: (call.refusals ?? []).map((code) => ({ code, ...REFUSALS[code] })),
  };
}

function sayAccess({ isOpen }: Call, scope: string | undefined): string {
  if (isOpen) return "Anyone may make this call.";
  if (scope === undefined || scope === "session") return "Signed-in people only; an API token cannot make this call.";
  return scope === "any" ? "Any API token may make this call." : `An API token needs the scope \`${scope}\`.`;
}

function notesOf({ isIdempotent, limit, body }: Call, { facts }: Surroundings): string[] {
  const found = limit === undefined ? undefined : facts.limits[limit];
  return [
    ...(isIdempotent ? ["Takes an `Idempotency-Key`."] : []),
    ...(found ? [`${sayLimit(found)} from one address.`] : []),
    ...(body?.files ? [`The body is the file's bytes: ${body.files.map((type) => `\`${type}\``).join(", ")}.`] : []),
    ...(body?.files && body.json ? ["Or JSON, as `application/json`."] : []),
  ];
}

function tablesOf({ parameters = [], query = [], body }: Call): FieldTable[] {
  const table = (title: string, all: readonly Parameter[], isPath: boolean): FieldTable => ({
    title,
    fields: all.map(({ name, text, schema, isRequired }) => {
      return { name, type: typeWord(requestSchema(schema)), isRequired: isPath || isRequired === true, text };
    }),
  });
  const all = [table("In the path", parameters, true), table("In the query", query, false)];
  return [
    ...all.filter(({ fields }) => fields.length > 0),
    ...(body?.json ? bodyTables(requestSchema(body.json)) : []),
  ];
}

/** The call as curl makes it. */
function toRequest(call: Call, { path = {}, query = {}, json, file }: Example): string {
  const filled = pathOf(call).replace(/\{(\w+)\}/g, (_, name: string) => String(path[name]));
  const asked = new URLSearchParams(query).toString();
  const lines = [
    `curl ${call.method === "GET" || call.method === "POST" ? "" : `-X ${call.method} `}"$SITE${filled}${asked && `?${asked}`}"`,
    ...(call.isOpen ? [] : ['  -H "Authorization: Bearer $TOKEN"']),
    ...(json === undefined ? [] : ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(json, null, 2)}'`]),
    ...(file ? [`  -H "Content-Type: ${file.type}"`, `  --data-binary '${file.text}'`] : []),
    ...(call.method === "POST" && json === undefined && !file ? ["  -X POST"] : []),
  ];
  return lines.join(" \\\n");
}

function answersOf({ answers }: Call): ShownCall["answers"] {
  const schemas = answerSchemas(answers.flatMap(({ schema }) => schema ?? []));
  return answers.map(({ status, text, schema }) => {
    const example = schema && exampleOf(schemas.of(schema), schemas.named);
    return { status, text, body: example === undefined ? null : JSON.stringify(example, null, 2) };
  });
}
