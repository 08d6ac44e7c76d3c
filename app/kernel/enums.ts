/** The specification's enumerations (section 3) and our own, in the order in which they are shown. */

export const USER_ROLES = ["super_admin", "admin", "member", "read_only"] as const;
export type UserRole = (typeof USER_ROLES)[number];

export const ORGANIZATION_ROLES = ["admin", "member", "read_only"] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

export const VERIFICATION_STATUSES = ["pending", "verified", "rejected", "failed"] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export const ACCOUNTING_SYSTEMS = ["xero", "myob", "other", "custom"] as const;

/** A connection to an accounting system: its books must be chosen, it is in use, access was lost, or it was ended. */
export const INTEGRATION_STATUSES = ["choosing", "connected", "broken", "disconnected"] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/** A supplier in an accounting system: a payee here, without a bank account, with an unusable one, or archived. */
export const CONTACT_STATES = ["linked", "no_account", "refused", "archived"] as const;

/** An approved bill in an accounting system: unpaid, paid, void or deleted, or no longer among the open ones. */
export const BILL_STATUSES = ["open", "paid", "void", "gone"] as const;
export type BillStatus = (typeof BILL_STATUSES)[number];

/**
 * A payment in an accounting system: the outcome of a payment recorded here, or only seen. `deleted`: it was one of
 * these, and was deleted there later.
 */
export const SEEN_PAYMENT_STATES = ["outcome", "seen", "deleted"] as const;

export const USER_STATUSES = ["pending", "active", "inactive", "rejected"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** The order of the review queue: most serious first, newest first, or longest waiting. */
export const QUEUE_ORDERS = ["risk", "newest", "oldest"] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

export const MATCH_TYPES = ["exact", "fuzzy", "none"] as const;

/** How a verification was, or is being, carried out. "basiq" is the bank-data provider. */
export const VERIFICATION_METHODS = ["basiq", "whitelist", "manual"] as const;
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number];

export const CHECK_OUTCOMES = [
  "match",
  "close_match",
  "no_match",
  "account_closed",
  "account_not_shared",
  "consent_refused",
  "unable",
] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** The source of a number that was called back. */
export const CALL_SOURCES = ["on_file", "website", "contract", "other"] as const;
export type CallSource = (typeof CALL_SOURCES)[number];

