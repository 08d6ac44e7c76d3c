import { sessions } from "@db/schema";
import { and, desc, eq, gt } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import type { Services } from "~/services";
import { describeDevice } from "../sign-in/device";
import { SESSION_IDLE_MS } from "./session";
import type { SessionView } from "./session.view";

const MAX_SHOWN = 100;

/** A person's open sessions, this one first, then by when they were last used. */
export async function listSessions(services: Pick<Services, "db" | "clock">, person: Person): Promise<SessionView[]> {
  const now = services.clock.now();
  const rows = await services.db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      ipAddress: sessions.ipAddress,
      userAgent: sessions.userAgent,
      place: sessions.place,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, person.userId),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, now - SESSION_IDLE_MS),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt))
    .limit(MAX_SHOWN);
  const views = rows.map((row) => ({
    id: row.id,
    device: describeDevice(row.userAgent),
    place: row.place,
    ipAddress: row.ipAddress,
    isThisOne: row.id === person.sessionId,
    signedIn: formatDateTime(row.createdAt),
    lastSeen: {
      dateTime: toIso(row.lastSeenAt),
      exact: formatDateTime(row.lastSeenAt),
      relative: formatRelative(row.lastSeenAt, now),
    },
  }));
  return views.sort((one, other) => Number(other.isThisOne) - Number(one.isThisOne));
}
