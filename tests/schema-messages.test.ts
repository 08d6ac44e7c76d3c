import { expect, test } from "vitest";
import { SCHEMAS } from "./support/every-schema";
import { messagesOfAnything, PROGRAMMERS_WORDS } from "./support/wrongly-typed";

/**
 * Wrong types are answered with sentences for people, by every schema there is; new schemas are covered automatically.
 */

const schemas = SCHEMAS.map(({ file, name, schema }) => [`${file} ${name}`, schema] as const);

test("the schemas are found", () => {
  expect(schemas.length).toBeGreaterThan(40);
});

test.each(schemas)("%s", (_, schema) => {
  const messages = [...new Set(messagesOfAnything(schema))];
  expect(messages.filter((message) => PROGRAMMERS_WORDS.test(message))).toEqual([]);
});
