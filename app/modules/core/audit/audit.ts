import type {
  CheckOutcome,
  NoticeDelay,
  NoticeFailure,
  NoticeSubject,
  NotificationChannel,
  StopCause,
  SubscriptionStatus,
} from "~/kernel/enums";

declare const SAYS: unique symbol;

/** What people read of an act, with what its entry says besides: a key that is written otherwise than it is read is a type error. */
type Act<Details> = string & { readonly [SAYS]: Details };
const act = <Details extends Record<string, unknown>>(label: string) => label as Act<Details>;

/** Details that a bank's result came with: what stands beside it is said first. */
type CheckResult = {
  outcome: CheckOutcome;
  reasonCode: string | null;
  score: number | null;
  explanation: string;
  beside?: { word: string; why: string; next: string } | null;
};

/** Every act that leaves an audit row: noun, then what was done. The value is stored; the sentence is what people read. */
export const AUDIT_ACTIONS = {
  "user.registered": "Registered",
  "session.started": "Signed in",
  "session.ended": "Signed out",
  "session.refused": "Sign-in refused",
  "organization.created": "Created the organisation",
  "organization.selected": "Joined the organisation",
  "organization.switched": "Switched to the organisation",
  "organization.domain_claimed": "Claimed an email domain",
  "organization.domain_changed": "Changed how an email domain is treated",
  "organization.domain_removed": "Gave up an email domain",
  "organization.details_changed": "Changed the organisation's details",
  "organization.policy_changed": "Changed the organisation's policies",
  "organization.staff_accounts_loaded": "Loaded the list of staff accounts",
  "organization.staff_accounts_removed": "Removed the list of staff accounts",
  "organization.suspended": "Suspended the organisation",
  "organization.resumed": "Ended the suspension of the organisation",
  "member.invited": "Invited a person",
  "member.invitation_resent": "Sent an invitation again",
  "member.invitation_revoked": "Took an invitation back",
  "member.invitation_accepted": "Accepted an invitation",
  "member.approved": "Let a person in",
  "member.rejected": "Did not approve a person",
  "member.role_changed": "Changed a person's role",
  "member.deactivated": "Ended a person's access",
  "member.reactivated": "Gave a person access again",
  "user.email_confirmed": "Confirmed their email address",
  "user.names_changed": "Changed their name",
  "user.review_choices_changed": "Changed how they review",
  "user.view_saved": "Saved a view of the review queue",
  "user.view_removed": "Removed a view of the review queue",
  "user.confirmation_resent": "Asked for the confirmation link again",
  "user.registration_disowned": "Deleted a registration that someone else made with their address",
  "user.password_reset_requested": "Asked to reset the password",
  "user.password_reset": "Reset the password",
  "user.password_changed": "Changed the password",
  "user.email_change_requested": "Asked to change the email address",
  "user.email_change_confirmed": "Confirmed the change of address from one mailbox",
  "user.email_change_stopped": "Stopped the change of address",
  "user.email_changed": "Changed the email address",
  "user.two_step_begun": "Began to set up two-step sign-in",
  "user.two_step_abandoned": "Stopped setting up two-step sign-in",
  "user.two_step_enabled": "Turned on two-step sign-in",
  "user.two_step_disabled": "Turned off two-step sign-in",
  "user.recovery_codes_renewed": "Made new recovery codes",
  "user.alerts_changed": "Changed what they are told",
  "user.alert_emails_stopped": "Stopped alert emails",
  "user.alert_emails_resumed": "Turned alert emails on again",
  "user.phone_code_sent": "Asked for a code to confirm a mobile number",
  "user.phone_confirmed": "Confirmed a mobile number for text messages",
  "user.phone_removed": "Removed the mobile number for text messages",
  "session.revoked": "Ended a session",
  "session.others_revoked": "Signed out everywhere else",
  "api_token.created": "Made an API token",
  "api_token.revoked": "Revoked an API token",
  "payee.added": "Added the payee",
  "payee.added_by_payee": "The payee sent its own details",
  "payee.edited": "Edited the payee",
  "payee.bank_details_changed": "Changed the bank details",
  "payee.contact_told": act<{
    changed: NoticeSubject;
    to: readonly string[];
    channel: NotificationChannel;
    isLate?: true;
  }>("Told a contact of the payee of the change"),
  "payee.contact_not_told": act<{
    changed: NoticeSubject;
    to: readonly string[];
    reason: NoticeDelay | NoticeFailure;
    isFinal: boolean;
    /** The alert of the change itself says so. */
    isSaid?: true;
  }>("Did NOT tell a contact of the payee of the change"),
  "payee.renamed": "Gave the payee another name",
  "payee.whitelisted": "Whitelisted the payee",
  "payee.promoted": "Whitelisted the payee after successful payments",
  "payee.unwhitelisted": "Took the payee off the whitelist",
  "payee.details_restored": "Restored the former bank details",
  "payee.archived": "Archived the payee",
  "payee.restored": "Put the payee back into use",
  "payee.details_revealed": "Looked at the full bank details",
  "payee.filled": "Filled in details of the payee from a file",
  "payee.bsbs_ended": act<{ payees: number; fileName: string }>("BSBs of payees were closed or merged"),
  "payee_request.sent": "Asked a payee for its details",
  "payee_request.resent": "Asked a payee for its details again",
  "payee_request.cancelled": "Cancelled a request for a payee's details",
  "payee_request.answered_by_payee": act<{
    name: string | null;
    payeeId: string;
    verificationId?: string;
    isDuplicate?: true;
  }>("A payee answered the request for its details"),
  "bulk_check.started": "Started to check many payees",
  "bulk_check.stopped": "Stopped the check of many payees",
  "bulk_check.finished": "Every payee of the check of many was asked",
  "bulk_check.failed": "The check of many payees was stopped",
  "bsb_directory.uploaded": "Uploaded a BSB directory",
  "bsb_directory.loaded": "Took a new BSB directory into use",
  "payee_health.started": "Started to check the list of payees",
  "payee_health.finished": "The check of the list of payees ended",
  "import.uploaded": "Uploaded a file of payees",
  "import.started": "Started the import of payees",
  "import.paused": "Paused the import of payees",
  "import.resumed": "Went on with the import of payees",
  "import.stopped": "Stopped the import of payees",
  "import.finished": "The import of payees ended",
  "import.failed": "The import of payees was stopped after several failures",
  "verification.opened": act<{ payeeId: string; cause: string }>("Opened a verification"),
  "verification.superseded": "Closed the verification because the details changed",
  "verification.link_sent": "Sent the payee a verification link",
  "verification.link_kept": "The link that the payee was sent leads on to their bank",
  "verification.bank_check_started": "Started the bank check",
  "verification.bank_check_finished": act<CheckResult>("The bank check ended"),
  "verification.checked_at_once": act<
    CheckResult & {
      source: string;
      purpose: string;
      bankVerdict: string | null;
      lookUpId?: string;
      answeredFrom?: string;
    }
  >("Checked with the bank at once"),
  "verification.provider_data_deleted": "Deleted the payee's data at the bank data provider",
  "verification.consent_ended": "The payee's consent at the bank ended",
  "verification.payee_sent_to_bank": "The payee went on to their bank",
  "verification.confirmed_by_payee": "The payee confirmed the details",
  "verification.disputed_by_payee": "The payee said that these are not their details",
  "verification.call_recorded": "Recorded a call to the payee",
  "verification.assigned": act<{ people: readonly string[]; name: string }>("Assigned the verification"),
  "verification.unassigned": "Took the assignment off the verification",
  "verification.commented": act<{ text: string; people: readonly string[] }>("Commented on the verification"),
  "verification.approved": "Approved the verification",
  "verification.rejected": "Rejected the verification",
  "verification.failed": "The verification failed",
  "verification.certificate_issued": "Issued the certificate of the verification",
  "payment.recorded": "Recorded the payment",
  "payment.approved": "Approved the held payment",
  "payment.rejected": "Rejected the held payment",
  "payment.verification_requested": "Asked for more verification",
  "payment.returned_to_held": "The payment is held again",
  "payment.succeeded": "Marked the payment successful",
  "payment.accounting_deleted": act<{ system: string; amount: number; billNumber: string | null }>(
    "A payment that was counted as successful was deleted in the accounting system",
  ),
  "payment.failed": "Marked the payment failed",
  "payment_file.uploaded": "Uploaded a payment file",
  "payment_file.checked": "Every line of the payment file was checked",
  "payment_file.check_failed": "The payment file could not be checked",
  "payment_file.lines_approved": "Approved held lines of a payment file",
  "payment_file.lines_rejected": "Rejected lines of a payment file",
  "payment_file.lines_held_again": "Lines of a payment file are held again",
  "payment_file.lines_judged_again": "Something new is known of held lines of a payment file",
  "payment_file.cleared": "Cleared the payment file for the bank",
  "payment_file.downloaded": "Downloaded the cleared payment file",
  "payment_file.original_downloaded": "Downloaded the uploaded payment file",
  "payment_file.outcomes_recorded": "Recorded what the bank did with a payment file",
  "payment_file.abandoned": "Gave up a payment file",
  "payee.remittance_sent": "Told the payee of payments by email",
  "payee.remittance_not_sent": "Did not tell the payee of payments by email",
  "payment_file.settings_changed": "Changed the settings for payment files",
  "subscription.payment_started": "Went on to pay for the subscription",
  "subscription.status_changed": act<{
    from: SubscriptionStatus | null;
    to: SubscriptionStatus | null;
    subscriptionId: string | null;
  }>("The subscription's status changed"),
  "subscription.cancelled": "Cancelled the subscription",
  "subscription.resumed": "Resumed the subscription",
  "subscription.portal_opened": "Opened the card provider's portal",
  "report.month_ended": "The summary of the month is ready",
  "contact.received": "A message of the contact form arrived",
  "message.reported": "Someone outside the organisation reported a message",
  "message.withheld": "Did not send a message to someone outside the organisation",
  "payee.accounting_differs": "Found other bank details in the accounting system",
  "payee.accounting_agrees": "Found the same bank details in the accounting system again",
  "payee.accounting_kept": "Kept the payee's bank details, not those of the accounting system",
  "integration.connected": "Connected an accounting system",
  "integration.ledger_chosen": "Chose the books of an accounting system",
  "integration.sync_requested": "Asked for the suppliers of an accounting system",
  "integration.synced": "Read the suppliers of an accounting system",
  "integration.broken": act<{ system: string; reason: string; problem: string }>(
    "The connection to an accounting system was lost",
  ),
  "integration.notes_stopped": "Stopped notes in the accounting system",
  "integration.disconnected": "Disconnected an accounting system",
  "webhook.created": "Added a webhook endpoint",
  "webhook.changed": "Changed a webhook endpoint",
  "webhook.secret_renewed": "Made a new secret for a webhook endpoint",
  "webhook.former_secret_ended": "Ended the former secret of a webhook endpoint",
  "webhook.tested": "Sent a test event to a webhook endpoint",
  "webhook.resent": "Sent an event to a webhook endpoint again",
  "webhook.removed": "Removed a webhook endpoint",
  "webhook.disabled": act<{ url: string; problem: string | null }>(
    "Switched a webhook endpoint off after three days of failures",
  ),
  "job.dead_lettered": act<{ kind: string }>("A job could not be delivered"),
  "message.not_delivered": act<{ kind: "sms"; code?: string; isNotice?: true }>("A message did not arrive"),
  "message.address_allowed": "Lets emails go to an address again",
  "message.address_stopped": act<{ cause: StopCause; email: string }>("Stopped sending emails to an address"),
  "job.given_up": act<{ kind: string; reason?: string }>("A job failed after several attempts"),
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** What an entry of an action says. */
type DetailsOf<Action extends AuditAction> = Action extends AuditAction
  ? (typeof AUDIT_ACTIONS)[Action] extends Act<infer Details>
    ? Details
    : never
  : never;

/** The actions whose details are declared with them, and those whose details are not yet. */
export type TypedAction = {
  [Action in AuditAction]: (typeof AUDIT_ACTIONS)[Action] extends Act<unknown> ? Action : never;
}[AuditAction];
export type PlainAction = Exclude<AuditAction, TypedAction>;

/** An act and what its entry says. */
export type Entry =
  | { [Action in TypedAction]: { action: Action; details: DetailsOf<Action> } }[TypedAction]
  | { action: PlainAction; details?: Record<string, unknown> };

type Key<Details> = Details extends unknown ? keyof Details : never;
type Member<Details, Name> = Details extends unknown ? (Name extends keyof Details ? Details[Name] : never) : never;

/** What may be read of entries of these actions. Every member may be absent: an entry stays as it was written then. */
export type Said<Action extends TypedAction> = {
  readonly [Name in Key<DetailsOf<Action>>]?: Member<DetailsOf<Action>, Name>;
};

/** What an entry says: of these actions, which the caller has looked at. */
export const saidIn = <Action extends TypedAction>({ details }: { details: Record<string, unknown> | null }) =>
  (details ?? {}) as Said<Action>;
