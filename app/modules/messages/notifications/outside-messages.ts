import { AppError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import type { OutsideMessageKind } from "~/kernel/enums";

/** What an organisation may send to people outside it. Pure. */

/** What the limits of a sender depend on. Instants are epoch milliseconds. */
export type Sender = {
  createdAt: number;
  /** When its first invoice was paid; null: never. */
  firstPaidAt: number | null;
};

const NEW_FOR_MS = 7 * DAY_MS;
const ESTABLISHED_AFTER_MS = 60 * DAY_MS;

/**
 * How many messages an organisation may send to people outside it in 24 hours, whatever they are about: few while anyone
 * could have made it a moment ago, more with its age, many once it has paid.
 */
export function dailyLimitOf(sender: Sender, now: number): number {
  const age = now - sender.createdAt;
  if (sender.firstPaidAt === null) return age < NEW_FOR_MS ? 20 : 50;
  return age < ESTABLISHED_AFTER_MS ? 300 : 1_000;
}

/**
 * The quota that each kind of message counts against: notices to contacts of a changed payee have one of their own, so that
 * nothing else that is sent can use it up (`noticeLimits`).
 */
export const QUOTA_OF: Readonly<Record<OutsideMessageKind, "notices" | "messages">> = {
  payee_link: "messages",
  invitation: "messages",
  change_notice: "notices",
  remittance: "messages",
};

/** How many messages one address or number is sent in 24 hours, by one organisation and by all together. */
export const RECIPIENT_LIMITS = { byOne: 10, byAll: 30 } as const;

/** What has to be confirmed before anything leaves the organisation, and how, as one person is told before a form. */
export type MissingConfirmation = {
  title: string;
  text: string;
  /** It is the person's own address: they can have the link sent again. */
  isOwn: boolean;
};

const NAMED = 3;

/**
 * @param ownEmail the person's own address; null: it is for others to confirm theirs
 * @param administrators names of those of whom one has to confirm
 */
export function sayMissingConfirmation(
  ownEmail: string | null,
  administrators: readonly string[],
): MissingConfirmation {
  const until = "no bank can be asked, and nothing is sent to payees or anyone else outside your organisation";
  if (ownEmail !== null) {
    const text = `We sent a link to ${ownEmail}. Until you have opened it, ${until}.`;
    return { title: "Confirm your email first", text, isOwn: true };
  }
  const more = administrators.length - NAMED;
  const names = `${administrators.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return {
    title: "An administrator has to confirm their email first",
    text: `Until one of your organisation's administrators (${names}) has opened the link we sent them, ${until}.`,
    isOwn: false,
  };
}

/** Why a message to a person outside the organisation is not sent. */
export type OutsideRefusal = "sender_unconfirmed" | "sender_limit" | "recipient_limit";

const HOUR_SECONDS = 3_600;

/** A refusal as the person who wanted to send reads it. */
export function outsideError(refused: OutsideRefusal): AppError {
  if (refused === "sender_unconfirmed") {
    return new AppError(
      "EMAIL_NOT_CONFIRMED",
      403,
      "Nothing is sent to people outside your organisation before one of its administrators has confirmed their email address. Use the link in the email we sent you.",
    );
  }
  const message =
    refused === "sender_limit"
      ? "Your organisation has sent as many messages to people outside it as it can in one day. The limit rises with time and with a subscription. Please try again tomorrow."
      : "This address was sent many messages in the last 24 hours. Please try again tomorrow.";
  return new AppError("RATE_LIMITED", 429, message, { retryAfterSeconds: HOUR_SECONDS });
}

const REFUSALS: readonly string[] = ["sender_unconfirmed", "sender_limit", "recipient_limit"];

export const isOutsideRefusal = (refused: string): refused is OutsideRefusal => REFUSALS.includes(refused);

/** A text message with the way to report it. */
export const reportableText = (body: string, reportHref: string): string => `${body} Report a fraud: ${reportHref}`;
