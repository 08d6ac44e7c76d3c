import type { MailContent } from "./content";

/** Brings a message of the contact form to our own inbox. */
export function contactReceived(data: {
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  phone: string;
  interest: string;
  message: string;
}): MailContent {
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
