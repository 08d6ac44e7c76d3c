import type { InvoiceVerdict } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import {
  type AuditedActions,
  after,
  counted,
  type Facts,
  listOf,
  textOf,
  wordsFor,
} from "~/modules/core/audit/details";
import type { FindingLevel } from "~/modules/rules/invoices";

/** Each verdict as the middle of a sentence: "it asks for a different account from the payee's". */
const VERDICT_PHRASES: Readonly<Record<InvoiceVerdict, string>> = {
  same_account: "it asks for the payee's own account",
  other_account: "it asks for a different account from the payee's",
  another_payees_account: "it asks for the account of another payee",
  unknown_payee: "it is not from one of the payees",
  several_accounts: "it names several accounts",
  no_account: "no account to pay to was found on it",
  unreadable: "its bank details could not be read",
};

type Decided = { reason: string | null; verdict: InvoiceVerdict | null; stops: number; totalCents: number | null };

const because = ({ reason }: { readonly reason?: unknown }): string => after(": ", textOf(reason));
const sum = (cents: unknown): string => (typeof cents === "number" ? `, ${formatAud(cents)}` : "");

/** The audit actions of invoices. */
export const invoiceActions = {
  "invoice.received": {
    label: "Uploaded an invoice",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<{ name: string; sha256: string; source: string; from?: string | null }>) => {
      if (details.source !== "email") return `${who} uploaded the invoice ${subject}`;
      return `The invoice ${subject} arrived by email${after(", sent in the name of ", textOf(details.from))}`;
    },
  },
  "invoice.read": {
    label: "The invoice was read",
    sentence: ({
      subject,
      details,
    }: Facts<{
      verdict: InvoiceVerdict;
      payeeId: string | null;
      totalCents: number | null;
      findings: readonly { code: string; level: FindingLevel }[];
      /** How many of the findings stop the invoice. */
      stops: number;
    }>) => {
      const stopped = typeof details.stops === "number" && details.stops > 0 ? ". It is stopped" : "";
      return `The invoice ${subject} was read${sum(details.totalCents)}: ${wordsFor(VERDICT_PHRASES, details.verdict)}${stopped}`;
    },
  },
  "invoice.accepted": {
    label: "Accepted the invoice",
    sentence: ({ who, subject, details }: Facts<Decided & { selfApproval?: boolean }>) =>
      `${who} accepted the invoice ${subject}${sum(details.totalCents)}${details.selfApproval === true ? " (their own work)" : ""}${because(details)}`,
  },
  "invoice.rejected": {
    label: "Stopped the invoice",
    sentence: ({ who, subject, details }: Facts<Decided>) =>
      `${who} stopped the invoice ${subject}${sum(details.totalCents)}${because(details)}`,
  },
  "invoice.payee_added": {
    label: "Opened a verification of the details on an invoice",
    sentence: ({ who, subject }: Facts<{ payeeId: string; verificationId: string }>) =>
      `${who} opened a verification of the bank details on the invoice ${subject}`,
  },
  "invoice.downloaded": {
    label: "Downloaded an invoice",
    sentence: ({ who, subject }: Facts<{ sha256: string }>) => `${who} downloaded the invoice ${subject}`,
  },
  "invoice.deleted": {
    label: "Deleted an invoice",
    sentence: ({ who, details }: Facts<{ name: string; sha256: string }>) =>
      `${who} deleted the invoice ${textOf(details.name) || "of an unknown name"}`,
  },
  "invoice.bytes_removed": {
    label: "Old documents of invoices were removed",
    sentence: ({ details }: Facts<{ invoices: readonly string[]; keptMonths: number }>) => {
      const count = listOf(details.invoices).length;
      const what = count === 1 ? "1 document of an invoice was" : `${count} documents of invoices were`;
      return `${what} removed: they are kept for ${counted(details.keptMonths, "month")}`;
    },
  },
  "invoice.settings_changed": {
    label: "Changed the settings for invoices",
    sentence: ({ who, details }: Facts<{ keptMonths: number }>) =>
      `${who} changed how long documents of invoices are kept: ${counted(details.keptMonths, "month")}`,
  },
  "invoice.mail_switched_on": {
    label: "Switched on receiving invoices by email",
    sentence: ({ who }: Facts) => `${who} switched on receiving invoices by email`,
  },
  "invoice.mail_replaced": {
    label: "Replaced the address for invoices",
    sentence: ({ who }: Facts) => `${who} replaced the email address for invoices; the former one receives nothing`,
  },
  "invoice.mail_switched_off": {
    label: "Switched off receiving invoices by email",
    sentence: ({ who }: Facts) => `${who} switched off receiving invoices by email`,
  },
  "invoice.mail_senders_changed": {
    label: "Changed who gets answers by email about invoices",
    sentence: ({ who, details }: Facts<{ addresses: readonly string[] }>) => {
      const addresses = listOf(details.addresses).map(textOf).join(", ");
      return `${who} changed which addresses, besides your people's, get answers about invoices: ${addresses || "none"}`;
    },
  },
} satisfies AuditedActions;
