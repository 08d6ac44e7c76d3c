import * as z from "zod";
import { isId } from "~/kernel/ids";
import { cleanLine } from "~/kernel/text";
import { PAYEE_FILTERS } from "./payee-list";

const MAX_QUERY = 200;

const key = z.string().refine(isId).optional().catch(undefined);

/** The address of a list. What it does not understand it leaves out: a link never fails. */
const addressSchema = z.object({
  q: z
    .string()
    .transform((text) => cleanLine(text.slice(0, MAX_QUERY)))
    .optional(),
  status: z.enum(PAYEE_FILTERS).default("all").catch("all"),
  cursor: key,
  after: key,
  before: key,
});

/** Reads `q`, `status` and the key (`cursor` in calls, `after` and `before` on the page). */
export function readPayeesQuery(params: URLSearchParams) {
  const { status: filter, cursor, ...rest } = addressSchema.parse(Object.fromEntries(params));
  return { ...rest, filter, after: rest.after ?? cursor };
}
