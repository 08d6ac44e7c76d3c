import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { payeeImportParts, payeeImports } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { ImportStatus } from "~/kernel/enums";
import type { ReadServices, Services } from "~/services";

type Owner = { organizationId: string; importId: string };
type Row = typeof payeeImports.$inferInsert;

const isIt = ({ organizationId, importId }: Owner) =>
  and(eq(payeeImports.organizationId, organizationId), eq(payeeImports.id, importId));

/** The import is as it was read: in this status, and as far as this. */
export function importIsUnchanged(
  { db }: ReadServices,
  owner: Owner,
  { status, doneParts }: { status: ImportStatus; doneParts: number },
): Condition<"import_moved"> {
  const found = db
    .select({ one: sql`1` })
    .from(payeeImports)
    .where(and(isIt(owner), eq(payeeImports.status, status), eq(payeeImports.doneParts, doneParts)));
  return { name: "import_moved", found };
}

/** Changes an import; its version is raised. */
export function updateImport(
  { db, clock }: Pick<Services, "db" | "clock">,
  owner: Owner,
  set: Partial<{ [Column in keyof Row]: Row[Column] | ReturnType<typeof sql> }>,
): Statement {
  return db
    .update(payeeImports)
    .set({ ...set, version: sql`${payeeImports.version} + 1`, updatedAt: clock.now() })
    .where(isIt(owner));
}

/** The rows that waited: bank details of people that nobody needs any more. */
export const deleteParts = ({ db }: ReadServices, { organizationId, importId }: Owner): Statement =>
  db
    .delete(payeeImportParts)
    .where(and(eq(payeeImportParts.organizationId, organizationId), eq(payeeImportParts.importId, importId)));
