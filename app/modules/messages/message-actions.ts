import type { EndpointStatus, NotificationChannel, OutsideMessageKind, StopCause } from "~/kernel/enums";
import {
  type AuditedActions,
  after,
  changeOf,
  counted,
  type Facts,
  textOf,
  type Unknown,
  wordsFor,
} from "~/modules/core/audit/details";
import type { JobKind } from "~/modules/core/commands/job";
import type { OutsideRefusal } from "~/modules/messages/notifications/outside-messages";

const OUTSIDE_KINDS: Readonly<Record<OutsideMessageKind, string>> = {
  payee_link: "a verification link to a payee",
  invitation: "an invitation",
  change_notice: "a change notice to a payee",
  remittance: "an email to a payee about payments",
};

const REFUSALS: Readonly<Record<OutsideRefusal, string>> = {
  sender_unconfirmed: "no administrator has confirmed their email address",
  sender_limit: "the organisation had sent as many messages as it can in one day",
  recipient_limit: "the address had been sent many messages that day",
};

const STOP_CAUSES: Readonly<Record<StopCause, string>> = {
  bounced: "the mailbox does not accept them",
  complained: "an email was reported as unwanted",
};

const JOBS: Readonly<Record<JobKind, string>> = {
  accounting_note: "A note in the accounting system that a payee was verified",
  accounting_sync: "Reading suppliers from an accounting system",
  bank_check: "A bank check",
  bank_questions: "Waiting questions to banks",
  bank_event: "An event from the bank data provider",
  bank_user: "The deletion of what the bank data provider holds",
  billing_sync: "A check of the subscription at the card provider",
  password_reset: "An email to reset a password",
  email: "An email",
  safety_email: "An email",
  safety_sms: "A text message",
  change_notice: "A notice to a payee's contact about a change",
  payment_file_check: "The check of a payment file",
  invoice_reading: "The reading of an invoice",
  payee_import: "An import of payees",
  bulk_check: "A bulk check of payees",
  payee_health: "The check of the list of payees",
  bsb_closures: "The message about closed BSBs",
  register_lookup: "A look-up in the business register",
  domain_lookup: "A look-up of email domains",
  remittance: "The emails to payees about payments",
  sample_data: "The creation of sample data",
  sms: "A text message",
  webhook: "An event for another system",
};

/** The words for a kind of job; a kind from an older version appears as it is stored. */
export const jobWords = (kind: string): string => wordsFor(JOBS, kind) || kind;

function endpointWords({ status, events }: Unknown<"status" | "events">): string {
  const change = changeOf(status);
  if (change) return change.to === "active" ? ": it receives events again" : ": it is paused";
  return Array.isArray(events) ? `: it receives ${counted(events.length, "event")}` : "";
}

/** The audit actions of messages to and from outside people. */
export const messageActions = {
  "contact.received": {
    label: "A message from the contact form arrived",
    sentence: () => "A message from the contact form arrived",
  },
  "message.reported": {
    label: "Someone outside the organisation reported a message",
    sentence: ({ details }: Facts<{ kind: OutsideMessageKind; messageId: string }>) =>
      `A person outside the organisation reported ${wordsFor(OUTSIDE_KINDS, details.kind) || "a message"}`,
  },
  "message.withheld": {
    label: "Did not send a message to someone outside the organisation",
    sentence: ({
      details,
    }: Facts<{ kind: OutsideMessageKind; channel: NotificationChannel; reason: OutsideRefusal }>) =>
      `PayeeProof did not send ${wordsFor(OUTSIDE_KINDS, details.kind) || "a message"} by ${details.channel === "sms" ? "text message" : "email"}${after(": ", wordsFor(REFUSALS, details.reason))}`,
  },
} satisfies AuditedActions;

