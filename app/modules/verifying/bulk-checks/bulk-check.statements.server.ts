import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { bulkChecks } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import type { BulkCheckRow } from "./bulk-check.queries.server";

type Seen = Pick<BulkCheckRow, "id" | "organizationId" | "version">;

const isIt = ({ id, organizationId }: Pick<Seen, "id" | "organizationId">) =>
  and(eq(bulkChecks.organizationId, organizationId), eq(bulkChecks.id, id));

/** Nobody has moved the bulk check on, started or stopped it since it was read. */
export function bulkCheckIsUnchanged({ db }: ReadServices, seen: Seen): Condition<"bulk_check_moved"> {
  const found = db
    .select({ one: sql`1` })
    .from(bulkChecks)
    .where(and(isIt(seen), eq(bulkChecks.version, seen.version)));
  return { name: "bulk_check_moved", found };
}

/** Changes a bulk check; its version is raised. */
export const updateBulkCheck = ({ db }: ReadServices, seen: Seen, set: Partial<BulkCheckRow>): Statement =>
  db
    .update(bulkChecks)
    .set({ ...set, version: seen.version + 1 })
    .where(isIt(seen));
