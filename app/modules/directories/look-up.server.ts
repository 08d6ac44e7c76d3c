import { businessRegister } from "@db/schema";
import { asc, isNotNull, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { UpstreamError } from "~/kernel/upstream-error";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { jobIsLeased, postponeJob } from "~/modules/core/commands/outbox.statements.server";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { RegisterEntry } from "~/ports/business-register";
import type { Services, WriteServices } from "~/services";
import type { RegisterAnswer } from "./register";
import { findAnswer, queueLookUp, saveAnswers } from "./register.server";

type Looking = WriteServices & Pick<Services, "businessRegister" | "log">;

/** Look-ups of one delivery, one after the other, and the pause before the next: the register is free and shared. */
const PER_STEP = 20;
const PAUSE_MS = 1_000;
/** An answer this old is asked for again when a person looks, and by the nightly schedule. */
const FRESH_DAYS = 30;
const STALE_PER_NIGHT = 5_000;

/** Looks up the next ABNs that are asked about. While the register does not answer they stay asked about, and the job tries later. */
export async function lookUpRequested(services: Looking, job: Job): Promise<void> {
  const wanted = await services.db
    .select({ abn: businessRegister.abn })
    .from(businessRegister)
    .where(isNotNull(businessRegister.wantedAt))
    .orderBy(asc(businessRegister.wantedAt))
    .limit(PER_STEP);
  if (wanted.length === 0 || !services.businessRegister) return finishJob(services, job);
  const answers: { abn: string; entry: RegisterEntry | null }[] = [];
  let failure: unknown;
  for (const { abn } of wanted) {
    try {
      answers.push({ abn, entry: await services.businessRegister.findByAbn(abn) });
    } catch (error) {
      failure = error;
      break;
    }
  }
  const statements = saveAnswers(services, answers);
  if (failure !== undefined && answers.length === 0) throw failure;
  const dueAt = services.clock.now() + PAUSE_MS;
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [...statements, postponeJob(services, job, { dueAt, attempts: 0 })],
    woken: [{ ...job, dueAt }],
  });
}

/** The register has not answered for long: the next ABN that is wanted, or the night, starts again. */
export const giveUpLookUp = (services: Looking, job: Job, error: string) => finishJob(services, job, "failed", error);

export type LookedUp =
  | { state: "answered"; answer: RegisterAnswer }
  /** The register could not be asked; `before` is what it said last. */
  | { state: "unreachable"; before: RegisterAnswer | undefined }
  /** No register is connected. */
  | { state: "off" };

/**
 * What the register says of an ABN now: a recent answer as it is kept, else by asking.
 * @param abn eleven digits with right check digits
 */
export async function lookUpAbn(services: Looking, abn: string): Promise<LookedUp> {
  const before = await findAnswer(services, abn);
  const now = services.clock.now();
  if (before && now - before.fetchedAt < FRESH_DAYS * DAY_MS) return { state: "answered", answer: before };
  if (!services.businessRegister) return before ? { state: "answered", answer: before } : { state: "off" };
  try {
    const entry = await services.businessRegister.findByAbn(abn);
    await runStep(services, {
      conditions: [isOlderThan(abn, now)],
      statements: saveAnswers(services, [{ abn, entry }]),
    });
    return { state: "answered", answer: { entry, fetchedAt: now } };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    services.log.warn("register.unreachable", { error: error.message });
    return { state: "unreachable", before };
  }
}

const isOlderThan = (abn: string, now: number) => ({
  name: "answered_already" as const,
  found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${businessRegister} WHERE ${businessRegister.abn} = ${abn}
    AND ${businessRegister.fetchedAt} >= ${now})`,
});

/** Asks again for answers that are older than 30 days, some thousand a night. Running it twice changes nothing. */
export async function requestOldAnswersAgain(services: WriteServices): Promise<void> {
  const now = services.clock.now();
  const old = sql`SELECT ${businessRegister.abn} FROM ${businessRegister}
    WHERE ${businessRegister.fetchedAt} <= ${now - FRESH_DAYS * DAY_MS} AND ${businessRegister.wantedAt} IS NULL
    ORDER BY ${businessRegister.fetchedAt} LIMIT ${STALE_PER_NIGHT}`;
  await runStep(services, {
    conditions: [{ name: "none_is_old" as const, found: old }],
    statements: [
      services.db
        .update(businessRegister)
        .set({ wantedAt: now })
        .where(sql`${businessRegister.abn} IN (SELECT "abn" FROM (${old}) AS walk)`),
      queueLookUp(services),
    ],
  });
}
