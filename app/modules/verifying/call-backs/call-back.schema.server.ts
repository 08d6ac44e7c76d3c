import * as z from "zod";
import { CALL_OUTCOMES, CALL_SOURCES } from "~/kernel/enums";
import { parsePhone } from "~/kernel/phone";
import { cleanText, isStorable } from "~/kernel/text";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency-key.schema.server";

const MAX_NAME = 140;
const MAX_NOTE = 500;
const NO_NUMBER = "Enter the number you called, such as 02 9374 4000";

const line = (max: number, what: string) =>
  z
    .string()
    .max(max, `Keep ${what} under ${max} characters`)
    .refine(isStorable, `${what} contains characters that cannot be stored`)
    .transform((text) => cleanText(text) || undefined)
    .optional();

const fields = {
  number: z
    .string({ error: NO_NUMBER })
    .max(40, NO_NUMBER)
    .transform((text, context) => {
      const number = parsePhone(text);
      if (number === undefined) context.addIssue({ code: "custom", message: NO_NUMBER });
      return number ?? "";
    }),
  source: z.enum(CALL_SOURCES, { error: "Choose where the number was known from" }),
  spokeTo: line(MAX_NAME, "The name"),
  outcome: z.enum(CALL_OUTCOMES, { error: "Choose how the call ended" }),
  note: line(MAX_NOTE, "The note"),
};

type Called = { source: string; outcome: string; spokeTo?: string; note?: string };

/** What a call must say besides: whom you spoke to, and where a number from somewhere else was known from. */
function requireDetails({ source, outcome, spokeTo, note }: Called, context: z.RefinementCtx) {
  if (outcome !== "no_answer" && !spokeTo) {
    context.addIssue({ code: "custom", path: ["spokeTo"], message: "Say whom you spoke to" });
  }
  if (source === "other" && !note) {
    context.addIssue({ code: "custom", path: ["note"], message: "Say where the number was known from" });
  }
}

/** Body of POST /api/verifications/{id}/calls. */
export const callSchema = z.object(fields).superRefine(requireDetails);

/** The page's form. */
export const callFormSchema = z
  .object({ intent: z.literal("record-call"), submissionId: idempotencyKeySchema.optional(), ...fields })
  .superRefine(requireDetails);

export type CallInput = z.infer<typeof callSchema>;
