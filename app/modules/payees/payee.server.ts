import * as z from "zod";
import { formatAbn, hasElevenDigits, parseAbn } from "~/kernel/abn";
import { maskAccountNumber, parseAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { formatBsb, hasUnusualAccountLength, parseBsb } from "~/kernel/bsb";
import { formatDate } from "~/kernel/dates";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import {
  type FormerTrust,
  findRedFlags,
  isTrusted,
  MAX_ADDRESS_LENGTH,
  NAME_LENGTH,
  type PayeeDetails,
  payeeStatus,
  REASON_LENGTH,
} from "~/kernel/payee";
import { formatPhone, parsePhone } from "~/kernel/phone";
import { showTime } from "~/kernel/shown-time";
import { cleanLine, cleanText, isStorable } from "~/kernel/text";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { AUDIT_ACTIONS, type AuditAction } from "~/modules/core/audit/audit";
import { sentenceOf } from "~/modules/core/audit/audit.json";
import { describeInstitution } from "~/modules/directories/directory";
import { findDirectoryEntry } from "~/modules/directories/directory.server";
import { findAnswer } from "~/modules/directories/register.server";
import { toRegisterView } from "~/modules/directories/register.view";
import { listNoticesOfPayee } from "~/modules/messages/notifications/change-notices.queries.server";
import {
  type DecidedChanges,
  type NoticeRow,
  sayNoticeProblem,
  toContactsToldView,
  undecidedNotices,
} from "~/modules/messages/notifications/notice-rules";
import {
  type FormerHolder,
  formerHoldersBesides,
  ownFormerUntil,
  sayFormerHolder,
  sayOwnFormerAccount,
} from "~/modules/payees/verifications/former-accounts";
import { findFormerHolders } from "~/modules/payees/verifications/former-accounts.server";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/grade";
import { openVerdictOf } from "~/modules/payees/verifications/standing";
import { shownStatus } from "~/modules/payees/verifications/verification";
import type { Services } from "~/services";
import { describeOrigin } from "./details-origin";
import type { PayeeRow } from "./payee.queries.server";
import { labelOf, type PayeeFormValues, type PayeeView, type ShownChange, type TimelineEntry } from "./payee.view";
import { payeeHeadline } from "./payee-headline";
import {
  findUserName,
  getPayeeWithLatest,
  listChanges,
  listPayeeTimeline,
  listVerifications,
} from "./payee-page.server";
import { contactsSince } from "./recent-contacts";
import { findNamedOrigin } from "./second-person.server";

/** What people and programs send about payees: each field with its sentence, normalised as `design` says. */

/** More than any text holds; longer input is refused before it is looked at. */
const MAX_INPUT = 2_000;
const ABN_DIGITS = 11;

const text = (missing: string) => z.string(missing).max(MAX_INPUT, "This is far too long");

const nameField = (label: string) => {
  const sentence = `The ${label} must have ${NAME_LENGTH.min} to ${NAME_LENGTH.max} characters`;
  return text(`Enter the ${label}`)
    .refine(isStorable, `The ${label} contains characters that cannot be stored`)
    .transform(cleanLine)
    .pipe(
      z
        .string()
        .min(NAME_LENGTH.min, { error: ({ input }) => (input ? sentence : `Enter the ${label}`) })
        .max(NAME_LENGTH.max, sentence),
    );
};

type Field = {
  missing: string;
  /** As many characters as a person types, separators included. */
  maxLength: number;
  /** The stored form, or undefined when the input is none. */
  read: (input: string) => string | undefined;
  problem: (input: string) => string;
};

/** The length of anything that has one is checked, so `input` may be no text at all. */
const typed = ({ missing, maxLength, problem }: Omit<Field, "read">) =>
  z.string(missing).max(maxLength, { error: ({ input }) => (typeof input === "string" ? problem(input) : missing) });

/** A field read by a kernel parser: its result, or the sentence. */
const needed = ({ read, ...field }: Field) =>
  typed(field).transform((input, context) => {
    const value = read(input);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: input.trim() === "" ? field.missing : field.problem(input) });
    return z.NEVER;
  });

