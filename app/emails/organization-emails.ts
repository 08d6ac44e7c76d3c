import type { contactSubmissions } from "@db/database";
import type { OutsideMessageKind } from "~/kernel/enums";
import type { EmailContent } from "./content";

type MembershipEmail = { firstName: string; organizationName: string; href: string };

const aboutAccess = (organizationName: string) =>
  `You receive this email because it concerns your access to ${organizationName} at PayeeProof.`;

export function invitation(data: { organizationName: string; invitedBy: string; role: string; link: string }) {
  return {
    subject: `${data.invitedBy} invites you to ${data.organizationName}`,
    preview: `Join ${data.organizationName} at PayeeProof.`,
    heading: `Join ${data.organizationName}`,
    paragraphs: [
      `${data.invitedBy} invites you to work with ${data.organizationName} at PayeeProof, which checks payees' bank details before they are paid.`,
      "The link works once, for seven days. You can accept or ignore the invitation on the page.",
    ],
    facts: [{ label: "Your role", value: data.role }],
    action: { label: "View the invitation", href: data.link },
    reason: `You receive this email because ${data.invitedBy} of ${data.organizationName} gave us this address. If you do not know them, you can ignore it.`,
  };
}

/** Asks the organisation's contact address to confirm that it should receive the organisation's alerts. */
export function contactAddressConfirmation(data: { organizationName: string; sentBy: string; link: string }) {
  return {
    subject: `Confirm the contact email of ${data.organizationName}`,
    preview: `${data.organizationName} wants its alerts to reach this address.`,
    heading: `Contact email of ${data.organizationName}`,
    paragraphs: [
      `${data.sentBy} entered this address as the contact email of ${data.organizationName} at PayeeProof, which checks payees' bank details before they are paid.`,
      "Once you confirm it, this address is told when policies, people or roles change, when records are exported, and when one person alone trusts a payee. The link works for seven days.",
    ],
    action: { label: "View and confirm", href: data.link },
    reason: `You receive this email because ${data.sentBy} of ${data.organizationName} gave us this address. If you do not know them, you can ignore it.`,
  };
}

/** Tells a person who was waiting that they are approved. */
export function memberApproved({ firstName, organizationName, href }: MembershipEmail): EmailContent {
  return {
    subject: `You can now work with ${organizationName}`,
    preview: "An administrator has approved your account.",
    heading: `Welcome to ${organizationName}, ${firstName}`,
    paragraphs: ["An administrator of your organisation has approved your account. You can start now."],
    action: { label: "Go to the dashboard", href },
    reason: aboutAccess(organizationName),
  };
}

const IF_MISTAKEN = "If you think this is a mistake, contact an administrator of the organisation.";

/** Tells a person who was waiting that they are not approved. */
export function memberRejected({ firstName, organizationName }: MembershipEmail): EmailContent {
  return {
    subject: `${organizationName} did not approve your account`,
    preview: "An administrator did not approve your account.",
    heading: `Hello ${firstName}`,
    paragraphs: [`An administrator of ${organizationName} did not approve your account.`, IF_MISTAKEN],
    reason: aboutAccess(organizationName),
  };
}

/** Tells a person that their access has ended. */
export function memberDeactivated({ firstName, organizationName }: MembershipEmail): EmailContent {
  return {
    subject: `Your access to ${organizationName} has ended`,
    preview: "An administrator has ended your access.",
    heading: `Hello ${firstName}`,
    paragraphs: [
      `An administrator of ${organizationName} has ended your access, and you have been signed out everywhere.`,
      IF_MISTAKEN,
    ],
    reason: aboutAccess(organizationName),
  };
}

/** Tells a person that they have access again. */
export function memberReactivated({ firstName, organizationName, href }: MembershipEmail): EmailContent {
  return {
    subject: `You can work in ${organizationName} again`,
    preview: "An administrator has given you access again.",
    heading: `Welcome back, ${firstName}`,
    paragraphs: [`An administrator of ${organizationName} has given you access again. Sign in with your own password.`],
    action: { label: "Go to the dashboard", href },
    reason: aboutAccess(organizationName),
  };
}

/** Tells an organisation's administrators that it is suspended, or no longer suspended. */
export function organizationStanding(data: { organizationName: string; isSuspended: boolean; href: string }) {
  const { organizationName, isSuspended, href } = data;
  const reason = `You receive this email because you are an administrator of ${organizationName} at PayeeProof.`;
  return isSuspended
    ? {
        subject: `${organizationName} is suspended`,
        preview: "No one in your organisation can use PayeeProof for now.",
        heading: `${organizationName} is suspended`,
        paragraphs: [
          "No one in your organisation can view or change anything in PayeeProof for now. Nothing was deleted.",
          "Please contact us to resolve this.",
        ],
        action: { label: "Contact us", href },
        reason,
      }
    : {
        subject: `${organizationName} is no longer suspended`,
        preview: "The suspension has ended.",
        heading: `${organizationName} is no longer suspended`,
        paragraphs: ["The suspension has ended. Nothing was changed in the meantime."],
        action: { label: "Go to the dashboard", href },
        reason,
      };
}

