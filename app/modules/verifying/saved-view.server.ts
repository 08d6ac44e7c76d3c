import { prepared, savedViews } from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import { invalidInput } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, ReadServices, WriteServices } from "~/services-and-actor";

type Owner = { organizationId: string; userId: string };

/** More views than a person keeps. */
export const MAX_VIEWS = 20;

/** The views of the review queue that a person saved in this organisation, by name. */
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

/**
 * Saves a view of the review queue under a name, for this person only. A name that exists already gets the new view.
 * @throws AppError 400 with `name` when the person has the maximum number of views
 */
export async function saveView(services: WriteServices, actor: Actor, view: { name: string; query: string }) {
  const { db, ids, clock } = services;
  const { organizationId, userId } = actor;
  const { name, query } = view;
  const kept = await listSavedViews(services, actor);
  if (kept.length >= MAX_VIEWS && !kept.some((one) => one.name === name)) {
    throw invalidInput({ name: [`You can keep ${MAX_VIEWS} views. Remove one first.`] });
  }
  await runCommand(services, actor, {
    statements: [
      db
        .insert(savedViews)
        .values({ id: ids.next(), organizationId, userId, name, query, createdAt: clock.now() })
        .onConflictDoUpdate({
          target: [savedViews.organizationId, savedViews.userId, savedViews.name],
          set: { query },
        }),
    ],
    audit: [{ action: "user.view_saved", entityId: userId, details: { name } }],
  });
}

/** Deletes one of the person's views; deleting one that is gone already succeeds. */
export async function removeView(services: WriteServices, actor: Actor, viewId: string): Promise<void> {
  const { organizationId, userId } = actor;
  const view = (await listSavedViews(services, actor)).find(({ id }) => id === viewId);
  if (!view) return;
  const isView = and(
    eq(savedViews.organizationId, organizationId),
    eq(savedViews.userId, userId),
    eq(savedViews.id, viewId),
  );
  await runCommand(services, actor, {
    statements: [services.db.delete(savedViews).where(isView)],
    audit: [{ action: "user.view_removed", entityId: userId, details: { name: view.name } }],
  });
}
