import type { MailContent } from "./content";

/** Tells every other member who can act that a payee's bank details were changed. */
export function bankDetailsChanged(data: {
  organizationName: string;
  payeeName: string;
  editorName: string;
  changedOn: string;
  fields: string[];
  href: string;
}): MailContent {
  return {
    subject: `Bank details changed: ${data.payeeName}`,
    preview: `${data.editorName} changed ${data.fields.join(", ")}. Payments are held until the details are verified.`,
    heading: `${data.editorName} changed the bank details of ${data.payeeName}`,
    paragraphs: [
      `Changed on ${data.changedOn}: ${data.fields.join(", ")}.`,
      "The payee has left the whitelist, and payments to it are held until the new details are verified. If you did not expect this, ask the editor and call the payee on a number you already know.",
    ],
    action: { label: "View the payee", href: data.href },
    reason: `You receive this email because you work with payees at ${data.organizationName}.`,
  };
}

/** Tells the requester how a check at the payee's bank ended. */
export function bankCheckFinished(data: {
  organizationName: string;
  payeeName: string;
  result: string;
  href: string;
}): MailContent {
  return {
    subject: `Bank check finished: ${data.payeeName}`,
    preview: data.result,
    heading: `The bank check of ${data.payeeName} has finished`,
    paragraphs: [data.result],
    action: { label: "Review the verification", href: data.href },
    reason: `You receive this email because the check was started at ${data.organizationName}.`,
  };
}

/** Tells members that the payee says the details are not theirs. */
export function payeeDisputed(data: {
  organizationName: string;
  payeeName: string;
  note: string | null;
  href: string;
}): MailContent {
  return {
    subject: `"These are not my details": ${data.payeeName}`,
    preview: "Payments to this payee are held.",
    heading: `${data.payeeName} says that these are not their bank details`,
    paragraphs: [
      "Payments to this payee are held. Call the payee on a number you already know, not one from a recent email or invoice.",
      ...(data.note ? [`They wrote: ${data.note}`] : []),
    ],
    action: { label: "View the verification", href: data.href },
    reason: `You receive this email because you work with payees at ${data.organizationName}.`,
  };
}

/** Tells whoever recorded payments that they are held again, because something happened to their payee. */
export function paymentsHeldAgain(data: {
  organizationName: string;
  payeeName: string;
  reason: string;
  href: string;
}): MailContent {
  return {
    subject: `Payments held again: ${data.payeeName}`,
    preview: data.reason,
    heading: `Your authorised payments to ${data.payeeName} are held again`,
    paragraphs: [
      data.reason,
      "Do not pay them until someone has decided about them again. If one is already at the bank, ask the bank to stop it, and call the payee on a number you already know.",
    ],
    action: { label: "See the held payments", href: data.href },
    reason: `You get this email because you recorded a payment at ${data.organizationName}.`,
  };
}

/** Tells members that something we promised to send or fetch could not be done. */
export function jobGivenUp(data: { organizationName: string; what: string; href: string }): MailContent {
  return {
    subject: "PayeeProof could not complete a task",
    preview: data.what,
    heading: "A task could not be completed",
    paragraphs: [data.what],
    action: { label: "View the details", href: data.href },
    reason: `You receive this email because you work with payees at ${data.organizationName}.`,
  };
}
