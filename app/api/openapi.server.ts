import * as z from "zod";
import { STATUS_OF } from "~/kernel/app-error";
import { sitePaths } from "~/kernel/paths/site";
import { type Endpoint, EXAMPLE, GROUPS, showsDetails } from "./endpoint.server";
import { type Facts, guideOf, toMarkdown } from "./guide";
import { type ExplainedCode, REFUSALS } from "./refusals";
import {
  type AnswerSchemas,
  answerSchemas,
  COMPONENTS,
  exampleOf,
  type JsonSchema,
  requestSchema,
} from "./schemas.server";

/** The API document: OpenAPI 3.1.1 (https://spec.openapis.org/oas/v3.1.1), made from the calls and their schemas. */

export const VERSION = "1.0.0";

const JSON_TYPE = "application/json";

/** Facts about the app that the document needs. */
export type Surroundings = {
  origin: string;
  facts: Omit<Facts, "limitNames">;
  /** Every call, in the order in which it is read. */
  calls: readonly Endpoint[];
};

type Members = Record<string, unknown>;

/** The document as a JSON object. */
export function describeApi({ origin, facts, calls }: Surroundings) {
  const answers = answerSchemas(
    calls.flatMap((call) => Object.values(call.answers).flatMap(({ schema }) => schema ?? [])),
  );
  const paths: Record<string, Members> = {};
  for (const call of calls) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(call, answers) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "PayeeProof API",
      version: VERSION,
      summary: "Check payees' bank details before you pay.",
      description: toMarkdown(guideOf({ ...facts, limitNames: limitNames(calls) })),
      contact: { name: "PayeeProof", url: origin + sitePaths.contact },
      license: { name: "All rights reserved", url: origin + sitePaths.terms },
    },
    servers: [{ url: origin }],
    tags: Object.values(GROUPS).map(({ title, intro }) => ({ name: title, description: intro })),
    paths,
    components: {
      schemas: answers.named,
      examples: allErrorExamples(),
      parameters: PARAMETERS,
      securitySchemes: securitySchemes(origin),
    },
  };
}

/** The titles of the calls under each limit. */
export function limitNames(calls: readonly Endpoint[]): Record<string, string> {
  const names: Record<string, string> = {};
  for (const { limit, title } of calls) if (limit) names[limit] = names[limit] ? `${names[limit]}; ${title}` : title;
  return names;
}

const securitySchemes = (origin: string) => ({
  token: { type: "http", scheme: "bearer", description: "An API token, made in your profile." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: origin.startsWith("https:") ? "__Host-session" : "session",
    description: "The cookie that signing in sets.",
  },
});

const PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Any text that you choose. A call with the same key and body is carried out once and gets the same answer each time.",
    schema: { type: "string", minLength: 1, maxLength: 200, examples: ["pay-run-2026-11-20-1"] },
  },
};

function operationOf(call: Endpoint, answers: AnswerSchemas): Members {
  return {
    operationId: call.id,
    tags: [GROUPS[call.group].title],
    summary: call.title,
    description: call.text ?? `${call.title}.`,
    security: securityOf(call),
    ...parametersOf(call),
    ...(call.body || call.files ? { requestBody: requestOf(call) } : {}),
    responses: { ...answersOf(call, answers), ...refusalsOf(refusedWith(call)) },
  };
}

function securityOf({ by, needs }: Endpoint): Members[] {
  if (by === "anyone") return [];
  if (needs === undefined) return [{ session: [] }];
  return [{ token: needs === "any" ? [] : [needs] }, { session: [] }];
}

