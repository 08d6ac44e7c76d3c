import type { Condition } from "@db/database";
import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { spellingsOf } from "~/modules/core/payee-fingerprint";
import { sameDaySumsHold } from "~/modules/payments/approval-limits.server";
import { DUPLICATE_DAYS, referenceKey } from "~/modules/rules/duplicate-payment";
import type { DuplicateFacts, PaymentFacts } from "~/modules/rules/facts";
import type { ReadServices } from "~/services-and-actor";
import { AGAINST } from "./account-history.server";
import type { PaymentsOf, ReadPayment } from "./facts.server";
import { openAccountingChange } from "./payees.server";

/** How many rows one condition takes: about 1.3 MB, below the size limit of a bound value. */
const ROWS_PER_CONDITION = 10_000;

const distinct = <Row>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [JSON.stringify(row), row])).values(),
];

type Owner = { organizationId: string; fileId?: string };

/**
 * The condition that everything the rules saw is still true at commit: no payee was edited, disputed, taken off the
 * whitelist or decided about; no bank gave a new answer about its account; no accounting system showed a different
 * account; no unknown account became a payee's; no equal payment was recorded; and nothing more was authorised to the
 * payee today where a daily limit applies. When a payment is already held for a kind of finding, one more of that kind
 * changes nothing, so only a payment for which none was found must be checked again.
 */
export function factsHold(
  { organizationId, fileId }: Owner,
  facts: readonly PaymentFacts[],
): Condition<"facts_changed" | "limit_reached">[] {
  return [
    ...payeesAreAsSeen(organizationId, facts),
    ...answersAreAsSeen(organizationId, facts),
    ...invoicesAreAsSeen(organizationId, facts),
    ...accountsAreStillUnknown(organizationId, facts),
    ...noDuplicatesSince({ organizationId, fileId }, facts),
    ...sameDaySumsHold(organizationId, facts),
  ];
}

function payeesAreAsSeen(organizationId: string, facts: readonly PaymentFacts[]): Condition<"facts_changed">[] {
  const seen = facts.flatMap(({ payee, accountingChange }) =>
    payee
      ? [
          [
            payee.id,
            payee.version,
            payee.whitelisted ? 1 : 0,
            payee.disputedAt,
            payee.takenOffWhitelistAt,
            payee.latest ? `${payee.latest.id}:${payee.latest.status}:${payee.latest.outcome ?? ""}` : null,
            accountingChange?.noticedAt ?? null,
          ],
        ]
      : [],
  );
  return inParts(distinct(seen), ROWS_PER_CONDITION).map((part) => ({
    name: "facts_changed",
    found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(part)}) AS "seen"
      LEFT JOIN "payees" AS "payee" ON "payee"."organizationId" = ${organizationId} AND "payee"."id" = "seen"."value" ->> 0
      WHERE "payee"."version" IS NOT "seen"."value" ->> 1 OR "payee"."whitelisted" IS NOT "seen"."value" ->> 2
        OR "payee"."disputedAt" IS NOT "seen"."value" ->> 3
        OR "payee"."takenOffWhitelistAt" IS NOT "seen"."value" ->> 4
        OR (SELECT "id" || ':' || "status" || ':' || CASE WHEN "status" = 'pending' THEN coalesce("outcome", '') ELSE '' END FROM "verifications" WHERE "organizationId" = ${organizationId}
          AND "payeeId" = "seen"."value" ->> 0 ORDER BY "id" DESC LIMIT 1) IS NOT "seen"."value" ->> 5
        OR ${openAccountingChange(sql`"noticedAt"`)} IS NOT "seen"."value" ->> 6)`,
  }));
}

/** The condition that nobody has decided about or deleted an invoice that the rules saw. */
function invoicesAreAsSeen(organizationId: string, facts: readonly PaymentFacts[]): Condition<"facts_changed">[] {
  const seen = facts.flatMap(({ invoices = [] }) => invoices.map(({ id, version }) => [id, version]));
  return inParts(distinct(seen), ROWS_PER_CONDITION).map((part) => ({
    name: "facts_changed",
    found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(part)}) AS "seen"
      LEFT JOIN "invoices" AS "invoice" ON "invoice"."organizationId" = ${organizationId}
        AND "invoice"."id" = "seen"."value" ->> 0
      WHERE "invoice"."version" IS NOT "seen"."value" ->> 1)`,
  }));
}

/**
 * The condition that an unfavourable bank answer is still the one that the rules saw. For a payee without one, a first
 * answer would belong to its pending verification, which is its newest, or would open one; for an account that belongs
 * to no payee, answers are searched for. Answers older than a minute were seen, even when an older answer about this
 * very name was the one that counted. When no answer was seen, any answer written since counts, whenever the bank gave
 * it.
 */
