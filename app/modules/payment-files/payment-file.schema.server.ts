import * as z from "zod";
import { LINE_STATUSES } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import type { LineFilter } from "./file-lines.queries.server";

const MAX_LINE = 10_000_000;

/** Which lines of a file an address asks for. Unknown values are no filter, so that no address is an error. */
const lineFilterSchema = z.object({
  status: z.enum(LINE_STATUSES).optional().catch(undefined),
  rule: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .optional()
    .catch(undefined),
  payeeId: z.string().refine(isId).optional().catch(undefined),
  after: z.coerce.number().int().min(0).max(MAX_LINE).optional().catch(undefined),
});

/** The filter of `?status=&rule=&payeeId=&cursor=`. */
export function readLineFilter(params: URLSearchParams): LineFilter {
  const given = (name: string) => params.get(name) ?? undefined;
  const asked = { status: given("status"), rule: given("rule"), payeeId: given("payeeId"), after: given("cursor") };
  return lineFilterSchema.parse(asked);
}

/** The cursor of a list of files; anything that is no id is the beginning. */
export const readFilesCursor = (params: URLSearchParams): string | undefined => {
  const cursor = params.get("cursor") ?? params.get("after") ?? undefined;
  return cursor !== undefined && isId(cursor) ? cursor : undefined;
};

/** A line of a path; undefined for what is none. */
export const readLineNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
