import * as z from "zod";
import { isId } from "~/kernel/ids";
import { BULK_MAX } from "~/modules/verifying/review/bulk";
import { rejectionReason } from "~/modules/verifying/review/review.schema.server";
import { assigneeId } from "./assign.server";

const NO_ITEM = "Name at least one verification";

const many = {
  ids: z
    .array(z.string({ error: NO_ITEM }).refine(isId, "This is no id of a verification"), { error: NO_ITEM })
    .min(1, NO_ITEM)
    .max(BULK_MAX, `At most ${BULK_MAX} at once`)
    .transform((ids) => [...new Set(ids)]),
};

/** Body of POST /api/verifications/bulk. Nothing approves several at once. */
export const bulkReviewSchema = z.discriminatedUnion(
  "act",
  [
    z.object({ act: z.literal("assign"), ...many, assigneeId }),
    z.object({ act: z.literal("verify-basiq"), ...many }),
    z.object({ act: z.literal("send-link"), ...many }),
    z.object({ act: z.literal("reject"), ...many, reason: rejectionReason }),
  ],
  { error: 'Say what to do: "assign", "verify-basiq", "send-link" or "reject"' },
);

export type BulkReview = z.infer<typeof bulkReviewSchema>;
