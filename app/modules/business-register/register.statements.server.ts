import type { Statement } from "@db/client";
import { businessRegister } from "@db/schema";
import { sql } from "drizzle-orm";
import { enqueueJobs } from "~/modules/commands/outbox.statements.server";
import type { Services } from "~/services";
import type { RegisterEntry } from "./register.port";

/** One job looks up whatever is wanted, for everybody. */
const REGISTER_JOB = "business register";

/**
 * Wants the register's answer about these ABNs, for the batch that brings them. One that is known or wanted already stays
 * as it is.
 */
export function wantAnswers(
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
    promiseLookUp(services),
  ];
}

/** Promises that what is wanted is looked up, unless that is promised already. */
export const promiseLookUp = (services: Pick<Services, "db" | "clock" | "ids">): Statement =>
  enqueueJobs(services, "register_lookup", [
    { id: services.ids.next(), subjectId: REGISTER_JOB, dueAt: services.clock.now() },
  ]);

/** Keeps what the register said. */
export function keepAnswers(
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
