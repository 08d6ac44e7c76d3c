import { paymentFileSettings, type Statement } from "@db/database";
import { sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { formatBsb, maskAccountNumber, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { formatAud, MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import { cleanLine } from "~/kernel/text";
import { requireSigned, type SignedFields, type SignedPart } from "~/modules/accounts/identity/signed-approval.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import {
  approvablePolicies,
  hoursColumns,
  prepareWeaker,
  splitChanges,
} from "~/modules/accounts/organizations/policy-changes.server";
import type { Written } from "~/modules/core/audit/audit";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import {
  type FileSettings,
  findFileSettings,
  type PayerDetails,
  type PaymentLimits,
  payingAccountsHold,
} from "~/modules/payments/approval-limits.server";
import type { CsvMapping } from "~/modules/payments/payment-files/csv/columns";
import { type Actor, canAdminister, type Services, type TimedServices, type WriteServices } from "~/services-and-actor";
import { DETAIL, HEADER, widthOf } from "./aba";
import { findUndeclared, type PayingAccount, type PaysFrom } from "./payment-file";

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

/** More accounts than an organisation pays from. */
const MAX_PAYING_ACCOUNTS = 20;

const withIntent = { submissionId: z.string().optional() };

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
    context.addIssue({ code: "custom", message: "Enter an amount in dollars, such as 10,000, or leave it empty" });
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
    context.addIssue({ code: "custom", message: "Enter a time such as 08:30, or leave it empty" });
    return z.NEVER;
  });

