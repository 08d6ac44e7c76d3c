import * as alert from "./alert-emails";
import * as billing from "./billing-emails";
import type { EmailContent } from "./content";
import * as identity from "./identity-emails";
import * as organization from "./organization-emails";
import * as payee from "./payee-emails";

/** Every email the product sends, by name. The outbox stores name and data; the text is composed when it is sent. */
const TEMPLATES = { ...alert, ...billing, ...identity, ...organization, ...payee };

export type TemplateName = keyof typeof TEMPLATES;

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
