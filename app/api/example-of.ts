/** A JSON schema (draft 2020-12) as this document uses it. */
export type JsonSchema = { [key: string]: unknown };

/** Components by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

export const COMPONENTS = "#/components/schemas/";

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

/**
 * An answer that a schema allows, made of the examples that stand with its fields. Pure.
 *
 * @param named what its references lead to
 */
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
