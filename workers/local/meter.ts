import type { StatementMeta } from "@db/guarded-d1";
import { json } from "~/http/api.server";

/** What D1 said it read and wrote since the last look. Counted only with D1_METER=1, for the benches. */
const total = { statements: 0, rowsRead: 0, rowsWritten: 0 };
/** Rows written, by the text of what wrote them. */
const written = new Map<string, number>();

export function meterStatement(sql: string, meta: StatementMeta): void {
  total.statements += 1;
  total.rowsRead += meta.rowsRead;
  total.rowsWritten += meta.rowsWritten;
  if (meta.rowsWritten > 0) written.set(sql, (written.get(sql) ?? 0) + meta.rowsWritten);
}

/** Tells the totals and begins anew. */
export async function tellMeter(): Promise<Response> {
  const answer = { ...total, written: Object.fromEntries(written) };
  Object.assign(total, { statements: 0, rowsRead: 0, rowsWritten: 0 });
  written.clear();
  return json(answer);
}
