import * as alert from "./alert-emails";
import * as billing from "./billing-emails";
import type { EmailContent } from "./content";
import * as identity from "./identity-emails";
import * as organization from "./organization-emails";
import * as payee from "./payee-emails";

/** Every email the product sends, by name. The outbox stores name and data; the text is composed when it is sent. */
const TEMPLATES = { ...alert, ...billing, ...identity, ...organization, ...payee };

export type TemplateName = keyof typeof TEMPLATES;

/**
 * The purpose of an email: `safety` is retried until it is sent, whatever happens to other emails; `asked_for` is tried
 * even after an earlier email bounced, because the person has just requested it. An alert's purpose depends on its
 * event.
 */
export type EmailPurpose = "safety" | "asked_for" | "ordinary";

export const PURPOSE_OF: Readonly<Record<TemplateName, EmailPurpose>> = {
  alertRaised: "ordinary",
  alertDigest: "ordinary",
  trialEnding: "ordinary",
  paymentFailed: "ordinary",
  cardExpiring: "ordinary",
  subscriptionCancelled: "ordinary",
  subscriptionEnded: "ordinary",
  contactReceived: "ordinary",
  messageReported: "ordinary",
  emailConfirmation: "asked_for",
  passwordReset: "asked_for",
  passwordChanged: "safety",
  newDeviceSignIn: "safety",
  emailChangeNew: "asked_for",
  emailChangeOld: "safety",
  emailChanged: "safety",
  twoStepChanged: "safety",
  passkeyChanged: "safety",
  apiTokenCreated: "safety",
  invitation: "ordinary",
  contactAddressConfirmation: "ordinary",
  memberApproved: "ordinary",
  memberRejected: "ordinary",
  memberDeactivated: "ordinary",
  memberReactivated: "ordinary",
  organizationStanding: "ordinary",
  organizationNameWaits: "ordinary",
  organizationNameDecided: "ordinary",
  recordsRestored: "safety",
  invoiceAnswer: "ordinary",
  payeeLink: "ordinary",
  detailsRequest: "ordinary",
  payeeDetailsChanged: "safety",
  payeeContactChanged: "safety",
  remittance: "ordinary",
};

/** An email by template, with the data its template asks for. */
export type Email = {
  [Name in TemplateName]: { template: Name; data: Parameters<(typeof TEMPLATES)[Name]>[0] };
}[TemplateName] & {
  /** For recipients outside the organisation: where they report the email. */
  reportHref?: string;
};

export function composeEmail(email: Email): EmailContent {
  const template = TEMPLATES[email.template] as (data: unknown) => EmailContent;
  const content = template(email.data);
  const { reportHref: href } = email;
  return href === undefined ? content : { ...content, stop: { label: "Report this email", href } };
}
