import { businessRegister } from "@db/schema";
import { and, isNotNull, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
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
