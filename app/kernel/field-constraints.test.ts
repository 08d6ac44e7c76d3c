import { expect, test } from "vitest";
import * as z from "zod";
import { fieldConstraints } from "./fields.schema.server";

const short = z.string().min(2).max(9);
const clean = (text: string) => text.trim();

test.each([
  ["a text", short, { required: true, minLength: 2, maxLength: 9 }],
  ["a text that is read into something else", short.transform(Number), { required: true, minLength: 2, maxLength: 9 }],
  [
    "a text that is cleaned before it is measured",
    z.string().max(2_000).transform(clean).pipe(short),
    { required: true, minLength: 2, maxLength: 9 },
  ],
  [
    "a text that may be missing",
    short
      .transform(clean)
      .nullish()
      .transform((text) => text ?? null),
    { required: false, minLength: 2, maxLength: 9 },
  ],
  ["a text without a length", z.string(), { required: true }],
  ["no text", z.number(), { required: true }],
])("%s gives the attributes of its field", (_, field, attributes) => {
  expect(fieldConstraints(z.object({ field }))).toEqual({ field: attributes });
});
