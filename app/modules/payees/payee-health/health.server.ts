import {
  columnsOf,
  healthRuns,
  insertRows,
  payeeFindings,
  payees,
  payeeTerms,
  paymentRecords,
  prepared,
  rowIn,
  verifications,
} from "@db/database";
import { and, desc, eq, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { HealthKind } from "~/kernel/enums";
import { approvedAt, type BankDetails } from "~/kernel/payee";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, giveWay } from "~/modules/core/commands/outbox.server";
import {
  type CommandPart,
  endJob,
  jobIsLeased,
  postponeJob,
  runCommand,
  runStep,
} from "~/modules/core/commands/run-command.server";
import { findDirectoryEntries, findRegisterAnswers } from "~/modules/directories/directory.server";
import type { PayeeRow } from "~/modules/payees/payee.server";
import { findLookalikesOfMany } from "~/modules/payees/verifications/evidence.server";
import {
  type Actor,
  type Asking,
  type ReadServices,
  type Services,
  systemActor,
  type TimedServices,
  type WriteServices,
} from "~/services-and-actor";
import { type Finding, findFindings, type HealthFacts, pointsOf } from "./health";

/** A payee of a slice with the facts to be checked. */
type PayeeFacts = { payeeId: string; facts: HealthFacts; paidCents: number };

const YEAR_MS = 365 * DAY_MS;
/** At most this many payees with the same ABN are named. */
const MAX_SAME_ABN = 5;

type Row = Pick<
  PayeeRow,
  | "id"
  | "name"
  | "accountName"
  | "bsb"
  | "accountNumber"
  | "abn"
  | "email"
  | "phone"
  | "address"
  | "whitelistedAt"
  | "renamedAt"
> & { whitelisted: number; isStaffAccount: number; paidCents: number; verified: string | null; sameAbn: string };

/** The next payees after `cursor`, by id, with everything known about them, in a few statements. */
async function gatherHealthFacts(
  services: TimedServices,
  {
    organizationId,
    cursor,
    limit,
    reverifyAfterMonths,
  }: { organizationId: string; cursor: string; limit: number; reverifyAfterMonths: number },
): Promise<PayeeFacts[]> {
  const now = services.clock.now();
  const rows = await readPayees(services, { organizationId, cursor, limit, now });
  const subjects = rows.map(({ id, ...details }) => ({ payeeId: id, details }));
  const [entryOf, answers, lookalikesOf] = await Promise.all([
    findDirectoryEntries(
      services,
      rows.map(({ bsb }) => bsb),
    ),
    findRegisterAnswers(
      services,
      rows.map(({ abn }) => abn),
    ),
    findLookalikesOfMany(services, organizationId, subjects),
  ]);
  return rows.map((row, at) => {
    const { id, whitelisted, isStaffAccount, paidCents, renamedAt, verified, sameAbn, ...payee } = row;
    const last = verified === null ? null : (JSON.parse(verified) as BankDetails & { completedAt: number | null });
    const facts: HealthFacts = {
      payee: { ...payee, whitelisted: whitelisted === 1 },
      verifiedAt: approvedAt({ ...payee, renamedAt }, last),
      directory: entryOf(row.bsb),
      register: row.abn === null ? undefined : answers.get(row.abn),
      lookalikes: lookalikesOf(at),
      sameAbn: JSON.parse(sameAbn) as string[],
      isStaffAccount: isStaffAccount === 1,
      now,
      reverifyAfterMonths,
    };
    return { payeeId: id, facts, paidCents };
  });
}

/** Archived payees are left out. */
const readPayees = (
  { db }: TimedServices,
  { organizationId, cursor, limit, now }: { organizationId: string; cursor: string; limit: number; now: number },
): Promise<Row[]> =>
  db.all<Row>(sql`SELECT "payee"."id", "payee"."name", "payee"."accountName", "payee"."bsb", "payee"."accountNumber",
      "payee"."abn", "payee"."email", "payee"."phone", "payee"."address", "payee"."whitelisted", "payee"."whitelistedAt", "payee"."renamedAt",
      EXISTS (SELECT 1 FROM "staff_accounts" WHERE "organizationId" = ${organizationId}
        AND "accountFingerprint" = "payee"."accountFingerprint") AS "isStaffAccount",
      (SELECT coalesce(sum("amount"), 0) FROM ${paymentRecords} WHERE "organizationId" = ${organizationId}
        AND "payeeId" = "payee"."id" AND "status" = 'successful' AND "processedAt" > ${now - YEAR_MS}) AS "paidCents",
      (SELECT json_object('accountName', "accountName", 'bsb', "bsb", 'accountNumber', "accountNumber", 'completedAt', "completedAt")
        FROM ${verifications} WHERE "organizationId" = ${organizationId} AND "payeeId" = "payee"."id"
          AND +"status" = 'verified' ORDER BY "id" DESC LIMIT 1) AS "verified",
      (SELECT json_group_array("name") FROM (SELECT "other"."name" FROM ${payeeTerms} AS "same"
        CROSS JOIN ${payees} AS "other"
        WHERE "same"."organizationId" = ${organizationId} AND "same"."term" = "payee"."abn"
          AND "other"."organizationId" = ${organizationId} AND "other"."id" = "same"."payeeId"
          AND "other"."id" <> "payee"."id" AND "other"."abn" = "payee"."abn" LIMIT ${MAX_SAME_ABN}) AS walk) AS "sameAbn"
    FROM ${payees} AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" > ${cursor} AND "payee"."archivedAt" IS NULL
    ORDER BY "payee"."id" LIMIT ${limit}`);

