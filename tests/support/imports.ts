import { outbox, payeeImportRows, payeeImports } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { startImport } from "~/modules/payees/imports/control-import.server";
import { getImport } from "~/modules/payees/imports/import.server";
import { runImport } from "~/modules/payees/imports/run-import.server";
import { uploadImport } from "~/modules/payees/imports/upload-import.server";
import type { Actor, Services } from "~/services-and-actor";
import { peek } from "./payees";

/** Payee files, uploaded as people upload them. */

const HEADINGS = "Payee name,Account name,BSB,Account number,ABN,Email,Phone,Address";

export const aTable = (...rows: readonly string[]): string => [HEADINGS, ...rows].join("\r\n");

/** An uploaded file that nobody has started. */
export async function anUpload(services: Services, actor: Actor, text: string) {
  const bytes = new TextEncoder().encode(text);
  return uploadImport(services, actor, { name: "payees.csv", bytes });
}

/** An import started with the suggested columns. */
export async function aStartedImport(services: Services, actor: Actor, text: string): Promise<string> {
  const { importId } = await anUpload(services, actor, text);
  const { mapping } = await getImport(services, actor, importId);
  await startImport(services, actor, { importId, mapping });
  return importId;
}

/** Runs the queue until this import has no work left. */
export async function deliver(services: Services, importId: string): Promise<void> {
  for (;;) {
    const [waiting] = await peek
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(eq(outbox.subjectId, importId), eq(outbox.status, "pending")));
    const job = waiting && (await claimJob(services, waiting.id));
    if (!job) return;
    await runImport(services, job);
  }
}

/** An uploaded and completely imported file. */
export async function aFinishedImport(services: Services, actor: Actor, text: string): Promise<string> {
  const importId = await aStartedImport(services, actor, text);
  await deliver(services, importId);
  return importId;
}

export async function readImport(importId: string) {
  const [row] = await peek.select().from(payeeImports).where(eq(payeeImports.id, importId));
  if (!row) throw new Error("no such import");
  return row;
}

export const resultsOf = (importId: string) =>
  peek.select().from(payeeImportRows).where(eq(payeeImportRows.importId, importId)).orderBy(asc(payeeImportRows.line));

/** Line, outcome and message of every row. */
export const outcomesOf = async (importId: string) =>
  (await resultsOf(importId)).map(({ line, outcome, message }) => [line, outcome, message] as const);
