import { savedViews } from "@db/schema";
import { and, asc, eq } from "drizzle-orm";
import type { ReadServices } from "~/services";

type Owner = { organizationId: string; userId: string };

/** More views than a person keeps. */
export const MAX_VIEWS = 20;

/** The views of the review queue that a person kept in this organisation, by name. */
export function listSavedViews({ db }: ReadServices, { organizationId, userId }: Owner) {
  return db
    .select({ id: savedViews.id, name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(and(eq(savedViews.organizationId, organizationId), eq(savedViews.userId, userId)))
    .orderBy(asc(savedViews.name))
    .limit(MAX_VIEWS);
}
