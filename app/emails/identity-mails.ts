import type { MailContent } from "./content";

/** Asks a new person to prove the address they registered with. */
export function emailConfirmation(data: {
  firstName: string;
  link: string;
  organizationName: string | null;
}): MailContent {
  return {
    subject: "Confirm your email address",
    preview: "One click and your PayeeProof address is confirmed.",
    heading: `Welcome, ${data.firstName}`,
    paragraphs: [
      data.organizationName
        ? `You registered with PayeeProof for ${data.organizationName}.`
        : "You registered with PayeeProof.",
      "Please confirm that this address is yours. The link works for 24 hours.",
    ],
    action: { label: "Confirm my address", href: data.link },
    reason: "You get this mail because somebody registered with this address. If it was not you, ignore it.",
  };
}
