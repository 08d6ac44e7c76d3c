import { paymentFiles } from "@db/database";
import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { DECIDED_INDIVIDUALLY } from "~/modules/rules";
import { payeeNotTrusted } from "~/modules/rules/payee-rules";
import type { ReadServices, TimedServices } from "~/services-and-actor";
import type { Owner } from "./payment-file.server";

const always = DECIDED_INDIVIDUALLY.flatMap(({ id, where }) => (where === null ? [`'${id}'`] : []));

const sometimes = DECIDED_INDIVIDUALLY.flatMap(({ id, where }) =>
  where === null ? [] : [`OR "why"."value" ->> 'rule' = '${id}' AND "why"."value" ->> '$.evidence.${where}' = 1`],
);

/** `isDecidedIndividually` for a held line, in SQL. */
const isIndividual =
  sql.raw(`EXISTS (SELECT 1 FROM json_each("held"."reasons") AS "why" WHERE "why"."value" ->> 'level' = 'hold'
  AND ("why"."value" ->> 'rule' IN (${always.join(", ")}) ${sometimes.join(" ")}))`);

/**
 * Held lines of one rule. `togetherCount` of them may be decided together, the others only individually; `onlyCount` of
 * the former are held by no other rule.
 */
type HeldReason = { rule: string; count: number; cents: number; togetherCount: number; onlyCount: number };

/** Why lines of a file are held, largest amount first. A line that several rules hold counts for each. */
export async function listHeldReasons({ db }: ReadServices, { organizationId, fileId }: Owner): Promise<HeldReason[]> {
  return db.all<HeldReason>(sql`SELECT "rule", count(*) AS "count", sum("amount") AS "cents",
      sum(NOT "isIndividual") AS "togetherCount", sum("holds" = 1 AND NOT "isIndividual") AS "onlyCount"
    FROM (SELECT "held"."amount", ${isIndividual} AS "isIndividual", "reason"."value" ->> 'rule' AS "rule",
        (SELECT count(*) FROM json_each("held"."reasons") WHERE "value" ->> 'level' = 'hold') AS "holds"
      FROM "payment_file_lines" AS "held" CROSS JOIN json_each("held"."reasons") AS "reason"
      WHERE "held"."organizationId" = ${organizationId} AND "held"."fileId" = ${fileId}
        AND "held"."status" = 'held' AND "reason"."value" ->> 'level' = 'hold') AS "walk"
    GROUP BY "rule" ORDER BY "cents" DESC, "rule"`);
}

/** Held lines of one payee; `togetherCount` of them may be decided together. */
type HeldPayee = { payeeId: string; name: string; count: number; cents: number; togetherCount: number };

/** Payees with more than one held line, largest amount first. */
export async function listHeldPayees({ db }: ReadServices, { organizationId, fileId }: Owner): Promise<HeldPayee[]> {
  return db.all<HeldPayee>(sql`SELECT "held"."payeeId", "payee"."name", count(*) AS "count", sum("held"."amount") AS "cents",
      sum(NOT ${isIndividual}) AS "togetherCount"
    FROM "payment_file_lines" AS "held" CROSS JOIN "payees" AS "payee"
    WHERE "held"."organizationId" = ${organizationId} AND "held"."fileId" = ${fileId} AND "held"."status" = 'held'
      AND "payee"."organizationId" = ${organizationId} AND "payee"."id" = "held"."payeeId"
    GROUP BY "held"."payeeId" HAVING count(*) > 1 ORDER BY "cents" DESC LIMIT 20`);
}

const RECENTLY_MS = 30 * DAY_MS;

/** The payee that had a line's account until its bank details changed, taken from the line's reasons. */
const formerHolder = sql.raw(`(SELECT "reason"."value" ->> '$.evidence.formerPayeeId'
  FROM json_each("line"."reasons") AS "reason" WHERE "reason"."value" ->> 'rule' = '${payeeNotTrusted.id}')`);

/**
 * Numbers of payments in a file, and their cents. `toFormer`: those of the changed ones that pay the payee's former
 * account.
 */
