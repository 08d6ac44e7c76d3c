import * as z from "zod";
import { countUnread, listAlerts, readAllAlerts } from "~/modules/messages/alerts/alerts.server";
import { UNREAD_CAP } from "~/modules/messages/alerts/unread";
import { endpoint } from "./endpoint.server";
import { EXAMPLE } from "./examples";
import { choice, count, cursor, id, idOf, instant, nextCursor, text } from "./fields.server";

const unread = count(2, `How many are not read yet. Counting stops at ${UNREAD_CAP}.`);

const alert = z.object({
  id: id(EXAMPLE.alert),
  event: text("payment_held"),
  title: text("A payment of $4,200.00 is held"),
  body: text("Wattle Creek Electrical: its bank details changed after the last verification."),
  href: text("/payments/01a1f2b7-9c04-7b11-8c55-9e3a1f60d731", "The page of what it is about.").nullable(),
  createdAt: instant,
  readAt: instant.nullable(),
});

/** A person's own alerts: as on the page /alerts, and not those of the organisation's other people. */
export const ALERT_CALLS = [
  endpoint({
    id: "listAlerts",
    group: "account",
    at: "GET /api/alerts",
    title: "Your alerts",
    text: "Newest first: those that you chose to see in the app.",
    query: { unread: choice("Only those not read yet.", ["true", "false"]), cursor },
    answers: { 200: { text: "Alerts.", schema: z.object({ alerts: z.array(alert), unread, nextCursor }) } },
    examples: [{ title: "Those not read yet", status: 200, query: { unread: "true" } }],
    run: async ({ services, actor, query }) => {
      const [list, unread] = await Promise.all([
        listAlerts(services, actor, { unreadOnly: query.unread === "true", cursor: query.cursor }),
        countUnread(services, actor),
      ]);
      return { alerts: list.alerts, unread, nextCursor: list.next ?? null };
    },
  }),
  endpoint({
    id: "readAlerts",
    group: "account",
    at: "POST /api/alerts/read",
    title: "Mark alerts as read",
    text: "Those up to and including the newest one that the person was shown, so that none is read unseen.",
    body: z.object({ upTo: idOf("newest alert that was shown", EXAMPLE.alert) }),
    answers: { 200: { text: "What is left.", schema: z.object({ unread }) } },
    examples: [{ title: "All that were shown", status: 200, json: { upTo: EXAMPLE.alert } }],
    run: async ({ services, actor, body }) => {
      await readAllAlerts(services, actor, body.upTo);
      return { unread: await countUnread(services, actor) };
    },
  }),
];
