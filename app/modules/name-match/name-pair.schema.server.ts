import * as z from "zod";
import { sayPlainly } from "~/kernel/plain-issues";
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

const schema = z.object({
  submitted: nameField("Enter the name on the invoice"),
  held: nameField("Enter the name at the bank"),
});

/** The body of the call: the same two names, and what kind of holder they belong to, where that is known. */
export const namePairCallSchema = schema.extend({
  kind: z
    .enum(["person", "org", "joint", "trading"], { error: "The kind is person, org, joint or trading" })
    .optional(),
});

export type NamePair = {
  submitted: string;
  held: string;
  errors?: { submitted?: string[]; held?: string[] };
};

/** Two names of a form, cleaned; or what was typed with what is wrong with it. */
export function readNamePair(form: FormData): NamePair {
  const typed = { submitted: form.get("submitted") ?? "", held: form.get("held") ?? "" };
  const result = schema.safeParse(typed, { error: sayPlainly });
  if (result.success) return result.data;
  const { fieldErrors } = z.flattenError(result.error);
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, MAX_LENGTH) : "");
  return { submitted: text(typed.submitted), held: text(typed.held), errors: fieldErrors };
}
