import { expect, test } from "vitest";
import * as z from "zod";
import { messagesOfAnything, PROGRAMMERS_WORDS } from "./support/wrongly-typed";

/** Wrong types are answered with sentences for people, by every schema there is: a new one is covered by being there. */

const modules = import.meta.glob<Record<string, unknown>>("../app/modules/**/*.server.ts", { eager: true });

/** Some schemas are made for one posted form. */
function asSchema(name: string, value: unknown): z.ZodType | undefined {
  if (value instanceof z.ZodType) return value;
  if (typeof value !== "function" || !/schema$/i.test(name)) return undefined;
  try {
    const made: unknown = value(new FormData());
    return made instanceof z.ZodType ? made : undefined;
  } catch {
    return undefined;
  }
}

const schemas = Object.entries(modules).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]): [string, z.ZodType][] => {
    const schema = asSchema(name, value);
    return schema ? [[`${file.replace("../app/", "")} ${name}`, schema]] : [];
  }),
);

test("the schemas are found", () => {
  expect(schemas.length).toBeGreaterThan(40);
});

test.each(schemas)("%s", (_, schema) => {
  const messages = [...new Set(messagesOfAnything(schema))];
  expect(messages.filter((message) => PROGRAMMERS_WORDS.test(message))).toEqual([]);
});
