import * as z from "zod";
import { NOTIFICATION_CHANNELS } from "~/kernel/enums";
import { cleanText, isStorable } from "~/kernel/text";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { DEFAULT_REJECTION_REASON } from "~/modules/payees/verifications/verification";
import { callFormSchema } from "~/modules/verifying/call-backs/call-back.server";

const MAX_REASON = 500;

const NO_REASON = "Give a reason for rejecting";

export const rejectionReason = z
  .string({ error: NO_REASON })
  .refine(isStorable, "The reason contains characters that cannot be stored")
  .transform(cleanText)
  .pipe(
    z.string({ error: NO_REASON }).min(1, NO_REASON).max(MAX_REASON, `Keep the reason under ${MAX_REASON} characters`),
  );

/** In the page's form, where an empty field is the specification's own words (section 4). */
const typedRejectionReason = z
  .string()
  .transform((text) => (cleanText(text) === "" ? DEFAULT_REJECTION_REASON : text))
  .pipe(rejectionReason)
  .default(DEFAULT_REJECTION_REASON);

/** How the details were confirmed; an empty field is none. */
const approvalReason = z
  .string()
  .max(MAX_REASON, `Keep the reason under ${MAX_REASON} characters`)
  .refine(isStorable, "The reason contains characters that cannot be stored")
  .transform((text) => cleanText(text) || undefined)
  .optional();

/** Body of POST /api/verifications/{id}/review (specification, section 7). */
export const reviewSchema = z.discriminatedUnion(
  "approved",
  [
    z.object({
      approved: z.literal(true),
      addToGlobalWhitelist: z
        .boolean()
        .default(false)
        .meta({ description: "Lets other organisations learn that an organisation trusts the account, never which." }),
      reason: approvalReason,
    }),
    z.object({
      approved: z.literal(false),
      reason: rejectionReason.default(DEFAULT_REJECTION_REASON),
      restoreFormer: z.boolean().default(false).meta({
        description: "Puts back the name and bank details that a trusted payee had before they were changed.",
      }),
    }),
  ],
  { error: "Set approved to true or false" },
);

const submission = { submissionId: idempotencyKeySchema.optional() };

/** A box that was ticked is sent, one that was not is absent. */
const ticked = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

/** What the page's forms post, told apart by the button that was pressed. */
export const reviewFormSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("approve"),
    ...submission,
    reason: approvalReason,
    basis: z.string().max(100).optional(),
    addToGlobalWhitelist: ticked,
  }),
  z.object({
    intent: z.literal("reject"),
    ...submission,
    reason: typedRejectionReason,
    basis: z.string().max(100).optional(),
    restoreFormer: ticked,
  }),
  callFormSchema,
  z.object({ intent: z.literal("verify-basiq") }),
  z.object({ intent: z.literal("check-now"), ...submission }),
  z.object({ intent: z.literal("send-link"), channel: z.enum(NOTIFICATION_CHANNELS).optional() }),
]);

export type ReviewForm = z.infer<typeof reviewFormSchema>;