/** The same for a field that may stay empty: null or an empty text takes the value away, absent leaves it alone. */
const optional = ({ read, ...field }: Omit<Field, "missing">) =>
  typed({ ...field, missing: "This must be text" })
    .nullish()
    .transform((input, context) => {
      if (input === undefined) return undefined;
      if (input === null || input.trim() === "") return null;
      const value = read(input);
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: field.problem(input) });
      return z.NEVER;
    });

function abnProblem(input: string): string {
  const digits = input.replace(/\D/g, "").length;
  if (digits < ABN_DIGITS) return "ABN must be at least 11 characters";
  return hasElevenDigits(input)
    ? "This is not a valid ABN: its check digits do not fit. Look for a mistyped digit."
    : "An ABN has exactly 11 digits";
}

function readEmail(input: string): string | undefined {
  const address = normalizeEmail(input);
  return isEmail(address) ? address : undefined;
}

const ADDRESS_PROBLEM = `The address has at most ${MAX_ADDRESS_LENGTH} characters, and no control characters`;

/** Where the money goes, in the words of the person who asks for it. */
export const bankDetailsFields = {
  accountName: nameField("account name"),
  bsb: needed({
    missing: "Enter the BSB",
    maxLength: 12,
    read: parseBsb,
    problem: () => "A BSB has 6 digits, such as 062-000",
  }).meta({ description: "Six digits, with or without a hyphen." }),
  accountNumber: needed({
    missing: "Enter the account number",
    maxLength: 20,
    read: parseAccountNumber,
    problem: () => "An account number has 4 to 9 digits, and they are not all zeros",
  }).meta({ description: "4 to 9 digits; blanks and hyphens are left out." }),
};

const required = { name: nameField("payee name"), ...bankDetailsFields };

const contact = {
  abn: optional({ maxLength: 20, read: parseAbn, problem: abnProblem }).meta({ description: "11 digits." }),
  email: optional({ maxLength: 254, read: readEmail, problem: () => "Please enter a valid email address" }),
  phone: optional({
    maxLength: 30,
    read: parsePhone,
    problem: () => "Enter a phone number that exists, such as 0412 345 678 or +64 21 123 4567",
  }),
  address: text("This must be text")
    .refine(isStorable, ADDRESS_PROBLEM)
    .transform(cleanText)
    .pipe(z.string().max(MAX_ADDRESS_LENGTH, ADDRESS_PROBLEM))
    .transform((address) => address || null)
    .nullish(),
};

/** The fields of a payee, whose rules the forms also carry as attributes. */
export const payeeFields = z.object({ ...required, ...contact });

/** A new payee, from the form and from `POST /api/payees`. */
export const newPayeeSchema = payeeFields.transform(
  ({ abn = null, email = null, phone = null, address = null, ...rest }): PayeeDetails => ({
    ...rest,
    abn,
    email,
    phone,
    address,
  }),
);

const NO_VERSION = "The version is a whole number from 1";
const version = z.coerce
  .number(NO_VERSION)
  .int(NO_VERSION)
  .positive(NO_VERSION)
  .meta({ description: "The `version` you read: refused when another edit came first." });

/** An edit through the API: absent fields stay as they are. `version` names what it was made from. */
export const payeePatchSchema = payeeFields.partial().extend({ version: version.optional() });

/** An edit from the form also says which version it was made from. */
export const versionSchema = z.object({ version });

const reason = text("Give a reason")
  .transform(cleanText)
  .refine((value) => value.length >= REASON_LENGTH.min, "Give a reason that another person will understand")
  .refine((value) => value.length <= REASON_LENGTH.max, `The reason is longer than ${REASON_LENGTH.max} characters`)
  .refine(isStorable, "The reason contains characters that cannot be stored");

/** Putting a payee on the whitelist by hand, or taking it off. */
export const whitelistSchema = z.object({ reason, version: version.optional() });

/** What the payee's page posts. */
export const payeePostSchema = z.discriminatedUnion(
  "intent",
  [
    z.object({ intent: z.literal("verify") }),
    z.object({ intent: z.literal("archive") }),
    z.object({ intent: z.literal("restore") }),
    whitelistSchema.extend({ intent: z.literal("whitelist") }),
    whitelistSchema.extend({ intent: z.literal("unwhitelist") }),
  ],
  "Choose what to do with this payee",
);
export type PayeePost = z.infer<typeof payeePostSchema>;

