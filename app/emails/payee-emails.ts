import type { EmailContent } from "./content";

/**
 * Asks a payee to confirm their bank details. Purely factual: no promotion, and it names who asks (Spam Act 2003).
 */
export function payeeLink(data: {
  organizationName: string;
  payeeName: string;
  link: string;
  maskedAccount: string;
  expiresOn: string;
}): EmailContent {
  return {
    subject: `${data.organizationName} asks you to confirm your bank details`,
    preview: `${data.organizationName} wants to be sure it pays the right account.`,
    heading: "Please confirm your bank details",
    paragraphs: [
      `${data.organizationName} has bank details for ${data.payeeName} and wants to be sure that they are yours before it pays.`,
      "The page shows the details and asks whether they are right. If they are, you can also confirm them through your own bank. We never ask for a password by email and never see the one you use at your bank.",
      `If you are in doubt, call ${data.organizationName} on a number you already know.`,
    ],
    facts: [
      { label: "Account", value: data.maskedAccount },
      { label: "Link works until", value: data.expiresOn },
    ],
    action: { label: "View the details", href: data.link },
    reason: `PayeeProof sent this for ${data.organizationName}, which holds this address for ${data.payeeName}.`,
  };
}

/** Asks a new payee for its bank details. Purely factual: no promotion, and it names who asks (Spam Act 2003). */
export function detailsRequest(data: {
  organizationName: string;
  askerName: string;
  payeeName: string;
  link: string;
  expiresOn: string;
}): EmailContent {
  const { organizationName, askerName, payeeName } = data;
  return {
    subject: `${organizationName} asks for your bank details`,
    preview: `${organizationName} wants to be sure it pays the right account.`,
    heading: "Send your bank details safely",
    paragraphs: [
      `${askerName} of ${organizationName} asks for the bank details of ${payeeName}, so that payments reach the right account.`,
      `Please type them on the page behind the button, not in an email. ${organizationName} gets them from there and checks them before it pays. We ask for no password, no card and no payment.`,
      `If you do not expect this, call ${organizationName} on a number you already know, not one from a message.`,
    ],
    facts: [{ label: "Link works until", value: data.expiresOn }],
    action: { label: "Open the form", href: data.link },
    reason: `PayeeProof sent this for ${organizationName}, which gave this address for ${payeeName}.`,
  };
}

type Changed = {
  organizationName: string;
  payeeName: string;
  changedOn: string;
  /** The number of changes that the email covers; the others came shortly before. */
  changes: number;
};

/** "On 23 Nov 2026, 2:31 pm", or how often, and when last. */
const saidWhen = ({ changes, changedOn }: Changed): string =>
  changes > 1 ? `${changes} times, the last time on ${changedOn},` : `On ${changedOn}`;

const sentFor = ({ organizationName, payeeName }: Changed): string =>
  `PayeeProof sent this for ${organizationName}, which holds or held this address for ${payeeName}.`;

/** Tells every person who was a contact of a payee lately that its bank details were changed: one of them is the real payee. */
export function payeeDetailsChanged(data: Changed & { maskedAccount: string; restored?: "trusted" | "waiting" }) {
  if (data.restored) return formerDetailsRestored(data);
  return {
    subject: `Your bank details at ${data.organizationName} were changed`,
    preview: `If this was not you, call ${data.organizationName} now.`,
    heading: "Your bank details were changed",
    paragraphs: [
      `${saidWhen(data)} the bank details that ${data.organizationName} holds for ${data.payeeName} were changed.`,
      `If you asked for this, there is nothing to do. If you did not, call ${data.organizationName} on a number you already know. Payments are held until the new details are checked.`,
    ],
    facts: [{ label: "New account", value: data.maskedAccount }],
    reason: sentFor(data),
  };
}

/** The same when the previous details were restored: these contacts also need to know which account is paid. */
function formerDetailsRestored(data: Changed & { maskedAccount: string; restored?: "trusted" | "waiting" }) {
  const { organizationName, payeeName } = data;
  return {
    subject: `Your former bank details at ${organizationName} were put back`,
    preview: `If the account is not yours, call ${organizationName} now.`,
    heading: "Your former bank details were put back",
    paragraphs: [
      `${saidWhen(data)} the bank details that ${organizationName} holds for ${payeeName} were changed. It rejected the details that it had been given, and put the former ones back.`,
      `If the account below is yours, there is nothing to do. If it is not, call ${organizationName} on a number you already know.${data.restored === "waiting" ? " Payments are held until these details are checked." : ""}`,
    ],
    facts: [{ label: "Account", value: data.maskedAccount }],
    reason: sentFor(data),
  };
}

/** Tells a payee's previous contacts that its email address or phone number was changed. */
export function payeeContactChanged(data: Changed): EmailContent {
  return {
    subject: `Your contact details at ${data.organizationName} were changed`,
    preview: `If this was not you, call ${data.organizationName} now.`,
    heading: "Your contact details were changed",
    paragraphs: [
      `${saidWhen(data)} the contact details that ${data.organizationName} holds for ${data.payeeName} were changed.`,
      `If you asked for this, there is nothing to do. If you did not, call ${data.organizationName} on a number you already know: criminals often change the contact first and the bank details later.`,
    ],
    reason: sentFor(data),
  };
}

/** The number of payments listed in an email; for more, it gives the total. */
const LISTED_PAYMENTS = 20;

/** Tells a payee which payments were made. Facts only: no promotion, no link, and nothing that asks for an answer. */
export function remittance(data: {
  organizationName: string;
  payeeName: string;
  total: string;
  payments: readonly { amount: string; reference: string; paidOn: string; maskedAccount: string }[];
}): EmailContent {
  const { organizationName, payeeName, total, payments } = data;
  const more = payments.length - LISTED_PAYMENTS;
  return {
    subject: `${organizationName} paid you ${total}`,
    preview: `Remittance advice for ${payeeName}.`,
    heading: "Remittance advice",
    paragraphs: [
      `${organizationName} recorded that its bank paid ${payeeName} ${total}.`,
      ...(more > 0 ? [`The first ${LISTED_PAYMENTS} of ${payments.length} payments are listed here.`] : []),
      `You do not need to do anything. This email asks for no bank details and no password. If you have a question, call ${organizationName} on a number you already know.`,
    ],
    facts: payments.slice(0, LISTED_PAYMENTS).map(({ amount, reference, paidOn, maskedAccount }) => ({
      label: reference || "Payment",
      value: `${amount} to ${maskedAccount}${paidOn && ` on ${paidOn}`}`,
    })),
    reason: `PayeeProof sent this for ${organizationName}, which holds this address for ${payeeName}.`,
  };
}
