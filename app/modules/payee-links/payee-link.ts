import { maskAccountNumber } from "~/kernel/account-number";
import { DAY_MS } from "~/kernel/dates";
import type { VerificationStatus } from "~/kernel/enums";
import { isOpen, PAYEE_LINK_TTL_DAYS } from "~/modules/verifications/verification";

/** What a payee link answers. Pure: no database, no clock. */

export const PAYEE_LINK_TTL_MS = PAYEE_LINK_TTL_DAYS * DAY_MS;

/** A payee may add this much to "These are not my details". */
export const MAX_DISPUTE_NOTE = 500;

type Details = { accountName: string; bsb: string; accountNumber: string };

/** What the database knows of a link whose token and ids belong together. */
export type PayeeLink = {
  status: VerificationStatus;
  verifiedByPayee: boolean;
  disputedByPayeeAt: number | null;
  verificationTokenExpiresAt: number | null;
  /** As submitted for this verification. */
  submitted: Details;
  /** As the payee's row says now. */
  current: Details;
};

export type PayeeLinkState = "open" | "confirmed" | "disputed" | "expired";

/**
 * What a link answers, in the order in which the reasons count: what the payee has answered already is told before
 * whether the link still works.
 */
export function payeeLinkState(link: PayeeLink, now: number): PayeeLinkState {
  if (link.verifiedByPayee) return "confirmed";
  if (link.disputedByPayeeAt !== null) return "disputed";
  const { verificationTokenExpiresAt: expiresAt, submitted, current } = link;
  const isEdited =
    submitted.accountName !== current.accountName ||
    submitted.bsb !== current.bsb ||
    submitted.accountNumber !== current.accountNumber;
  if (expiresAt === null || now >= expiresAt || !isOpen(link.status) || isEdited) return "expired";
  return "open";
}

/** The sentence for a link that shows nothing; the client tells the cases apart by "expired" and "already been verified". */
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

/** What a payee's page shows. `message` is the sentence that the interface answers in the same state. */
export type PayeeLinkView =
  | { state: "open"; organizationName: string; payeeName: string; details: Details; leadsToBank: boolean }
  /** `leadsToBank`: a bank check still waits for this payee. */
  | { state: "confirmed"; organizationName: string; message: string; leadsToBank: boolean }
  | { state: "disputed" | "expired"; organizationName: string; message: string }
  | { state: "failed"; organizationName: null; message: string };

/** The text message that carries a link; it names who asks and never shows the whole account number. */
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
