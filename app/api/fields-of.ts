import type { JsonSchema } from "./example-of";
import type { FieldTable, ShownField } from "./reference.view";

/** The fields of a request, as a table that people read. Pure. */

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;
const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** `062-000 or null`, `list of whole numbers`: what may stand in a field. */
export function typeWord(schema: JsonSchema): string {
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
export function bodyTables(schema: JsonSchema): FieldTable[] {
  const ways = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  const all = ways.length > 0 ? ways : [schema];
  const tables = all.map((way, at) => ({
    title: all.length === 1 ? "In the body" : `In the body, way ${at + 1} of ${all.length}`,
    fields: fieldsOf(way),
  }));
  return tables.filter(({ fields }) => fields.length > 0);
}
