import { sql } from "drizzle-orm";
import type { OrganizationRole } from "~/kernel/enums";
import {
  highestLimitOf,
  type PaymentLimits,
  type ResponsiblePeople,
  selectResponsiblePeople,
} from "~/modules/payments/approval-limits";
import type { FurtherFacts } from "~/modules/rules/facts";
import type { ReadServices } from "~/services-and-actor";
import type { PaymentsOf, ReadPayment } from "./facts.server";
import { findSameDaySums, recipientKey, startOfTheDay } from "./same-day.server";

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
async function findWhoTrusted(
  { db }: ReadServices,
  organizationId: string,
  asked: readonly ReadPayment[],
): Promise<Map<string, ResponsiblePeople>> {
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
async function findRoles(
  { db }: ReadServices,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, OrganizationRole>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.all<{ userId: string; role: OrganizationRole }>(sql`SELECT "userId", "role"
    FROM json_each(${JSON.stringify(userIds)}) AS "asked" CROSS JOIN "organization_users"
    WHERE "organizationId" = ${organizationId} AND "userId" = "asked"."value" AND "status" = 'active'`);
  return new Map(rows.map(({ userId, role }) => [userId, role]));
}
