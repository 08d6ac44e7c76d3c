import type { organizationActions } from "~/modules/accounts/organization-actions";
import type { peopleActions } from "~/modules/accounts/people-actions";
import type { integrationActions } from "~/modules/connections/integration-actions";
import type { deliveryActions, messageActions } from "~/modules/messages/message-actions";
import type { payeeActions } from "~/modules/payees/payee-actions";
import type { verificationActions } from "~/modules/payees/verifications/verification-actions";
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
  typeof integrationActions &
  typeof reportActions;

export type AuditAction = keyof AuditActions;

/** What is written with an act. */
export type Written<Action extends AuditAction> = Action extends AuditAction ? DetailsOf<AuditActions[Action]> : never;

/** The actions whose commands are held to what their sentence reads, and those that are not yet. */
export type TypedAction =
  | "payee.contact_told"
  | "payee.contact_not_told"
  | "payee.bsbs_ended"
  | "payee_request.answered_by_payee"
  | "verification.opened"
  | "verification.bank_check_finished"
  | "verification.checked_at_once"
  | "verification.assigned"
  | "verification.commented"
  | "payment.accounting_deleted"
  | "subscription.status_changed"
  | "integration.broken"
  | "webhook.disabled"
  | "job.dead_lettered"
  | "message.not_delivered"
  | "message.address_stopped"
  | "job.given_up";
export type PlainAction = Exclude<AuditAction, TypedAction>;

/** An act and what its entry says. */
export type Entry =
  | { [Action in TypedAction]: { action: Action; details: Written<Action> } }[TypedAction]
  | { action: PlainAction; details?: Record<string, unknown> };

/** What may be read of entries of these actions. */
export type Said<Action extends AuditAction> = Read<Written<Action>>;

/** What an entry says: of these actions, which the caller has looked at. */
export const saidIn = <Action extends AuditAction>({ details }: { details: Record<string, unknown> | null }) =>
  (details ?? {}) as Said<Action>;
