/** What an email says, before it is rendered. All emails use the layout in `render.tsx`. */
export type EmailContent = {
  subject: string;
  /** The first line people see in their mailbox list. */
  preview: string;
  heading: string;
  paragraphs: string[];
  /** Label and value, e.g. BSB and masked account number. */
  facts?: { label: string; value: string }[];
  /** Several items, each with its page. */
  links?: { label: string; note: string; href: string }[];
  /** A sentence after the items. */
  after?: string;
  /** The email's only button. */
  action?: { label: string; href: string };
  /** Why this person gets this email; named organisation and service (Spam Act 2003). */
  reason: string;
  /** How to end emails of this kind, or to report this one. */
  stop?: { label: string; href: string };
  /** The email is an automatic reply, so other programs should not answer it (RFC 3834). */
  isAnswer?: true;
  /** Where a mail program posts when its reader presses its unsubscribe button (RFC 8058). */
  unsubscribeHref?: string;
};
