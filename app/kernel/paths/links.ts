import { folders } from "./site";

/** Paths that a link in an email carries, pages of people without an account, and files for programs. */

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

/** Where a mail program unsubscribes for its reader, by the link that the reader would open. */
export const stopAtOnceHref = (stopEmailsHref: string): string => `${stopEmailsHref}/at-once`;

/** Where the provider reports what became of a text message. */
export const smsReportsPath = `${folders.webhooks}/sms`;
