import * as z from "zod";
import type { BankDataEvent } from "~/ports/bank-data";
import type { Log } from "~/services";
import type { BasiqClient } from "./basiq-client";
import { type BasiqEvent, eventSchema } from "./basiq-schema";
import { assertBelongsTo, wrongTenant } from "./basiq-tenant";

export type EventsLog = Pick<Log, "warn"> | undefined;

const ENDED: ReadonlySet<string> = new Set(["consent.revoked", "consent.expired"]);

/** Whether the payee took a consent back, or its time ran out. */
export const hasEnded = (eventType: string): boolean => ENDED.has(eventType);

/** The event that a webhook told us of. */
export async function readEvent(client: BasiqClient, eventId: string): Promise<BankDataEvent> {
  const event = await client.get(`/events/${encodeURIComponent(eventId)}`, eventSchema);
  if (event.id && event.id !== eventId) throw wrongTenant();
  assertBelongsTo(event.userId, event, event.dataRef);
  return { eventId, eventType: event.eventType, providerUserId: event.userId };
}

/**
 * What happened to all users since then, from `GET /events`, which keeps seven days. Its documents name neither an order
 * nor pages: pages are read to their end, but not beyond one that runs from new to old and has come to what is older. An
 * event that cannot be read says nothing to us, and hides no other.
 */
export async function readEvents(client: BasiqClient, since: number, log: EventsLog): Promise<BasiqEvent[]> {
  const readable = (items: readonly unknown[]) => items.flatMap((item) => eventSchema.safeParse(item).data ?? []);
  const listed = await client.listLong("/events", z.unknown(), (page) => isOlder(readable(page), since));
  const events = readable(listed);
  if (events.length < listed.length) log?.warn("basiq.events_not_read", { count: listed.length - events.length });
  return events.filter(({ createdAt }) => !(createdAt < since));
}

function isOlder(events: readonly BasiqEvent[], since: number): boolean {
  const [newest, oldest] = [events[0], events.at(-1)];
  return (
    newest !== undefined && oldest !== undefined && newest.createdAt >= oldest.createdAt && oldest.createdAt < since
  );
}

/** Without what happened to users who are gone. */
export function withoutDeleted(events: readonly BasiqEvent[]): BasiqEvent[] {
  const deleted = new Set(events.filter(({ eventType }) => eventType === "user.deleted").map(({ userId }) => userId));
  return events.filter(({ userId }) => !deleted.has(userId));
}
