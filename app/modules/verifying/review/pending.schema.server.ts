import * as z from "zod";
import { MATCH_TYPES, QUEUE_ORDERS, type QueueOrder } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { PENDING_PAGE_SIZE, type PendingFilter } from "./pending.queries.server";
import { MINE, type QueueView } from "./pending-address";

const MAX_QUERY = 160;
const MAX_LIMIT = 1000;

const key = z.string().refine(isId).optional().catch(undefined);

const filterSchema = z.object({
  q: z
    .string()
    .transform((text) => text.trim().slice(0, MAX_QUERY))
    .optional()
    .catch(undefined),
  match: z.enum(MATCH_TYPES).optional().catch(undefined),
  order: z.enum(QUEUE_ORDERS).optional().catch(undefined),
  assigned: z.literal(MINE).optional().catch(undefined),
  after: key,
  before: key,
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).catch(PENDING_PAGE_SIZE),
});

/** The list's address as a filter; what it does not understand it leaves out, so an old link still leads somewhere. */
export function readPendingFilter(
  params: URLSearchParams,
  defaultOrder: QueueOrder = "risk",
): PendingFilter & { order: QueueOrder; mine: boolean } {
  const cursor = params.get("cursor");
  const { assigned, ...filter } = filterSchema.parse({
    ...Object.fromEntries(params),
    ...(cursor ? { after: cursor } : {}),
  });
  return { ...filter, order: filter.order ?? defaultOrder, mine: assigned === MINE };
}

/** The view of the queue that an item was opened from. */
export function readQueueView(params: URLSearchParams): QueueView & { order: QueueOrder } {
  const { q, match, order, mine } = readPendingFilter(params);
  return { q, match, order, mine };
}
