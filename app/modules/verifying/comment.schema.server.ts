import * as z from "zod";
import { cleanText, isStorable } from "~/kernel/text";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency-key.schema.server";

export const MAX_COMMENT = 1_000;

const NO_TEXT = "Write a comment";

const text = z
  .string({ error: NO_TEXT })
  .max(MAX_COMMENT, `Keep the comment under ${MAX_COMMENT} characters`)
  .refine(isStorable, "The comment contains characters that cannot be stored")
  .transform(cleanText)
  .pipe(z.string({ error: NO_TEXT }).min(1, NO_TEXT));

/** Body of POST /api/verifications/{id}/comments. */
export const commentSchema = z.object({ text });

/** The form of a comment. */
export const commentFormSchema = z.object({
  intent: z.literal("comment"),
  submissionId: idempotencyKeySchema.optional(),
  text,
});
