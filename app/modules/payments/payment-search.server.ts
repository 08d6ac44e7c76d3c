import * as z from "zod";
import { isId } from "~/kernel/ids";
import { PAYMENT_FILTERS } from "./payment-list";

const MAX_SEARCH = 100;
const MAX_AMOUNT = 20;

const id = z.string().refine(isId).optional().catch(undefined);
const word = (length: number) =>
  z
    .string()
    .transform((text) => text.trim().slice(0, length) || undefined)
    .optional()
    .catch(undefined);
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .optional()
  .catch(undefined);

const addressSchema = z.object({
  status: z.enum(PAYMENT_FILTERS).default("all").catch("all"),
  q: word(MAX_SEARCH),
  from: day,
  to: day,
  min: word(MAX_AMOUNT),
  max: word(MAX_AMOUNT),
  payeeId: id,
  by: id,
  cursor: id,
  after: id,
  before: id,
});

/**
 * Reads what is looked for and the key (`cursor` in calls, `after` and `before` on the page). What it does not know it
 * leaves out, so that no address is an error.
 */
export function readPaymentsQuery(params: URLSearchParams) {
  const { status: filter, cursor, after, before, ...search } = addressSchema.parse(Object.fromEntries(params));
  return { search: { filter, ...search }, after: after ?? cursor, before };
}
