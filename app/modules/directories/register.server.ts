import type { Statement } from "@db/client";
import { businessRegister } from "@db/schema";
import { and, isNotNull, sql } from "drizzle-orm";
import { enqueueJobs } from "~/modules/core/commands/outbox.statements.server";
import type { RegisterEntry } from "~/ports/business-register";
import type { ReadServices, Services } from "~/services";
import type { RegisterAnswer } from "./register";

/** What the register said of these ABNs, by ABN; one that was not answered yet is not there. */
export async function findAnswers(
  { db }: ReadServices,
  abns: readonly (string | null)[],
): Promise<Map<string, RegisterAnswer>> {
  const asked = [...new Set(abns.filter((abn) => abn !== null))];
  if (asked.length === 0) return new Map();
  const rows = await db
    .select({ abn: businessRegister.abn, entry: businessRegister.entry, fetchedAt: businessRegister.fetchedAt })
    .from(businessRegister)
    .where(
      and(
        sql`${businessRegister.abn} IN (SELECT value FROM json_each(${JSON.stringify(asked)}))`,
        isNotNull(businessRegister.fetchedAt),
      ),
    );
  return new Map(rows.map(({ abn, entry, fetchedAt }) => [abn, { entry, fetchedAt: fetchedAt ?? 0 }]));
}

/** The same for one. */
export const findAnswer = async (services: ReadServices, abn: string | null): Promise<RegisterAnswer | undefined> =>
  abn === null ? undefined : (await findAnswers(services, [abn])).get(abn);

/** One job looks up the ABNs that any organisation asks about. */
const REGISTER_JOB = "business register";

/**
 * Asks for the register's answer about these ABNs, for the batch that adds them. An ABN that is known or asked about already
 * stays as it is.
 */
export function requestAnswers(
  services: Pick<Services, "db" | "clock" | "ids">,
  abns: readonly (string | null | undefined)[],
): Statement[] {
  const wanted = [...new Set(abns)].filter((abn) => abn != null);
  if (wanted.length === 0) return [];
  const { db, clock } = services;
  const wantedAt = clock.now();
  return [
    db
      .insert(businessRegister)
      .select(sql`SELECT value, ${wantedAt}, NULL, NULL, 0 FROM json_each(${JSON.stringify(wanted)}) WHERE true`)
      .onConflictDoNothing(),
    queueLookUp(services),
  ];
}

/** Queues the look-up of every ABN that is asked about, unless it is queued already. */
export const queueLookUp = (services: Pick<Services, "db" | "clock" | "ids">): Statement =>
  enqueueJobs(services, "register_lookup", [
    { id: services.ids.next(), subjectId: REGISTER_JOB, dueAt: services.clock.now() },
  ]);

/** Keeps what the register said. */
export function saveAnswers(
  { db, clock }: Pick<Services, "db" | "clock">,
  answers: readonly { abn: string; entry: RegisterEntry | null }[],
): Statement[] {
  const fetchedAt = clock.now();
  return answers.map(({ abn, entry }) =>
    db
      .insert(businessRegister)
      .values({ abn, entry, fetchedAt, wantedAt: null, attempts: 0 })
      .onConflictDoUpdate({ target: businessRegister.abn, set: { entry, fetchedAt, wantedAt: null, attempts: 0 } }),
  );
}
