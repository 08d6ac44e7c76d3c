import type { IconName, Tone } from "~/components/ui/elements";
import { type ShownTime, showTime } from "~/kernel/dates";
import { lowerFirst } from "~/kernel/text";
import { findVerdict } from "~/kernel/verdicts";
import type { AlertEventName, Choice } from "./events";

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

/** The groups of the settings page, in its order. */
export const GROUPS = {
  payee: "Payees and their bank details",
  payments: "Payments, files and invoices",
  work: "Verifications and your work",
  access: "Access and records",
  rest: "Connections, messages and reports",
} as const;

export const groupOf = (event: AlertEventName): string => GROUPS[LOOKS[event][2]];

/** As everywhere else: red where something counts against paying or money is held, amber where a person should look. */
const LOOKS: Readonly<Record<AlertEventName, [IconName, Tone, keyof typeof GROUPS]>> = {
  payee_disputed: ["hand", "review", "payee"],
  payment_held: ["pause", "review", "payments"],
  payment_held_again: ["pause", "review", "payments"],
  payment_file_stopped: ["flag", "review", "payments"],
  invoice_stopped: ["flag", "review", "payments"],
  payment_returned: ["xCircle", "review", "payments"],
  connection_broken: ["unlinked", "review", "rest"],
  approval_refused: ["key", "review", "access"],
  seal_failed: ["shield", "review", "access"],
  bank_details_changed: ["pencil", "pending", "payee"],
  contact_not_told: ["mail", "pending", "payee"],
  payment_file_waiting: ["file", "pending", "payments"],
  payee_bsb_closed: ["barred", "pending", "payee"],
  payee_concern: ["alert", "pending", "payee"],
  trusted_alone: ["user", "pending", "payee"],
  control_changed: ["settings", "pending", "access"],
  delivery_failed: ["mail", "pending", "rest"],
  verification_waiting: ["clock", "neutral", "work"],
  /** For alerts from before their verdict was stored. */
  result_arrived: ["bank", "neutral", "work"],
  details_received: ["mail", "neutral", "work"],
  first_payment_from_accounting: ["card", "neutral", "payments"],
  join_request: ["users", "neutral", "access"],
  role_changed: ["key", "neutral", "access"],
  data_exported: ["download", "neutral", "access"],
  month_summary: ["chart", "neutral", "rest"],
  daily_seal: ["shieldCheck", "neutral", "access"],
  subscription_changed: ["card", "neutral", "rest"],
  mentioned: ["user", "neutral", "work"],
  assigned: ["user", "neutral", "work"],
};

export function toAlertLine(
  alert: {
    id: string;
    event: string;
    title: string;
    body: string;
    href: string | null;
    createdAt: number;
    readAt: number | null;
  },
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

/** "In the app, daily email". @param hasOwnEmails its emails are not chosen */
export const alertChoiceWords = ({ inApp, email, sms }: Choice, hasOwnEmails: boolean): string =>
  [
    inApp ? "In the app" : "Not in the app",
    ...(hasOwnEmails ? [] : [lowerFirst(EMAIL_LABELS[email])]),
    ...(sms ? ["text message"] : []),
  ].join(", ");

export const EMAIL_LABELS = { off: "No email", now: "Email at once", digest: "Daily email" } as const;
