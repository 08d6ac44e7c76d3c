import * as z from "zod";
import { plainWords } from "~/kernel/plain-issues";

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
export const PROGRAMMERS_WORDS =
  /expected|received|invalid (input|option|string|type|key)|discriminator|literal|pattern|>=|<=|undefined|NaN/i;

const messagesOf = (schema: z.ZodType, bodies: readonly unknown[]) =>
  bodies.flatMap(
    (given) => schema.safeParse(given, { error: plainWords }).error?.issues.map(({ message }) => message) ?? [],
  );

/** Every message that a wrong value of each field brings, beside an otherwise right body; and one for a body without it. */
export function messagesOfWrongValues(schema: z.ZodType, body: Record<string, unknown>): string[] {
  const bodies = Object.keys(body).flatMap((field) => {
    const { [field]: _, ...without } = body;
    return [without, ...WRONG.map((value) => ({ ...body, [field]: value }))];
  });
  return messagesOf(schema, bodies);
}

/** The same for a schema of which nothing is known: every field that it names, in each of the forms that it takes. */
export function messagesOfAnything(schema: z.ZodType): string[] {
  const shapes = shapesOf(schema);
  const bodies = shapes.flatMap((shape) => {
    const fixed = literalsOf(shape);
    const wrong = Object.keys(shape).flatMap((field) => WRONG.map((value) => ({ ...fixed, [field]: value })));
    return [fixed, ...wrong];
  });
  return messagesOf(schema, [undefined, ...WRONG, ...bodies]);
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function shapesOf(schema: z.core.$ZodType): Shape[] {
  const def = schema._zod.def as {
    shape?: Shape;
    in?: z.core.$ZodType;
    innerType?: z.core.$ZodType;
    options?: readonly z.core.$ZodType[];
  };
  if (def.shape) return [def.shape];
  const inner = def.in ?? def.innerType;
  return inner ? shapesOf(inner) : (def.options ?? []).flatMap(shapesOf);
}

/** What tells the forms of a union apart. */
function literalsOf(shape: Shape): Record<string, unknown> {
  const literals = Object.entries(shape).filter(([, field]) => field instanceof z.ZodLiteral);
  return Object.fromEntries(literals.map(([name, field]) => [name, (field as z.ZodLiteral).value]));
}
