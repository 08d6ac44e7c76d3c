import { type Condition, columnsOf, paymentFileSettings } from "@db/database";
import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { accountKey } from "~/kernel/bank-account";
import { isoDay, startOfDay } from "~/kernel/dates";
import type { OrganizationRole } from "~/kernel/enums";
import { dueChanges, withDue } from "~/modules/accounts/organizations/policy.server";
import { spellingsOf } from "~/modules/core/payee-keys";
import type { CsvMapping } from "~/modules/payments/payment-files/csv/columns";
import type { PayingAccount } from "~/modules/payments/payment-files/payment-file";
import type { FurtherFacts, PaymentFacts } from "~/modules/rules/facts";
import type { Actor, ReadServices, TimedServices } from "~/services-and-actor";
import type { PaymentDetail } from "./payment.server";
import type { PaymentsOf, ReadPayment } from "./payment-facts/facts.server";

/*
 * What an organisation has set for its payments, and how much may be approved to one payee in a day: what was
 * authorised today, by single payments and by cleared lines of files, so that splitting a large payment does not get
 * round a limit, and whose limit a payment is under. A payment counts from its authorisation, whatever happened later:
 * the bank may have it already.
 */

/** The payment limits that an organisation has set. */
export type PaymentLimits = {
  /** Integer cents; null: no limit. */
  memberLimitCents: number | null;
  adminLimitCents: number | null;
  workingHours: FurtherFacts["workingHours"];
};

export const NO_LIMITS: PaymentLimits = { memberLimitCents: null, adminLimitCents: null, workingHours: null };

type StoredLimits = Pick<
  typeof paymentFileSettings.$inferSelect,
  "memberLimitCents" | "adminLimitCents" | "opensAtMinute" | "closesAtMinute" | "worksWeekends"
> & {
  /** JSON of delayed changes of limits and hours that are now due. */
  due: string;
};

/** The organisation's approval limits and working hours; no limits if it has set none. */
export async function findPaymentLimits({ db, clock }: TimedServices, organizationId: string): Promise<PaymentLimits> {
  const [row] = await db
    .select({
      ...columnsOf(paymentFileSettings, "memberLimitCents", "adminLimitCents", "opensAtMinute"),
      ...columnsOf(paymentFileSettings, "closesAtMinute", "worksWeekends"),
      due: dueChanges(paymentFileSettings.organizationId, clock.now()),
    })
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  return row ? toPaymentLimits(row) : NO_LIMITS;
}

function toPaymentLimits(row: StoredLimits): PaymentLimits {
  const { memberLimitCents, adminLimitCents, opensAtMinute, closesAtMinute, worksWeekends } = row;
  const workingHours =
    opensAtMinute === null || closesAtMinute === null ? null : { opensAtMinute, closesAtMinute, worksWeekends };
  return withDue({ memberLimitCents, adminLimitCents, workingHours }, row.due);
}

/** The payer's details for a cleared file made from a table: the contents of the header and trace fields. */
export type PayerDetails = {
  /** The bank's three letters, such as CBA. */
  bank: string;
  /** Name of the paying account. */
  userName: string;
  /** Up to six digits: the direct entry user id that the bank assigned. */
  userId: string;
  bsb: string;
  accountNumber: string;
  /** The name that the recipient sees. */
  remitter: string;
};

export type FileSettings = PaymentLimits & {
  /** Chosen columns of tables, by the signature of their headings. */
  mappings: Record<string, CsvMapping>;
  payer: PayerDetails | null;
  /** Every account that a file may pay from, starting with the payer's. */
  payingAccounts: PayingAccount[];
  /** When a setting was last changed; null: nothing is set. */
  updatedAt: number | null;
  /** Payees are told by email about payments made to them. */
  sendsRemittances: boolean;
};

const DEFAULT_SETTINGS: FileSettings = {
  ...NO_LIMITS,
  mappings: {},
  payer: null,
  payingAccounts: [],
  updatedAt: null,
  sendsRemittances: false,
};

