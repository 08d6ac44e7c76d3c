import type { organizationActions } from "~/modules/accounts/organization-actions";
import type { peopleActions } from "~/modules/accounts/people-actions";
import type { integrationActions } from "~/modules/connections/integration-actions";
import type { deliveryActions, messageActions } from "~/modules/messages/message-actions";
import type { payeeActions } from "~/modules/payees/payee-actions";
import type { verificationActions } from "~/modules/payees/verifications/verification-actions";
import type { invoiceActions } from "~/modules/payments/invoices/invoice-actions";
import type { paymentActions } from "~/modules/payments/payment-actions";
import type { reportActions } from "~/modules/records/audit-trail/audit-sentence";
import type { DetailsOf, Said as Read } from "./details";

/** Every act that leaves an audit row: noun, then what was done. Its area declares it with its label and its sentence. */
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

/** What is written with an act. */
export type Written<Action extends AuditAction> = Action extends AuditAction ? DetailsOf<AuditActions[Action]> : never;

/** An act and what its entry says. */
export type Entry = {
  [Action in AuditAction]: undefined extends Written<Action>
    ? { action: Action; details?: Written<Action> }
    : { action: Action; details: Written<Action> };
}[AuditAction];

/** An act that is one of these, and what its entry says. */
export type EntryOf<Action extends AuditAction> = Extract<Entry, { action: Action }>;

/** What may be read of entries of these actions. */
export type Said<Action extends AuditAction> = Read<Written<Action>>;

/** What an entry says: of these actions, which the caller has looked at. */
export const saidIn = <Action extends AuditAction>({ details }: { details: Record<string, unknown> | null }) =>
  (details ?? {}) as Said<Action>;