export type HealthRun = typeof healthRuns.$inferSelect;

/** How many runs are shown, and searched for the newest finished one. */
const SHOWN_RUNS = 12;

export async function findRun({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select()
    .from(healthRuns)
    .where(and(eq(healthRuns.organizationId, organizationId), eq(healthRuns.id, id)));
  return row;
}

/** The newest runs, newest first. */
export const listRuns = ({ db }: ReadServices, { organizationId }: Asking): Promise<HealthRun[]> =>
  runsOf(db).all({ organizationId });

const runsOf = prepared((db) =>
  db
    .select()
    .from(healthRuns)
    .where(eq(healthRuns.organizationId, sql.placeholder("organizationId")))
    .orderBy(desc(healthRuns.id))
    .limit(SHOWN_RUNS)
    .prepare(),
);

export type FindingKey = { cents: number; payeeId: string };

/** Payees with a finding of this kind, highest amount paid first. */
export function listFindings(
  { db }: ReadServices,
  { organizationId }: Asking,
  { runId, kind, after, limit }: { runId: string; kind: HealthKind; after?: FindingKey; limit: number },
) {
  return db
    .select({
      ...columnsOf(payeeFindings, "payeeId", "detail", "paidCents"),
      ...columnsOf(payees, "name", "accountName", "bsb", "accountNumber"),
    })
    .from(payeeFindings)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, payeeFindings.payeeId)))
    .where(
      and(
        eq(payeeFindings.organizationId, organizationId),
        eq(payeeFindings.runId, runId),
        eq(payeeFindings.kind, kind),
        after && sql`(${payeeFindings.paidCents}, ${payeeFindings.payeeId}) < (${after.cents}, ${after.payeeId})`,
      ),
    )
    .orderBy(desc(payeeFindings.paidCents), desc(payeeFindings.payeeId))
    .limit(limit);
}

/** Starts a new run over all payees, in the caller's batch. Does nothing while a run is in progress. */
export function beginHealthRun(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  organizationId: string,
): Required<Pick<CommandPart, "statements" | "jobs">> {
  const runId = ids.next();
  return {
    statements: [
      db.insert(healthRuns).select(
        sql`SELECT ${runId}, ${organizationId}, 'running', '', 0, 0, '{}', ${clock.now()}, NULL
          WHERE NOT EXISTS (SELECT 1 FROM ${healthRuns} WHERE ${healthRuns.organizationId} = ${organizationId}
            AND ${healthRuns.status} = 'running')`,
      ),
    ],
    jobs: [{ id: ids.next(), kind: "payee_health", organizationId, subjectId: runId }],
  };
}

/** How many payees one step checks, and how long one delivery may run. */
const PAYEES_PER_STEP = 250;
const WORK_MS = 10_000;
/** How many findings of earlier runs one step deletes. */
const REMOVED_PER_STEP = 5_000;

/** Starts a new run over all payees, unless one is in progress. */
export async function startHealthRun(services: WriteServices, actor: Actor): Promise<void> {
  const { organizationId: entityId } = actor;
  await runCommand(services, actor, {
    parts: [beginHealthRun(services, entityId)],
    audit: [{ action: "payee_health.started", entityType: "organization", entityId }],
  });
}

/** Checks the next payees of a run; if a step runs twice, every payee is still counted once. */
export async function continueHealthRun(services: WriteServices, job: Job): Promise<void> {
  const { organizationId, subjectId: runId } = job;
  const until = services.clock.now() + WORK_MS;
  while (organizationId && runId) {
    const run = await findRun(services, { organizationId }, runId);
    if (run?.status !== "running") break;
    if (services.clock.now() >= until) {
      const again = postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 });
      await runStep(services, {
        conditions: [runStands(services, run), jobIsLeased(services, job)],
        statements: [again],
        woken: [job],
      });
      return;
    }
    await giveWay();
    const { reverifyAfterMonths } = await findPolicy(services, organizationId);
    const asked = { organizationId, cursor: run.cursor, limit: PAYEES_PER_STEP, reverifyAfterMonths };
    const payees = await gatherHealthFacts(services, asked);
    if (payees.length === 0) return finish(services, job, run);
    await writeStep(services, job, run, payees);
  }
  return finishJob(services, job);
}

