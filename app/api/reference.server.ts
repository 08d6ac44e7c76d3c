import { STATUS_OF } from "~/kernel/app-error";
import { folders } from "~/kernel/paths/site";
import { formatCount } from "~/kernel/text";
import { type Endpoint, type Example, GROUPS } from "./endpoint.server";
import { guideOf, limitWords } from "./guide";
import { isRequired, limitNames, type Surroundings, VERSION } from "./openapi.server";
import type { ApiGuide, FieldTable, ShownCall, ShownField, ShownGroup } from "./reference.view";
import { REFUSALS } from "./refusals";
import { answerSchemas, exampleOf, type JsonSchema, requestSchema } from "./schemas.server";

/**
 * The API's reference: an example script, then every call with its fields, from the API document. The script adds a
 * payee, verifies it, checks a pay run and clears it, each step with curl; a test makes the same calls in the same
 * order. Pure.
 */

/** `$NAME` in a path or body is a value that an earlier step kept. */
type Step = {
  text: string;
  method: "GET" | "POST";
  /** The path below `/api/`. */
  path: string;
  json?: Readonly<Record<string, unknown>>;
  /** A file that an earlier step wrote. */
  file?: string;
  /** Names for values in the answer: `{ PAYEE: "payee.id" }`. */
  keeps?: Readonly<Record<string, string>>;
  /** The file to which the answer is written. */
  saves?: string;
  /** Sends an `Idempotency-Key`. */
  isIdempotent?: true;
  /** Is repeated every minute until this is no longer null. */
  until?: string;
  /** A condition for the step: the name and its value. */
  only?: readonly [name: string, value: string];
};

export const PAY_RUN_FILE = "suppliers.aba";

/** The script's pay run, a direct entry file with one payment. */
export const PAY_RUN = [
  "0                 01CBA       HARBOUR JOINERY           301500SUPPLIERS   201126                                        ",
  "1062-000 12345678 500000125000WATTLE CREEK ELECTRICAL PTY LTD INV-2041          082-001987654321HARBOUR JOINERY 00000000",
  "7999-999            000012500000001250000000000000                        000001                                        ",
  "",
].join("\n");

export const STEPS: readonly Step[] = [
  {
    text: "Add a payee. Its verification opens with it.",
    method: "POST",
    path: "payees",
    isIdempotent: true,
    json: {
      name: "Wattle Creek Electrical",
      accountName: "Wattle Creek Electrical Pty Ltd",
      bsb: "062-000",
      accountNumber: "12345678",
      email: "accounts@wattlecreek.example",
    },
    keeps: { PAYEE: "payee.id", VERIFICATION: "verification.id" },
  },
  {
    text: "Ask the payee's bank. The payee is emailed a link and gives consent.",
    method: "POST",
    path: "verifications/$VERIFICATION/verify-basiq",
    json: {},
  },
  {
    text: "Read the verification now and then, until the bank has answered.",
    method: "GET",
    path: "verifications/$VERIFICATION",
    keeps: { OUTCOME: "outcome" },
    until: "OUTCOME",
  },
  {
    text: "If the bank confirms the details, approve them: this puts the payee on the whitelist.",
    method: "POST",
    path: "verifications/$VERIFICATION/review",
    isIdempotent: true,
    json: { approved: true },
    only: ["OUTCOME", "match"],
  },
  {
    text: "Upload the pay run. Every line is checked before the answer.",
    method: "POST",
    path: "payment-files?name=suppliers.aba",
    isIdempotent: true,
    file: PAY_RUN_FILE,
    keeps: { FILE: "file.id", HELD: "file.totals.held" },
  },
  {
    text: "Clear what no rule held. Held lines stay behind until a person decides them.",
    method: "POST",
    path: "payment-files/$FILE/clear",
    isIdempotent: true,
    json: {},
    keeps: { SHA256: "clearing.sha256" },
  },
  {
    text: "Download the direct entry file for your bank.",
    method: "GET",
    path: "payment-files/$FILE/cleared.aba",
    saves: "cleared.aba",
  },
];

