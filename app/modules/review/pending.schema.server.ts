import * as z from "zod";
import { MATCH_TYPES } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { PENDING_PAGE_SIZE, type PendingFilter } from "./pending.queries.server";

const MAX_QUERY = 160;
const MAX_LIMIT = 500;

const key = z.string().refine(isId).optional().catch(undefined);

const filterSchema = z.object({
  q: z
    .string()
    .transform((text) => text.trim().slice(0, MAX_QUERY))
    .optional()
    .catch(undefined),
  match: z.enum(MATCH_TYPES).optional().catch(undefined),
  order: z.enum(["newest", "oldest"]).catch("newest"),
  after: key,
  before: key,
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).catch(PENDING_PAGE_SIZE),
});

/** The list's address as a filter; what it does not understand it leaves out, so an old link still leads somewhere. */
export function readPendingFilter(params: URLSearchParams): PendingFilter & { order: "newest" | "oldest" } {
  const cursor = params.get("cursor");
  return filterSchema.parse({ ...Object.fromEntries(params), ...(cursor ? { after: cursor } : {}) });
}
