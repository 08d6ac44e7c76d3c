import * as z from "zod";
import { isId } from "~/kernel/ids";
import { cleanText, isStorable } from "~/kernel/text";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { assigneeSchema } from "~/modules/verifying/assign.server";
import { BULK_MAX } from "./bulk";
import { rejectionReason } from "./review.schema.server";

const NO_ITEM = "Tick at least one verification";
const MAX_NAME = 60;
const NO_NAME = "Give the view a name";

const many = {
  submissionId: idempotencyKeySchema,
  id: z
    .array(z.string({ error: NO_ITEM }).refine(isId, NO_ITEM), { error: NO_ITEM })
    .min(1, NO_ITEM)
    .max(BULK_MAX, `Tick at most ${BULK_MAX} at once`)
    .transform((ids) => [...new Set(ids)]),
};

/** What the forms of the queue post, told apart by the button that was pressed. An empty `assignee` takes the assignment off. */
export const queueFormSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("assign"),
    ...many,
    assignee: assigneeSchema,
  }),
  z.object({ intent: z.literal("verify-basiq"), ...many }),
  z.object({ intent: z.literal("send-link"), ...many }),
  z.object({ intent: z.literal("reject"), ...many, reason: rejectionReason }),
  z.object({
    intent: z.literal("save-view"),
    name: z
      .string({ error: NO_NAME })
      .max(MAX_NAME, `Keep the name under ${MAX_NAME} characters`)
      .refine(isStorable, "The name contains characters that cannot be stored")
      .transform(cleanText)
      .pipe(z.string({ error: NO_NAME }).min(1, NO_NAME)),
  }),
  z.object({ intent: z.literal("remove-view"), view: z.string({ error: "Choose a view" }) }),
  z.object({
    intent: z.literal("density"),
    roomy: z.enum(["yes", "no"], { error: "Choose how much space rows have" }),
  }),
]);

export type QueueForm = z.infer<typeof queueFormSchema>;
export type BulkForm = Extract<QueueForm, { id: string[] }>;