export type NewAndChanged = {
  firstPayments: number;
  firstCents: number;
  changed: number;
  changedCents: number;
  toFormer: number;
};

/**
 * How many of a file's payments go to payees that were never paid, or whose bank details changed recently: to the
 * present account, or to the former one.
 */
async function countNewAndChanged(
  { db, clock }: TimedServices,
  { organizationId, fileId }: Owner,
): Promise<NewAndChanged> {
  const since = clock.now() - RECENTLY_MS;
  const [row] = await db.all<NewAndChanged>(
    sql`SELECT coalesce(sum("isFirst"), 0) AS "firstPayments", coalesce(sum("isFirst" * "amount"), 0) AS "firstCents",
        coalesce(sum("isChanged"), 0) AS "changed", coalesce(sum("isChanged" * "amount"), 0) AS "changedCents",
        coalesce(sum("isChanged" AND "payeeId" IS NULL), 0) AS "toFormer"
      FROM (SELECT "line"."amount", "line"."payeeId",
          "line"."payeeId" IS NOT NULL AND "payee"."paymentCount" = 0 AS "isFirst",
          coalesce("payee"."bankDetailsChangedAt", 0) > ${since} AS "isChanged"
        FROM "payment_file_lines" AS "line" CROSS JOIN "payees" AS "payee"
        WHERE "line"."organizationId" = ${organizationId} AND "line"."fileId" = ${fileId}
          AND "payee"."organizationId" = ${organizationId}
          AND "payee"."id" = coalesce("line"."payeeId", ${formerHolder})) AS "walk"`,
  );
  return row ?? { firstPayments: 0, firstCents: 0, changed: 0, changedCents: 0, toFormer: 0 };
}

const STATES = [
  "against",
  "close",
  "confirmed",
  "older",
  "waiting",
  "unable",
  "answer_lost",
  "not_asked",
  "never",
] as const;
/**
 * What the bank of a payment's account said, counting answers from a day before the upload on, or why it did not
 * answer.
 */
export type BankState = (typeof STATES)[number];

/** Numbers of payments in a file, and their cents, by bank state, most serious first; `lastAt`: the newest answer. */
export type BanksCount = { state: BankState; count: number; cents: number; lastAt: number | null };

/** What banks said about the accounts that a file pays, leaving out rejected lines. */
export async function countBanks(
  { db }: ReadServices,
  { organizationId, fileId }: Owner,
  createdAt: number,
): Promise<BanksCount[]> {
  const since = createdAt - DAY_MS;
  const rows =
    await db.all<BanksCount>(sql`SELECT "state", count(*) AS "count", sum("amount") AS "cents", max("answeredAt") AS "lastAt"
    FROM (SELECT "line"."amount", "asked"."answeredAt", CASE
        WHEN "asked"."bsb" IS NULL THEN 'never'
        WHEN "asked"."answeredAt" > ${since} THEN CASE "asked"."outcome" WHEN 'match' THEN 'confirmed' WHEN 'close_match' THEN 'close' ELSE 'against' END
        WHEN "asked"."endedAt" IS NULL THEN 'waiting'
        WHEN "asked"."endedAt" > ${since} AND "asked"."ended" <> 'answered' THEN "asked"."ended"
        WHEN "asked"."outcome" IN ('no_match', 'account_closed', 'account_not_shared') THEN 'against'
        WHEN "asked"."answeredAt" IS NULL THEN 'never'
        ELSE 'older' END AS "state"
      FROM "payment_file_lines" AS "line"
      LEFT JOIN "payees" AS "payee" ON "payee"."organizationId" = ${organizationId} AND "payee"."id" = "line"."payeeId"
      LEFT JOIN "account_questions" AS "asked" ON "asked"."organizationId" = ${organizationId}
        AND "asked"."bsb" = coalesce("payee"."bsb", "line"."bsb")
        AND "asked"."accountNumber" = coalesce("payee"."accountNumber", "line"."accountNumber")
        AND "asked"."accountName" = coalesce("payee"."accountName", "line"."accountName")
      WHERE "line"."organizationId" = ${organizationId} AND "line"."fileId" = ${fileId} AND "line"."status" <> 'rejected') AS "walk"
    GROUP BY "state"`);
  return rows.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
}

