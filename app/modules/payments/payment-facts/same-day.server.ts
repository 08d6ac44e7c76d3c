import type { Condition } from "@db/precondition";
import { type SQL, sql } from "drizzle-orm";
import { accountKey } from "~/kernel/account-number";
import { inParts } from "~/kernel/all-in-order";
import { isoDay, startOfDay } from "~/kernel/dates";
import { spellingsOf } from "~/modules/core/payee-fingerprint";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { ReadServices } from "~/services";

/*
 * What was authorised to one payee in a day, by single payments and by cleared lines of files: a large payment is not passed
 * in small parts. A payment counts once it was authorised, whatever became of it since: the bank may have it already.
 */

/** Payments to one payee that are looked at for a day's sum, the newest. */
const MAX_OF_A_DAY = 1_000;

/** The payee that is paid, and its account; without a payee the account alone says who is paid. */
export type Recipient = { payeeId: string | null; bsb: string; accountNumber: string };

/** When the day began, in the zone in which the organisation reads its dates. */
export const startOfTheDay = (now: number, timeZone: string): number => startOfDay(isoDay(now, timeZone), timeZone);

/** A recipient as statements are given it, and every spelling of the account of one that is no payee. */
const asked = {
  payeeId: sql`"asked"."value" ->> 0`,
  bsb: sql`"asked"."value" ->> 1`,
  accountNumber: sql`"asked"."value" ->> 2`,
  spellings: sql`"asked"."value" ->> 3`,
};

/**
 * SQL: cents of payments to this recipient, each authorised since this instant, by the rules or by a person. Payments that
 * were recorded for the account before it became the payee's count too.
 *
 * @param except a payment that is left out
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
  // A payment for an account that has become a payee's since counts with those to the payee.
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

/** Of several payments with the same key one recipient is paid. */
export const recipientKey = (recipient: Recipient): string => recipient.payeeId ?? accountKey(recipient);

/** Cents that were authorised to each of these since the day began. */
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

/** No more was authorised to any of these since the day began than leaves room for what is to be authorised now. */
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

/** What the rules saw authorised in the day to payees whose limit they compared it with is all that was, at the moment of writing. */
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