function answersAreAsSeen(organizationId: string, facts: readonly PaymentFacts[]): Condition<"facts_changed">[] {
  const seen = facts.flatMap(({ bankAnswer: answer }) =>
    answer?.verificationId ? [[answer.verificationId, answer.outcome, answer.answeredAt]] : [],
  );
  const unknown = facts.flatMap(({ payee, account, bankAnswer: answer, now }) =>
    payee && !answer
      ? []
      : [
          answer
            ? [account.bsb, account.accountNumber, Math.max(answer.answeredAt, now - MINUTE_MS), 1]
            : [account.bsb, account.accountNumber, now, 0],
        ],
  );
  const against = sql.raw(AGAINST.map((outcome) => `'${outcome}'`).join(", "));
  const newer = inParts(distinct(unknown), ROWS_PER_CONDITION).map((part) => ({
    name: "facts_changed" as const,
    found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(part)}) AS "seen"
      CROSS JOIN "account_questions" AS "said" WHERE "said"."organizationId" = ${organizationId}
        AND "said"."bsb" = "seen"."value" ->> 0 AND "said"."accountNumber" = "seen"."value" ->> 1
        AND CASE WHEN "seen"."value" ->> 3 THEN coalesce("said"."resultData" ->> '$.checkedAt', "said"."answeredAt")
          ELSE "said"."answeredAt" END > "seen"."value" ->> 2
        AND "said"."outcome" IN (${against}))`,
  }));
  const asSeen = inParts(distinct(seen), ROWS_PER_CONDITION).map((part) => ({
    name: "facts_changed" as const,
    found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(part)}) AS "seen"
      LEFT JOIN "verifications" AS "asked" ON "asked"."organizationId" = ${organizationId} AND "asked"."id" = "seen"."value" ->> 0
      WHERE "asked"."outcome" IS NOT "seen"."value" ->> 1
        OR coalesce("asked"."resultData" ->> '$.checkedAt', "asked"."completedAt", "asked"."createdAt") IS NOT "seen"."value" ->> 2)`,
  }));
  return [...newer, ...asSeen];
}

function accountsAreStillUnknown(organizationId: string, facts: readonly PaymentFacts[]): Condition<"facts_changed">[] {
  const unknown = facts.flatMap(({ payee, account }) =>
    payee ? [] : [[account.bsb, ...spellingsOf(account.accountNumber)]],
  );
  return inParts(distinct(unknown), ROWS_PER_CONDITION).map((part) => ({
    name: "facts_changed",
    found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(part)}) AS "seen"
      CROSS JOIN json_each("seen"."value") AS "spelling" CROSS JOIN "payees" AS "payee"
      WHERE "payee"."organizationId" = ${organizationId} AND "payee"."bsb" = "seen"."value" ->> 0
        AND "payee"."accountNumber" = "spelling"."value" AND "spelling"."key" > 0)`,
  }));
}

function noDuplicatesSince(
  { organizationId, fileId }: Owner,
  facts: readonly PaymentFacts[],
): Condition<"facts_changed">[] {
  const first = facts.flatMap(({ payee, duplicate, amount, reference, now }) =>
    payee && !duplicate ? [[payee.id, amount, referenceKey(reference), now - DUPLICATE_DAYS * DAY_MS]] : [],
  );
  return inParts(distinct(first), ROWS_PER_CONDITION).map((part) => ({
    name: "facts_changed",
    found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(part)}) AS "seen"
      CROSS JOIN "payment_records" AS "same"
      WHERE "same"."organizationId" = ${organizationId} AND "same"."payeeId" = "seen"."value" ->> 0
        AND "same"."amount" = "seen"."value" ->> 1 AND "same"."referenceKey" = "seen"."value" ->> 2
        AND "same"."createdAt" > "seen"."value" ->> 3 AND "same"."status" <> 'failed'
        ${notOfFile(organizationId, fileId)})`,
  }));
}

/** How many rows one statement takes, so that its parameter stays far below the database's size limit. */
const ROWS_PER_STATEMENT = 5_000;

/** `place` is the position in the list of payments asked about. */
type DuplicateRow = DuplicateFacts & { place: number };

/**
 * For each payment, by its position: the newest recent payment to the same payee with the same amount and reference.
 */
export async function findDuplicates(
  { db }: ReadServices,
  { organizationId, fileId }: Pick<PaymentsOf, "organizationId" | "fileId">,
  { now, asked }: { now: number; asked: readonly ReadPayment[] },
): Promise<Map<number, DuplicateFacts>> {
  const found = new Map<number, DuplicateFacts>();
  const known = asked.flatMap(({ payee, amount, reference }, index) =>
    payee ? [{ index, row: [payee.facts.id, amount, referenceKey(reference)] }] : [],
  );
  for (const part of inParts(known, ROWS_PER_STATEMENT)) {
    const rows = await db.all<DuplicateRow>(sql`SELECT "asked"."key" AS "place", "same"."id", "same"."status",
        "same"."createdAt", "same"."reference"
      FROM json_each(${JSON.stringify(part.map(({ row }) => row))}) AS "asked" CROSS JOIN "payment_records" AS "same"
      WHERE "same"."organizationId" = ${organizationId} AND "same"."payeeId" = "asked"."value" ->> 0
        AND "same"."amount" = "asked"."value" ->> 1 AND "same"."referenceKey" = "asked"."value" ->> 2
        AND "same"."status" <> 'failed'
        AND "same"."createdAt" > ${now - DUPLICATE_DAYS * DAY_MS}
        ${notOfFile(organizationId, fileId)}
      ORDER BY "same"."createdAt"`);
    for (const { place, ...duplicate } of rows) {
      const payment = part[place];
      if (payment) found.set(payment.index, duplicate);
    }
  }
  return found;
}

/** Part of a condition on `same`: the payment was not recorded by clearing this file. */
const notOfFile = (organizationId: string, fileId: string | undefined) =>
  fileId === undefined
    ? sql``
    : sql`AND NOT EXISTS (SELECT 1 FROM "payment_file_lines" AS "own" WHERE "own"."organizationId" = ${organizationId}
        AND "own"."paymentId" = "same"."id" AND "own"."fileId" = ${fileId})`;
