import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { QueueName } from "~/services";

/** Twelve tries within three hours, then one an hour for thirty days. */
const UNTIL_SENT = 730;

/** The same for two days: the provider of text messages knows no idempotency key, so each try may reach the phone. */
const TWO_DAYS = 60;

/**
 * Tries while the other party is down: twelve within three hours, then one an hour, for two days. An outage of a day then ends
 * nothing and loses no message.
 */
export const OUTAGE_ATTEMPTS = 57;

/**
 * The kinds of work an outbox row can hold, and how often each is tried where something else is wrong than that the other party
 * is down. `again`: once given up it can be run again as it is; what the others were to do is started again where it belongs.
 * `startsAnew`: it is started again by itself, and people are told sooner when it gives up sooner.
 */
export const JOB_KINDS = {
  /** Moves one bank check on as far as it can go now. subjectId: bank check id. */
  bank_check: { queue: "bank-checks", maxAttempts: 6 },
  /** Looks up what a provider's event is about. subjectId: the event's id. */
  bank_event: { queue: "bank-checks", maxAttempts: 8, again: true },
  /** Asks banks the questions of an organisation that wait (Confirmation of Payee), a few at a time. */
  bank_questions: { queue: "jobs", maxAttempts: 6 },
  /** Deletes a user at the bank data provider whom no check names. subjectId: the provider's id of the user. */
  bank_user: { queue: "bank-checks", maxAttempts: 6 },
  /** Fetches the truth about a customer from the card provider. subjectId: the provider's customer id. */
  billing_sync: { queue: "jobs", maxAttempts: 10, again: true },
  /** Sends a link to set a new password, if an account has the address. The sealed payload holds the address. */
  password_reset: { queue: "jobs", maxAttempts: 8, again: true },
  /** Sends one email. The sealed payload holds the address and the template's input. */
  email: { queue: "jobs", maxAttempts: 12, again: true },
  /** Checks the next lines of a large payment file. subjectId: the file's id. */
  payment_file_check: { queue: "jobs", maxAttempts: 6 },
  /** Reads an invoice and says what is found on it. subjectId: the invoice's id. */
  invoice_reading: { queue: "jobs", maxAttempts: 5 },
  /** Takes in the next rows of an import of payees. subjectId: the import's id. */
  payee_import: { queue: "jobs", maxAttempts: 6 },
  /** Counts or asks the next payees of a bulk check. subjectId: the bulk check's id. */
  bulk_check: { queue: "jobs", maxAttempts: 6 },
  /** Reads the next suppliers, bills and payments of an accounting system. subjectId: the connection's id. */
  accounting_sync: { queue: "jobs", maxAttempts: 6, startsAnew: true },
  /** Notes an approved verification in the history of its supplier. subjectId: the verification's id. */
  accounting_note: { queue: "jobs", maxAttempts: 8, again: true },
  /** Looks at the next payees of a master list. subjectId: the run's id. */
  payee_health: { queue: "jobs", maxAttempts: 6 },
  /** Tells the organisations whose payees have a BSB that was closed or merged. subjectId: the directory's file. */
  bsb_closures: { queue: "jobs", maxAttempts: 10, again: true },
  /** Looks up the next ABNs that are asked about, for all organisations. subjectId: the name of the one such job. */
  register_lookup: { queue: "jobs", maxAttempts: 10, again: true },
  /** Looks up the next email domains that are asked about, for all organisations. subjectId: who is asked. */
  domain_lookup: { queue: "jobs", maxAttempts: 10, again: true },
  /** Tells payees of payments that were made to them. For an organisation: all that is due. */
  remittance: { queue: "jobs", maxAttempts: 6, again: true },
  /** Makes the next invented records of a sample. subjectId: the sample's organisation. */
  sample_data: { queue: "jobs", maxAttempts: 1 },
  /** Sends one event to an endpoint of an organisation. subjectId: the delivery's id. Tries again by a plan of its own. */
  webhook: { queue: "jobs", maxAttempts: 6 },
  /** Sends one text message. */
  sms: { queue: "jobs", maxAttempts: 12, again: true },
  /** The same of messages about the safety of money and accounts: an outage of a provider does not lose them. */
  safety_email: { queue: "jobs", maxAttempts: UNTIL_SENT, again: true },
  safety_sms: { queue: "jobs", maxAttempts: TWO_DAYS, again: true },
  /** Tells a former or present contact of a payee that it was changed. The job's id is the notice's; subjectId: the payee. */
  change_notice: { queue: "jobs", maxAttempts: UNTIL_SENT },
} as const satisfies Record<string, { queue: QueueName; maxAttempts: number; again?: true; startsAnew?: true }>;

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

/** How long a consumer may hold a job before the sweep gives it to another. Longer than any provider timeout. */
export const LEASE_MS = 45_000;

/** How long after telling a queue the sweep tells it again. */
export const RESEND_AFTER_MS = 25_000;

/**
 * How often the sweep runs. It tells the queues, with a delay, also of jobs that fall due or whose lease ends before its
 * next run: what a crash left behind is taken up again within `LEASE_MS`, or within one run when nobody was told of it.
 */
export const SWEEP_EVERY_MS = MINUTE_MS / 2;

const FIRST_DELAY_MS = 5_000;

/**
 * When to try again after `attempts` failures: 5 s doubled each time, at most an hour; a provider's Retry-After is
 * kept when it asks for longer.
 */
export function nextAttemptAt(now: number, attempts: number, retryAfterMs = 0): number {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, attempts - 1), HOUR_MS);
  return now + Math.max(backoff, Math.ceil(retryAfterMs));
}