/** The organisation's settings for payment files; defaults for those it has not set. */
export async function findFileSettings({ db, clock }: TimedServices, organizationId: string): Promise<FileSettings> {
  const [row] = await db
    .select({
      ...getTableColumns(paymentFileSettings),
      due: dueChanges(paymentFileSettings.organizationId, clock.now()),
    })
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  if (!row) return DEFAULT_SETTINGS;
  const { mappings, payer, sendsRemittances, updatedAt } = row;
  const payingAccounts = [...(payer ? [payer] : []), ...row.payingAccounts];
  return { ...toPaymentLimits(row), mappings, payer, payingAccounts, sendsRemittances, updatedAt };
}

/** The condition that the settings are still those that the paying account was checked against. */
export const payingAccountsHold = (organizationId: string, { updatedAt }: Pick<FileSettings, "updatedAt">) => ({
  name: "settings_changed" as const,
  found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${paymentFileSettings}
    WHERE ${paymentFileSettings.organizationId} = ${organizationId}
      AND ${paymentFileSettings.updatedAt} IS NOT ${updatedAt})`,
});

/** How many of the newest payments to one payee are added up for a day. */
const MAX_OF_A_DAY = 1_000;

/** The payee being paid, and its account. Without a payee, the account alone identifies the recipient. */
type Recipient = { payeeId: string | null; bsb: string; accountNumber: string };

export const startOfTheDay = (now: number, timeZone: string): number => startOfDay(isoDay(now, timeZone), timeZone);

/** A recipient as statements take it, with every spelling of an account that belongs to no payee. */
const asked = {
  payeeId: sql`"asked"."value" ->> 0`,
  bsb: sql`"asked"."value" ->> 1`,
  accountNumber: sql`"asked"."value" ->> 2`,
  spellings: sql`"asked"."value" ->> 3`,
};

/**
 * SQL: the total in cents of payments to this recipient authorised since an instant, by the rules or by a person.
 * Payments recorded for the account before it became the payee's count too.
 *
 * @param except a payment to leave out
 */
function authorisedSince(
  organizationId: string,
  { payeeId, bsb, accountNumber, spellings }: typeof asked,
  { since, except }: { since: number; except: string | null },
): SQL<number> {
  const walk = (
    which: SQL,
  ) => sql`SELECT * FROM (SELECT "id", "amount", "status", "createdAt", "updatedAt", "payeeId", "bsb",
    "accountNumber" FROM "payment_records" WHERE "organizationId" = ${organizationId} AND ${which}
    ORDER BY "id" DESC LIMIT ${sql.raw(String(MAX_OF_A_DAY))}) AS "walk"`;
  // A payment to an account that has since become a payee's counts with that payee's payments.
  const payee = sql`coalesce(${payeeId}, (SELECT "holder"."id" FROM json_each(${spellings}) AS "spelling"
    CROSS JOIN "payees" AS "holder" WHERE "holder"."organizationId" = ${organizationId} AND "holder"."bsb" = ${bsb}
      AND "holder"."accountNumber" = "spelling"."value" LIMIT 1))`;
  return sql`(SELECT coalesce(sum("walk"."amount"), 0) FROM (${walk(sql`"payeeId" = ${payee}`)}
    UNION ALL ${walk(sql`"payeeId" IS NULL`)}) AS "walk"
    WHERE "walk"."updatedAt" >= ${since} AND "walk"."id" IS NOT ${except}
      AND ("walk"."payeeId" IS NOT NULL OR ("walk"."bsb" = ${bsb}
        AND ltrim("walk"."accountNumber", '0') = ltrim(${accountNumber}, '0')))
      AND (("walk"."createdAt" >= ${since} AND ("walk"."status" IN ('authorised', 'successful', 'failed') OR EXISTS (
          SELECT 1 FROM "payment_transitions" AS "step" WHERE "step"."organizationId" = ${organizationId}
            AND "step"."paymentId" = "walk"."id" AND "step"."fromStatus" = 'authorised')))
        OR EXISTS (SELECT 1 FROM "payment_transitions" AS "step" WHERE "step"."organizationId" = ${organizationId}
          AND "step"."paymentId" = "walk"."id" AND "step"."toStatus" = 'authorised' AND "step"."createdAt" >= ${since})))`;
}

const RECIPIENTS_PER_STATEMENT = 1_000;

/** Payments with the same key go to the same recipient. */
const recipientKey = (recipient: Recipient): string => recipient.payeeId ?? accountKey(recipient);

/** The cents authorised to each of these recipients since the start of the day. */
export async function findSameDaySums(
  { db }: ReadServices,
  organizationId: string,
  { recipients, since, except = null }: { recipients: readonly Recipient[]; since: number; except?: string | null },
): Promise<(recipient: Recipient) => number> {
  const distinct = [...new Map(recipients.map((each) => [recipientKey(each), each])).values()];
  const sums = new Map<string, number>();
  for (const part of inParts(distinct, RECIPIENTS_PER_STATEMENT)) {
    const rows = await db.all<{ place: number; cents: number }>(sql`SELECT "asked"."key" AS "place",
        ${authorisedSince(organizationId, asked, { since, except })} AS "cents"
      FROM json_each(${JSON.stringify(part.map(toRow))}) AS "asked"`);
    for (const { place, cents } of rows) {
      const recipient = part[place];
      if (recipient) sums.set(recipientKey(recipient), cents);
    }
  }
  return (recipient) => sums.get(recipientKey(recipient)) ?? 0;
}

const toRow = ({ payeeId, bsb, accountNumber }: Recipient) =>
  [payeeId, bsb, accountNumber, payeeId === null ? spellingsOf(accountNumber) : []] as const;

/** The condition that what is authorised now and was today stays within the limit for each recipient. */
export const sameDaySumsFit = (
  organizationId: string,
  rooms: readonly (Recipient & { mostCents: number })[],
  { since, except = null }: { since: number; except?: string | null },
): Condition<"limit_reached"> => ({
  name: "limit_reached",
  found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1
    FROM json_each(${JSON.stringify(rooms.map((room) => [...toRow(room), room.mostCents]))}) AS "asked"
    WHERE ${authorisedSince(organizationId, asked, { since, except })} > "asked"."value" ->> 4)`,
});

