import * as z from "zod";
import type { ReviewChoices } from "./review-choices";

/** A box that was ticked is sent, one that was not is absent. */
const ticked = z.literal("on").optional().transform(Boolean);

export const reviewChoicesSchema: z.ZodType<ReviewChoices> = z.object({
  reviewNext: ticked,
  reviewKeys: ticked,
  reviewRoomy: ticked,
});