/** Tells the operator that an organisation's name waits for review. */
export function organizationNameWaits(data: { name: string; reason: string; href: string }): EmailContent {
  const { name, reason, href } = data;
  return {
    subject: "An organisation's name is waiting for approval",
    preview: "Nobody sees it before you decide.",
    heading: "A name is waiting for approval",
    paragraphs: [`It needs approval because ${reason}. Nobody outside the organisation sees it before you decide.`],
    facts: [{ label: "Name", value: name }],
    action: { label: "Go to the organisations", href },
    reason: "You receive this email because this address receives notices about running PayeeProof.",
  };
}

/** Tells an organisation's administrators whether the name that they asked for was approved. */
export function organizationNameDecided(data: {
  name: string;
  meanwhile: string;
  /** Why it was refused; null: it was approved. */
  reason: string | null;
  href: string;
}): EmailContent {
  const { name, meanwhile, reason, href } = data;
  const because = `You receive this email because you are an administrator of ${reason === null ? name : meanwhile} at PayeeProof.`;
  return reason === null
    ? {
        subject: `Your organisation is now called ${name}`,
        preview: "The name was approved.",
        heading: `Your organisation is now called ${name}`,
        paragraphs: ["We reviewed the name that you asked for and approved it. Emails to payees show it from now on."],
        action: { label: "Go to the settings", href },
        reason: because,
      }
    : {
        subject: "The name of your organisation was not approved",
        preview: `It is still called ${meanwhile}.`,
        heading: "The name was not approved",
        paragraphs: [
          `We did not approve the name that you asked for. Your organisation is still called ${meanwhile}. You can choose another name in the settings, or contact us.`,
        ],
        facts: [
          { label: "Name", value: name },
          { label: "Reason", value: reason },
        ],
        action: { label: "Go to the settings", href },
        reason: because,
      };
}

/** Tells an organisation what period was lost when the database was restored. */
export function recordsRestored(data: {
  organizationName: string;
  from: string;
  until: string;
  /** Actions that are known to be lost. */
  lost: number;
  href: string;
}): EmailContent {
  const { organizationName, from, until, lost } = data;
  return {
    subject: `Some records of ${organizationName} were lost: ${from} to ${until}`,
    preview: "We had to restore our database from a copy.",
    heading: "We restored our database from a copy",
    paragraphs: [
      `What you and your colleagues did from ${from} to ${until} is no longer in PayeeProof${lost > 0 ? `: ${lost} ${lost === 1 ? "action" : "actions"} that we know of` : ""}. Please redo what is missing.`,
      "A payment may have been authorised, or a payment file cleared, in that time. Before you record or approve it again, check whether your bank has paid it. PayeeProof holds payments that look like one we lost.",
      "Changes to people, roles, API tokens and policies in that time are undone too, and everybody was signed out. Seals of your audit trail that were noted down in that time are no longer part of it.",
    ],
    facts: [{ label: "Lost time", value: `${from} to ${until}` }],
    action: { label: "View the audit trail", href: data.href },
    reason: `You receive this email because you work with ${organizationName} at PayeeProof.`,
  };
}

/** Forwards a contact form message to our own inbox. */
export function contactReceived(data: Omit<typeof contactSubmissions.$inferSelect, "id" | "createdAt">): EmailContent {
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

/** Tells the operator that a recipient reported a message from an organisation. */
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

type InvoiceAnswer = { payee?: string; verdict: string; organizationName: string; href: string };

/** Answers the sender of an emailed invoice: payee and verdict in one sentence, no bank number, no text of theirs. */
export function invoiceAnswer({ payee, verdict, organizationName, href }: InvoiceAnswer): EmailContent {
  const sentence = `${payee ? `${payee}: ` : ""}${verdict}.`;
  return {
    subject: `Your invoice${payee ? ` (${payee})` : ""}: ${verdict}`,
    preview: sentence,
    heading: "The invoice you sent was read",
    paragraphs: [sentence],
    action: { label: "View the invoice", href },
    reason: `You receive this email because you sent an invoice to the address of ${organizationName} at PayeeProof.`,
    isAnswer: true,
  };
}
