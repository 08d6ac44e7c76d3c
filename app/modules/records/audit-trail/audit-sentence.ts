import { systemName } from "~/kernel/accounting-system";
import { formatBsb } from "~/kernel/bsb";
import type { ApprovalEvidence, OutsideMessageKind, StopCause, SubscriptionStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { STATUS_TEXT } from "~/modules/accounts/billing/subscription";
import { DETAIL_LABELS, type DetailField } from "~/modules/accounts/organizations/details";
import type { Policy } from "~/modules/accounts/organizations/policy";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { AuditRow } from "~/modules/core/audit/entry";
import type { JobKind } from "~/modules/core/commands/job";
import { ruleLabel } from "~/modules/rules/index";
import {
  type AuditNames,
  after,
  changeOf,
  counted,
  type Details,
  ended,
  joined,
  numberOf,
  textOf,
  wordsFor,
} from "./details";
import { PAYEE_SENTENCES } from "./payee-sentences";
import { PAYMENT_SENTENCES } from "./payment-sentences";
import { PEOPLE_SENTENCES, ROLE_WORDS, type Say } from "./people-sentences";
import { VERIFICATION_SENTENCES } from "./verification-sentences";

/** Entries about the organisation: its details, domains, policies and subscription, and what could not be sent. Pure. */

const POLICY_NAMES: Readonly<Record<Exclude<keyof Policy, "ruleLevels">, string>> = {
  secondPersonRequired: "a second person approves",
  autoApproveExact: "exact bank results are approved automatically",
  acceptVouching: "the word of other organisations counts as verification",
  twoStepRequired: "people who approve must use two-step sign-in",
  reverifyAfterMonths: "months until a verification is too old",
  firstPaymentLimitCents: "the limit for a first payment",
  promotionMinSpanDays: "days between the payments that whitelist a payee",
  promotionMinDistinctDays: "different days of the payments that whitelist a payee",
  approvalEvidence: "what an approval must say",
  timeZone: "the time zone",
};

const EVIDENCE: Readonly<Record<ApprovalEvidence, string>> = {
  flagged: "a reason where something speaks against it",
  always_reason: "always a reason",
  check_or_call_back: "always a check or a call-back",
};

const LEVELS = { hold: "hold", warn: "warn", off: "off", default: "the rule's own level" };

function sayPolicy([key, value]: [string, unknown]): string[] {
  const change = changeOf(value);
  if (!change) return [];
  if (!Object.hasOwn(POLICY_NAMES, key)) {
    return [`the rule "${ruleLabel(key)}" from ${wordsFor(LEVELS, change.from)} to ${wordsFor(LEVELS, change.to)}`];
  }
  const name = POLICY_NAMES[key as keyof typeof POLICY_NAMES];
  return [`${name} from ${policyValue(key, change.from)} to ${policyValue(key, change.to)}`];
}

function policyValue(key: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (key === "firstPaymentLimitCents") return formatAud(numberOf(value));
  return typeof value === "number" ? String(value) : wordsFor(EVIDENCE, value);
}

function sayDetail([field, value]: [string, unknown]): string[] {
  if (field === "logo") return [value === "removed" ? "the logo, which was removed" : "the logo"];
  const change = changeOf(value);
  if (!change || !Object.hasOwn(DETAIL_LABELS, field)) return [];
  const label = DETAIL_LABELS[field as DetailField];
  return [`${label} from ${textOf(change.from) || "none"} to ${textOf(change.to) || "none"}`];
}

const OUTSIDE_KINDS: Readonly<Record<OutsideMessageKind, string>> = {
  payee_link: "a verification link to a payee",
  invitation: "an invitation",
  change_notice: "a notice of changed bank details to a payee",
  remittance: "an email to a payee about payments",
};

const REFUSALS = {
  sender_unconfirmed: "no administrator has confirmed their email address",
  sender_limit: "the organisation had sent as many messages as it can in one day",
  recipient_limit: "the address had been sent many messages that day",
};

const STOP_CAUSES: Readonly<Record<StopCause, string>> = {
  bounced: "the mailbox does not take them",
  complained: "an email was reported as unwanted",
};

const JOBS: Readonly<Record<JobKind, string>> = {
  accounting_note: "A note in the accounting system that a payee was verified",
  accounting_sync: "Reading suppliers from an accounting system",
  bank_check: "A bank check",
  bank_event: "An event of the bank data provider",
  bank_user: "The deletion of what the bank data provider holds",
  billing_sync: "A look at the subscription at the card provider",
  password_reset: "An email to reset a password",
  email: "An email",
  safety_email: "An email",
  safety_sms: "A text message",
  change_notice: "A notice of a change to a contact of a payee",
  payment_file_check: "The check of a payment file",
  payee_import: "An import of payees",
  bulk_check: "The check of many payees",
  payee_health: "The check of the list of payees",
  bsb_closures: "The message about closed BSBs",
  register_lookup: "A look-up in the business register",
  remittance: "The emails to payees about payments",
  sms: "A text message",
  webhook: "An event for another system",
};

const CANCELLED = { now: "at once", at_period_end: "for the end of the paid period" };
const GOALS = { home: "", card: " to change the card" };
const WAYS = { element: "with the card form", checkout: "on the card provider's page" };

const statusWord = (value: unknown): string =>
  value === null || value === undefined ? "none" : wordsFor<SubscriptionStatus>(STATUS_TEXT, value);

/** How a domain is treated now. */
function sayDomain(details: Details): string {
  if (details.isPrimary === true) return ": it is the primary domain now";
  const change = changeOf(details.autoApprove);
  if (!change) return "";
  return change.to === true ? ": people with it join without approval" : ": people with it wait for approval";
}

const ORGANIZATION_SENTENCES = {
  "organization.created": ({ who, details }) => `${who} created the organisation${after(" ", textOf(details.name))}`,
  "organization.selected": ({ who, details }) => {
    const role = after(" as ", wordsFor(ROLE_WORDS, details.role));
    return details.status === "pending"
      ? `${who} asked to join the organisation${role}`
      : `${who} joined the organisation${role}`;
  },
  "organization.switched": ({ who, details }) =>
    `${who} switched to this organisation${after(" as ", wordsFor(ROLE_WORDS, details.role))}`,
  "organization.domain_claimed": ({ who, details }) => `${who} claimed the email domain ${textOf(details.domain)}`,
  "organization.domain_changed": ({ who, details }) =>
    `${who} changed how the email domain ${textOf(details.domain)} is treated${sayDomain(details)}`,
  "organization.domain_removed": ({ who, details }) => `${who} gave up the email domain ${textOf(details.domain)}`,
  "organization.details_changed": ({ who, details }) =>
    `${who} changed the organisation's details: ${joined(Object.entries(details).flatMap(sayDetail)) || "not recorded which"}`,
  "organization.policy_changed": ({ who, details }) =>
    `${who} changed the policies: ${joined(Object.entries(details).flatMap(sayPolicy)) || "not recorded which"}`,
  "organization.staff_accounts_loaded": ({ who, details }) =>
    `${who} loaded the list of staff accounts: ${counted(details.accounts, "account")}`,
  "organization.staff_accounts_removed": ({ who }) => `${who} removed the list of staff accounts`,
  "organization.suspended": () => "PayeeProof's staff suspended the organisation",
  "organization.resumed": () => "PayeeProof's staff ended the suspension of the organisation",
  "subscription.payment_started": ({ who, details }) =>
    `${who} went on to pay for the subscription${after(" ", wordsFor(WAYS, details.kind))}`,
  "subscription.status_changed": ({ details }) =>
    `The subscription changed from ${statusWord(details.from)} to ${statusWord(details.to)}`,
  "subscription.cancelled": ({ who, details }) =>
    `${who} cancelled the subscription${after(" ", wordsFor(CANCELLED, details.how))}`,
  "subscription.resumed": ({ who }) => `${who} resumed the subscription`,
  "subscription.portal_opened": ({ who, details }) =>
    `${who} opened the card provider's portal${wordsFor(GOALS, details.goTo)}`,
  "payment_file.settings_changed": ({ who, details }) =>
    `${who} changed the settings for payment files${saySettings(details)}`,
  "report.month_ended": ({ details }) => `The summary of ${textOf(details.month) || "the month"} is ready`,
  "contact.received": () => "A message of the contact form arrived",
  "message.reported": ({ details }) =>
    `A person outside the organisation reported ${wordsFor(OUTSIDE_KINDS, details.kind) || "a message"}`,
  "message.withheld": ({ details }) =>
    `PayeeProof did not send ${wordsFor(OUTSIDE_KINDS, details.kind) || "a message"} by ${details.channel === "sms" ? "text message" : "email"}${after(": ", wordsFor(REFUSALS, details.reason))}`,
  "integration.connected": ({ who, details }) =>
    `${who} connected ${systemName(details.system)}${after(", ", textOf(details.ledger))}${details.writesNotes === true ? ", and allowed notes of payees that were verified" : ""}`,
  "integration.ledger_chosen": ({ who, details }) =>
    `${who} chose ${textOf(details.ledger)} in ${systemName(details.system)}`,
  "integration.sync_requested": ({ who, details }) =>
    `${who} asked for ${details.all === true ? "all suppliers" : "changed suppliers"} of ${systemName(details.system)}`,
  "integration.synced": ({ details }) =>
    `PayeeProof read ${counted(details.read, "supplier")} from ${systemName(details.system)}${after(": ", saySync(details))}`,
  "integration.broken": ({ details }) =>
    `PayeeProof lost its connection to ${systemName(details.system)}${after(": ", textOf(details.problem))}`,
  "integration.notes_stopped": ({ who, details }) =>
    `${who} stopped notes in ${systemName(details.system)} of payees that were verified`,
  "integration.disconnected": ({ who, details }) =>
    `${who} disconnected ${systemName(details.system)}${details.isRevoked === false ? "; its access there was not ended" : ""}`,
  "webhook.created": ({ who, details }) => `${who} added the webhook endpoint ${textOf(details.url)}`,
  "webhook.changed": ({ who, details }) =>
    `${who} changed the webhook endpoint ${textOf(details.url)}${sayEndpoint(details)}`,
  "webhook.secret_renewed": ({ who, details }) =>
    `${who} made a new secret for the webhook endpoint ${textOf(details.url)}`,
  "webhook.former_secret_ended": ({ who, details }) =>
    `${who} ended the former secret of the webhook endpoint ${textOf(details.url)}`,
  "webhook.tested": ({ who, details }) => `${who} sent a test event to the webhook endpoint ${textOf(details.url)}`,
  "webhook.resent": ({ who, details }) =>
    `${who} sent the event ${textOf(details.event)} to the webhook endpoint ${textOf(details.url)} again`,
  "webhook.removed": ({ who, details }) => `${who} removed the webhook endpoint ${textOf(details.url)}`,
  "webhook.disabled": ({ details }) =>
    `PayeeProof switched the webhook endpoint ${textOf(details.url)} off after three days of failures`,
  "job.dead_lettered": ({ details }) =>
    `${wordsFor(JOBS, details.kind) || "Work in the background"} could not be delivered`,
  "message.not_delivered": ({ details }) =>
    `${wordsFor(JOBS, details.kind) || "A message"} did not arrive${after(": the provider's code is ", textOf(details.code))}`,
  "message.address_allowed": ({ who, details }) => `${who} lets emails go to ${textOf(details.email)} again`,
  "message.address_stopped": ({ details }) =>
    `PayeeProof sends no more emails to ${textOf(details.email) || "an address"}: ${wordsFor(STOP_CAUSES, details.cause) || "they do not arrive"}`,
  "job.given_up": ({ details }) =>
    details.reason === "address_stopped"
      ? `${wordsFor(JOBS, details.kind) || "A message"} was not sent: no more emails go to its address`
      : `${wordsFor(JOBS, details.kind) || "Work in the background"} failed after several attempts`,
} as const satisfies Partial<Record<AuditAction, Say>>;

function saySettings({ payer, memberLimitCents, adminLimitCents, workingHours, sendsRemittances }: Details): string {
  if (sendsRemittances !== undefined) return `: remittance emails to payees are ${sendsRemittances ? "on" : "off"}`;
  if (typeof payer === "object" && payer !== null) {
    const { userName, bsb, accountNumber } = payer as Details;
    return `: ${textOf(userName)}, ${formatBsb(textOf(bsb))} ${textOf(accountNumber)}, pays`;
  }
  const limit = (cents: unknown) => (typeof cents === "number" ? formatAud(cents) : "any amount");
  return `: members approve ${limit(memberLimitCents)}, administrators ${limit(adminLimitCents)}${sayHours(workingHours)}`;
}

/** "3 added, 1 with other bank details". */
function saySync({ added, filled, changed }: Details): string {
  const parts = [
    [added, "added"],
    [filled, "filled in"],
    [changed, "with other bank details"],
  ].flatMap(([count, word]) => (numberOf(count) > 0 ? [`${numberOf(count)} ${word}`] : []));
  return joined(parts);
}

/** What of an endpoint is another now. */
function sayEndpoint({ status, events }: Details): string {
  const change = changeOf(status);
  if (change) return change.to === "active" ? ": it is told of events again" : ": it is paused";
  return Array.isArray(events) ? `: it is told of ${counted(events.length, "event")}` : "";
}

function sayHours(hours: unknown): string {
  if (typeof hours !== "object" || hours === null) return ", no working hours";
  const { opensAtMinute, closesAtMinute, worksWeekends } = hours as Details;
  const days = worksWeekends === true ? "every day" : "Monday to Friday";
  return `, working hours ${clock(opensAtMinute)} to ${clock(closesAtMinute)}, ${days}`;
}

const clock = (minute: unknown): string => {
  const [hours, minutes] = [Math.floor(numberOf(minute) / 60), numberOf(minute) % 60];
  return `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
};

/** What an entry of the audit trail says, in one sentence. Pure. */

const SENTENCES: Readonly<Record<AuditAction, Say>> = {
  ...PEOPLE_SENTENCES,
  ...ORGANIZATION_SENTENCES,
  ...PAYEE_SENTENCES,
  ...VERIFICATION_SENTENCES,
  ...PAYMENT_SENTENCES,
};

/** What a sentence needs of an entry; email addresses in the details may be masked already. */
export type Told = Pick<AuditRow, "action" | "entityType" | "entityId" | "userId" | "details">;

/** The system, acting by rule. */
const SYSTEM = "PayeeProof";

/**
 * "Mira Okafor changed the bank details of Acme from 062-000 •••••678 to 082-001 •••••999." An action of an older
 * version that has no sentence any more is said as it is stored.
 */
export function auditSentence(entry: Told, names: AuditNames): string {
  const { action, userId } = entry;
  const who = userId === null ? SYSTEM : (names.people.get(userId) ?? "A former member");
  const person = names.people.get(entry.entityId ?? "") ?? "a person";
  const details = entry.details ?? {};
  if (!Object.hasOwn(SENTENCES, action)) return `${who}: ${action.replaceAll(/[._]/g, " ")}.`;
  const said = SENTENCES[action as AuditAction]({ who, person, thing: thingOf(entry, names), details });
  return ended(said.charAt(0).toUpperCase() + said.slice(1));
}

function thingOf({ entityType, entityId, details }: Told, names: AuditNames): string {
  const id = entityId ?? "";
  switch (entityType) {
    case "payee":
      return names.payees.get(id) ?? (textOf(details?.name) || "a payee");
    case "verification":
      return names.verifications.get(id) ?? "a payee";
    case "payment":
      return paymentThing(id, details, names);
    case "payment_file":
      return names.files.get(id) ?? (textOf(details?.name) || "a payment file");
    case "import":
      return textOf(details?.name) || "a file of payees";
    default:
      return "";
  }
}

/** "the payment of $1,234.50 to Acme". */
function paymentThing(id: string, details: Told["details"], names: AuditNames): string {
  const known = names.payments.get(id);
  const amount = known?.amount ?? numberOf(details?.amount);
  const name = known?.name ?? textOf(details?.accountName);
  return ["the payment", amount > 0 && `of ${formatAud(amount)}`, name && `to ${name}`].filter(Boolean).join(" ");
}
