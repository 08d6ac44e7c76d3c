import { keySetPage } from "@db/key-set-page";
import { prepared } from "@db/prepared";
import { alerts } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import type { ReadServices } from "~/services";
import { UNREAD_CAP } from "./unread";

export const ALERTS_PAGE = 30;

type Reader = Pick<Actor, "organizationId" | "userId">;

const ofReader = ({ organizationId, userId }: Reader) =>
  and(eq(alerts.organizationId, organizationId), eq(alerts.userId, userId), sql`${alerts.inApp} = 1`);

/** A person's alerts, newest first, after a cursor. */
export async function listAlerts(
  { db }: ReadServices,
  reader: Reader,
  input: { unreadOnly: boolean; cursor?: string },
) {
  const page = keySetPage({ after: input.cursor }, { size: ALERTS_PAGE });
  const rows = await db
    .select({
      id: alerts.id,
      event: alerts.event,
      title: alerts.title,
      body: alerts.body,
      href: alerts.href,
      createdAt: alerts.createdAt,
      readAt: alerts.readAt,
    })
    .from(alerts)
    .where(and(ofReader(reader), input.unreadOnly ? isNull(alerts.readAt) : undefined, page.beyond(alerts.id)))
    .orderBy(page.order(alerts.id))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ id }) => id);
  return { alerts: shown, next };
}

/** How many unread alerts a person has, up to `UNREAD_CAP`. */
export async function countUnread({ db }: ReadServices, { organizationId, userId }: Reader): Promise<number> {
  const [row] = await unreadOf(db).all({ organizationId, userId });
  return row?.count ?? 0;
}

const unreadOf = prepared((db) => {
  const walk = db
    .select({ one: sql`1`.as("one") })
    .from(alerts)
    .where(
      and(
        eq(alerts.organizationId, sql.placeholder("organizationId")),
        eq(alerts.userId, sql.placeholder("userId")),
        sql`${alerts.inApp} = 1`,
        isNull(alerts.readAt),
      ),
    )
    .limit(UNREAD_CAP)
    .as("walk");
  return db.select({ count: sql<number>`count(*)` }).from(walk).prepare();
});

/** One alert of a person. */
export async function findAlert({ db }: ReadServices, reader: Reader, id: string) {
  const [row] = await db
    .select({ id: alerts.id, href: alerts.href, readAt: alerts.readAt })
    .from(alerts)
    .where(and(ofReader(reader), eq(alerts.id, id)));
  return row;
}
