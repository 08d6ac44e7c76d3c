import type { EmailContent } from "./content";

/** Answers who sent an invoice by email: the verdict in one sentence, and never a bank number or a word of the message. */
export function invoiceAnswer(data: { verdict: string; organizationName: string; href: string }): EmailContent {
  const { verdict, organizationName, href } = data;
  return {
    subject: `Your invoice: ${verdict}`,
    preview: `${verdict}.`,
    heading: "The invoice you sent was read",
    paragraphs: [`${verdict}.`],
    action: { label: "View the invoice", href },
    reason: `You receive this email because you sent an invoice to the address of ${organizationName} at PayeeProof.`,
    isAnswer: true,
  };
}