function parametersOf({ parameters, query, isIdempotent }: Endpoint): Members {
  const all = [
    ...Object.entries(parameters).map(([name, schema]) => parameterOf(name, schema, "path")),
    ...Object.entries(query).map(([name, schema]) => parameterOf(name, schema, "query")),
    ...(isIdempotent ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
  return all.length === 0 ? {} : { parameters: all };
}

function parameterOf(name: string, declared: z.ZodType, place: "path" | "query"): Members {
  const { description, ...schema } = requestSchema(declared);
  return { name, in: place, description, required: isRequired(declared), schema };
}

export const isRequired = (parameter: z.ZodType) => !parameter.safeParse(undefined).success;

/** The part `file` of a form, or the raw bytes, for which OpenAPI 3.1 has no schema. */
const FORM: JsonSchema = { type: "object", properties: { file: {} }, required: ["file"] };

function requestOf({ body, files = [], isBodyOptional, examples }: Endpoint): Members {
  const sent = examples.filter((example) => example.json !== undefined);
  const named = Object.fromEntries(
    sent.map(({ title, json: value }, at) => [`example${at + 1}`, { summary: title, value }]),
  );
  const content: Members = {};
  if (body) content[JSON_TYPE] = { schema: requestSchema(body), ...(sent.length > 0 ? { examples: named } : {}) };
  for (const type of files) {
    const text = examples.find(({ file }) => file?.type === type)?.file?.text;
    const isForm = type === "multipart/form-data";
    content[type] = { ...(isForm ? { schema: FORM } : {}), ...(text === undefined ? {} : { example: text }) };
  }
  return { required: !isBodyOptional, content };
}

function answersOf({ answers }: Endpoint, schemas: AnswerSchemas): Members {
  const described = Object.entries(answers).map(([status, { text, schema, type = JSON_TYPE }]): [string, Members] => {
    if (!schema && type === JSON_TYPE) return [status, { description: text }];
    if (!schema) return [status, { description: text, content: { [type]: {} } }];
    const made = schemas.of(schema);
    const example = exampleOf(made, schemas.named);
    return [status, { description: text, content: { [type]: { schema: made, example } } }];
  });
  return Object.fromEntries(described);
}

/** Every code with which a call may be refused. */
function refusedWith({ by, needs, body, files, isIdempotent, limit, method, parameters, refusals = [] }: Endpoint) {
  const isOrganizations = by !== "anyone" && by !== "person";
  const codes: ExplainedCode[] = [...refusals];
  if (body || isIdempotent) codes.push("INVALID_INPUT");
  if (body || files) codes.push("MALFORMED", "TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE");
  if (by !== "anyone") codes.push("SIGNED_OUT", "INVALID_TOKEN");
  if (by !== "anyone" && needs === undefined) codes.push("SESSION_REQUIRED");
  if (isOrganizations) codes.push("ACCOUNT_PENDING", "ACCOUNT_REJECTED", "ORGANIZATION_SUSPENDED");
  if (isOrganizations && needs !== undefined) codes.push("SCOPE_MISSING");
  if (isOrganizations && showsDetails(needs)) codes.push("STEP_UP_REQUIRED");
  if (isOrganizations && method !== "GET")
    codes.push("READ_ONLY", "ORGANIZATION_REQUIRED", "TWO_STEP_REQUIRED", "PASSKEY_REQUIRED");
  if (isOrganizations && Object.keys(parameters).length > 0) codes.push("NOT_FOUND");
  if (isIdempotent) codes.push("IDEMPOTENCY_CONFLICT");
  if (limit) codes.push("RATE_LIMITED");
  return [...new Set<ExplainedCode>([...codes, "ADDRESS_TOO_LONG", "INTERNAL", "BUSY", "UPSTREAM_UNAVAILABLE"])];
}

/** The codes by status, each with its meaning and an example. */
function refusalsOf(codes: readonly ExplainedCode[]): Members {
  const byStatus = new Map<number, ExplainedCode[]>();
  for (const code of codes) byStatus.set(STATUS_OF[code], [...(byStatus.get(STATUS_OF[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [
      String(status),
      {
        description: each.map((code) => `${code}: ${REFUSALS[code]}`).join("\n\n"),
        ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
        content: { [JSON_TYPE]: { schema: { $ref: `${COMPONENTS}Error` }, examples: errorExamples(each) } },
      },
    ]),
  );
}

const RETRY_AFTER = { "Retry-After": { description: "Seconds to wait.", schema: requestSchema(z.int().min(1)) } };

const errorExamples = (codes: readonly ExplainedCode[]): Members =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));

const allErrorExamples = (): Members =>
  Object.fromEntries(
    Object.entries(REFUSALS).map(([code, text]) => [
      code,
      { summary: text, value: { message: text, code, requestId: EXAMPLE.entry } },
    ]),
  );