async function writeStep(services: WriteServices, job: Job, run: HealthRun, payees: readonly PayeeFacts[]) {
  const { organizationId, id: runId } = run;
  const found = payees.map(({ payeeId, facts, paidCents }) => ({ payeeId, paidCents, findings: findFindings(facts) }));
  const rows = found.flatMap(({ payeeId, paidCents, findings }) =>
    findings.map((finding) => ({ organizationId, runId, payeeId, paidCents, ...finding })),
  );
  await runStep(services, {
    conditions: [runStands(services, run), jobIsLeased(services, job)],
    statements: [
      ...insertRows(services.db, payeeFindings, rows),
      updateRun(services, run, {
        cursor: payees.at(-1)?.payeeId ?? run.cursor,
        payeeCount: run.payeeCount + payees.length,
        pointsSum: run.pointsSum + found.reduce((sum, { findings }) => sum + pointsOf(findings), 0),
        totals: addTotals(run.totals, found),
      }),
    ],
  });
}

type Totals = HealthRun["totals"];

function addTotals(before: Totals, found: readonly { paidCents: number; findings: readonly Finding[] }[]): Totals {
  const totals: Partial<Record<HealthKind, { count: number; cents: number }>> = { ...before };
  for (const { paidCents, findings } of found) {
    for (const { kind } of findings) {
      const { count, cents } = totals[kind] ?? { count: 0, cents: 0 };
      totals[kind] = { count: count + 1, cents: cents + paidCents };
    }
  }
  return totals;
}

/** The new run is complete: deletes the findings of earlier runs in steps, then ends the job. */
async function finish(services: WriteServices, job: Job, run: HealthRun): Promise<void> {
  const { organizationId, id: runId } = run;
  const [old] = await services.db
    .select({ runId: payeeFindings.runId })
    .from(payeeFindings)
    .where(and(eq(payeeFindings.organizationId, organizationId), sql`${payeeFindings.runId} < ${runId}`))
    .limit(1);
  if (old) {
    await runStep(services, {
      conditions: [runStands(services, run), jobIsLeased(services, job)],
      statements: [
        removeFindings(services, organizationId, old.runId),
        postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 }),
      ],
      woken: [job],
    });
    return;
  }
  const { payeeCount, pointsSum } = run;
  await runCommand(services, systemActor(organizationId, job.id), {
    conditions: [runStands(services, run)],
    statements: [
      updateRun(services, run, { status: "finished", finishedAt: services.clock.now() }),
      endJob(services, job, "done"),
    ],
    audit: [
      {
        action: "payee_health.finished",
        entityType: "organization",
        entityId: organizationId,
        details: { runId, payeeCount, pointsSum },
      },
    ],
  });
}

const removeFindings = ({ db }: ReadServices, organizationId: string, runId: string) =>
  db.delete(payeeFindings).where(
    and(
      eq(payeeFindings.organizationId, organizationId),
      eq(payeeFindings.runId, runId),
      sql`rowid IN (SELECT rowid FROM "payee_findings" WHERE "organizationId" = ${organizationId} AND "runId" = ${runId}
        LIMIT ${REMOVED_PER_STEP})`,
    ),
  );

function updateRun({ db }: ReadServices, run: HealthRun, set: Partial<typeof healthRuns.$inferInsert>) {
  return db
    .update(healthRuns)
    .set(set)
    .where(and(eq(healthRuns.organizationId, run.organizationId), eq(healthRuns.id, run.id)));
}

function runStands({ db }: ReadServices, run: HealthRun) {
  const found = rowIn(db, healthRuns).where(
    and(
      eq(healthRuns.organizationId, run.organizationId),
      eq(healthRuns.id, run.id),
      eq(healthRuns.status, "running"),
      eq(healthRuns.cursor, run.cursor),
    ),
  );
  return { name: "run_moved" as const, found };
}

/** After the last attempt failed: the run ends, and the page offers to start another. */
export async function giveUpHealthRun(services: WriteServices, job: Job, error: string): Promise<void> {
  const { organizationId, subjectId: runId } = job;
  const run = organizationId && runId ? await findRun(services, { organizationId }, runId) : undefined;
  if (run?.status !== "running") return finishJob(services, job, "failed", error);
  await runStep(services, {
    conditions: [runStands(services, run)],
    statements: [
      updateRun(services, run, { status: "failed", finishedAt: services.clock.now() }),
      endJob(services, job, "failed", error),
    ],
  });
}
