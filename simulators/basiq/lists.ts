import type { SimulatedCall, SimulatorContext } from "../party";

const FILTER = /^([a-z.]+)\.(eq|ne)\('([^']*)'\)$/i;
const MAX_LIMIT = 500;

/** One page of a list: `limit` items from `next`, and the address of the page after it. */
export function listAnswer(call: SimulatedCall, context: SimulatorContext, items: readonly object[]): Response {
  const { searchParams, pathname } = call.url;
  const limit = Math.min(Number(searchParams.get("limit")) || context.pageSize, MAX_LIMIT);
  const from = Number(searchParams.get("next")) || 0;
  const self = new URL(context.publicOrigin + pathname);
  for (const [name, value] of searchParams) self.searchParams.set(name, value);
  const next = new URL(self);
  next.searchParams.set("next", String(from + limit));
  const hasMore = from + limit < items.length;
  return Response.json({
    type: "list",
    count: Math.min(limit, Math.max(items.length - from, 0)),
    size: items.length,
    data: items.slice(from, from + limit),
    links: { self: self.toString(), ...(hasMore && { next: next.toString() }) },
  });
}

/** `filter=connection.id.eq('8fce3b')`: conditions joined by commas, all of which must hold. */
export function passesFilter(call: SimulatedCall, values: Record<string, string>): boolean {
  const conditions = (call.url.searchParams.get("filter") ?? "").split(",").filter(Boolean);
  return conditions.every((condition) => {
    const [, property = "", operator, wanted] = FILTER.exec(condition) ?? [];
    const equal = values[property] === wanted;
    return operator === "ne" ? !equal : equal;
  });
}
