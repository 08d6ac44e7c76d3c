import * as z from "zod";
import { cleanLine, isStorable } from "~/kernel/text";

const MAX_LENGTH = 140;

function nameField(missing: string) {
  return z
    .string({ error: missing })
    .transform(cleanLine)
    .refine((text) => text.length > 0, { error: missing })
    .refine((text) => text.length <= MAX_LENGTH, { error: `Please use at most ${MAX_LENGTH} characters` })
    .refine(isStorable, { error: "Please use letters that can be compared" });
}

/** Two names of a form, cleaned. */
export const namePairSchema = z.object({
  submitted: nameField("Enter the name on the invoice"),
  held: nameField("Enter the name at the bank"),
});

/** The body of the call: the same two names, and what kind of holder they belong to, where that is known. */
export const namePairCallSchema = namePairSchema.extend({
  kind: z
    .enum(["person", "org", "joint", "trading"], { error: "The kind is person, org, joint or trading" })
    .optional(),
});
