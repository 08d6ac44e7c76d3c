import * as z from "zod";
import { isStorable } from "~/kernel/text";

const MAX_KEY = 200;

/** `Idempotency-Key`, or a form's hidden field. */
export const idempotencyKeySchema = z
  .string()
  .min(1, "The key is empty")
  .max(MAX_KEY, `A key has at most ${MAX_KEY} characters`)
  .refine(isStorable, "The key contains characters that cannot be stored");
