import type { OutsideMessageKind } from "~/kernel/enums";
import type { EmailContent } from "./content";

/** Brings a message of the contact form to our own inbox. */
export function contactReceived(data: {
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  phone: string;
  interest: string;
  message: string;
}): EmailContent {
  return {
    subject: `${data.interest}: ${data.firstName} ${data.lastName}, ${data.company}`,
    preview: data.message.slice(0, 120),
    heading: `${data.firstName} ${data.lastName} of ${data.company} wrote to us`,
    paragraphs: data.message.split(/\n+/),
    facts: [
      { label: "Interest", value: data.interest },
      { label: "Email", value: data.email },
      { label: "Phone", value: data.phone },
    ],
    reason:
      "You receive this email because messages from the contact form of the PayeeProof site are sent to this address.",
  };
}

const MESSAGE_KINDS: Readonly<Record<OutsideMessageKind, string>> = {
  payee_link: "Link to confirm bank details",
  invitation: "Invitation",
  change_notice: "Notice of a change",
  remittance: "Remittance advice",
};

/** Tells the platform that a person reported a message which an organisation sent them. */
export function messageReported(data: {
  organizationName: string;
  kind: OutsideMessageKind;
  sentOn: string;
  href: string;
}): EmailContent {
  const { organizationName, kind, sentOn, href } = data;
  return {
    subject: `A message from ${organizationName} was reported`,
    preview: "The recipient says that it is unwanted or a fraud.",
    heading: `A message from ${organizationName} was reported`,
    paragraphs: [
      "The recipient says that it is unwanted or a fraud. Look at the organisation, and suspend it if it misuses the product: a suspended organisation sends nothing.",
    ],
    facts: [
      { label: "Message", value: MESSAGE_KINDS[kind] },
      { label: "Sent", value: sentOn },
    ],
    action: { label: "Look at the reported organisations", href },
    reason: "You receive this email because reports about PayeeProof's messages are sent to this address.",
  };
}