/** The condition that the day's totals that the rules compared with a limit are still the same at commit. */
export function sameDaySumsHold(organizationId: string, facts: readonly PaymentFacts[]): Condition<"limit_reached">[] {
  const [first] = facts;
  if (!first) return [];
  const rooms = facts.flatMap(({ ownLimit, payee, account }) =>
    ownLimit ? [{ ...account, payeeId: payee?.id ?? null, mostCents: ownLimit.sameDayCents }] : [],
  );
  if (rooms.length === 0) return [];
  const distinct = [...new Map(rooms.map((room) => [recipientKey(room), room])).values()];
  return [sameDaySumsFit(organizationId, distinct, { since: startOfTheDay(first.now, first.timeZone) })];
}

/** The cents of other payments to this payment's recipient that were authorised today. */
export async function findSameDayCents(
  services: TimedServices,
  { organizationId, timeZone }: Pick<Actor, "organizationId" | "timeZone">,
  payment: PaymentDetail,
): Promise<number> {
  const since = startOfTheDay(services.clock.now(), timeZone);
  const asked = { recipients: [payment], since, except: payment.id };
  return (await findSameDaySums(services, organizationId, asked))(payment);
}

/** How much people with this role may approve to one payee in a day, in cents; null: any amount. */
export function approvalLimitOf(limits: PaymentLimits, role: OrganizationRole | null): number | null {
  return role === "admin" ? limits.adminLimitCents : limits.memberLimitCents;
}