/** The form for each role's approval limit and the working hours. */
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
  .superRefine(({ opensAt, closesAt, worksWeekends }, context) => {
    const isHalf = (opensAt === null) !== (closesAt === null);
    const isBackwards = opensAt !== null && closesAt !== null && opensAt >= closesAt;
    if (isHalf) context.addIssue({ code: "custom", path: ["closesAt"], message: "Enter both times, or neither" });
    if (isBackwards) context.addIssue({ code: "custom", path: ["closesAt"], message: "Enter a time after the first" });
    if (worksWeekends && opensAt === null && closesAt === null) {
      const message =
        "Enter both times, or leave Saturday and Sunday unticked: without times, every hour is a working hour";
      context.addIssue({ code: "custom", path: ["opensAt"], message });
    }
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

/** The form for whether payees are told about payments. */
export const remittancesFormSchema = z
  .object({
    intent: z.literal("remittances"),
    ...withIntent,
    sendsRemittances: z.literal("on").optional().transform(Boolean),
  })
  .transform(({ intent, sendsRemittances }) => ({ intent, sendsRemittances }));

/** The form that withdraws a declared account: its position in the list on the page. */
export const withdrawFormSchema = z.object({
  intent: z.literal("withdraw"),
  ...withIntent,
  index: z.coerce.number().int().min(0).max(MAX_PAYING_ACCOUNTS),
  version: z.coerce.number().int(),
});

export async function readFileSettingsPage(services: TimedServices, actor: Actor) {
  const settings = await findFileSettings(services, actor.organizationId);
  return {
    values: toSettingsValues(settings),
    isAdmin: canAdminister(actor),
    /** Accounts that files may name in addition to the paying account above. */
    payingAccounts: besidePayer(settings).map(masked),
    version: settings.updatedAt ?? 0,
  };
}

const twoDigits = (value: number) => String(value).padStart(2, "0");

const timeOf = (minute: number | undefined) =>
  minute === undefined ? "" : `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;

const amountOf = (cents: number | null) => (cents === null ? "" : formatAud(cents).replace("$", ""));

function toSettingsValues({ payer, memberLimitCents, adminLimitCents, workingHours, sendsRemittances }: FileSettings) {
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

/** Stores the chosen columns for tables with these headings, in the batch that uses them. */
export function rememberMapping(
  { db, clock }: TimedServices,
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

/** Sets the paying account for cleared files made from a table. Other files may name it too. */
export async function changePayer(services: WriteServices, actor: Actor, payer: PayerDetails): Promise<void> {
  const { accountNumber, ...rest } = payer;
  await change(services, actor, { payer }, { payer: { ...rest, accountNumber: maskAccountNumber(accountNumber) } });
}

/**
 * Declares the accounts that a file names as accounts that the organisation pays from. Only for administrators, who
 * know them.
 * @throws AppError 409 CHANGED_MEANWHILE
 */
export async function declarePayingAccounts(
  services: WriteServices,
  actor: Actor,
  { paysFrom, fileId }: { paysFrom: PaysFrom | null; fileId: string },
): Promise<void> {
  const settings = await findFileSettings(services, actor.organizationId);
  const added = paysFrom ? findUndeclared(paysFrom, settings.payingAccounts) : [];
  if (added.length === 0) throw changedMeanwhile("The accounts that this file names are already declared.");
  const payingAccounts = [...besidePayer(settings), ...added];
  if (payingAccounts.length > MAX_PAYING_ACCOUNTS) throw changedMeanwhile(TOO_MANY);
  await change(services, actor, { payingAccounts }, { fileId, payingAccounts: added.map(masked) }, { seen: settings });
}

const TOO_MANY = `Up to ${MAX_PAYING_ACCOUNTS} accounts can be declared. Withdraw one that you no longer pay from.`;

const CHANGED = "Someone else changed these settings at the same moment. Look again.";

const changedMeanwhile = (message: string) => new AppError("CHANGED_MEANWHILE", message);

/** The accounts that were declared separately: the payer's comes first in the list, if there is one. */
const besidePayer = ({ payer, payingAccounts }: FileSettings) => payingAccounts.slice(payer ? 1 : 0);

/**
 * Withdraws a declared account: files that name it are stopped from then on.
 * @param shown `index`: its position in the list of settings version `version`
 * @throws AppError 409 CHANGED_MEANWHILE when the list has changed
 */
export async function withdrawPayingAccount(
  services: WriteServices,
  actor: Actor,
  { index, version }: { index: number; version: number },
): Promise<void> {
  const settings = await findFileSettings(services, actor.organizationId);
  if (settings.updatedAt !== version) throw changedMeanwhile(CHANGED);
  const beside = besidePayer(settings);
  const withdrawn = beside[index];
  if (!withdrawn) throw notFound();
  const payingAccounts = beside.filter((_, at) => at !== index);
  await change(services, actor, { payingAccounts }, { withdrawnAccount: masked(withdrawn) }, { seen: settings });
}

const masked = ({ bank, userId, bsb, accountNumber }: PayingAccount) => ({
  ...{ bank, userId, bsb },
  accountNumber: maskAccountNumber(accountNumber),
});

/**
 * Sets each role's approval limit for one payment, and the working hours. A higher limit or longer hours take effect
 * after a delay.
 * @returns when the delayed changes take effect; null: everything has taken effect
 */
export async function changeLimits(services: Services, actor: Actor, limits: PaymentLimits, fields: SignedFields) {
  const [before, { weakeningDelayHours: delayHours, passkeyForPeople }] = await Promise.all([
    findFileSettings(services, actor.organizationId),
    findPolicy(services, actor.organizationId),
  ]);
  const names = ["memberLimitCents", "adminLimitCents", "workingHours"] as const;
  const different = names.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(limits[field]));
  const { atOnce, weaker } = splitChanges(
    Object.fromEntries(different.map((field) => [field, { from: before[field], to: limits[field] }])),
  );
  const waiting = await prepareWeaker(services, actor, { atOnce, weaker, delayHours });
  const isKept = (field: keyof PaymentLimits) => Object.hasOwn(weaker, field);
  const now: PaymentLimits = {
    memberLimitCents: isKept("memberLimitCents") ? before.memberLimitCents : limits.memberLimitCents,
    adminLimitCents: isKept("adminLimitCents") ? before.adminLimitCents : limits.adminLimitCents,
    workingHours: isKept("workingHours") ? before.workingHours : limits.workingHours,
  };
  const { workingHours, ...cents } = now;
  const asked = approvablePolicies("change_limits", actor.organizationId, { ...atOnce, ...weaker });
  const signed =
    passkeyForPeople && different.length > 0 ? await requireSigned(services, actor, asked, fields) : undefined;
  const beside = { waiting: waiting.part, signed };
  await change(services, actor, { ...cents, ...hoursColumns(workingHours) }, { ...now }, beside);
  return { waitsUntil: Object.keys(weaker).length > 0 ? waiting.dueAt : null };
}

/** Sets whether payees are told by email about payments made to them. */
export async function changeRemittances(services: WriteServices, actor: Actor, sendsRemittances: boolean) {
  await change(services, actor, { sendsRemittances }, { sendsRemittances });
}

/**
 * @param beside `seen`: the settings that the change is based on; if two people change them at once, the second is
 * told. `waiting`: the changes that this command delays
 */
async function change(
  services: WriteServices,
  actor: Actor,
  set: Partial<typeof paymentFileSettings.$inferInsert>,
  details: Written<"payment_file.settings_changed">,
  { seen, waiting, signed }: { seen?: FileSettings; waiting?: CommandPart; signed?: SignedPart } = {},
) {
  const { db, clock } = services;
  const { organizationId } = actor;
  const row = { ...set, updatedAt: clock.now() };
  const result = await runCommand(services, actor, {
    conditions: [...(seen ? [payingAccountsHold(organizationId, seen)] : []), ...(signed?.conditions ?? [])],
    statements: [
      db
        .insert(paymentFileSettings)
        .values({ organizationId, ...row })
        .onConflictDoUpdate({ target: paymentFileSettings.organizationId, set: row }),
    ],
    parts: [...(waiting ? [waiting] : []), ...(signed ? [signed.part] : [])],
    audit: [
      {
        action: "payment_file.settings_changed",
        entityType: "organization",
        entityId: organizationId,
        details,
      },
    ],
  });
  if (!result.ok) throw changedMeanwhile(CHANGED);
}
