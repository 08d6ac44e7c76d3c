import { payees, verifications } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import { toCsv, toCsvLines } from "~/kernel/csv";
import type { PayeeDetails } from "~/kernel/payee";
import { findRegisterAnswers } from "~/modules/directories/directory.server";
import { registerSentence } from "~/modules/directories/register";
import { findFormerHolders } from "~/modules/payees/verifications/evidence.server";
import { formerHolderSentence } from "~/modules/payees/verifications/standing";
import { headlineOfFlag, type VerdictLook } from "~/modules/payees/verifications/verdict";
import type { ReadServices, TimedServices } from "~/services-and-actor";
import { OUTCOME_LABELS } from "./import";
import { getImport, listResults } from "./import.server";

/** What the business register says about each of these, in order: a sentence, or null without an ABN. */
export async function readRegisterSentences(
  services: TimedServices,
  subjects: readonly { name: string; accountName: string; abn: string | null }[],
): Promise<(string | null)[]> {
  const answers = await findRegisterAnswers(
    services,
    subjects.map(({ abn }) => abn),
  );
  const now = services.clock.now();
  return subjects.map((subject) => {
    const answer = subject.abn === null ? undefined : answers.get(subject.abn);
    return registerSentence(subject, answer, now);
  });
}

/** The same for payees as they are now, by payee id. The register may have answered since the import. */
export async function readRegisterSentencesOfPayees(
  services: TimedServices,
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
  const said = await readRegisterSentences(services, rows);
  return new Map(rows.map(({ id }, at) => [id, said[at] ?? null]));
}

/** The verdict shown beside a row whose account was another payee's before. */
export function verdictOfFormerAccount(): VerdictLook {
  const { tone, icon, word } = headlineOfFlag("former_account");
  return { tone, icon, word };
}

/** For each account that rows add, sentences about the payees that had it before; empty if none did. */
export async function readFormerAccountSentences(
  services: ReadServices,
  organizationId: string,
  { added, timeZone }: { added: readonly PayeeDetails[]; timeZone: string },
): Promise<(account: PayeeDetails) => string[]> {
  const holdersOf = await findFormerHolders(services, organizationId, added);
  return (account) => {
    const said = holdersOf(account).map((holder) => formerHolderSentence(holder, timeZone));
    return said.length > 0 ? [...said, "Approving it needs a reason."] : [];
  };
}

/** The payees among these with an undecided verification that names another payee as former holder of the account. */
export async function findOnFormerAccounts(
  { db }: ReadServices,
  organizationId: string,
  payeeIds: readonly (string | null)[],
): Promise<ReadonlySet<string | null>> {
  const ids = [...new Set(payeeIds.filter((id) => id !== null))];
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ payeeId: verifications.payeeId })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        sql`${verifications.payeeId} IN (SELECT "value" FROM json_each(${JSON.stringify(ids)}))`,
        sql`+${verifications.status} = 'pending'`,
        sql`json_array_length(${verifications.evidence}, '$.formerHolders') > 0`,
      ),
    );
  return new Set(rows.map(({ payeeId }) => payeeId));
}

const ROWS_PER_READ = 5_000;
const HEADINGS = ["Line", "Payee name", "Outcome", "Notes", "Payee id", "Business register"];

/** The result of each row as a table for a spreadsheet, read in parts while it is sent. @throws AppError 404 */
export async function writeResultFile(services: TimedServices, asking: { organizationId: string }, importId: string) {
  const { name } = await getImport(services, asking, importId);
  const plain = name.replace(/\.[a-z]{1,5}$/i, "");
  return { name: `${plain} - result.csv`, lines: readLines(services, asking, importId) };
}

async function* readLines(services: TimedServices, asking: { organizationId: string }, importId: string) {
  yield toCsv(HEADINGS, []);
  let after: number | undefined;
  do {
    const { rows, next } = await listResults(services, asking, { importId, after, limit: ROWS_PER_READ });
    if (rows.length > 0) {
      const ids = rows.map(({ payeeId }) => payeeId);
      const registers = await readRegisterSentencesOfPayees(services, asking, ids);
      yield toCsvLines(rows.map((row) => [...toCells(row), registers.get(row.payeeId ?? "") ?? ""]));
    }
    after = next;
  } while (after !== undefined);
}

const toCells = ({
  line,
  name,
  outcome,
  message,
  payeeId,
}: Awaited<ReturnType<typeof listResults>>["rows"][number]) => [line, name, OUTCOME_LABELS[outcome], message, payeeId];
