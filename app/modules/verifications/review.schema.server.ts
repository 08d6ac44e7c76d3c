import * as z from "zod";
import { cleanText, isStorable } from "~/kernel/text";
import { DEFAULT_REJECTION_REASON } from "./verification";

const MAX_REASON = 500;

const reason = z
  .string()
  .refine(isStorable, "The reason contains characters that cannot be stored")
  .transform(cleanText)
  .pipe(
    z.string().min(1, "Give a reason for rejecting").max(MAX_REASON, `Keep the reason under ${MAX_REASON} characters`),
  );

/** Body of POST /api/verifications/{id}/review (specification, section 7). */
export const reviewSchema = z.discriminatedUnion("approved", [
  z.object({ approved: z.literal(true), addToGlobalWhitelist: z.boolean().default(false) }),
  z.object({ approved: z.literal(false), reason: reason.default(DEFAULT_REJECTION_REASON) }),
]);

/** The reason field of the page's form. */
export const rejectFormSchema = z.object({ reason });

/** `Idempotency-Key`, or a form's hidden field. */
export const idempotencyKeySchema = z
  .string()
  .min(1)
  .max(200)
  .refine(isStorable, "The key contains characters that cannot be stored");
