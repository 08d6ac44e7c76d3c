import { toCsv, toCsvLines } from "~/kernel/csv";
import type { Services } from "~/services";
import { OUTCOME_LABELS } from "./import";
import { getImport, listResults } from "./import.server";
import { sayRegisterOfPayees } from "./row-notes.server";

type Reading = Pick<Services, "db" | "clock">;

const ROWS_PER_READ = 5_000;
const HEADINGS = ["Line", "Payee name", "Outcome", "Notes", "Payee id", "Business register"];

/** The result of each row as a table for a spreadsheet, read in parts while it is sent. @throws AppError 404 */
export async function writeResultFile(
  services: Reading,
  asking: { organizationId: string },
  importId: string,
): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  const { name } = await getImport(services, asking, importId);
  const plain = name.replace(/\.[a-z]{1,5}$/i, "");
  return { name: `${plain} - result.csv`, lines: readLines(services, asking, importId) };
}

async function* readLines(services: Reading, asking: { organizationId: string }, importId: string) {
  yield toCsv(HEADINGS, []);
  let after: number | undefined;
  do {
    const { rows, next } = await listResults(services, asking, { importId, after, limit: ROWS_PER_READ });
    if (rows.length > 0) {
      const ids = rows.map(({ payeeId }) => payeeId);
      const registers = await sayRegisterOfPayees(services, asking, ids);
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
