import { alerts } from "@db/schema";
import { and, eq, isNull, lte, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { findAlert } from "./alerts.queries.server";

/**
 * Marks one alert as read, and says where its item is. Reading it twice changes nothing.
 * @throws AppError 404 for nobody's or another person's alert
 */
export async function readAlert(services: WriteServices, actor: Actor, id: string): Promise<string> {
  const alert = await findAlert(services, actor, id);
  if (!alert) throw notFound();
  if (alert.readAt === null) await markRead(services, actor, eq(alerts.id, id));
  return alert.href ?? appPaths.alerts;
}

/** Marks as read what a person had on the page: everything up to and including the newest alert shown. */
export async function readAllAlerts(services: WriteServices, actor: Actor, upTo: string): Promise<void> {
  await markRead(services, actor, lte(alerts.id, upTo));
}

async function markRead(services: WriteServices, actor: Actor, which: ReturnType<typeof eq>): Promise<void> {
  const { db, clock } = services;
  const unread = and(
    eq(alerts.organizationId, actor.organizationId),
    eq(alerts.userId, actor.userId),
    isNull(alerts.readAt),
    which,
  );
  await runStep(services, {
    conditions: [{ name: "read_already", found: db.select({ one: sql`1` }).from(alerts).where(unread) }],
    statements: [db.update(alerts).set({ readAt: clock.now() }).where(unread)],
  });
}
