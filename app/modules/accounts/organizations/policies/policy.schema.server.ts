import * as z from "zod";
import { APPROVAL_EVIDENCE } from "~/kernel/enums";
import { MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import { CHOSEN_RULES } from "~/modules/rules";
import type { PolicyRuleLevel } from "~/modules/rules/payment-reason";
import type { Policy } from "./policy";
import { LIMITS, TIME_ZONES } from "./policy-form";

/** A box that was ticked is sent, one that was not is absent. */
const ticked = z.literal("on").optional().transform(Boolean);

const whole = ({ min, max }: { min: number; max: number }) => {
  const message = `Enter a whole number from ${min} to ${max}`;
  return z
    .string({ error: message })
    .transform((text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value >= min && value <= max, { error: message });
};

const INVALID_AMOUNT = "Enter an amount in dollars, such as 10,000";
const amount = z
  .string({ error: INVALID_AMOUNT })
  .transform((text) => parseAud(text) ?? -1)
  .refine((cents) => cents >= 0 && cents <= MAX_AMOUNT_CENTS, { error: INVALID_AMOUNT });

const level = z.enum(["hold", "warn", "off"], { error: "Choose what the rule does" }).optional();

const ruleLevels = z
  .object(Object.fromEntries(CHOSEN_RULES.map((rule) => [rule.id, level])))
  .transform((chosen): Record<string, PolicyRuleLevel> => {
    const own = CHOSEN_RULES.flatMap(({ id, defaultLevel }) => {
      const value = chosen[id];
      return value && value !== defaultLevel ? [[id, value] as const] : [];
    });
    return Object.fromEntries(own);
  });

/** The form of policies. `version` says which state it was made from. */
export const policyFormSchema: z.ZodType<{ version: number; policy: Policy }> = z
  .object({
    version: z.coerce.number().int().min(0),
    secondPersonRequired: ticked,
    autoApproveExact: ticked,
    acceptVouching: ticked,
    twoStepRequired: ticked,
    reverifyAfterMonths: whole(LIMITS.reverifyAfterMonths),
    firstPaymentLimitCents: amount,
    promotionMinSpanDays: whole(LIMITS.promotionMinSpanDays),
    promotionMinDistinctDays: whole(LIMITS.promotionMinDistinctDays),
    approvalEvidence: z.enum(APPROVAL_EVIDENCE, { error: "Choose what an approval needs" }),
    timeZone: z.enum(TIME_ZONES, { error: "Choose a time zone" }),
    ruleLevels: z.preprocess((levels) => levels ?? {}, ruleLevels),
  })
  .transform(({ version, ...policy }) => ({ version, policy }));
