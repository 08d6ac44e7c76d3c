import * as z from "zod";

const hash = z.string().regex(/^[0-9a-f]{64}$/, "hash is 64 hexadecimal digits");
const count = z.coerce.number().int("count is a whole number").min(1, "count is at least 1");

/** `?hash=&count=` of the trail's check: a tip that was noted down elsewhere. `?after=&afterHash=`: where a part ended. */
const checkSchema = z
  .object({ hash: hash.optional(), count: count.optional(), after: count.optional(), afterHash: hash.optional() })
  .refine((asked) => (asked.hash === undefined) === (asked.count === undefined), {
    error: "hash and count belong together",
    path: ["count"],
  })
  .refine((asked) => (asked.after === undefined) === (asked.afterHash === undefined), {
    error: "after and afterHash belong together",
    path: ["after"],
  });

/** What a check is asked to begin from and to compare with. */
export const anchorSchema = checkSchema.transform(({ hash, count, after, afterHash }) => ({
  anchor: hash !== undefined && count !== undefined ? { hash, count } : undefined,
  from: after !== undefined && afterHash !== undefined ? { count: after, hash: afterHash } : undefined,
}));

/** `?after=` of an export: the number of the last entry of the part before. */
export const exportSchema = z.object({
  after: z.coerce.number().int("after is a whole number").min(0, "after is at least 0").optional(),
});
