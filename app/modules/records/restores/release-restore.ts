import * as z from "zod";

/** What the form that releases a hold posts. */
export const releasePostSchema = z.object({
  restoreId: z.string(),
  read: z.literal("on", { error: "Tick this once you have read the report" }),
});
