import { getZodConstraint } from "@conform-to/zod/v4";
import * as z from "zod";

/** The string that a field's value must be, behind what reads and cleans it. */
function stringOf(schema: unknown): z.ZodString | undefined {
  if (schema instanceof z.ZodString) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return stringOf(schema.unwrap());
  if (!(schema instanceof z.ZodPipe)) return undefined;
  return stringOf(schema.out instanceof z.ZodTransform ? schema.in : schema.out);
}

/**
 * The attributes that a form's fields carry, out of the rules that its post is checked with, by the field's name.
 * `getZodConstraint` tells what is required; the lengths it no longer finds, because zod keeps them elsewhere since 4.6.
 */
export function fieldConstraints(fields: z.ZodObject) {
  const required = getZodConstraint(fields);
  const constraints = Object.entries(fields.shape).map(([name, schema]) => {
    const { minLength, maxLength } = stringOf(schema) ?? {};
    return [name, { ...required[name], minLength: minLength ?? undefined, maxLength: maxLength ?? undefined }] as const;
  });
  return Object.fromEntries(constraints);
}
