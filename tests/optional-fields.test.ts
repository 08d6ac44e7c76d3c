import { readdirSync, readFileSync } from "node:fs";
import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";
import * as z from "zod";
import { SCHEMAS } from "./support/every-schema";

/**
 * A browser sends a field that was left empty as an empty text. So in every form "optional" means: empty is absent.
 * Checked over every schema there is, field by field, as `parseForm` reads it; new schemas are covered automatically.
 */

const schemas = new Map(SCHEMAS.map(({ name, schema }) => [name, schema]));

type Field = { name: string; schema: z.ZodType };

/** The fields of a form, those of its parts by `part.field`; undefined for a schema that does not say which it has. */
function fieldsOf(schema: z.ZodType, prefix = ""): Field[] | undefined {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, field]) => {
      const name = `${prefix}${key}`;
      // A part of several fields is sent by their names, never by its own.
      return fieldsOf(field, `${name}.`) ?? [{ name, schema: field }];
    });
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return fieldsOf(schema.unwrap() as z.ZodType, prefix);
  }
  if (schema instanceof z.ZodPipe) {
    const from = schema.in as z.ZodType;
    return fieldsOf(from instanceof z.ZodTransform ? (schema.out as z.ZodType) : from, prefix);
  }
  if (schema instanceof z.ZodUnion) {
    const each = schema.options.map((option) => fieldsOf(option as z.ZodType, prefix));
    return each.some((fields) => fields === undefined) ? undefined : each.flatMap((fields) => fields ?? []);
  }
  return undefined;
}

/** What a field is read as if a form sends it like this, or not at all. */
function read(schema: z.ZodType, sent: { field?: string }) {
  const form = new FormData();
  if (sent.field !== undefined) form.set("field", sent.field);
  const submission = parseWithZod(form, { schema: z.object({ field: schema }) });
  return submission.status === "success" ? { value: submission.value.field } : { refused: submission.reply().error };
}

const optional = [...schemas].flatMap(([form, schema]) =>
  (fieldsOf(schema) ?? []).flatMap((field): [string, z.ZodType][] =>
    "value" in read(field.schema, {}) ? [[`${form} ${field.name}`, field.schema]] : [],
  ),
);

test("the optional fields are found", () => {
  expect(optional.length).toBeGreaterThan(60);
  const names = optional.map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(["alertFormSchema quietFrom", "alertFormSchema mentioned.sms", "newPayeeSchema email"]),
  );
});

test.each(optional)("%s, left empty, is absent", (_, schema) => {
  expect(read(schema, { field: "" })).toEqual(read(schema, {}));
});

test("every schema that a form is read with says which fields it has", () => {
  const sources = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    .map((name) => readFileSync(`app/${name}`, "utf8"));
  const used = new Set(
    sources
      .flatMap((source) => [...source.matchAll(/parseForm\(form, ([^;]+)/g)])
      .flatMap(([, given = ""]) => given.match(/\w+(Schema|Field)\b/g) ?? []),
  );
  expect(used.size).toBeGreaterThan(40);
  const hidden = [...used].filter((name) => {
    const schema = schemas.get(name);
    return schema === undefined || fieldsOf(schema) === undefined;
  });
  expect(hidden).toEqual([]);
});
