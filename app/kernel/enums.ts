/** The specification's enumerations (section 3) and those the design adds, in the order they are shown. */

export const USER_ROLES = ["super_admin", "admin", "member", "read_only"] as const;
export type UserRole = (typeof USER_ROLES)[number];

export const ORGANIZATION_ROLES = ["admin", "member", "read_only"] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

export const VERIFICATION_STATUSES = ["pending", "verified", "rejected", "failed"] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export const ACCOUNTING_SYSTEMS = ["xero", "myob", "other", "custom"] as const;

/** A connection to an accounting system: its books are to be chosen, in use, access lost, or ended by a person. */
export const INTEGRATION_STATUSES = ["choosing", "connected", "broken", "disconnected"] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/** A supplier of an accounting system: a payee here, without a bank account, or with one that cannot be used. */
export const CONTACT_STATES = ["linked", "no_account", "refused", "archived"] as const;

/** An approved bill of an accounting system: to be paid, paid, void or deleted, or not among the open ones any more. */
export const BILL_STATUSES = ["open", "paid", "void", "gone"] as const;
export type BillStatus = (typeof BILL_STATUSES)[number];

/**
 * A payment of an accounting system: the outcome of a payment recorded here, seen only, or not to be used. `deleted`: it was
 * one of the first two, and was deleted there later.
 */
export const SEEN_PAYMENT_STATES = ["outcome", "seen", "deleted"] as const;