/**
 * The people whose decisions allow a payment, and why: they approved it, they trusted its payee, or they approved the
 * payments that made the payee trusted.
 */
export type ResponsiblePeople = { by: FurtherFacts["ownLimit"]["by"]; people: readonly string[] };

/**
 * For a line of a file: whoever approved it. For a payment that the rules authorised: whoever trusted the payee, and
 * whoever recorded the payment. When a rule trusts the payee because of what a bank or others said: only whoever
 * recorded the payment.
 *
 * @param by.trusted the people whose decisions make the payee trusted, empty when a rule trusts it; undefined: it is
 * not trusted
 */
export function selectResponsiblePeople(by: {
  approvedById: string | null;
  trusted: ResponsiblePeople | undefined;
  recordedById: string | null;
}): ResponsiblePeople {
  const { approvedById, trusted, recordedById } = by;
  if (approvedById !== null) return { by: "approval", people: [approvedById] };
  if (!trusted) return { by: "trust", people: [] };
  return recordedById === null ? trusted : { ...trusted, people: [...trusted.people, recordedById] };
}

const ROLES: readonly OrganizationRole[] = ["admin", "member"];

/**
 * The highest limit among these people. Undefined: one of them may approve any amount, or there is nobody. A person who
 * has left counts with the lower of the two role limits.
 *
 * @param roles one for each person; undefined: the person has left
 */
export function highestLimitOf(roles: readonly (OrganizationRole | undefined)[], limits: PaymentLimits) {
  const each = roles.map((role) =>
    Math.min(...(role ? [role] : ROLES).map((one) => approvalLimitOf(limits, one) ?? Number.POSITIVE_INFINITY)),
  );
  const highest = Math.max(...each);
  return Number.isFinite(highest) ? highest : undefined;
}

type OwnLimit = FurtherFacts["ownLimit"];

const recipientOf = ({ payee, account }: ReadPayment) => ({ ...account, payeeId: payee?.facts.id ?? null });

/**
 * The daily limit per payee of each payment's responsible people (`selectResponsiblePeople`), where they have one.
 * Reads nothing if the organisation has no limits.
 */
export async function findOwnLimits(
  services: ReadServices,
  { organizationId, recordedById }: PaymentsOf,
  asked: readonly ReadPayment[],
  { limits, now, timeZone }: { limits: PaymentLimits; now: number; timeZone: string },
): Promise<(payment: ReadPayment) => OwnLimit | undefined> {
  if (limits.memberLimitCents === null && limits.adminLimitCents === null) return () => undefined;
  const trustedBy = await findWhoTrusted(services, organizationId, asked);
  const behind = ({ payee, approvedById = null }: ReadPayment) =>
    selectResponsiblePeople({ approvedById, trusted: trustedBy.get(payee?.facts.id ?? ""), recordedById });
  const people = new Set(asked.flatMap((payment) => behind(payment).people));
  const roles = await findRoles(services, organizationId, [...people]);
  const limitOf = (payment: ReadPayment): Pick<OwnLimit, "by" | "limitCents"> | undefined => {
    const { by, people } = behind(payment);
    const limitCents = highestLimitOf(
      people.map((id) => roles.get(id)),
      limits,
    );
    return limitCents === undefined ? undefined : { by, limitCents };
  };
  const limited = asked.filter((payment) => limitOf(payment));
  const recipients = limited.map(recipientOf);
  const since = startOfTheDay(now, timeZone);
  const sumOf = await findSameDaySums(services, organizationId, { recipients, since });
  const ofFile = new Map<string, number>();
  for (const payment of limited) {
    const key = recipientKey(recipientOf(payment));
    ofFile.set(key, (ofFile.get(key) ?? 0) + payment.amount);
  }
  return (payment) => {
    const limit = limitOf(payment);
    if (!limit) return undefined;
    const recipient = recipientOf(payment);
    const together = ofFile.get(recipientKey(recipient)) ?? payment.amount;
    return { ...limit, sameDayCents: sumOf(recipient), sameFileCents: together - payment.amount };
  };
}