/** The step as POSIX shell commands with curl and jq. Bodies are in single quotes: none of ours contains one. */
function toCurl({ path, json, file, keeps = {}, saves, until, only, isIdempotent }: Step, at: number): string {
  const call = [
    `curl -sS --fail-with-body "$SITE${folders.api}/${path}"`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...(isIdempotent ? [`  -H "Idempotency-Key: $RUN-${at + 1}"`] : []),
    ...(json ? ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(json)}'`] : []),
    ...(file ? ['  -H "Content-Type: text/plain"', `  --data-binary @${file}`] : []),
    ...(saves ? [`  -o ${saves}`] : []),
  ].join(" \\\n");
  const reads = Object.entries(keeps).map(([name, member]) => `${name}=$(echo "$ANSWER" | jq -r .${member})`);
  const steps = [reads.length > 0 ? `ANSWER=$(${call})` : call, ...reads];
  const repeated = until ? [`${until}=null`, `while [ "$${until}" = null ]; do`, "sleep 60", ...steps, "done"] : steps;
  return [...(only ? [`[ "$${only[0]}" = ${only[1]} ]`] : []), ...repeated].join("\n");
}

export function toScript(origin: string): string {
  const head = [
    "set -eu",
    `SITE=${origin}`,
    "TOKEN=pp_your_token",
    "RUN=$(date +%s)",
    `cat > ${PAY_RUN_FILE} <<'END'\n${PAY_RUN}END`,
  ];
  const steps = STEPS.map((step, at) => `# ${at + 1}. ${step.text}\n${toCurl(step, at)}`);
  return `${[head.join("\n"), ...steps].join("\n\n")}\n`;
}

/** The fields of a request, as a readable table. Pure. */

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;
const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** The type of a field: `062-000 or null`, `list of whole numbers`. */
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
  ...(typeof maximum === "number" ? [`At most ${formatCount(maximum)}.`] : []),
  ...(typeof maxLength === "number" && maxLength < 1_000 ? [`At most ${maxLength} characters.`] : []),
];

const describedBy = (schema: JsonSchema): string[] => {
  const inner = listOf(schema.anyOf).find(({ type }) => type !== "null") ?? {};
  const description = schema.description ?? inner.description;
  const byDefault = "default" in schema ? [`By default ${JSON.stringify(schema.default)}.`] : [];
  return [
    ...(typeof description === "string" ? [description] : []),
    ...limitsOf({ ...inner, ...schema }),
    ...byDefault,
  ];
};

/** The fields of an object; those of a nested object follow it, as `outer.inner`. */
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

/** A table for each variant of the body. */
function bodyTables(schema: JsonSchema): FieldTable[] {
  const ways = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  const all = ways.length > 0 ? ways : [schema];
  const tables = all.map((way, at) => ({
    title: all.length === 1 ? "In the body" : `In the body, variant ${at + 1} of ${all.length}`,
    fields: fieldsOf(way),
  }));
  return tables.filter(({ fields }) => fields.length > 0);
}

const isGroup = (name: string): name is keyof typeof GROUPS => Object.hasOwn(GROUPS, name);

const shownGroups = (all: readonly Endpoint[]): ShownGroup[] =>
  Object.entries(GROUPS).map(([id, { title, intro }]) => ({
    id,
    title,
    intro,
    calls: all
      .filter(({ group }) => group === id)
      .map((call) => ({ id: call.id, method: call.method, path: call.path, title: call.title })),
  }));

export function apiGuide({ origin, facts, calls }: Surroundings): ApiGuide {
  const sections = guideOf({ ...facts, limitNames: limitNames(calls) });
  return { sections, script: toScript(origin), groups: shownGroups(calls), version: VERSION };
}

/** The calls of a group; undefined for an unknown group. */
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
    access: accessSentence(call),
    notes: notesOf(call, surroundings),
    tables: tablesOf(call),
    examples: call.examples.map((example) => ({ title: example.title, request: toRequest(call, example) })),
    answers: answersOf(call),
    refusals: (call.refusals ?? []).map((code) => ({ code, status: STATUS_OF[code], text: REFUSALS[code] })),
  };
}

function accessSentence({ by, needs }: Endpoint): string {
  if (by === "anyone") return "Anyone may make this call.";
  if (needs === undefined) return "Signed-in people only; an API token cannot make this call.";
  return needs === "any" ? "Any API token may make this call." : `An API token needs the scope \`${needs}\`.`;
}

function notesOf({ isIdempotent, limit, body, files }: Endpoint, { facts }: Surroundings): string[] {
  const found = limit === undefined ? undefined : facts.limits[limit];
  return [
    ...(isIdempotent ? ["Takes an `Idempotency-Key`."] : []),
    ...(found ? [`${limitWords(found)} from one address.`] : []),
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