export const MAX_CHOSEN = 100;
const CHOOSE = "Tick the payees first";

/** Ids of ticked payees, or of those that a program names. */
export const chosenPayees = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  z
    .array(z.string(CHOOSE).refine(isId, CHOOSE), CHOOSE)
    .min(1, CHOOSE)
    .max(MAX_CHOSEN, `Choose at most ${MAX_CHOSEN} payees`),
);

/** What the list of payees posts. */
export const listPostSchema = z.object({
  intent: z.enum(["archive", "restore", "check"], "Choose what to do with the payees"),
  payeeId: chosenPayees,
});

/** Everything the payee's page shows. @throws AppError 404 */
export async function readPayeeView(
  services: Pick<Services, "db" | "clock">,
  actor: Actor,
  id: string,
): Promise<PayeeView> {
  const { payee, latest, grade } = await getPayeeWithLatest(services, actor, id);
  const [policy, opened, changes, timeline, directory, by, answer, holdersOf, notices, origin] = await Promise.all([
    findPolicy(services, actor.organizationId),
    listVerifications(services, actor, id),
    listChanges(services, actor, id),
    listPayeeTimeline(services, actor, id),
    findDirectoryEntry(services, payee.bsb),
    findUserName(services, payee.whitelistedById),
    findAnswer(services, payee.abn),
    findFormerHolders(services, actor.organizationId, [payee]),
    listNoticesOfPayee(services, actor, id),
    findNamedOrigin(services, payee),
  ]);
  const now = services.clock.now();
  const show = (ms: number) => showTime(ms, { timeZone: policy.timeZone, now });
  const showDate = (ms: number) => formatDate(ms, policy.timeZone);
  const status = payeeStatus(payee, latest);
  const whose = whoseItWas(holdersOf(payee), id, policy.timeZone);
  const formerHolders = whose.formerHolders.length;
  const flags = findRedFlags(payee, status, now, latest && { status: latest.status, formerHolders });
  const verdict = openVerdictOf(latest, { timeZone: policy.timeZone, now });
  return {
    id,
    name: payee.name,
    version: payee.version,
    status,
    isArchived: payee.archivedAt !== null,
    draftSince: payee.draftSince === null ? null : show(payee.draftSince),
    headline: payeeHeadline(status, verdict, flags),
    flags,
    ...whose,
    origin: origin && describeOrigin(origin, { ...policy, isApproved: isTrusted(status) }),
    details: detailsOf(payee),
    phoneShown: payee.phone && formatPhone(payee.phone),
    institution: describeInstitution(payee.bsb, directory),
    hasUnusualLength: hasUnusualAccountLength(payee.bsb, payee.accountNumber),
    addedAt: show(payee.createdAt),
    grade: grade?.text ?? null,
    trust: toTrust(payee, by, show),
    register: payee.abn === null ? null : toRegisterView(payee, answer, { now, showDate }),
    payments: {
      count: payee.paymentCount,
      last: payee.lastPaymentDate === null ? null : show(payee.lastPaymentDate),
    },
    verifications: opened.map((row) => ({
      id: row.id,
      status: shownStatus(row),
      grade: gradeOf(gradeFactsOf(row))?.text ?? null,
      openedAt: show(row.createdAt),
    })),
    verdict,
    contactsTold: toContactsToldView(shownNotices(notices, decidedChanges(payee, opened), now), {
      timeZone: policy.timeZone,
      now,
    }),
    changes: changes.map((change) => ({
      id: change.id,
      ...showChange({ field: change.field, from: change.oldValue, to: change.newValue }),
      by: change.userName ?? "PayeeProof",
      at: show(change.createdAt),
    })),
    timeline: timeline.flatMap((entry) => toTimelineEntry(entry, show) ?? []),
  };
}

/** Whose the account was before, and whether the payee went back to an account of its own. */
function whoseItWas(
  holders: readonly FormerHolder[],
  payeeId: string,
  timeZone: string,
): Pick<PayeeView, "formerHolders" | "ownFormerAccount"> {
  const own = ownFormerUntil(holders, payeeId);
  return {
    formerHolders: formerHoldersBesides(holders, payeeId).map((holder) => ({
      sentence: sayFormerHolder(holder, timeZone),
      name: holder.name,
      href: appPaths.payee(holder.payeeId),
    })),
    ownFormerAccount: own === undefined ? null : sayOwnFormerAccount(own, timeZone),
  };
}

