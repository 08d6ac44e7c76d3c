import type { OrganizationRole } from "~/kernel/enums";
import { type AlertEventName, type Choice, eventOf } from "./events";

/** What a person has chosen, and what holds where they have chosen nothing. Pure. */

export const NOTHING: Choice = { inApp: false, email: "off", sms: false };

/** True if the person's organisation does not let them switch the event off. */
export function isRequiredOf(event: AlertEventName, role: OrganizationRole): boolean {
  return role === "admin" && eventOf(event).isRequired === true;
}

/** True if the event can concern a person in this role at all. */
export function canConcern(event: AlertEventName, role: OrganizationRole): boolean {
  const { audience } = eventOf(event);
  return !("roles" in audience) || audience.roles.includes(role);
}

/** What holds for a person: their choice, else the default of their role; never less than what is required. */
export function effectiveChoice(event: AlertEventName, role: OrganizationRole, chosen: Choice | undefined): Choice {
  if (!canConcern(event, role)) return NOTHING;
  const { defaults, hasOwnEmails } = eventOf(event);
  const choice = chosen ?? defaults[role] ?? NOTHING;
  if (hasOwnEmails) return { ...choice, email: "off" };
  if (!isRequiredOf(event, role)) return choice;
  return { ...choice, inApp: true, email: choice.email === "off" ? "digest" : choice.email };
}

/** Minutes after midnight between which nothing is sent, e.g. 1260 to 420: from 9 pm to 7 am. Null: no quiet hours. */
export type QuietHours = { from: number; to: number } | null;

const DAY_MINUTES = 24 * 60;

/**
 * How many minutes to wait until quiet hours are over; 0 outside of them.
 * @param minute minutes after midnight in the organisation's zone, 0 to 1439
 */
export function minutesUntilQuietEnds(quiet: QuietHours, minute: number): number {
  if (!quiet || quiet.from === quiet.to) return 0;
  const { from, to } = quiet;
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  return isQuiet ? (to - minute + DAY_MINUTES) % DAY_MINUTES : 0;
}

/** Text messages that one organisation's alerts may send in a day. */
export const ALERT_TEXTS_A_DAY = 200;
