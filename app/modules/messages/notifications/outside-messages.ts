import { AppError } from "~/kernel/app-error";
import { MESSAGES_PER_DAY, REPORTS } from "~/kernel/limits";

/** The limits of what an organisation may send to people outside it. Pure. */

/** The facts that a sender's limits depend on. */
export type Sender = {
  /** Its card is on file, or it has paid, so the card provider knows it. */
  hasCard: boolean;
  /** How many of its messages recipients have reported in the days that count. */
  reports: number;
};

/**
 * How many messages an organisation may send to people outside it in 24 hours, whatever they are about: enough for all
 * payees of a first week, and few once recipients complain.
 */
export function dailyLimitOf({ hasCard, reports }: Sender): number {
  if (reports >= REPORTS.distrustedFrom) return MESSAGES_PER_DAY.distrusted;
  if (reports > 0) return MESSAGES_PER_DAY.reported;
  return hasCard ? MESSAGES_PER_DAY.withCard : MESSAGES_PER_DAY.trial;
}

/** What must be confirmed before anything is sent outside the organisation, and how, as a form shows it to a person. */
export type MissingConfirmation = ReturnType<typeof toMissingConfirmation>;

const NAMED = 3;

/**
 * @param ownEmail the person's own address; null: others have to confirm theirs
 * @param administrators names of those of whom one has to confirm
 */
export function toMissingConfirmation(ownEmail: string | null, administrators: readonly string[]) {
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

/** Said when no text-message provider is set up. */
export const TEXTS_OFF = "PayeeProof cannot send text messages at present.";

/** Why a message to a person outside the organisation was not sent. */
export type OutsideRefusal = "sender_unconfirmed" | "sender_limit" | "recipient_limit";

const HOUR_SECONDS = 3_600;

/** The error for the person who wanted to send the message. */
export function outsideError(refused: OutsideRefusal): AppError {
  if (refused === "sender_unconfirmed") {
    return new AppError(
      "EMAIL_NOT_CONFIRMED",
      "Nothing is sent to people outside your organisation before one of its administrators has confirmed their email address. Use the link in the email we sent you.",
    );
  }
  const message =
    refused === "sender_limit"
      ? "Your organisation has sent as many messages to people outside it as it can in one day. The limit is higher with a card on file, and lower after complaints from people who got messages. Please try again tomorrow."
      : "This address was sent many messages in the last 24 hours. Please try again tomorrow.";
  return new AppError("RATE_LIMITED", message, { retryAfterSeconds: HOUR_SECONDS });
}

const REFUSALS: readonly string[] = ["sender_unconfirmed", "sender_limit", "recipient_limit"];

export const isOutsideRefusal = (refused: string): refused is OutsideRefusal => REFUSALS.includes(refused);

/** A text message with a link for reporting it. */
export const reportableText = (body: string, reportHref: string): string => `${body} Report a fraud: ${reportHref}`;