/** Compares what the file would pay with what the previous file was cleared for; null when there was none. */
async function compareWithLastRun(services: TimedServices, owner: Owner) {
  const { db } = services;
  const { organizationId, fileId } = owner;
  const [last] = await db
    .select({ fileId: paymentFiles.id, name: paymentFiles.name, createdAt: paymentFiles.createdAt })
    .from(paymentFiles)
    .where(
      and(
        eq(paymentFiles.organizationId, organizationId),
        lt(paymentFiles.id, fileId),
        inArray(paymentFiles.status, ["cleared", "settled"]),
      ),
    )
    .orderBy(desc(paymentFiles.id))
    .limit(1);
  if (!last) return null;
  const [now, before] = await Promise.all([
    listRunPayees(services, owner, sql`"line"."status" <> 'rejected'`),
    listRunPayees(services, { organizationId, fileId: last.fileId }, sql`"line"."paymentId" IS NOT NULL`),
  ]);
  const { added, jumped, missing } = compareRuns(now, before);
  return { ...last, added: first(added), jumped: first(jumped), missing: first(missing) };
}

/** How many payees each part of the comparison names. */
const MAX_COMPARED = 5;

const first = <T>(list: readonly T[]) => ({ shown: list.slice(0, MAX_COMPARED), count: list.length });

/** The comparison of two runs: the first payees of each part, and how many there are. */
export type RunComparison = NonNullable<Awaited<ReturnType<typeof compareWithLastRun>>>;

/** The figures that an approver saw when the file was first cleared. */
export type FiguresAtClearing = NewAndChanged & {
  /** Null: no file was cleared before it. Absent: not stored at the time. */
  lastRun?: RunComparison | null;
};

/** The present figures of a file, to be stored with its first clearing. */
export async function figuresNow(services: TimedServices, owner: Owner): Promise<FiguresAtClearing> {
  const [figures, lastRun] = await Promise.all([
    countNewAndChanged(services, owner),
    compareWithLastRun(services, owner),
  ]);
  return { ...figures, lastRun };
}

/** What a payee receives in a run, in integer cents. */
type RunPayee = { payeeId: string; name: string; cents: number };

/** What each payee receives from these lines of a file. */
async function listRunPayees({ db }: ReadServices, { organizationId, fileId }: Owner, which: SQL): Promise<RunPayee[]> {
  return db.all<RunPayee>(sql`SELECT "line"."payeeId", "payee"."name", sum("line"."amount") AS "cents"
    FROM "payment_file_lines" AS "line" CROSS JOIN "payees" AS "payee"
    WHERE "line"."organizationId" = ${organizationId} AND "line"."fileId" = ${fileId} AND ${which}
      AND "payee"."organizationId" = ${organizationId} AND "payee"."id" = "line"."payeeId"
    GROUP BY "line"."payeeId"`);
}

/** An amount that is more than this many times the previous one has jumped. */
const JUMP = 2;

export function compareRuns(now: readonly RunPayee[], before: readonly RunPayee[]) {
  const then = new Map(before.map((payee) => [payee.payeeId, payee.cents]));
  const current = new Set(now.map(({ payeeId }) => payeeId));
  const largest = (a: RunPayee, b: RunPayee) => b.cents - a.cents;
  return {
    /** Payees of this run that the last one did not pay, largest amount first. */
    added: now.filter(({ payeeId }) => !then.has(payeeId)).sort(largest),
    /** Payees that receive more than `JUMP` times the previous amount. */
    jumped: now
      .flatMap((payee) => {
        const beforeCents = then.get(payee.payeeId);
        return beforeCents !== undefined && payee.cents > beforeCents * JUMP ? [{ ...payee, beforeCents }] : [];
      })
      .sort(largest),
    /** Payees of the last run that this one does not pay. */
    missing: before.filter(({ payeeId }) => !current.has(payeeId)).sort(largest),
  };
}