/** How many of a payee's newest successful payments are searched for who authorised them. */
const MAX_EARNING = 50;

/**
 * The people whose decisions make each payee trusted with its present details; absent: the payee is not trusted. When
 * payments put a payee on the whitelist, these are the people who approved the payments. When a rule trusts a payee
 * because of a bank's answer, there is nobody: a clerk's own account also has a matching name at the bank. This stops
 * anybody from creating, in either way, a payee that they can pay without a limit.
 */
async function findWhoTrusted({ db }: ReadServices, organizationId: string, asked: readonly ReadPayment[]) {
  const ids = [...new Set(asked.flatMap(({ payee }) => payee?.facts.id ?? []))];
  if (ids.length === 0) return new Map();
  const isPayees = sql`"organizationId" = ${organizationId} AND "payeeId" = "payee"."id"`;
  type Row = { id: string; whitelisted: number; trustedById: string | null; approvers: string | null };
  const rows = await db.all<Row>(sql`SELECT "payee"."id", "payee"."whitelisted",
      CASE WHEN "payee"."whitelisted" = 1 THEN "payee"."whitelistedById" ELSE (SELECT "decidedById" FROM "decisions"
        WHERE "organizationId" = ${organizationId} AND "verificationId" = (SELECT "id" FROM "verifications"
          WHERE ${isPayees} ORDER BY "id" DESC LIMIT 1)) END
        AS "trustedById",
      CASE WHEN "payee"."whitelisted" = 1 AND "payee"."whitelistedById" IS NULL AND EXISTS (SELECT 1 FROM "payee_changes"
          WHERE ${isPayees} AND "field" = 'whitelisted' AND "createdAt" >= "payee"."whitelistedAt")
        THEN (SELECT json_group_array(DISTINCT "approver") FROM (SELECT coalesce(
              (SELECT "userId" FROM "payment_transitions" WHERE "organizationId" = ${organizationId}
                AND "paymentId" = "walk"."id" AND "toStatus" = 'authorised' AND "userId" IS NOT NULL LIMIT 1),
              (SELECT "decidedById" FROM "payment_file_lines" WHERE "organizationId" = ${organizationId}
                AND "paymentId" = "walk"."id")) AS "approver"
            FROM (SELECT "id" FROM "payment_records" WHERE ${isPayees} AND "status" = 'successful'
              ORDER BY "id" DESC LIMIT ${sql.raw(String(MAX_EARNING))}) AS "walk")
          WHERE "approver" IS NOT NULL) END AS "approvers"
    FROM json_each(${JSON.stringify(ids)}) AS "asked" CROSS JOIN "payees" AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "asked"."value"`);
  return new Map(
    rows.flatMap(({ id, whitelisted, trustedById, approvers }): [string, ResponsiblePeople][] => {
      if (approvers !== null) return [[id, { by: "payments", people: JSON.parse(approvers) }]];
      if (trustedById !== null) return [[id, { by: "trust", people: [trustedById] }]];
      return whitelisted === 1 ? [[id, { by: "rule", people: [] }]] : [];
    }),
  );
}

/** Each person's role in the organisation; absent: the person has left. */
async function findRoles({ db }: ReadServices, organizationId: string, userIds: readonly string[]) {
  if (userIds.length === 0) return new Map();
  const rows = await db.all<{ userId: string; role: OrganizationRole }>(sql`SELECT "userId", "role"
    FROM json_each(${JSON.stringify(userIds)}) AS "asked" CROSS JOIN "organization_users"
    WHERE "organizationId" = ${organizationId} AND "userId" = "asked"."value" AND "status" = 'active'`);
  return new Map(rows.map(({ userId, role }) => [userId, role]));
}
