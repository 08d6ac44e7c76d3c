import * as z from "zod";
import type { Parameter } from "../call";
import { EXAMPLE } from "../example-ids";

/** Parameters that several calls share. */

const uuid = (example: string) => z.string().meta({ format: "uuid", examples: [example] });
const day = z.string().meta({ format: "date", examples: ["2026-11-01"] });

export const idOf = (noun: string, example: string): Parameter => ({
  name: "id",
  text: `The id of the ${noun}.`,
  schema: uuid(example),
});

/** A parameter of the query that holds text. */
export const word = (name: string, text: string, example: string): Parameter => ({
  name,
  text,
  schema: z.string().meta({ examples: [example] }),
});

export const choice = (name: string, text: string, values: readonly string[]): Parameter => ({
  name,
  text,
  schema: z.enum(values),
});

export const cursor: Parameter = {
  name: "cursor",
  text: "The `nextCursor` of the answer before. Leave it out to begin.",
  schema: z.string().meta({ examples: [EXAMPLE.entry] }),
};

export const limit: Parameter = {
  name: "limit",
  text: "How many, up to 1,000.",
  schema: z
    .int()
    .min(1)
    .max(1000)
    .meta({ examples: [50] }),
};

/** Days of the organisation's time zone, both included. */
export const days: readonly Parameter[] = [
  { name: "from", text: "The first day, in the organisation's time zone.", schema: day },
  { name: "to", text: "The last day, in the organisation's time zone.", schema: day },
];

export const fileName: Parameter = word(
  "name",
  "The file's name, where the bytes are sent as they are.",
  "suppliers.aba",
);

/** A body that says nothing. */
export const nothing = z.object({});

export const FILES = ["text/plain", "text/csv", "application/octet-stream", "multipart/form-data"] as const;
