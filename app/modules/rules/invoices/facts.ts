import * as z from "zod";
import { MAIL_AUTHENTICATIONS } from "~/kernel/enums";
import { emailDomain, standing } from "~/modules/rules/facts";
import type { PolicyRuleLevel } from "~/modules/rules/payment-holds";

/*
 * What the invoice rules judge: what the document says, and what the organisation knew when it was read. Stored
 * facts are parsed with the same schema. Instants are epoch milliseconds, amounts integer cents.
 */

const text = z.string();
const flag = z.boolean();
const instant = z.number();
const cents = z.number();

export const PAYEE_BY = ["account", "abn", "email", "name"] as const;
export type PayeeBy = (typeof PAYEE_BY)[number];

const payee = z.object({
  id: text,
  name: text,
  accountName: text,
  bsb: text,
  accountNumber: text,
  abn: text.nullable(),
  email: text.nullable(),
  /** The payee is archived. */
  isArchived: flag,
  /** The last decision about the payee's account. */
  standing,
});

const account = z.object({
  bsb: text,
  accountNumber: text,
  accountName: text.nullable(),
  page: z.number().nullable(),
  /**
   * Everything visible in the document confirms this account. False for an account found in hidden, edited or
   * contradictory text.
   */
  certain: flag,
  whose: z.enum(["payee", "customer", "unknown"]),
  /** A person accepted an earlier invoice with it beside the payee's account, which this one names too. It proves nothing. */
  isBeside: flag.optional(),
  /**
   * The payee that has, or had, the account; `until` is when it stopped using it. Null: none of the organisation's
   * payees.
   */
  holder: z
    .object({ payeeId: text, name: text, state: z.enum(["has", "had", "archived"]), until: instant.nullable() })
    .nullable(),
});

const earlier = z.object({
  id: text,
  receivedAt: instant,
  totalCents: cents.nullable(),
  /** Another payee, or nobody known, was found for it. */
  isElsewhere: flag.optional(),
});

export const invoiceFacts = z.object({
  now: instant,
  /** IANA name of the organisation's time zone. */
  timeZone: text,
  /** Why the document could not be read, worded as the end of a sentence: "it is a picture". Null: it was read. */
  unreadable: text.nullable(),
  accounts: z.array(account),
  /** Part of the visible page could not be read as text, so finding no account proves nothing. */
  isIncomplete: flag,
  /** Text beside "BSB" or "account" could not be read as a complete account. */
  hasUnreadAccount: flag,
  /** How many BPAY details and other ways to pay the document names. */
  bpayCount: z.number(),
  payIdCount: z.number(),
  supplierName: text.nullable(),
  abn: text.nullable(),
  invoiceNumber: text.nullable(),
  totalCents: cents.nullable(),
  /** The invoice says that it charges GST. */
  chargesGst: flag,
  /** The sender that an email claims; null: the document is not an email. */
  sender: z
    .object({
      address: text,
      /**
       * What the receiving platform says about the sender. Absent: the document was uploaded, so nothing was checked.
       */
      authentication: z.enum(MAIL_AUTHENTICATIONS).optional(),
      /** An address at another domain that the sender's name shows in place of the sender's own. */
      shownAs: text.nullable().optional(),
      /** The reply-to domain, if it differs from the sender's. */
      replyTo: text.nullable(),
      /** A person accepted an earlier invoice of the payee from this domain, with this reply-to address. */
      isReplyToKnown: flag.optional(),
      /** No invoice that surely is the payee's came from this domain, and no payee has it. */
      isNew: flag,
      /** The known domain that the sender's could be mistaken for. */
      lookalikeOf: text.nullable(),
      /** Absent: no sign against the domain, or it was not looked up. */
      against: z.object(emailDomain).optional(),
    })
    .nullable(),
  /** Phrases that announce new bank details. */
  announcements: z.array(z.object({ text, page: z.number().nullable() })),
  /**
   * What the reader noticed: `grave` means signs of tampering with bank details, `refused` means words against the account
   * that is on it, `odd` means something a person should look at, `kind` says what kind of document it is.
   */
  noticed: z.array(
    z.object({
      code: text,
      message: text,
      page: z.number().nullable(),
      weight: z.enum(["grave", "refused", "way", "odd", "kind"]),
    }),
  ),
  /** The program that created the document. */
  software: text.nullable(),
  /**
   * Payees found by the ABN, by the sender and by the supplier's name, best match first; and payees that have its
   * accounts.
   */
  byAccount: z.array(payee),
  byAbn: z.array(payee),
  byEmail: z.array(payee),
  byName: z.array(payee),
  /** The business register's entry for the ABN; null: the register has not answered. */
  register: z
    .object({ state: z.enum(["active", "cancelled", "not_found"]), names: z.array(text), hasGst: flag })
    .nullable(),
  /** Earlier invoices, whoever sent them: one with this number; a recent one of this amount. */
  sameNumber: earlier.nullable(),
  sameAmount: earlier.nullable(),
  /** Totals of the payee's earlier invoices that teach what is usual, newest first; the same for the other two. */
  formerTotals: z.array(cents),
  formerSoftware: z.array(text),
  /** How many bills they are, if each names an account and this one is a bill too. */
  formerlyNamed: z.number().optional(),
});

export type InvoiceFacts = z.infer<typeof invoiceFacts>;
export type PayeeOfInvoice = z.infer<typeof payee>;
export type AccountOfInvoice = z.infer<typeof account>;

/** What a rule found. Bank numbers are masked. */
type InvoiceFinding = { message: string; page?: number; evidence?: Record<string, unknown> };

/** One rule. It does not know its own level: the organisation decides what a finding leads to. */
export type InvoiceRule = {
  /** Stored with the invoice and used as the key in the organisation's policy. */
  id: string;
  /** What it looks for, in a few words. */
  label: string;
  /** Raised whenever the rule's results change. */
  version: number;
  /** "hold" stops the invoice, "warn" warns, "off" only adds a note: findings are always shown. */
  defaultLevel: PolicyRuleLevel;
  find: (facts: InvoiceFacts) => InvoiceFinding | undefined;
};