/** That a contact was not told stands on the page until somebody decides about the change; that all were told, for some weeks. */
function shownNotices(notices: readonly NoticeRow[], decided: DecidedChanges, now: number): NoticeRow[] {
  const undecided = undecidedNotices(notices, decided);
  const isToldLongAgo = undecided.every(({ status, createdAt }) => status === "told" && createdAt < contactsSince(now));
  return isToldLongAgo ? [] : undecided;
}

type Opened = Awaited<ReturnType<typeof listVerifications>>;

/** One that ended because it was overtaken decided nothing. */
function decidedChanges({ whitelistedAt }: PayeeRow, opened: Opened): DecidedChanges {
  const ends = opened.flatMap(({ status, completedAt }) =>
    (status === "verified" || status === "rejected") && completedAt !== null ? [completedAt] : [],
  );
  const last = Math.max(whitelistedAt ?? 0, ...ends);
  const pending = opened.find(({ status }) => status === "pending");
  return { pendingId: pending?.id ?? null, decidedAt: last === 0 ? null : last };
}

type Show = (ms: number) => TimelineEntry["when"];

const toTrust = (payee: PayeeRow, by: string | null, show: Show): PayeeView["trust"] => ({
  whitelisted: payee.whitelisted,
  global: payee.whitelistGlobal,
  reason: payee.whitelistedReason,
  at: payee.whitelistedAt === null ? null : show(payee.whitelistedAt),
  by,
  former: payee.formerTrust && sayFormer(payee.formerTrust, payee.name),
});

function sayFormer({ name, accountName, bsb, accountNumber }: FormerTrust, payeeName: string): string {
  const account = `${formatBsb(bsb)} ${maskAccountNumber(accountNumber)}, ${accountName}`;
  return name === undefined || name === payeeName ? account : `${account}, under the name ${name}`;
}

type Logged = Awaited<ReturnType<typeof listPayeeTimeline>>[number];

function toTimelineEntry(entry: Logged, show: Show): TimelineEntry | undefined {
  if (!(entry.action in AUDIT_ACTIONS)) return undefined;
  const { changes, reason } = entry.details ?? {};
  return {
    id: entry.id,
    action: entry.action as AuditAction,
    sentence: sentenceOf(entry.action),
    userName: entry.userName,
    when: show(entry.createdAt),
    changes: Array.isArray(changes)
      ? changes.map(({ field, from, to }) => showChange({ field: String(field), from: from ?? null, to: to ?? null }))
      : [],
    reason: typeof reason === "string" ? sayReason(entry.action, reason) : null,
  };
}

const CONTACT_NOT_TOLD = "payee.contact_not_told" satisfies AuditAction;

/** What a person wrote, or in words why a contact was not told. */
const sayReason = (action: string, reason: string): string =>
  action === CONTACT_NOT_TOLD ? (sayNoticeProblem(reason) ?? reason) : reason;

export function detailsOf({
  name,
  accountName,
  bsb,
  accountNumber,
  abn,
  email,
  phone,
  address,
}: PayeeRow): PayeeDetails {
  return { name, accountName, bsb, accountNumber, abn, email, phone, address };
}

const SHOWN: Partial<Record<string, (value: string) => string>> = {
  bsb: formatBsb,
  abn: formatAbn,
  phone: formatPhone,
};

/** A change as people read it: the field by its label, numbers as they are written. */
export function showChange({ field, from, to }: ShownChange): ShownChange {
  const show = (value: string | null) => (value === null ? null : (SHOWN[field]?.(value) ?? value));
  return { field: labelOf(field), from: show(from), to: show(to) };
}

/** What is in the fields of the edit form. */
export function toFormValues({ name, accountName, bsb, accountNumber, ...rest }: PayeeDetails): PayeeFormValues {
  return {
    name,
    accountName,
    bsb: formatBsb(bsb),
    accountNumber,
    abn: rest.abn ? formatAbn(rest.abn) : "",
    email: rest.email ?? "",
    phone: rest.phone ? formatPhone(rest.phone) : "",
    address: rest.address ?? "",
  };
}
