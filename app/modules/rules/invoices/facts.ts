import * as z from "zod";
import { MAIL_AUTHENTICATIONS } from "~/kernel/enums";
import { emailDomain, standing } from "~/modules/rules/facts";
import type { PolicyRuleLevel } from "~/modules/rules/payment-reason";

/*
 * What the rules of invoices look at: what a document says, and what the organisation knew of it when it was read. Stored
 * facts are read by the same declaration. Instants are epoch milliseconds, amounts integer cents.
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
  /** It was taken out of use. */
  isArchived: flag,
  /** The last decision about its account. */
  standing,
});

const account = z.object({
  bsb: text,
  accountNumber: text,
  accountName: text.nullable(),
  page: z.number().nullable(),
  /** Everything that a person sees says so. An account that rests on something hidden, edited or contradicted is not. */
  certain: flag,
  whose: z.enum(["payee", "customer", "unknown"]),
  /** The payee that has the account, or had it: `until` is when it gave it up. Null: none of the organisation's. */
  holder: z
    .object({ payeeId: text, name: text, state: z.enum(["has", "had", "archived"]), until: instant.nullable() })
    .nullable(),
});

const earlier = z.object({ id: text, receivedAt: instant, totalCents: cents.nullable() });

export const invoiceFacts = z.object({
  now: instant,
  /** IANA name of the zone in which the organisation reads its dates. */
  timeZone: text,
  /** Why the document could not be read, as a sentence goes on: "it is a picture". Null: it was read. */
  unreadable: text.nullable(),
  accounts: z.array(account),
  /** Part of what a person sees was not read as text: that no account was found says nothing. */
  isIncomplete: flag,
  /** Something stands beside "BSB" or "account" and gave no account, or half of one. */
  hasUnreadAccount: flag,
  /** Other ways to pay that it names. */
  bpayCount: z.number(),
  payIdCount: z.number(),
  supplierName: text.nullable(),
  abn: text.nullable(),
  invoiceNumber: text.nullable(),
  totalCents: cents.nullable(),
  /** It says that GST is charged. */
  chargesGst: flag,
  /** Who an email says it is from; null: it is no email. */
  sender: z
    .object({
      address: text,
      /** What the platform that received it says of the sender. Absent: it was handed in, and nobody has checked that. */
      authentication: z.enum(MAIL_AUTHENTICATIONS).optional(),
      /** Where an answer goes, if that is another domain. */
      replyTo: text.nullable(),
      /** No invoice of the payee came from this domain before, and no payee has it. */
      isNew: flag,
      /** The known domain that the sender's could be taken for. */
      lookalikeOf: text.nullable(),
      /** Absent: nothing speaks against its domain, or it was not looked up. */
      against: z.object(emailDomain).optional(),
    })
    .nullable(),
  /** Words that announce new bank details. */
  announcements: z.array(z.object({ text, page: z.number().nullable() })),
  /**
   * What the reader noticed: `grave` speaks of tampering with bank details, `odd` of something a person should look at,
   * `kind` of what kind of document it is.
   */
  noticed: z.array(
    z.object({ code: text, message: text, page: z.number().nullable(), weight: z.enum(["grave", "odd", "kind"]) }),
  ),
  /** The program that made the document. */
  software: text.nullable(),
  /** Payees that its ABN, its sender and its supplier's name lead to, the best first; and those that have its accounts. */
  byAccount: z.array(payee),
  byAbn: z.array(payee),
  byEmail: z.array(payee),
  byName: z.array(payee),
  /** What the business register says of the ABN; null: it has not answered. */
  register: z
    .object({ state: z.enum(["active", "cancelled", "not_found"]), names: z.array(text), hasGst: flag })
    .nullable(),
  /** Earlier invoices: with this number of the same payee; of the same payee with this amount within 45 days. */
  sameNumber: earlier.nullable(),
  sameAmount: earlier.nullable(),
  /** Of the payee's earlier invoices, the newest first. */
  formerTotals: z.array(cents),
  formerSoftware: z.array(text),
});

export type InvoiceFacts = z.infer<typeof invoiceFacts>;
export type PayeeOfInvoice = z.infer<typeof payee>;
export type AccountOfInvoice = z.infer<typeof account>;

/** What a rule found. Bank numbers are masked. */
type InvoiceFinding = { message: string; page?: number; evidence?: Record<string, unknown> };

/** One rule. It never looks at its level: the organisation decides what follows from it. */
export type InvoiceRule = {
  /** Stored with the invoice and named in the organisation's policy. */
  id: string;
  /** What it looks for, in a line. */
  label: string;
  /** Raised by every change of what the rule finds. */
  version: number;
  /** "hold" stops the invoice, "warn" warns, "off" only notes: what was found is always shown. */
  defaultLevel: PolicyRuleLevel;
  find: (facts: InvoiceFacts) => InvoiceFinding | undefined;
};
