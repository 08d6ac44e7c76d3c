import { payees } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { findAnswers } from "~/modules/directories/register.server";
import { sayRegister } from "~/modules/directories/register.view";
import type { Services } from "~/services";

type Reading = Pick<Services, "db" | "clock">;
type Named = { name: string; accountName: string; abn: string | null };

/** What the business register says of each of these, in their order: a sentence, or null without an ABN. */
export async function sayRegisterOfMany(services: Reading, subjects: readonly Named[]): Promise<(string | null)[]> {
  const answers = await findAnswers(
    services,
    subjects.map(({ abn }) => abn),
  );
  const now = services.clock.now();
  return subjects.map((subject) => {
    const answer = subject.abn === null ? undefined : answers.get(subject.abn);
    return sayRegister(subject, answer, now);
  });
}

/** The same of payees as they are now, by the payee's id. The register may have answered since they were imported. */
export async function sayRegisterOfPayees(
  services: Reading,
  { organizationId }: { organizationId: string },
  payeeIds: readonly (string | null)[],
): Promise<Map<string, string | null>> {
  const ids = [...new Set(payeeIds.filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await services.db
    .select({ id: payees.id, name: payees.name, accountName: payees.accountName, abn: payees.abn })
    .from(payees)
    .where(
      and(
        eq(payees.organizationId, organizationId),
        sql`${payees.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  const said = await sayRegisterOfMany(services, rows);
  return new Map(rows.map(({ id }, at) => [id, said[at] ?? null]));
}
