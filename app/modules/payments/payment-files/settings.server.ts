import type { Statement } from "@db/client";
import { paymentFileSettings } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { maskAccountNumber, parseAccountNumber } from "~/kernel/account-number";
import { type Actor, canAdminister } from "~/kernel/actor";
import { formatBsb, parseBsb } from "~/kernel/bsb";
import { formatAud, MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import { cleanLine } from "~/kernel/text";
import type { Written } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { NO_LIMITS, type PaymentLimits, toPaymentLimits } from "~/modules/payments/payment-facts/payment-limits.server";
import { DETAIL, HEADER, widthOf } from "~/modules/payments/payment-files/aba/record";
import type { CsvMapping } from "~/modules/payments/payment-files/csv/columns";
import type { ReadServices, Services, WriteServices } from "~/services";

/** Who pays, for a cleared file that is made from a table: what a direct entry file's header and trace fields hold. */
export type PayerDetails = {
  /** The bank's three letters, such as CBA. */
  bank: string;
  /** Name of the account that pays. */
  userName: string;
  /** Up to six digits: the direct entry user id that the bank gave. */
  userId: string;
  bsb: string;
  accountNumber: string;
  /** Name that the receiver sees. */
  remitter: string;
};

/** What an organisation has chosen for its payment files. */
export type FileSettings = PaymentLimits & {
  /** Columns of tables, by the signature of their headings. */
  mappings: Record<string, CsvMapping>;
  payer: PayerDetails | null;
  /** Payees are told by email of payments that were made to them. */
  sendsRemittances: boolean;
};

const DEFAULT_SETTINGS: FileSettings = { ...NO_LIMITS, mappings: {}, payer: null, sendsRemittances: false };

/** What the organisation has chosen for its payment files; the defaults where it has chosen nothing. */
export async function findFileSettings({ db }: ReadServices, organizationId: string): Promise<FileSettings> {
  const [row] = await db
    .select()
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  if (!row) return DEFAULT_SETTINGS;
  return { ...toPaymentLimits(row), mappings: row.mappings, payer: row.payer, sendsRemittances: row.sendsRemittances };
}

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
export const payerFormSchema = z
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

/** How much each role may approve, and when the organisation works. */
export const limitsFormSchema = z
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
export const remittancesFormSchema = z
  .object({
    intent: z.literal("remittances"),
    ...withIntent,
    sendsRemittances: z.literal("on").optional().transform(Boolean),
  })
  .transform(({ intent, sendsRemittances }) => ({ intent, sendsRemittances }));

/** What the page of the settings draws. */
export async function readFileSettingsPage(services: ReadServices, actor: Actor) {
  const settings = await findFileSettings(services, actor.organizationId);
  return { values: toSettingsValues(settings), isAdmin: canAdminister(actor) };
}

const twoDigits = (value: number) => String(value).padStart(2, "0");

const timeOf = (minute: number | undefined) =>
  minute === undefined ? "" : `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;

const amountOf = (cents: number | null) => (cents === null ? "" : formatAud(cents).replace("$", ""));

/** What stands in the forms. */
function toSettingsValues({
  payer,
  memberLimitCents,
  adminLimitCents,
  workingHours,
  sendsRemittances,
}: FileSettings): Record<string, string> {
  return {
    bank: payer?.bank ?? "",
    userName: payer?.userName ?? "",
    userId: payer?.userId ?? "",
    bsb: payer ? formatBsb(payer.bsb) : "",
    accountNumber: payer?.accountNumber ?? "",
    remitter: payer?.remitter ?? "",
    memberLimit: amountOf(memberLimitCents),
    adminLimit: amountOf(adminLimitCents),
    opensAt: timeOf(workingHours?.opensAtMinute),
    closesAt: timeOf(workingHours?.closesAtMinute),
    sendsRemittances: sendsRemittances ? "on" : "",
    worksWeekends: workingHours?.worksWeekends ? "on" : "",
  };
}

/** Remembers which column is which for tables with these headings, for the batch that uses it. */
export function rememberMapping(
  { db, clock }: Pick<Services, "db" | "clock">,
  organizationId: string,
  { signature, mapping }: { signature: string; mapping: CsvMapping },
): Statement {
  const mappings = { [signature]: mapping };
  const now = clock.now();
  return db
    .insert(paymentFileSettings)
    .values({ organizationId, mappings, updatedAt: now })
    .onConflictDoUpdate({
      target: paymentFileSettings.organizationId,
      set: { mappings: sql`json_patch(${paymentFileSettings.mappings}, ${JSON.stringify(mappings)})`, updatedAt: now },
    });
}

type Columns = Partial<typeof paymentFileSettings.$inferInsert>;

/** Says which account pays, for cleared files that are made from a table. */
export async function changePayer(services: WriteServices, actor: Actor, payer: PayerDetails): Promise<void> {
  const { accountNumber, ...rest } = payer;
  await change(services, actor, { payer }, { payer: { ...rest, accountNumber: maskAccountNumber(accountNumber) } });
}

/** Sets how much each role may approve of one payment, and when the organisation works. */
export async function changeLimits(services: WriteServices, actor: Actor, limits: PaymentLimits): Promise<void> {
  const { workingHours, ...cents } = limits;
  const hours = {
    opensAtMinute: workingHours?.opensAtMinute ?? null,
    closesAtMinute: workingHours?.closesAtMinute ?? null,
    worksWeekends: workingHours?.worksWeekends ?? true,
  };
  await change(services, actor, { ...cents, ...hours }, limits);
}

/** Says whether payees are told by email of payments that were made to them. */
export async function changeRemittances(services: WriteServices, actor: Actor, sendsRemittances: boolean) {
  await change(services, actor, { sendsRemittances }, { sendsRemittances });
}

type Settings = Written<"payment_file.settings_changed">;

async function change(services: WriteServices, actor: Actor, set: Columns, details: Settings) {
  const { db, clock } = services;
  const { organizationId } = actor;
  const row = { ...set, updatedAt: clock.now() };
  await runCommand(services, actor, {
    statements: [
      db
        .insert(paymentFileSettings)
        .values({ organizationId, ...row })
        .onConflictDoUpdate({ target: paymentFileSettings.organizationId, set: row }),
    ],
    audit: [
      {
        action: "payment_file.settings_changed",
        entityType: "organization",
        entityId: organizationId,
        details,
      },
    ],
    answer: undefined,
  });
}
