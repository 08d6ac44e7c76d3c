import { outbox } from "@db/schema";
import { and, desc, eq, isNotNull, notInArray, or, sql } from "drizzle-orm";
import * as z from "zod";
import type { Origin } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { JOB_KINDS, type JobKind } from "~/modules/core/commands/job";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { ReadServices, WriteServices } from "~/services";

/** Kinds of jobs that can be run again as they are. */
const AGAIN = Object.entries(JOB_KINDS).flatMap(([kind, rules]) => ("again" in rules ? [kind as JobKind] : []));

export const mayRunAgain = (kind: string): boolean => (AGAIN as readonly string[]).includes(kind);

/** What the page of operations posts: one job, or all of a kind. */
export const runAgainSchema = z.union([
  z.object({ intent: z.literal("run-job"), jobId: z.uuid() }),
  z.object({ intent: z.literal("run-kind"), kind: z.enum(AGAIN) }),
]);

type RunAgain = z.infer<typeof runAgainSchema>;

const SHOWN = 50;
/** As many at once as a request has time for; the button is pressed again for more. */
const MOST_AT_ONCE = 100;

/** Kinds whose work is in the sealed content: without it there is nothing to run. */
const WITH_CONTENT: JobKind[] = ["email", "safety_email", "sms", "safety_sms", "password_reset"];

const isFailed = sql`${outbox.status} = 'failed' AND ${outbox.finishedAt} > 0`;

const canRun = or(notInArray(outbox.kind, WITH_CONTENT), isNotNull(outbox.sealedPayload)) ?? sql`true`;

/** The newest jobs that were given up. What they were to do is sealed, and not read here. `canRun`: it is still there. */
export const listGivenUp = ({ db }: ReadServices) =>
  db
    .select({
      id: outbox.id,
      kind: outbox.kind,
      attempts: outbox.attempts,
      error: outbox.lastError,
      canRun: sql<number>`${canRun}`,
      finishedAt: sql<number>`coalesce(${outbox.finishedAt}, 0)`,
    })
    .from(outbox)
    .where(isFailed)
    .orderBy(desc(outbox.finishedAt))
    .limit(SHOWN);

/**
 * Runs given-up jobs again: the same rows with the same ids, by which providers tell a repetition. Each is written for itself, so
 * that of two people who press at once one has each job.
 * @returns how many run again
 * @throws AppError 409 CHANGED_MEANWHILE when none does
 */
export async function runAgain(
  services: WriteServices,
  administrator: { userId: string; origin: Origin },
  asked: RunAgain,
): Promise<number> {
  let count = 0;
  for (const job of await findAsked(services, asked)) if (await runJobAgain(services, administrator, job)) count++;
  if (count === 0) throw new AppError("CHANGED_MEANWHILE", 409, "This was run again already, or its content is gone.");
  return count;
}

function findAsked({ db }: ReadServices, asked: RunAgain) {
  const which = asked.intent === "run-job" ? eq(outbox.id, asked.jobId) : eq(outbox.kind, asked.kind);
  return db
    .select({ id: outbox.id, kind: outbox.kind, organizationId: outbox.organizationId })
    .from(outbox)
    .where(and(which, isFailed, canRun))
    .orderBy(outbox.finishedAt)
    .limit(MOST_AT_ONCE);
}

async function runJobAgain(
  services: WriteServices,
  administrator: { userId: string; origin: Origin },
  { id, kind, organizationId }: { id: string; kind: string; organizationId: string | null },
): Promise<boolean> {
  if (!mayRunAgain(kind)) return false;
  const { db, clock } = services;
  const dueAt = clock.now();
  const found = sql`SELECT 1 FROM ${outbox} WHERE "id" = ${id} AND "status" = 'failed' AND ${canRun}`;
  const { ok } = await runCommand(
    services,
    { ...administrator, organizationId: organizationId ?? PLATFORM_ORGANIZATION_ID },
    {
      conditions: [{ name: "run_again_already", found }],
      statements: [
        db
          .update(outbox)
          .set({
            status: "pending",
            attempts: 0,
            dueAt,
            finishedAt: null,
            sentAt: null,
            leaseId: null,
            leaseUntil: null,
          })
          .where(eq(outbox.id, id)),
      ],
      audit: [{ action: "job.run_again", entityType: "job", entityId: id, details: { kind: kind as JobKind } }],
      woken: [{ id, kind: kind as JobKind, dueAt }],
      answer: undefined,
    },
  );
  return ok;
}
