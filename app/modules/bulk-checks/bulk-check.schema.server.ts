import * as z from "zod";
import { cleanLine } from "~/kernel/text";
import { BULK_FILTERS, type BulkChoice, PAID_CHOICES, VERIFIED_CHOICES } from "./bulk-check";

const MAX_QUERY = 200;

/** Which payees, from an address or a form. What it does not understand it leaves out: a link never fails. */
const choiceSchema = z.object({
  q: z
    .string()
    .transform((text) => cleanLine(text.slice(0, MAX_QUERY)) || undefined)
    .optional()
    .catch(undefined),
  status: z.enum(BULK_FILTERS).default("all").catch("all"),
  verified: z.enum(VERIFIED_CHOICES).default("never").catch("never"),
  paid: z.enum(PAID_CHOICES).default("any").catch("any"),
});

export function readChoice(values: URLSearchParams | FormData): BulkChoice {
  const { status: filter, ...choice } = choiceSchema.parse(Object.fromEntries(values));
  return { ...choice, filter };
}

const afterSchema = z.coerce
  .number("A position is a whole number")
  .int("A position is a whole number")
  .positive("A position is a whole number")
  .optional()
  .catch(undefined);

/** `after=POSITION` of the list of asked payees. */
export const readPosition = (params: URLSearchParams): number | undefined =>
  afterSchema.parse(params.get("after") ?? undefined);
