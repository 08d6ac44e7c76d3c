import type { organizationActions } from "~/modules/accounts/organization-actions";
import type { peopleActions } from "~/modules/accounts/people-actions";
import type { integrationActions } from "~/modules/connections/integration-actions";
import type { deliveryActions, messageActions } from "~/modules/messages/message-actions";
import type { payeeActions } from "~/modules/payees/payee-actions";
import type { verificationActions } from "~/modules/payees/verifications/verification-actions";
import type { invoiceActions } from "~/modules/payments/invoices/invoice-actions";
import type { paymentActions } from "~/modules/payments/payment-actions";
import type { reportActions } from "~/modules/records/audit-trail/audit-sentence";
import type { DetailsOf, StoredDetails } from "./details";

/** Every action that leaves an audit row: a noun, then what was done. Its area declares label and sentence. */
type AuditActions = typeof peopleActions &
  typeof organizationActions &
  typeof messageActions &
  typeof deliveryActions &
  typeof payeeActions &
  typeof verificationActions &
  typeof paymentActions &
  typeof invoiceActions &
  typeof integrationActions &
  typeof reportActions;

export type AuditAction = keyof AuditActions;

/** The details that are stored with an action. */
export type Written<Action extends AuditAction> = Action extends AuditAction ? DetailsOf<AuditActions[Action]> : never;

type Entry = {
  [Action in AuditAction]: undefined extends Written<Action>
    ? { action: Action; details?: Written<Action> }
    : { action: Action; details: Written<Action> };
}[AuditAction];

export type EntryOf<Action extends AuditAction> = Extract<Entry, { action: Action }>;

/** What an entry can be about. */
type EntityType =
  | "payee"
  | "payee_request"
  | "bulk_check"
  | "verification"
  | "payment"
  | "payment_file"
  | "invoice"
  | "import"
  | "user"
  | "organization"
  | "session"
  | "api_token"
  | "bank_check"
  | "contact"
  | "bsb_directory"
  | "job"
  | "webhook_endpoint"
  | "integration"
  | "audit_seal"
  | "restore";

type NounOf<Action> = Action extends `${infer Noun}.${string}` ? Noun : never;

/**
 * The audit entry of an action. An entry without `entityType` is about what its action names: `payee.added` about a
 * payee. The caller masks bank numbers (`maskAccountNumber`) and leaves secrets out.
 */
export type AuditEntry = {
  [Action in AuditAction]: EntryOf<Action> & {
    entityId: string;
  } & (NounOf<Action> extends EntityType ? { entityType?: EntityType } : { entityType: EntityType });
}[AuditAction];

/** The details that may be found in stored entries with these actions. */
export type DetailsIn<Action extends AuditAction> = StoredDetails<Written<Action>>;

/** The details of an entry whose action the caller has checked. */
export const detailsIn = <Action extends AuditAction>({ details }: { details: Record<string, unknown> | null }) =>
  (details ?? {}) as DetailsIn<Action>;
