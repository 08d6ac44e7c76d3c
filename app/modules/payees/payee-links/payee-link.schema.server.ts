import * as z from "zod";
import { NOTIFICATION_CHANNELS } from "~/kernel/enums";
import { cleanText, isStorable } from "~/kernel/text";
import { MAX_DISPUTE_NOTE } from "./payee-link";

export const MISSING_PARAMETERS = "Missing required parameters";

/** The ids that travel with a link's token; both are needed (specification, section 5). */
export const linkIdsSchema = z.object({
  vid: z.string({ error: MISSING_PARAMETERS }).min(1, MISSING_PARAMETERS).max(100, "No id is that long"),
  pid: z.string({ error: MISSING_PARAMETERS }).min(1, MISSING_PARAMETERS).max(100, "No id is that long"),
});

const note = z
  .string({ error: "A note is a text." })
  .refine(isStorable, "The note has characters that cannot be kept.")
  .transform(cleanText)
  .pipe(z.string().max(MAX_DISPUTE_NOTE, `Keep the note to ${MAX_DISPUTE_NOTE} characters.`))
  .transform((text) => text || null)
  .nullish()
  .transform((text) => text ?? null);

/** A payee's answer as a call. */
export const linkAnswerSchema = linkIdsSchema.extend({
  response: z.enum(["confirm", "dispute"], { error: 'Say "confirm" or "dispute".' }),
  note,
});

/** A payee's answer on the page; "continue" goes on to the bank after an answer. */
export const linkFormSchema = z.object({
  response: z.enum(["confirm", "dispute", "continue"], { error: "Choose one of the two answers." }),
  note,
});

export const sendLinkSchema = z.object({
  channel: z.enum(NOTIFICATION_CHANNELS, { error: 'Say "email" or "sms".' }).optional(),
});
