import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { QueueName } from "~/services-and-actor";

/** Twelve attempts within three hours, then one an hour for thirty days. */
const UNTIL_SENT = 730;

/** The same for two days: the text-message provider has no idempotency key, so each attempt may reach the phone. */
const TWO_DAYS = 60;

/** Attempts while the other party is down: twelve in three hours, then hourly for two days: a day loses nothing. */
export const OUTAGE_ATTEMPTS = 57;

/**
 * The kinds of work that an outbox row can hold, and how often each is attempted when the failure is not an outage of
 * the other party. `again`: after giving up, the job can be run again as it is; work of the other kinds is restarted
 * from its own page. `startsAnew`: the work starts again automatically, and people are told sooner when it gives up
 * sooner.
 */
export const JOB_KINDS = {
  /** Advances one bank check as far as possible. subjectId: bank check id. */
  bank_check: { queue: "bank-checks", maxAttempts: 6 },
  /** Looks up what a provider's event is about. subjectId: the event's id. */
  bank_event: { queue: "bank-checks", maxAttempts: 8, again: true },
  /** Asks banks an organisation's waiting questions (Confirmation of Payee), a few at a time. */
  bank_questions: { queue: "jobs", maxAttempts: 6 },
  /** Deletes a user at the bank-data provider that no check has claimed. subjectId: the provider's id of the user. */
  bank_user: { queue: "bank-checks", maxAttempts: 6 },
  /** Fetches a customer's present state from the card provider. subjectId: the provider's customer id. */
  billing_sync: { queue: "jobs", maxAttempts: 10, again: true },
  /** Sends a link for setting a new password, if an account has the address. The sealed payload holds the address. */
  password_reset: { queue: "jobs", maxAttempts: 8, again: true },
  /** Sends one email. The sealed payload holds the address and the template's input. */
  email: { queue: "jobs", maxAttempts: 12, again: true },
  /** Checks the next lines of a large payment file. subjectId: the file's id. */
  payment_file_check: { queue: "jobs", maxAttempts: 6 },
  /** Reads an invoice and stores the findings. subjectId: the invoice's id. */
  invoice_reading: { queue: "jobs", maxAttempts: 5 },
  /** Processes the next rows of a payee import. subjectId: the import's id. */
  payee_import: { queue: "jobs", maxAttempts: 6 },
  /** Counts or asks the next payees of a bulk check. subjectId: the bulk check's id. */
  bulk_check: { queue: "jobs", maxAttempts: 6 },
  /** Reads the next suppliers, bills and payments from an accounting system. subjectId: the connection's id. */
  accounting_sync: { queue: "jobs", maxAttempts: 6, startsAnew: true },
  /** Adds a note about an approved verification to the supplier's history. subjectId: the verification's id. */
  accounting_note: { queue: "jobs", maxAttempts: 8, again: true },
  /** Checks the next payees for a health report. subjectId: the run's id. */
  payee_health: { queue: "jobs", maxAttempts: 6 },
  /** Tells organisations with payees whose BSB was closed or merged. subjectId: the directory's upload. */
  bsb_closures: { queue: "jobs", maxAttempts: 10, again: true },
  /** Looks up the next queued ABNs, for all organisations. subjectId: the name of the single such job. */
  register_lookup: { queue: "jobs", maxAttempts: 10, again: true },
  /** Looks up the next queued email domains, for all organisations. subjectId: the party that is asked. */
  domain_lookup: { queue: "jobs", maxAttempts: 10, again: true },
  /** Tells payees about payments made to them: all that are due in an organisation. */
  remittance: { queue: "jobs", maxAttempts: 6, again: true },
  /** Creates the next sample records. subjectId: the sample's organisation. */
  sample_data: { queue: "jobs", maxAttempts: 1 },
  /** Sends one event to an organisation's endpoint. subjectId: the delivery's id. Has its own schedule of attempts. */
  webhook: { queue: "jobs", maxAttempts: 6 },
  sms: { queue: "jobs", maxAttempts: 12, again: true },
  /** The same for messages about the safety of money and accounts: a provider outage must not lose them. */
  safety_email: { queue: "jobs", maxAttempts: UNTIL_SENT, again: true },
  safety_sms: { queue: "jobs", maxAttempts: TWO_DAYS, again: true },
  /** Tells a former or present contact of a payee that it changed. Its id is the notice's; subjectId: the payee. */
  change_notice: { queue: "jobs", maxAttempts: UNTIL_SENT },
} as const satisfies Record<
  string,
  { queue: Exclude<QueueName, "dead-letters">; maxAttempts: number; again?: true; startsAnew?: true }
>;

export type JobKind = keyof typeof JOB_KINDS;

export type Job = {
  id: string;
  kind: JobKind;
  queue: QueueName;
  organizationId: string | null;
  subjectId: string | null;
  sealedPayload: string | null;
  attempts: number;
  leaseId: string;
  createdAt: number;
};

/** The job's id in a message that only asks whether its queue delivers. */
export const NO_JOB = "00000000-0000-0000-0000-000000000000";

/** How long a consumer may hold a job before the sweep gives it to another. Longer than any provider's timeout. */
export const LEASE_MS = 45_000;

/** How soon after sending a queue message the sweep sends it again. */
export const RESEND_AFTER_MS = 25_000;

/**
 * How often the sweep runs. It also sends delayed queue messages for jobs that fall due, or whose lease ends, before
 * its next run: work left by a crash is taken up again within `LEASE_MS`, or within one run if no message was sent.
 */
export const SWEEP_EVERY_MS = MINUTE_MS / 2;

const FIRST_DELAY_MS = 5_000;

/** When to try again after `attempts` failures: 5 s, doubled up to an hour, or as late as Retry-After asks. */
export function nextAttemptAt(now: number, attempts: number, retryAfterMs = 0): number {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, attempts - 1), HOUR_MS);
  return now + Math.max(backoff, Math.ceil(retryAfterMs));
}
