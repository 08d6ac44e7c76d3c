import type * as z from "zod";

/** Sentences for validation errors without one of their own; the validator's own messages are for programmers. */

const TYPES: Readonly<Record<string, string>> = {
  string: "Write this as text",
  number: "Write this as a number",
  int: "Write this as a whole number",
  boolean: "Send true or false",
  array: "Send this as a list",
  object: "Send this as an object with fields",
  record: "Send this as an object with fields",
};

/**
 * The error map for every parse whose messages people read. A schema's own message takes precedence.
 *
 * @example schema.safeParse(value, { error: plainWords })
 */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return isMissing(issue.input) ? "Please fill this in" : (TYPES[issue.expected] ?? UNUSABLE);
    case "invalid_value":
      return isMissing(issue.input) ? "Please choose one" : `Choose one of: ${issue.values.map(String).join(", ")}`;
    case "too_big":
      return sizeOf(issue.origin, "at most", issue.maximum);
    case "too_small":
      return isMissing(issue.input) ? "Please fill this in" : sizeOf(issue.origin, "at least", issue.minimum);
    case "unrecognized_keys":
      return `These fields are not known here: ${issue.keys.join(", ").slice(0, MAX_SHOWN)}`;
    case "invalid_union":
      return "Please send this in one of the accepted forms";
    default:
      return UNUSABLE;
  }
};

const UNUSABLE = "This cannot be used as it is written";
const MAX_SHOWN = 100;

const isMissing = (input: unknown) => input === undefined || input === null || input === "";

function sizeOf(origin: string, bound: string, size: number | bigint): string {
  if (origin === "string") return `Use ${bound} ${size} characters`;
  if (origin === "array" || origin === "set") return `Send ${bound} ${size} of them`;
  return `Use ${bound} ${size}`;
}
