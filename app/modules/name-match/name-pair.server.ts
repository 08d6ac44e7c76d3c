import * as z from "zod";
import { cleanLine, isStorable } from "~/kernel/text";
import { explainDifferences, markNames, matchNames } from ".";

const MAX_LENGTH = 140;

function nameField(missing: string) {
  return z
    .string({ error: missing })
    .transform(cleanLine)
    .refine((text) => text.length > 0, { error: missing })
    .refine((text) => text.length <= MAX_LENGTH, { error: `Please use at most ${MAX_LENGTH} characters` })
    .refine(isStorable, { error: "Please use letters that can be compared" });
}

/** Two names in a form, normalised. */
export const namePairSchema = z.object({
  submitted: nameField("Enter the name on the invoice"),
  held: nameField("Enter the name at the bank"),
});

/** The body of the API call: the two names, and the kind of holder, if known. */
export const namePairCallSchema = namePairSchema.extend({
  kind: z
    .enum(["person", "org", "joint", "trading"], { error: "The kind must be person, org, joint or trading" })
    .optional(),
});

/** Two names side by side for a page: the score, the marks on the characters, and why it is not higher. */
export function comparePair({ submitted, held }: { submitted: string; held: string }) {
  const { score, parts, differences } = matchNames(submitted, held);
  const match = { score, names: markNames(submitted, held, parts), reasons: explainDifferences(differences) };
  return { submitted, held, match };
}
