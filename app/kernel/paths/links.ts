import { folders } from "./site";

/** Paths for links in emails, pages for people without an account, and files for programs. */

const withToken = (folder: string) => (token: string) => `${folder}/${encodeURIComponent(token)}`;

export const linkPaths = {
  certificates: "/certificates",
  certificate: withToken("/certificates"),
  confirmContact: withToken("/confirm-contact"),
  confirmEmail: withToken("/confirm-email"),
  detailsRequest: withToken("/details"),
  emailChange: withToken("/email-change"),
  invitation: withToken("/invitation"),
  payeeLink: withToken("/verify"),
  reportMessage: withToken("/report-message"),
  resetPassword: withToken("/reset-password"),
  stopEmails: withToken("/stop-emails"),

  bankConsent: `${folders.bankConsent}/continue`,

  evidenceScript: "/verify-evidence.mjs",
  securityText: "/.well-known/security.txt",
  siteMap: "/sitemap.xml",
} as const;

/** The address at which a mail program unsubscribes on its reader's behalf, derived from the reader's own link. */
export const stopAtOnceHref = (stopEmailsHref: string): string => `${stopEmailsHref}/at-once`;

/** The address to which the provider reports the delivery of text messages. */
export const smsReportsPath = `${folders.webhooks}/sms`;
