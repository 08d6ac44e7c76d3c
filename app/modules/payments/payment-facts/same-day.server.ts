import type { Condition } from "@db/database";
import { type SQL, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { accountKey } from "~/kernel/bank-account";
import { isoDay, startOfDay } from "~/kernel/dates";
import { spellingsOf } from "~/modules/core/payee-fingerprint";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { ReadServices } from "~/services-and-actor";

/*
 * What was authorised to one payee in a day, by single payments and by cleared lines of files, so that splitting a
 * large payment does not get round a limit. A payment counts from its authorisation, whatever happened later: the
 * bank may have it already.
 */

/** How many of the newest payments to one payee are added up for a day. */
const MAX_OF_A_DAY = 1_000;

/** The payee being paid, and its account. Without a payee, the account alone identifies the recipient. */
export type Recipient = { payeeId: string | null; bsb: string; accountNumber: string };

/** The start of the day in the organisation's time zone. */
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
export const recipientKey = (recipient: Recipient): string => recipient.payeeId ?? accountKey(recipient);

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

/**
 * The condition that the amount to be authorised now, plus what was authorised today, stays within the limit for each
 * recipient.
 */
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
