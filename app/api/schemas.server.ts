import * as z from "zod";
import { EXAMPLE, NAMES } from "./endpoint.server";

/** A JSON schema (draft 2020-12), as far as this document uses it. */
export type JsonSchema = { [key: string]: unknown };

type Schemas = Readonly<Record<string, JsonSchema>>;

export const COMPONENTS = "#/components/schemas/";

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

/** An example answer for a schema, from its fields' examples. Pure. @param named components that it refers to */
export function exampleOf(schema: JsonSchema, named: Schemas): unknown {
  const { $ref, examples, anyOf, oneOf, type } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (typeof $ref === "string") return exampleOf(named[$ref.slice(COMPONENTS.length)] ?? {}, named);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = [anyOf, oneOf].find(Array.isArray) ?? [];
  if (isSchema(first)) return exampleOf(first, named);
  if (type === "object") return exampleOfObject(schema, named);
  if (type === "array") return isSchema(schema.items) ? [exampleOf(schema.items, named)] : [];
  if (type === "boolean") return true;
  return type === "integer" || type === "number" ? (schema.minimum ?? 0) : type === "string" ? "text" : null;
}

function exampleOfObject({ properties }: JsonSchema, named: Schemas): Record<string, unknown> {
  if (!isSchema(properties)) return {};
  const members = Object.entries(properties).filter(([, value]) => isSchema(value));
  return Object.fromEntries(members.map(([name, value]) => [name, exampleOf(value as JsonSchema, named)]));
}

/** Converts Zod schemas to the document's JSON schemas. */

/** The body of every refusal. */
z.looseObject({
  message: z
    .string()
    .meta({ description: "The sentence that a person reads.", examples: ["Check the details and try again."] }),
  code: z.string().meta({
    description: "For programs. A code keeps its meaning; new codes may be added.",
    examples: ["INVALID_INPUT"],
  }),
  fieldErrors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .meta({
      description: "The sentences beside each field.",
      examples: [{ bsb: ["A BSB has 6 digits, such as 062-000"] }],
    }),
  requestId: z.string().meta({ description: "Tell us this number.", examples: [EXAMPLE.entry] }),
}).register(NAMES, { id: "Error" });

type Member = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

/** Removes the safe-integer limits that zod adds to every whole number, because they tell readers nothing. */
const dropSafeIntegers = (schema: z.core.JSONSchema.BaseSchema) => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
};

/** Removes fields that must be absent. */
const dropAbsent = ({ zodSchema, jsonSchema }: Member) => {
  if (zodSchema._zod.def.type !== "object") return;
  for (const [name, field] of Object.entries(zodSchema._zod.def.shape)) {
    const { def } = field._zod as z.core.$ZodTypeInternals & { def: { innerType?: z.core.$ZodType } };
    const inner = def.type === "optional" ? def.innerType?._zod.def.type : def.type;
    if (inner === "undefined") delete jsonSchema.properties?.[name];
  }
};

const OPTIONS = {
  unrepresentable: "any",
  // Instants are strings on the wire, so the input side is described in both directions.
  io: "input",
  override: (member: Member) => {
    dropSafeIntegers(member.jsonSchema);
    dropAbsent(member);
  },
} as const;

const plain = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => schema;

/** The schema of a request, the same as the one that parses it. */
export const requestSchema = (schema: z.ZodType): JsonSchema => plain(z.toJSONSchema(schema, OPTIONS) as JsonSchema);

export type AnswerSchemas = {
  named: Record<string, JsonSchema>;
  /** The JSON schema of an answer: a reference if it has a name. */
  of: (schema: z.ZodType) => JsonSchema;
};

/**
 * The schemas of answers, which refer to each other by name. They allow additional fields, because answers may gain
 * some.
 *
 * @param answers every schema that will be needed
 */
export function answerSchemas(answers: readonly z.ZodType[]): AnswerSchemas {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of NAMES._idmap) names.add(schema, { id });
  for (const [at, schema] of answers.entries()) if (!names.has(schema)) names.add(schema, { id: `answer${at}` });
  const { schemas } = z.toJSONSchema(names, {
    ...OPTIONS,
    metadata: z.globalRegistry,
    uri: (id) => `${COMPONENTS}${id}`,
    override: (member) => {
      OPTIONS.override(member);
      if (member.jsonSchema.additionalProperties === false) delete member.jsonSchema.additionalProperties;
    },
  });
  const made = new Map(Object.entries(schemas).map(([id, schema]) => [id, plain(schema as JsonSchema)]));
  const isNamed = (id: string) => NAMES._idmap.has(id);
  return {
    named: Object.fromEntries([...made].filter(([id]) => isNamed(id))),
    of(schema) {
      const id = names.get(schema)?.id ?? "";
      return isNamed(id) ? { $ref: `${COMPONENTS}${id}` } : (made.get(id) ?? {});
    },
  };
}
