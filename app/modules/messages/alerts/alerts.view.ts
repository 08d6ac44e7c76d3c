import { type ShownTime, showTime } from "~/kernel/shown-time";
import type { AlertEventName } from "./events";

/** One line of the alerts page. */
export type AlertLine = {
  id: string;
  title: string;
  body: string;
  hasPage: boolean;
  isRead: boolean;
  when: ShownTime;
};

type Stored = {
  id: string;
  event: string;
  title: string;
  body: string;
  href: string | null;
  createdAt: number;
  readAt: number | null;
};

export function toAlertLine(alert: Stored, zone: { timeZone: string; now: number }): AlertLine {
  const { id, title, body, href, readAt, createdAt } = alert;
  return { id, title, body, hasPage: href !== null, isRead: readAt !== null, when: showTime(createdAt, zone) };
}

/** Minutes after midnight as a time field takes them: `21:00`. */
export const toTimeField = (minute: number | null): string =>
  minute === null ? "" : `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** Names of the fields of an event on the settings form. */
export const fieldsOf = (event: AlertEventName) =>
  ({ inApp: `${event}.inApp`, email: `${event}.email`, sms: `${event}.sms` }) as const;

export const EMAIL_LABELS = { off: "No email", now: "At once", digest: "Daily summary" } as const;
