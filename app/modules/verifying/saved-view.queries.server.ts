import { prepared } from "@db/prepared";
import { savedViews } from "@db/schema";
import { and, asc, eq, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";

type Owner = { organizationId: string; userId: string };

/** More views than a person keeps. */
export const MAX_VIEWS = 20;

/** The views of the review queue that a person kept in this organisation, by name. */
export const listSavedViews = ({ db }: ReadServices, { organizationId, userId }: Owner) =>
  viewsOf(db).all({ organizationId, userId });

const viewsOf = prepared((db) =>
  db
    .select({ id: savedViews.id, name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(
      and(
        eq(savedViews.organizationId, sql.placeholder("organizationId")),
        eq(savedViews.userId, sql.placeholder("userId")),
      ),
    )
    .orderBy(asc(savedViews.name))
    .limit(MAX_VIEWS)
    .prepare(),
);
