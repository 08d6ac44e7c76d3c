import * as z from "zod";
import { isStorable } from "~/kernel/text";

/** `Idempotency-Key`, or a form's hidden field. */
export const idempotencyKeySchema = z
  .string()
  .min(1)
  .max(200)
  .refine(isStorable, "The key contains characters that cannot be stored");
