import type * as z from "zod";

/** Values that a program sends where another type belongs. */
const WRONG: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  "",
  "x",
  "\u0000",
  "y".repeat(5_000),
  [],
  ["a"],
  {},
  { length: 1e9, toString: "y" },
];

/** Words of the validator's own messages, which are written for programmers. */
export const PROGRAMMERS_WORDS = /expected|received|invalid input|discriminator|literal|>=|<=|undefined|NaN/i;

/** Every message that a wrong value of each field brings, beside an otherwise right body; and one for a body without it. */
export function messagesOfWrongValues(schema: z.ZodType, body: Record<string, unknown>): string[] {
  const bodies = Object.keys(body).flatMap((field) => {
    const { [field]: _, ...without } = body;
    return [without, ...WRONG.map((value) => ({ ...body, [field]: value }))];
  });
  return bodies.flatMap((given) => schema.safeParse(given).error?.issues.map(({ message }) => message) ?? []);
}