export const CALL_OUTCOMES = ["confirmed", "not_confirmed", "no_answer"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Why a call to a number is not proof. */
export const NO_PROOF_REASONS = ["recently_changed", "recently_entered", "not_on_file", "own_work"] as const;
export type NoProof = (typeof NO_PROOF_REASONS)[number];

/** What an organisation requires for an approval: a reason if flagged, always a reason, or a check or call-back. */
export const APPROVAL_EVIDENCE = ["flagged", "always_reason", "check_or_call_back"] as const;
export type ApprovalEvidence = (typeof APPROVAL_EVIDENCE)[number];

/** When an organisation has banks asked automatically: each level includes the ones before it. */
export const ASK_BANKS = ["never", "added_or_changed", "first_payment", "every_run"] as const;
export type AskBanks = (typeof ASK_BANKS)[number];

/** Why a bank is asked automatically. */
export const BANK_QUESTION_CAUSES = ["payee_added", "details_changed", "imported"] as const;
export type BankQuestionCause = (typeof BANK_QUESTION_CAUSES)[number];

/** How an automatic question ended. `overtaken`: it was no longer needed, so no bank was asked. */
export const BANK_QUESTION_ENDS = ["answered", "answer_lost", "overtaken"] as const;

/** Why a bank is asked about an account to be paid, or that a person or cron chose. The first three: a payment. */
export const ACCOUNT_QUESTION_CAUSES = [
  "unknown_account",
  "first_payment",
  "payment_run",
  "supplier_changed",
  "bulk_check",
  "asked_again",
] as const;
export type AccountQuestionCause = (typeof ACCOUNT_QUESTION_CAUSES)[number];

/**
 * How such a question ended. `unable`: the bank had no answer; `not_asked`: limits, the budget or a person prevented
 * it.
 */
export const ACCOUNT_QUESTION_ENDS = ["answered", "unable", "answer_lost", "not_asked"] as const;
export type AccountQuestionEnd = (typeof ACCOUNT_QUESTION_ENDS)[number];

export const PAYMENT_STATUSES = [
  "authorised",
  "held",
  "verification_requested",
  "rejected",
  "successful",
  "failed",
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A payment file: being checked, open for decisions, cleared for the bank, every line with an outcome, or given up. */
export const FILE_STATUSES = ["checking", "open", "cleared", "settled", "abandoned"] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

/** The decision about a line of a payment file; its payment says what the bank did. */
export const LINE_STATUSES = ["held", "authorised", "rejected"] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

export const FILE_FORMATS = ["aba", "csv", "pasted"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** An invoice: being read, read, or unreadable. */
export const INVOICE_STATUSES = ["reading", "read", "unreadable"] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

export const INVOICE_KINDS = ["pdf", "email", "ubl"] as const;

/** How an invoice arrived. */
export const INVOICE_SOURCES = ["upload", "api"] as const;

/**
 * What the platform that received an email says about its sender: the sender's domain authenticates it, does not, or
 * the result is unknown.
 */
export const MAIL_AUTHENTICATIONS = ["pass", "fail", "unknown"] as const;
export type MailAuthentication = (typeof MAIL_AUTHENTICATIONS)[number];

/** The verdict on an invoice's account. */
export const INVOICE_VERDICTS = [
  "same_account",
  "other_account",
  "another_payees_account",
  "unknown_payee",
  "several_accounts",
  "no_account",
  "unreadable",
] as const;
export type InvoiceVerdict = (typeof INVOICE_VERDICTS)[number];

export const INVOICE_DECISIONS = ["accept", "reject"] as const;
export type InvoiceDecision = (typeof INVOICE_DECISIONS)[number];

/** Waiting for a person, being processed by the queue, paused, complete, or stopped early. */
export const IMPORT_STATUSES = ["ready", "running", "paused", "finished", "stopped"] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** The result of a row. */
export const ROW_OUTCOMES = ["added", "unchanged", "filled", "differs", "no_account", "refused"] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** What can be wrong with a payee. */
export const HEALTH_KINDS = [
  "never_verified",
  "stale",
  "bsb_closed",
  "bsb_unusable",
  "abn_bad",
  "register_name",
  "lookalike",
  "same_abn",
  "no_contact",
  "staff_account",
] as const;
export type HealthKind = (typeof HEALTH_KINDS)[number];
export const HEALTH_STATUSES = ["running", "finished", "failed"] as const;

/** The program that a table of payees comes from, recognised by its headings. */
export const TABLE_KINDS = ["xero", "myob", "table"] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** Why an organisation's name waits for an operator: it resembles a bank's or ours, or mixes alphabets. */
export const NAME_DOUBTS = ["institution", "ours", "alphabets"] as const;
export type NameDoubt = (typeof NAME_DOUBTS)[number];

export const NAME_REQUEST_STATUSES = ["waiting", "approved", "refused", "withdrawn"] as const;

export const SUBSCRIPTION_STATUSES = [
  "active",
  "trialing",
  "canceled",
  "incomplete",
  "incomplete_expired",
  "past_due",
  "unpaid",
  "paused",
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const BILLING_TYPES = ["subscription", "invoice", "payment", "refund"] as const;
export const BILLING_STATUSES = ["open", "paid", "failed", "void", "refunded"] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** Ways to make the first payment: the card form on our page, or the provider's own page. */
export const BILLING_ATTEMPT_KINDS = ["element", "checkout"] as const;
export type BillingAttemptKind = (typeof BILLING_ATTEMPT_KINDS)[number];

export const NOTIFICATION_CHANNELS = ["email", "sms"] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** A provider's report about a message: accepted, delivered, not delivered, or reported as spam by its reader. */
export const DELIVERY_STATUSES = ["sent", "delivered", "failed", "complained"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why no more emails are sent to an address. */
export const STOP_CAUSES = ["bounced", "complained"] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/** An organisation's webhook endpoint: active, paused by a person, or disabled after days of failures. */
export const ENDPOINT_STATUSES = ["active", "paused", "disabled"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** The delivery of one event to an endpoint. */
export const WEBHOOK_STATUSES = ["pending", "delivered", "failed"] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** A payee that was asked for its details: has not answered, has answered, or the request was cancelled. */
export const PAYEE_REQUEST_STATUSES = ["open", "answered", "cancelled"] as const;
export type PayeeRequestStatus = (typeof PAYEE_REQUEST_STATUSES)[number];

/** A bulk check: counting payees, waiting to be started, asking one payee after another, complete, or stopped early. */
export const BULK_CHECK_STATUSES = ["counting", "ready", "running", "finished", "stopped"] as const;
export type BulkCheckStatus = (typeof BULK_CHECK_STATUSES)[number];

/** Whether and when alerts are emailed to a person. */
export const ALERT_EMAIL_CHOICES = ["off", "now", "digest"] as const;
export type AlertEmailChoice = (typeof ALERT_EMAIL_CHOICES)[number];

/**
 * Why a person is emailed an alert: they chose it, it is about their own work, admins always are, it is the default, or
 * it goes to the organisation's own address.
 */
export type AlertReason = "chosen" | "own_work" | "required" | "default" | "organization";

/** What an organisation sends to outside people through us. */
export const OUTSIDE_MESSAGE_KINDS = ["payee_link", "invitation", "change_notice", "remittance"] as const;
export type OutsideMessageKind = (typeof OUTSIDE_MESSAGE_KINDS)[number];

/** What a payee's contact is told about; the later in the list, the more serious. */
export const NOTICE_SUBJECTS = ["contact", "bank_details"] as const;
export type NoticeSubject = (typeof NOTICE_SUBJECTS)[number];

/** A notice to a payee's contact: waiting to be sent, accepted by the provider, or impossible. */
export const NOTICE_STATUSES = ["waiting", "told", "not_told"] as const;
export type NoticeStatus = (typeof NOTICE_STATUSES)[number];

/** Why a contact has not been told yet, while this lasts. */
export const NOTICE_DELAYS = ["sender_unconfirmed", "sender_limit", "recipient_limit", "provider"] as const;
export type NoticeDelay = (typeof NOTICE_DELAYS)[number];

/** Why a contact was not and will not be told. */
export const NOTICE_FAILURES = [
  "no_contact",
  "address_stopped",
  "address_refused",
  "bounced",
  "not_delivered",
  "tried_for_long",
] as const;
export type NoticeFailure = (typeof NOTICE_FAILURES)[number];

export const BANK_CHECK_STEPS = ["starting", "awaiting_payee", "at_bank", "finished"] as const;
export type BankCheckStep = (typeof BANK_CHECK_STEPS)[number];

export const QUEUE_NAMES = ["bank-checks", "jobs"] as const;

export const JOB_STATUSES = ["pending", "done", "failed"] as const;

export const TOKEN_KINDS = ["email_confirmation", "password_reset", "invitation"] as const;

/**
 * How a person signed in. Two steps were passed with a code or a passkey (a passkey asks for a fingerprint or PIN);
 * with a provider, if it reported two factors, or if a code or a passkey was used here afterwards.
 */
export const SIGN_IN_METHODS = [
  "password",
  "password_and_code",
  "password_and_passkey",
  "passkey",
  "provider",
  "provider_two_step",
] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** What an organisation asks of its people: nothing, that they may sign in through its provider, or that they must. */
export const SINGLE_SIGN_ON_MODES = ["off", "allowed", "required"] as const;
export type SingleSignOnMode = (typeof SINGLE_SIGN_ON_MODES)[number];

/** Whether a passkey stays on one device, or can be copied to others of the same person. */
export const PASSKEY_KINDS = ["singleDevice", "multiDevice"] as const;

/** Who is asked about an email domain: the DNS, and the registry of its suffix. */
export const DOMAIN_PARTIES = ["dns", "rdap"] as const;

export const BSB_STATUSES = ["open", "closed", "merged"] as const;

/** The figures for payments: a count and an amount for each status. Held payments have figures of their own. */
export const PAYMENT_FIGURES = ["payments", "cents"] as const;
type PaymentFigure = (typeof PAYMENT_FIGURES)[number];
export type PaymentCounter = `${PaymentFigure}:${PaymentStatus}` | "heldPayments" | "heldCents";

export const paymentCounter = (figure: PaymentFigure, status: PaymentStatus): PaymentCounter =>
  status === "held" ? (figure === "cents" ? "heldCents" : "heldPayments") : `${figure}:${status}`;

export type CounterName =
  | "payees"
  | "archivedPayees"
  | "whitelistedPayees"
  | "pendingVerifications"
  /** Of `pendingVerifications` those of which a name was compared. */
  | `pending:${(typeof MATCH_TYPES)[number]}`
  | PaymentCounter;

/** What daily reports count. */
export const REPORT_METRICS = [
  "decided",
  "outcome",
  "time",
  "score",
  "payments",
  "rules",
  "whitelist",
  "decider",
  "calls",
] as const;
export type ReportMetric = (typeof REPORT_METRICS)[number];

/** Parts of the service, as the public status page shows them. */
export const COMPONENTS = [
  "app",
  "background",
  "email",
  "texts",
  "bank_consent",
  "bank_instant",
  "register",
  "accounting",
  "billing",
  "seals",
] as const;
export type Component = (typeof COMPONENTS)[number];
