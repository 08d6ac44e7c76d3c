import * as z from "zod";
import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import { MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import { cleanLine } from "~/kernel/text";
import { DETAIL, HEADER, widthOf } from "./aba/record";
import type { FileSettings } from "./file-settings";
import type { PayerDetails } from "./payer";

const line = (missing: string, max: number) =>
  z
    .string({ error: missing })
    .transform(cleanLine)
    .refine((text) => text !== "", missing)
    .refine((text) => text.length <= max, `A direct entry file has room for ${max} characters`);

const digits = <T extends string>(parse: (text: string) => T | undefined, message: string) =>
  z.string({ error: message }).transform((text, context) => {
    const value = parse(text);
    if (value === undefined) context.addIssue({ code: "custom", message });
    return value ?? "";
  });

const withIntent = { submissionId: z.string().optional() };

/** The account that pays. */
export const payerFormSchema: z.ZodType<{ intent: "payer"; payer: PayerDetails }> = z
  .object({
    intent: z.literal("payer"),
    ...withIntent,
    bank: z
      .string({ error: "Enter the three letters of your bank" })
      .transform((text) => text.trim().toUpperCase())
      .refine((text) => /^[A-Z&]{3}$/.test(text), "Enter the three letters of your bank, such as CBA"),
    userName: line("Enter the name of the account", widthOf(HEADER.userName)),
    userId: z
      .string({ error: "Enter the direct entry user id" })
      .transform((text) => text.trim())
      .refine((text) => /^\d{1,6}$/.test(text), "Enter the direct entry user id, up to six digits"),
    bsb: digits(parseBsb, "Enter a BSB of six digits"),
    accountNumber: digits(parseAccountNumber, "Enter an account number of 4 to 9 digits"),
    remitter: line("Enter the name that receivers see", widthOf(DETAIL.remitter)),
  })
  .transform(({ intent, submissionId: _, ...payer }) => ({ intent, payer }));

const limit = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined || text.trim() === "") return null;
    const cents = parseAud(text);
    if (cents !== undefined && cents <= MAX_AMOUNT_CENTS) return cents;
    context.addIssue({ code: "custom", message: "Enter an amount in dollars, such as 10,000, or nothing" });
    return z.NEVER;
  });

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

const time = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined || text.trim() === "") return null;
    const found = TIME.exec(text.trim());
    if (found) return Number(found[1]) * 60 + Number(found[2]);
    context.addIssue({ code: "custom", message: "Enter a time such as 08:30, or nothing" });
    return z.NEVER;
  });

type Limits = Pick<FileSettings, "memberLimitCents" | "adminLimitCents" | "workingHours">;

/** How much each role may approve, and when the organisation works. */
export const limitsFormSchema: z.ZodType<{ intent: "limits"; limits: Limits }> = z
  .object({
    intent: z.literal("limits"),
    ...withIntent,
    memberLimit: limit,
    adminLimit: limit,
    opensAt: time,
    closesAt: time,
    worksWeekends: z.literal("on").optional().transform(Boolean),
  })
  .superRefine(({ opensAt, closesAt }, context) => {
    const isHalf = (opensAt === null) !== (closesAt === null);
    const isBackwards = opensAt !== null && closesAt !== null && opensAt >= closesAt;
    if (isHalf) context.addIssue({ code: "custom", path: ["closesAt"], message: "Enter both times, or neither" });
    if (isBackwards) context.addIssue({ code: "custom", path: ["closesAt"], message: "Enter a time after the first" });
  })
  .transform(({ intent, memberLimit, adminLimit, opensAt, closesAt, worksWeekends }) => ({
    intent,
    limits: {
      memberLimitCents: memberLimit,
      adminLimitCents: adminLimit,
      workingHours:
        opensAt === null || closesAt === null
          ? null
          : { opensAtMinute: opensAt, closesAtMinute: closesAt, worksWeekends },
    },
  }));

/** Whether payees are told of payments. */
export const remittancesFormSchema: z.ZodType<{ intent: "remittances"; sendsRemittances: boolean }> = z
  .object({
    intent: z.literal("remittances"),
    ...withIntent,
    sendsRemittances: z.literal("on").optional().transform(Boolean),
  })
  .transform(({ intent, sendsRemittances }) => ({ intent, sendsRemittances }));
