import { formatAud } from "~/kernel/money";
import { organizationActions } from "~/modules/accounts/organization-actions";
import { peopleActions } from "~/modules/accounts/people-actions";
import { integrationActions } from "~/modules/connections/integration-actions";
import { type AuditAction, type DetailsIn, detailsIn } from "~/modules/core/audit/audit";
import { type AuditedActions, ended, type Facts, numberOf, textOf } from "~/modules/core/audit/details";
import type { AuditRow } from "~/modules/core/audit/entry";
import type { FailedSeal } from "~/modules/core/audit/failed-seals.server";
import type { Restored } from "~/modules/core/audit/seals.server";
import { deliveryActions, messageActions } from "~/modules/messages/message-actions";
import { payeeActions } from "~/modules/payees/payee-actions";
import { verificationActions } from "~/modules/payees/verifications/verification-actions";
import { invoiceActions } from "~/modules/payments/invoices/invoice-actions";
import { paymentActions } from "~/modules/payments/payment-actions";
import type { KeptSeal } from "~/modules/records/audit-trail/kept-seals.server";
import type { MonthSummary } from "~/modules/records/reports/month-summary.server";

/** The sentence for an audit entry. Pure. */

export const reportActions = {
  "report.month_ended": {
    label: "The summary of the month is ready",
    sentence: ({ details }: Facts<MonthSummary>) => `The summary of ${textOf(details.month) || "the month"} is ready`,
  },
  "audit.seal_kept": {
    label: "Kept the seal of the day",
    sentence: ({ details }: Facts<KeptSeal>) =>
      `The seal of entry ${numberOf(details.count)} was kept for administrators`,
  },
  "audit.seal_failed": {
    label: "A seal of the audit trail failed",
    sentence: ({ details }: Facts<FailedSeal>) =>
      details.kept === true
        ? `The seal kept for entry ${numberOf(details.brokenAt)} is missing from the audit trail`
        : `Entry ${numberOf(details.brokenAt)} of the audit trail is not what was sealed`,
  },
  "restore.released": {
    label: "Released the hold after a restore",
    sentence: ({ who }: Facts<Restored>) => `${who} released the hold on PayeeProof after its database was restored`,
  },
  "records.restored": {
    label: "The records were restored from a copy",
    sentence: ({ details }: Facts<Restored & { restoreId: string; kept: number; lost: number }>) =>
      `PayeeProof restored its database: what was done from ${textOf(details.from)} to ${textOf(details.until)} is lost`,
  },
} satisfies AuditedActions;

/** Every action, from the declarations of its area, in the order that people choose from. */
export const AUDIT_ACTIONS = {
  ...peopleActions,
  ...organizationActions,
  ...reportActions,
  ...messageActions,
  ...payeeActions,
  ...verificationActions,
  ...paymentActions,
  ...invoiceActions,
  ...integrationActions,
  ...deliveryActions,
} satisfies Record<AuditAction, unknown>;

export const isAuditAction = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action);

/** Names for an entry's ids. */
export type AuditNames = {
  people: ReadonlyMap<string, string>;
  payees: ReadonlyMap<string, string>;
  /** Verification id -> name of its payee. */
  verifications: ReadonlyMap<string, string>;
  /** The amount in cents; the payee's name, or the account name when the account belongs to no payee. */
  payments: ReadonlyMap<string, { name: string; amount: number }>;
  files: ReadonlyMap<string, string>;
  /** Number and supplier of an invoice, or its file name. */
  invoices: ReadonlyMap<string, string>;
};

/** The fields that a sentence needs; email addresses in the details may already be masked. */
export type Sayable = Pick<AuditRow, "action" | "entityType" | "entityId" | "userId" | "details">;

/** The name of the system when it acts by a rule. */
const SYSTEM = "PayeeProof";

/**
 * "Mira Okafor changed the bank details of Acme from 062-000 •••••678 to 082-001 •••••999." An action from an older
 * version that no longer has a sentence appears as it is stored.
 */
export function auditSentence(entry: Sayable, names: AuditNames): string {
  const { action, userId } = entry;
  const who = userId === null ? SYSTEM : (names.people.get(userId) ?? "A former member");
  const person = names.people.get(entry.entityId ?? "") ?? "a person";
  const details = entry.details ?? {};
  if (!isAuditAction(action)) return `${who}: ${action.replaceAll(/[._]/g, " ")}.`;
  const say: (facts: never) => string = AUDIT_ACTIONS[action].sentence;
  const said = say({ who, person, subject: subjectOf(entry, names), details } as never);
  return ended(said.charAt(0).toUpperCase() + said.slice(1));
}

function subjectOf(entry: Sayable, names: AuditNames): string {
  const { entityType } = entry;
  const id = entry.entityId ?? "";
  switch (entityType) {
    case "payee":
      return names.payees.get(id) ?? (textOf(detailsIn<"payee.added">(entry).name) || "a payee");
    case "verification":
      return names.verifications.get(id) ?? "a payee";
    case "payment":
      return describePayment(id, detailsIn(entry), names);
    case "payment_file":
      return names.files.get(id) ?? (textOf(detailsIn<"payment_file.uploaded">(entry).name) || "a payment file");
    case "invoice":
      return names.invoices.get(id) ?? (textOf(detailsIn<"invoice.received">(entry).name) || "that was deleted");
    case "import":
      return textOf(detailsIn<"import.uploaded">(entry).name) || "a file of payees";
    default:
      return "";
  }
}

/** "the payment of $1,234.50 to Acme". */
function describePayment(id: string, details: DetailsIn<"payment.recorded">, names: AuditNames): string {
  const known = names.payments.get(id);
  const amount = known?.amount ?? numberOf(details.amount);
  const name = known?.name ?? textOf(details.accountName);
  return ["the payment", amount > 0 && `of ${formatAud(amount)}`, name && `to ${name}`].filter(Boolean).join(" ");
}