export const USER_STATUSES = ["pending", "active", "inactive", "rejected"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** How the review queue is sorted: the gravest first, the newest first, or what has waited longest. */
export const QUEUE_ORDERS = ["risk", "newest", "oldest"] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

export const MATCH_TYPES = ["exact", "fuzzy", "none"] as const;

/** How a verification was, or is being, carried out. "basiq" is the bank data provider. */
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

/** Where a number that was called back was known from. */
export const CALL_SOURCES = ["on_file", "website", "contract", "other"] as const;
export type CallSource = (typeof CALL_SOURCES)[number];

export const CALL_OUTCOMES = ["confirmed", "not_confirmed", "no_answer"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Why a call to a number proves nothing. */
export const NO_PROOF_REASONS = ["recently_changed", "recently_entered", "not_on_file", "own_work"] as const;
export type NoProof = (typeof NO_PROOF_REASONS)[number];

/** What an organisation asks of an approval: a reason where something counts against it, or more. */
export const APPROVAL_EVIDENCE = ["flagged", "always_reason", "check_or_call_back"] as const;
export type ApprovalEvidence = (typeof APPROVAL_EVIDENCE)[number];

/** When an organisation has banks asked by itself: each asks what the one before asks, and more. */
export const ASK_BANKS = ["never", "added_or_changed", "first_payment", "every_run"] as const;
export type AskBanks = (typeof ASK_BANKS)[number];

/** Why a bank is asked without anybody pressing a button. */
export const BANK_QUESTION_CAUSES = ["payee_added", "details_changed", "imported"] as const;
export type BankQuestionCause = (typeof BANK_QUESTION_CAUSES)[number];

/** How a question that was to be asked by itself ended. `overtaken`: it was not needed any more, so no bank was asked. */
export const BANK_QUESTION_ENDS = ["answered", "answer_lost", "overtaken"] as const;

/**
 * Why a bank is asked about an account that is to be paid, or that a person or a schedule chose. The first three are asked for a
 * payment.
 */
export const ACCOUNT_QUESTION_CAUSES = [
  "unknown_account",
  "first_payment",
  "payment_run",
  "supplier_changed",
  "bulk_check",
  "asked_again",
] as const;
export type AccountQuestionCause = (typeof ACCOUNT_QUESTION_CAUSES)[number];

/** How such a question ended. `unable`: the bank had no answer; `not_asked`: limits, budget or a person kept it from being asked. */
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

/** A payment file: being checked, open for decisions, cleared for the bank, every line with its outcome, or given up. */
export const FILE_STATUSES = ["checking", "open", "cleared", "settled", "abandoned"] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

/** What is decided about a line of a payment file; what the bank did with it is in its payment. */
export const LINE_STATUSES = ["held", "authorised", "rejected"] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

export const FILE_FORMATS = ["aba", "csv", "pasted"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** An invoice: being read, read, or not readable. */
export const INVOICE_STATUSES = ["reading", "read", "unreadable"] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

export const INVOICE_KINDS = ["pdf", "email", "ubl"] as const;

/** How an invoice came in. */
export const INVOICE_SOURCES = ["upload", "api"] as const;

/** What the platform that received an email says of its sender: the sender's domain stands by it, does not, or nobody knows. */
export const MAIL_AUTHENTICATIONS = ["pass", "fail", "unknown"] as const;
export type MailAuthentication = (typeof MAIL_AUTHENTICATIONS)[number];

/** What is said of the account on an invoice, in one word. */
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

/**
 * Waiting for a person to look at it, uploaded by the queue, stopped for now, every row has its outcome, or ended before
 * that.
 */
export const IMPORT_STATUSES = ["ready", "running", "paused", "finished", "stopped"] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** What became of a row. */
export const ROW_OUTCOMES = ["added", "unchanged", "filled", "differs", "no_account", "refused"] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** What can be wrong with a payee of the master list. */
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

/** Where a table of payees comes from, by its headings. */
export const TABLE_KINDS = ["xero", "myob", "table"] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** Why a name of an organisation waits for an operator: it is like a bank's, like ours, or mixes alphabets. */
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
export type BillingType = (typeof BILLING_TYPES)[number];
export const BILLING_STATUSES = ["open", "paid", "failed", "void", "refunded"] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** Ways to make the first payment: the card form on our page, or the provider's own page. */
export const BILLING_ATTEMPT_KINDS = ["element", "checkout"] as const;
export type BillingAttemptKind = (typeof BILLING_ATTEMPT_KINDS)[number];

export const NOTIFICATION_CHANNELS = ["email", "sms"] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** What a provider said became of a message: taken, at the recipient, not at the recipient, refused by the reader. */
export const DELIVERY_STATUSES = ["sent", "delivered", "failed", "complained"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why no more emails are sent to an address. */
export const STOP_CAUSES = ["bounced", "complained"] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/** An endpoint of an organisation's own system: told of events, paused by a person, or switched off after days of failures. */
export const ENDPOINT_STATUSES = ["active", "paused", "disabled"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** One event on its way to an endpoint. */
export const WEBHOOK_STATUSES = ["pending", "delivered", "failed"] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** A payee that was asked for its details: has not answered, has, or is not asked any more. */
export const PAYEE_REQUEST_STATUSES = ["open", "answered", "cancelled"] as const;
export type PayeeRequestStatus = (typeof PAYEE_REQUEST_STATUSES)[number];

/**
 * Bank checks of many payees: being counted, waiting for a person to start them, started one after the other, every payee
 * was asked, or ended before that.
 */
export const BULK_CHECK_STATUSES = ["counting", "ready", "running", "finished", "stopped"] as const;
export type BulkCheckStatus = (typeof BULK_CHECK_STATUSES)[number];

/** How an alert reaches a person by email. */
export const ALERT_EMAIL_CHOICES = ["off", "now", "digest"] as const;
export type AlertEmailChoice = (typeof ALERT_EMAIL_CHOICES)[number];

/** Why a person is emailed an alert: they chose it, it is about their own work, admins always are, or they have chosen nothing. */
export type AlertReason = "chosen" | "own_work" | "required" | "default" | "organization";

/** What an organisation sends to people outside it through us. */
export const OUTSIDE_MESSAGE_KINDS = ["payee_link", "invitation", "change_notice", "remittance"] as const;
export type OutsideMessageKind = (typeof OUTSIDE_MESSAGE_KINDS)[number];

/** What a contact of a payee is told of; the later in the list is the graver. */
export const NOTICE_SUBJECTS = ["contact", "bank_details"] as const;
export type NoticeSubject = (typeof NOTICE_SUBJECTS)[number];

/** A notice to a contact of a payee: tried until it is sent, taken by the provider, or impossible. */
export const NOTICE_STATUSES = ["waiting", "told", "not_told"] as const;
export type NoticeStatus = (typeof NOTICE_STATUSES)[number];

/** Why a contact is not told yet, for as long as this lasts. */
export const NOTICE_DELAYS = ["sender_unconfirmed", "sender_limit", "recipient_limit", "provider"] as const;
export type NoticeDelay = (typeof NOTICE_DELAYS)[number];

/** Why a contact was not told, and will not be. */
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
 * How a person signed in. Both steps were taken with a code or a passkey: a passkey asks for the person's finger or PIN; at
 * the provider of their organisation where it said so, or where a code or a passkey was given here afterwards.
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

/** What an organisation asks of its people: nothing, that they may sign in at its provider, or that they do. */
export const SINGLE_SIGN_ON_MODES = ["off", "allowed", "required"] as const;
export type SingleSignOnMode = (typeof SINGLE_SIGN_ON_MODES)[number];

/** Where a passkey may be: in one device, or copied to others of the same person. */
export const PASSKEY_KINDS = ["singleDevice", "multiDevice"] as const;

/** Who is asked about an email domain: the DNS, and the registry of its ending. */
export const DOMAIN_PARTIES = ["dns", "rdap"] as const;

export const BSB_STATUSES = ["open", "closed", "merged"] as const;

export const COUNTER_NAMES = [
  "payees",
  "archivedPayees",
  "whitelistedPayees",
  "pendingVerifications",
  "heldPayments",
  "heldCents",
] as const;
export type CounterName = (typeof COUNTER_NAMES)[number];

/** What reports count of each day. */
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

/** Parts of the service, as the public status page names them. */
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
