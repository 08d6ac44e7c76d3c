import * as z from "zod";
import { REASON_LENGTH } from "~/kernel/payee";
import { cleanText, isStorable } from "~/kernel/text";

const MAX_INPUT = 2_000;
const MAX_KEY = 300;

const key = z.string("Choose which details are right").min(1).max(MAX_KEY);

const reason = z
  .string("Give a reason")
  .max(MAX_INPUT, "This is far too long")
  .transform(cleanText)
  .refine((value) => value.length >= REASON_LENGTH.min, "Give a reason that another person will understand")
  .refine((value) => value.length <= REASON_LENGTH.max, `The reason is longer than ${REASON_LENGTH.max} characters`)
  .refine(isStorable, "The reason contains characters that cannot be stored");

/** What a person decides about other bank details in the accounting system. */
export const accountChangeSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("use"), key }),
  z.object({ intent: z.literal("keep"), key, reason }),
]);

/** What a person does with a connection. */
export const integrationPostSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("choose"), ledgerId: z.string("Choose one").min(1, "Choose one").max(MAX_KEY) }),
  z.object({ intent: z.literal("sync") }),
  z.object({ intent: z.literal("sync-all") }),
  z.object({ intent: z.literal("stop-notes") }),
  z.object({ intent: z.literal("disconnect") }),
]);

/** Which of what is there is read: what changed, or everything. */
export const syncCallSchema = z.object({ all: z.boolean("Send true or false").default(false) });

/** What the system adds to our address when the person comes back. */
export const consentReturnSchema = z.object({
  state: z.string().min(1).max(200),
  code: z.string().min(1).max(4_000).optional(),
  error: z.string().max(200).optional(),
});
