import type { SimulatedCall, SimulatorContext } from "../party";

const FILTER = /^([a-z.]+)\.(eq|ne)\('([^']*)'\)$/i;
const MAX_LIMIT = 500;

/** How a list says how many there are: each of the provider's lists in its own way, and most not at all. */
type Counted = "count" | "size" | "totalCount";

/** One page of a list: `limit` items from `next`, and the address of the page after it. */
export function listAnswer(
  call: SimulatedCall,
  context: SimulatorContext,
  items: readonly object[],
  ...counted: Counted[]
): Response {
  const { searchParams, pathname } = call.url;
  const limit = Math.min(Number(searchParams.get("limit")) || context.pageSize, MAX_LIMIT);
  const from = Number(searchParams.get("next")) || 0;
  const self = new URL(context.publicOrigin + pathname);
  for (const [name, value] of searchParams) self.searchParams.set(name, value);
  const next = new URL(self);
  next.searchParams.set("next", String(from + limit));
  const data = items.slice(from, from + limit);
  const numbers: Record<Counted, number> = { count: data.length, size: items.length, totalCount: items.length };
  return Response.json({
    type: "list",
    ...Object.fromEntries(counted.map((name) => [name, numbers[name]])),
    data,
    links: { self: self.toString(), ...(from + limit < items.length && { next: next.toString() }) },
  });
}

/** A list that says how many there are, and neither where it is nor that it goes on. */
export const wholeList = (data: readonly object[]): Response =>
  Response.json({ type: "list", count: data.length, data });

/** `filter=connection.id.eq('8fce3b')`: conditions joined by commas, all of which must hold. */
export function passesFilter(call: SimulatedCall, values: Record<string, string>): boolean {
  const conditions = (call.url.searchParams.get("filter") ?? "").split(",").filter(Boolean);
  return conditions.every((condition) => {
    const [, property = "", operator, wanted] = FILTER.exec(condition.trim()) ?? [];
    const equal = values[property] === wanted;
    return operator === "ne" ? !equal : equal;
  });
}