/** The audit actions of webhooks, and of messages that could not be delivered. */
export const deliveryActions = {
  "webhook.created": {
    label: "Added a webhook endpoint",
    sentence: ({ who, details }: Facts<{ url: string; events: readonly string[] }>) =>
      `${who} added the webhook endpoint ${textOf(details.url)}`,
  },
  "webhook.changed": {
    label: "Changed a webhook endpoint",
    sentence: ({
      who,
      details,
    }: Facts<{
      url: string;
      events?: readonly string[];
      status?: { from: EndpointStatus; to: EndpointStatus };
    }>) => `${who} changed the webhook endpoint ${textOf(details.url)}${endpointWords(details)}`,
  },
  "webhook.secret_renewed": {
    label: "Made a new secret for a webhook endpoint",
    sentence: ({ who, details }: Facts<{ url: string }>) =>
      `${who} made a new secret for the webhook endpoint ${textOf(details.url)}`,
  },
  "webhook.former_secret_ended": {
    label: "Ended the former secret of a webhook endpoint",
    sentence: ({ who, details }: Facts<{ url: string }>) =>
      `${who} ended the former secret of the webhook endpoint ${textOf(details.url)}`,
  },
  "webhook.tested": {
    label: "Sent a test event to a webhook endpoint",
    sentence: ({ who, details }: Facts<{ url: string }>) =>
      `${who} sent a test event to the webhook endpoint ${textOf(details.url)}`,
  },
  "webhook.resent": {
    label: "Sent an event to a webhook endpoint again",
    sentence: ({ who, details }: Facts<{ url: string; event: string; eventId: string }>) =>
      `${who} sent the event ${textOf(details.event)} to the webhook endpoint ${textOf(details.url)} again`,
  },
  "webhook.removed": {
    label: "Removed a webhook endpoint",
    sentence: ({ who, details }: Facts<{ url: string }>) =>
      `${who} removed the webhook endpoint ${textOf(details.url)}`,
  },
  "webhook.disabled": {
    label: "Switched a webhook endpoint off after three days of failures",
    sentence: ({ details }: Facts<{ url: string; problem: string | null }>) =>
      `PayeeProof switched the webhook endpoint ${textOf(details.url)} off after three days of failures`,
  },
  "job.dead_lettered": {
    label: "A job could not be delivered",
    sentence: ({ details }: Facts<{ kind: JobKind }>) =>
      `${wordsFor(JOBS, details.kind) || "Background work"} could not be delivered`,
  },
  "message.not_delivered": {
    label: "A message did not arrive",
    sentence: ({ details }: Facts<{ kind: "sms"; code?: string; isNotice?: true }>) =>
      `${wordsFor(JOBS, details.kind) || "A message"} did not arrive${after(": the provider's code is ", textOf(details.code))}`,
  },
  "message.address_allowed": {
    label: "Allowed emails to an address again",
    sentence: ({ who, details }: Facts<{ email: string }>) => `${who} allowed emails to ${textOf(details.email)} again`,
  },
  "message.address_stopped": {
    label: "Stopped sending emails to an address",
    sentence: ({ details }: Facts<{ cause: StopCause; email: string }>) =>
      `PayeeProof sends no more emails to ${textOf(details.email) || "an address"}: ${wordsFor(STOP_CAUSES, details.cause) || "they do not arrive"}`,
  },
  "job.run_again": {
    label: "PayeeProof's staff ran a job again",
    sentence: ({ details }: Facts<{ kind: JobKind }>) =>
      `${wordsFor(JOBS, details.kind) || "Background work"} had failed, and was run again by PayeeProof's staff`,
  },
  "job.given_up": {
    label: "A job failed after several attempts",
    sentence: ({ details }: Facts<{ kind: JobKind; reason?: "address_stopped" }>) =>
      details.reason === "address_stopped"
        ? `${wordsFor(JOBS, details.kind) || "A message"} was not sent: no more emails go to its address`
        : `${wordsFor(JOBS, details.kind) || "Background work"} failed after several attempts`,
  },
} satisfies AuditedActions;
