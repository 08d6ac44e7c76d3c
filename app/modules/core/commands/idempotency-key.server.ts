import * as z from "zod";
import { isId } from "~/kernel/ids";
import { isStorable } from "~/kernel/text";

const MAX_KEY = 200;

/** `Idempotency-Key`, or a form's hidden field. */
export const idempotencyKeySchema = z
  .string()
  .min(1, "The key is empty")
  .max(MAX_KEY, `A key has at most ${MAX_KEY} characters`)
  .refine(isStorable, "The key contains characters that cannot be stored");

/** The hidden field of a form that must not be carried out twice; anything that is no id of ours is left out. */
export const submissionSchema = z.object({ submissionId: z.string().refine(isId).optional().catch(undefined) });
