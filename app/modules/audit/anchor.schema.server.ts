import * as z from "zod";

/** `?hash=&count=` of the trail's check: both or neither. */
export const anchorSchema = z
  .object({
    hash: z.string().regex(/^[0-9a-f]{64}$/, "hash is 64 hexadecimal digits"),
    count: z.coerce.number().int("count is a whole number").min(1, "count is at least 1"),
  })
  .strict();

export const hasAnchor = (params: URLSearchParams) => params.has("hash") || params.has("count");
