import { businessRegister, type Statement } from "@db/database";
import { asc, isNotNull, sql } from "drizzle-orm";
import { parseAbn } from "~/kernel/abn";
import { invalidInput, UpstreamError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { cleanLine } from "~/kernel/text";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { jobIsLeased, postponeJob, runStep } from "~/modules/core/commands/run-command.server";
import type { RegisterEntry } from "~/ports/business-register";
import type { Services, TimedServices, WriteServices } from "~/services-and-actor";
import { findRegisterAnswer, markNews, queueLookUp } from "./directory.server";
import { describeAnswer, describeHits, REGISTER_OFF, type RegisterAnswer, UNREACHABLE } from "./register";

export function saveAnswers(
  { db, clock }: TimedServices,
  answers: readonly { abn: string; entry: RegisterEntry | null }[],
): Statement[] {
  const fetchedAt = clock.now();
  const kept = answers.map(({ abn, entry }) =>
    db
      .insert(businessRegister)
      .values({ abn, entry, fetchedAt, wantedAt: null, attempts: 0 })
      .onConflictDoUpdate({ target: businessRegister.abn, set: { entry, fetchedAt, wantedAt: null, attempts: 0 } }),
  );
  const news = answers.map(({ abn, entry }) => ({ subject: abn, isConcern: entry?.isActive === false }));
  return [...kept, ...markNews({ db, clock }, news)];
}

type Looking = WriteServices & Pick<Services, "businessRegister">;

/** Look-ups of one delivery, one after the other, and the pause after it: the register is free and shared. */
const PER_STEP = 20;
const PAUSE_MS = 1_000;
/** An older answer is refreshed when a person looks at it, and by the nightly cron run. */
const FRESH_DAYS = 30;
const STALE_PER_NIGHT = 5_000;

/** Looks up the next requested ABNs. If the register is silent they stay requested, and the job tries again. */
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

/** The register has not answered for a long time: the next requested ABN, or the nightly cron run, starts again. */
export const giveUpLookUp = (services: Looking, job: Job, error: string) => finishJob(services, job, "failed", error);

export type LookedUp =
  | { state: "answered"; answer: RegisterAnswer }
  /** The register could not be reached; `before` is its last answer. */
  | { state: "unreachable"; before: RegisterAnswer | undefined }
  /** No register is configured. */
  | { state: "off" };

/** The register's entry for an ABN: a recent stored answer, or a new look-up. @param abn eleven valid digits */
export async function lookUpAbn(services: Looking, abn: string): Promise<LookedUp> {
  const before = await findRegisterAnswer(services, abn);
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

/** Requests fresh answers for those older than 30 days, some thousand a night. Running it twice changes nothing. */
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

const MAX_NAME = 140;

/**
 * What the register offers for a form: the holder of a typed ABN, or ABNs with a name like the typed one.
 * @throws AppError 400 with a sentence beside the ABN when neither can be looked up
 */
export async function offerFromRegister(services: Looking, { abn: typed, name }: { abn: string; name: string }) {
  if (typed.trim() !== "") {
    const abn = parseAbn(typed);
    if (!abn) throw invalidInput({ abn: ["This is not a valid ABN. Look for a mistyped digit."] });
    const found = await lookUpAbn(services, abn);
    if (found.state === "off") return { kind: "silent", sentence: REGISTER_OFF };
    if (found.state === "answered") return describeAnswer(abn, found.answer);
    return found.before ? describeAnswer(abn, found.before) : { kind: "silent", sentence: UNREACHABLE };
  }
  const asked = cleanLine(name).slice(0, MAX_NAME);
  if (asked.length < 2) throw invalidInput({ abn: ["Type an ABN, or the payee's name to find one"] });
  if (!services.businessRegister) return { kind: "silent", sentence: REGISTER_OFF };
  try {
    return describeHits(await services.businessRegister.findByName(asked));
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    services.log.warn("register.unreachable", { error: error.message });
    return { kind: "silent", sentence: UNREACHABLE };
  }
}
