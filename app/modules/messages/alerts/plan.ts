import type { AlertReason, OrganizationRole } from "~/kernel/enums";
import type { TrailEntry } from "~/modules/core/trail-entry";
import { effectiveChoice, isRequiredOf, minutesUntilQuietEnds, type QuietHours } from "./choices";
import { type AlertEventName, type Choice, eventOf } from "./events";

/** Who is told of an act, and how. Pure. */

/** An active member of the organisation, with what they chose. */
export type Recipient = {
  userId: string;
  role: OrganizationRole;
  email: string;
  /** Sending emails to the address was stopped: it bounced, or the person complained. */
  isEmailStopped: boolean;
  /** A number that the person confirmed; null: no text messages. */
  phone: string | null;
  chosen: Choice | undefined;
  quiet: QuietHours;
};

export type PlannedAlert = {
  userId: string;
  inApp: boolean;
  emailNow: boolean;
  /** Why an email would go to this person, as its foot says. */
  why: AlertReason;
  digest: boolean;
  smsTo: string | null;
  /** Minutes to wait before an email or a text message goes out. */
  waitMinutes: number;
};

type Act = {
  event: AlertEventName;
  entry: Pick<TrailEntry, "userId" | "entityId" | "details">;
  /** Whose own work it is about: who recorded the payment or started the check. */
  ownerId: string | null;
  /** Minutes after midnight in the organisation's zone. */
  minute: number;
};

/** One plan for each person who is told at all. Nobody is told of their own act. */
export function planAlerts(act: Act, recipients: readonly Recipient[]): PlannedAlert[] {
  return recipients.flatMap((recipient) => {
    if (recipient.userId === act.entry.userId || !concerns(act, recipient)) return [];
    const { choice, why } = choiceOf(act, recipient);
    const canEmail = !recipient.isEmailStopped;
    const planned = {
      userId: recipient.userId,
      inApp: choice.inApp,
      emailNow: canEmail && choice.email === "now",
      why,
      digest: canEmail && choice.email === "digest",
      smsTo: choice.sms ? recipient.phone : null,
      waitMinutes: minutesUntilQuietEnds(recipient.quiet, act.minute),
    };
    const isTold = planned.inApp || planned.emailNow || planned.digest || planned.smsTo !== null;
    return isTold ? [planned] : [];
  });
}

function concerns({ event, entry }: Act, { userId }: Recipient): boolean {
  const { audience } = eventOf(event);
  if ("subject" in audience) return userId === entry.entityId;
  if ("named" in audience) return Array.isArray(entry.details?.people) && entry.details.people.includes(userId);
  return true;
}

type Chosen = { choice: Choice; why: AlertReason };

function choiceOf({ event, ownerId }: Act, { userId, role, chosen }: Recipient): Chosen {
  const choice = effectiveChoice(event, role, chosen);
  // What is required of an admin may be more than they chose.
  if (chosen) return { choice, why: choice.email === chosen.email ? "chosen" : "required" };
  const isOwner = eventOf(event).tellsOwner === true && userId === ownerId;
  if (isOwner) return { choice: { ...choice, inApp: true, email: "now" }, why: "own_work" };
  return { choice, why: isRequiredOf(event, role) ? "required" : "default" };
}
