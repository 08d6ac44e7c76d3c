import * as alert from "./alert-mails";
import * as billing from "./billing-mails";
import * as contact from "./contact-mails";
import type { MailContent } from "./content";
import * as identity from "./identity-mails";
import * as organization from "./organization-mails";
import * as payee from "./payee-mails";

/** Every email the product sends, by name. The outbox stores name and data; the text is composed when it is sent. */
export const TEMPLATES = { ...alert, ...billing, ...contact, ...identity, ...organization, ...payee };

export type TemplateName = keyof typeof TEMPLATES;

/** An email by template, with the data its template asks for. */
export type Mail = {
  [Name in TemplateName]: { template: Name; data: Parameters<(typeof TEMPLATES)[Name]>[0] };
}[TemplateName] & {
  /** For people outside the organisation: where they report the email. */
  reportHref?: string;
};

export function composeMail(mail: Mail): MailContent {
  const template = TEMPLATES[mail.template] as (data: unknown) => MailContent;
  const content = template(mail.data);
  const { reportHref: href } = mail;
  return href === undefined ? content : { ...content, stop: { label: "Report this email", href } };
}
