import type { Condition } from "@db/precondition";
import { paymentFiles } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** The file is as it was when somebody looked at it: of two people at once, the second is refused. */
export function fileIsUnchanged(
  { db }: ReadServices,
  organizationId: string,
  { id, version }: { id: string; version: number },
): Condition<"file_changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(paymentFiles)
    .where(
      and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, id), eq(paymentFiles.version, version)),
    );
  return { name: "file_changed", found };
}
