import type { IconName, Tone } from "~/components/ui/elements";
import { type ShownTime, showTime } from "~/kernel/dates";
import { findVerdict } from "~/kernel/verdicts";
import type { AlertEventName } from "./events";

/** One line of the alerts page. */
export type AlertLine = {
  id: string;
  title: string;
  body: string;
  hasPage: boolean;
  isRead: boolean;
  when: ShownTime;
  icon: IconName;
  tone: Tone;
};

/** As everywhere else: red where something counts against paying or money is held, amber where a person should look. */
const LOOKS: Readonly<Record<AlertEventName, [IconName, Tone]>> = {
  payee_disputed: ["hand", "review"],
  payment_held: ["pause", "review"],
  payment_held_again: ["pause", "review"],
  payment_file_stopped: ["flag", "review"],
  invoice_stopped: ["flag", "review"],
  payment_returned: ["xCircle", "review"],
  connection_broken: ["unlinked", "review"],
  approval_refused: ["key", "review"],
  seal_failed: ["shield", "review"],
  bank_details_changed: ["pencil", "pending"],
  contact_not_told: ["mail", "pending"],
  payment_file_waiting: ["file", "pending"],
  payee_bsb_closed: ["barred", "pending"],
  payee_concern: ["alert", "pending"],
  trusted_alone: ["user", "pending"],
  control_changed: ["settings", "pending"],
  delivery_failed: ["mail", "pending"],
  verification_waiting: ["clock", "neutral"],
  /** For alerts from before their verdict was stored. */
  result_arrived: ["bank", "neutral"],
  details_received: ["mail", "neutral"],
  first_payment_from_accounting: ["card", "neutral"],
  join_request: ["users", "neutral"],
  role_changed: ["key", "neutral"],
  data_exported: ["download", "neutral"],
  month_summary: ["chart", "neutral"],
  daily_seal: ["shieldCheck", "neutral"],
  subscription_changed: ["card", "neutral"],
  mentioned: ["user", "neutral"],
  assigned: ["user", "neutral"],
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

export function toAlertLine(
  alert: Stored,
  zone: { timeZone: string; now: number },
  verdict?: AlertSubject["verdict"],
): AlertLine {
  const { id, event, title, body, href, readAt, createdAt } = alert;
  const [usualIcon, usualTone] = LOOKS[event as AlertEventName] ?? ["bell", "neutral"];
  const { icon = usualIcon, tone = usualTone } = findVerdict(verdict) ?? {};
  const when = showTime(createdAt, zone);
  return { id, title, body, hasPage: href !== null, isRead: readAt !== null, when, icon, tone };
}

/** The payee that an alert is about, and the name of the verdict that a bank check led to. */
export type AlertSubject = { payee: { id: string; name: string }; verdict: string | null };

/** The alerts of one payee, or those that are about no payee. */
export type AlertGroup = { payee: AlertSubject["payee"] | null; lines: AlertLine[] };

/**
 * Groups alerts by payee: the group with the newest alert first, and newest first within each. Below the payee's name,
 * an alert's title does not repeat the name.
 * @param alerts newest first
 */
export function groupByPayee(
  alerts: readonly AlertLine[],
  subjectOf: ReadonlyMap<string, Pick<AlertSubject, "payee">>,
): AlertGroup[] {
  const groups = new Map<string, AlertGroup>();
  for (const alert of alerts) {
    const payee = subjectOf.get(alert.id)?.payee ?? null;
    const group = groups.get(payee?.id ?? "") ?? { payee, lines: [] };
    const title = payee ? withoutName(alert.title, payee.name) : alert.title;
    groups.set(payee?.id ?? "", { payee, lines: [...group.lines, { ...alert, title }] });
  }
  return [...groups.values()];
}

/** "Bank details changed" of "Bank details changed: Riverbend Timber". */
const withoutName = (title: string, name: string): string =>
  title.endsWith(`: ${name}`) ? title.slice(0, -2 - name.length) : title;

/** Minutes after midnight in the format of a time field: `21:00`. */
export const toTimeField = (minute: number | null): string =>
  minute === null ? "" : `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** Names of an event's fields on the settings form. */
export const fieldsOf = (event: AlertEventName) =>
  ({ inApp: `${event}.inApp`, email: `${event}.email`, sms: `${event}.sms` }) as const;

export const EMAIL_LABELS = { off: "No email", now: "Email at once", digest: "Daily email" } as const;
