import { maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import type { VerificationStatus } from "~/kernel/enums";
import { isOpen, PAYEE_LINK_TTL_DAYS } from "~/modules/payees/verifications/verification";

/** The states of a payee link. Pure: no database, no clock. */

export const PAYEE_LINK_TTL_MS = PAYEE_LINK_TTL_DAYS * DAY_MS;

/** The longest note that a payee may add to "These are not my details". */
export const MAX_DISPUTE_NOTE = 500;

type Details = { accountName: string; bsb: string; accountNumber: string };

/** A stored link whose token and ids match. */
export type PayeeLink = {
  status: VerificationStatus;
  verifiedByPayee: boolean;
  disputedByPayeeAt: number | null;
  verificationTokenExpiresAt: number | null;
  /** The details that were submitted for this verification. */
  submitted: Details;
  /** The payee's present details. */
  current: Details;
};

export type PayeeLinkState = "open" | "confirmed" | "disputed" | "expired";

/**
 * The state of a link. An answer that the payee already gave takes precedence over whether the link still works.
 * Details that were approved without the payee's answer count as confirmed too.
 */
export function payeeLinkState(link: PayeeLink, now: number): PayeeLinkState {
  if (link.verifiedByPayee) return "confirmed";
  if (link.disputedByPayeeAt !== null) return "disputed";
  const { verificationTokenExpiresAt: expiresAt, submitted, current } = link;
  const isEdited =
    submitted.accountName !== current.accountName ||
    submitted.bsb !== current.bsb ||
    submitted.accountNumber !== current.accountNumber;
  if (link.status === "verified" && !isEdited) return "confirmed";
  if (expiresAt === null || now >= expiresAt || !isOpen(link.status) || isEdited) return "expired";
  return "open";
}

/** A payee who has not answered after this long is sent another link. */
const REMINDER_MS = 2 * DAY_MS;

/**
 * True if the payee has an unanswered link that was recently sent to their present contact: further questions can use
 * that link. Instants in epoch milliseconds.
 */
export function holdsFreshLink(
  sent: { linkSentAt: number | null; linkExpiresAt: number | null; confirmedAt: number | null },
  { contactChangedAt }: { contactChangedAt: number | null },
  now: number,
): boolean {
  const { linkSentAt, linkExpiresAt, confirmedAt } = sent;
  if (linkSentAt === null || linkExpiresAt === null || confirmedAt !== null) return false;
  const isToContact = contactChangedAt === null || contactChangedAt < linkSentAt;
  return isToContact && now < linkExpiresAt && now - linkSentAt < REMINDER_MS;
}

/** The sentence for a link without details. API clients look for "expired" and "already been verified". */
export function payeeLinkMessage(state: Exclude<PayeeLinkState, "open">, organizationName: string): string {
  switch (state) {
    case "confirmed":
      return `These bank details have already been verified with ${organizationName}. Thank you: there is nothing more to confirm.`;
    case "disputed":
      return `You told us these are not your details; ${organizationName} has been told.`;
    case "expired":
      return `This verification link has expired. If ${organizationName} still needs an answer, ask them to send a new one.`;
  }
}

/** What a payee's page shows. `message` is the sentence that the API answers in the same state. */
export type PayeeLinkView =
  | { state: "open"; organizationName: string; payeeName: string; details: Details; leadsToBank: boolean }
  /** `leadsToBank`: a bank check is still waiting for this payee. */
  | { state: "confirmed"; organizationName: string; message: string; leadsToBank: boolean }
  /** `note`: what the payee wrote. */
  | { state: "disputed"; organizationName: string; message: string; note: string | null }
  | { state: "expired"; organizationName: string; message: string }
  | { state: "failed"; organizationName: null; message: string };

/** What happened on this visit. `isFresh`: the answer was given just now. */
export type Visit = { isFresh: boolean; bankUnavailable: boolean };

/** The heading and sentences of a link that shows no details, for every state; no other code words them. */
export function payeeLinkWords(view: Exclude<PayeeLinkView, { state: "open" }>, { isFresh }: Pick<Visit, "isFresh">) {
  switch (view.state) {
    case "confirmed": {
      const { organizationName, leadsToBank, message } = view;
      const seen = `${organizationName} can now see that these are your bank details.`;
      const title = isFresh ? "Thank you" : "Already Verified";
      if (!leadsToBank) {
        return {
          title,
          sentences: isFresh ? [seen, "There is nothing more to do. You can close this page."] : [message],
        };
      }
      const confirmed = isFresh ? seen : `You have confirmed these bank details to ${organizationName}.`;
      return { title, sentences: [confirmed, BANK_STEP] };
    }
    case "disputed": {
      const held = `Payments to this account are held until ${view.organizationName} has spoken with you.`;
      const said = view.note ? [`You wrote: “${view.note}”`] : [];
      const title = isFresh ? "Thank you for telling us" : "You told us these are not your details";
      return { title, sentences: [view.message, ...said, held] };
    }
    case "expired":
      return { title: "Link Expired", sentences: [view.message] };
    case "failed":
      return { title: "Verification Failed", sentences: [view.message] };
  }
}

const BANK_STEP =
  "One step is left: please show at your own bank that the account is yours. You sign in on your bank’s page, and we never see your password.";

/** The text message with the link; it says who asks and never shows the full account number. */
export function payeeLinkText(data: {
  organizationName: string;
  payeeName: string;
  accountNumber: string;
  link: string;
  expiresOn: string;
}): string {
  const ending = maskAccountNumber(data.accountNumber).replace(/•/g, "");
  return (
    `${data.organizationName} asks you to confirm the bank details it holds for ${data.payeeName} ` +
    `(account ending ${ending}): ${data.link} The link works until ${data.expiresOn}. ` +
    `If in doubt, call ${data.organizationName} on a number you know. Sent by PayeeProof.`
  );
}
