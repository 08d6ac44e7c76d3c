import type { AlertEmailChoice, OrganizationRole } from "~/kernel/enums";
import type { AuditAction, DetailsIn } from "~/modules/core/audit/audit";
import type { Unknown } from "~/modules/core/audit/details";
import type { TrailEntry } from "~/modules/core/trail-reading.server";

/** The events that people can be told about, who is told, and the default channels. Pure. */

export type Choice = { inApp: boolean; email: AlertEmailChoice; sms: boolean };

/** Who an event concerns: everyone in these roles, the one person it is about, or the people it names. */
type Audience = { roles: readonly OrganizationRole[] } | { subject: true } | { named: true };

type AlertEvent = {
  label: string;
  description: string;
  audience: Audience;
  /** The default choice by role; a role without an entry is not told. */
  defaults: Readonly<Partial<Record<OrganizationRole, Choice>>>;
  /** The person whose work it is about (who recorded the payment, started the check) gets an email at once. */
  tellsOwner?: true;
  /** The person who did the work sees the result on their page, and is not told. */
  excludesOwner?: true;
  /** The event sends more detailed emails of its own, so the alert is never emailed as well. */
  hasOwnEmails?: true;
  /** Admins always get it in the app, and by email at once or in the digest. */
  isRequired?: true;
  /** Admins get its emails at once, never in the digest: the change can be stopped only for some hours. */
  isAtOnce?: true;
  /** Also sent to the organisation's own address; "always": even if that is the person's who acted. */
  tellsOrganization?: "always" | "of_others";
  /** About the safety of money: emails and texts are retried until they are sent, and texts counted apart. */
  isSafety?: true;
};

const REVIEWERS = ["admin", "member"] as const;
const EVERYBODY = ["admin", "member", "read_only"] as const;
const ADMINS = ["admin"] as const;

const now: Choice = { inApp: true, email: "now", sms: false };
const digest: Choice = { inApp: true, email: "digest", sms: false };
const inAppOnly: Choice = { inApp: true, email: "off", sms: false };

/** Concerns everybody in the organisation. Read-only people are not told by default. */
const everybody = (admin: Choice, member: Choice) => ({ audience: { roles: EVERYBODY }, defaults: { admin, member } });
/** Concerns administrators. @param admin their default choice; absent: they are not told */
const admins = (admin?: Choice) => ({ audience: { roles: ADMINS }, defaults: { admin } });

/** Every event, in the order of the settings page. To add one, add an entry here and its audit actions below. */
const ALERT_EVENTS = {
  bank_details_changed: {
    label: "Bank details changed",
    description:
      "Someone changed the BSB, account number or account name of a payee, renamed it, or put former bank details back, here or in your accounting system.",
    ...everybody(now, now),
    isRequired: true,
    isSafety: true,
  },
  contact_not_told: {
    label: "Former contact not told",
    description:
      "Bank details or a contact of a payee were changed, and the former contact could not be told, or has not been told yet.",
    ...everybody(now, digest),
    isRequired: true,
    isSafety: true,
  },
  payee_disputed: {
    label: "Payee disputed the details",
    description: "A payee said that the bank details are not theirs.",
    ...everybody(now, now),
    isRequired: true,
    isSafety: true,
  },
  payment_held_again: {
    label: "Authorised payment held again",
    description: "A payment that was authorised is held because something about its payee changed.",
    ...everybody(now, digest),
    tellsOwner: true,
    isRequired: true,
    isSafety: true,
  },
  payment_held: {
    label: "Payment held",
    description: "A rule held a payment, and it needs a decision.",
    ...everybody(digest, digest),
  },
  payment_file_stopped: {
    label: "Payment file from an undeclared account",
    description:
      "A payment file names an account to pay from, an account for returned payments or a bank that your organisation has not declared. It cannot be cleared.",
    ...everybody(now, now),
    isRequired: true,
    isSafety: true,
  },
  invoice_stopped: {
    label: "Invoice stopped",
    description:
      "An invoice asks for a different account from the payee's or names one that could not be read, or something on it or about its sender suggests fraud. Payments that match it are held.",
    ...everybody(now, now),
    isRequired: true,
    isSafety: true,
  },
  payment_file_waiting: {
    label: "Payment file needs a decision",
    description:
      "A payment file was checked and has held payments. The alert says who may decide them: a second person, or someone whose approval limit is high enough.",
    ...everybody(now, now),
    excludesOwner: true,
  },
  first_payment_from_accounting: {
    label: "First payment to an account from your accounting system",
    description:
      "A payee's bank details came from Xero or MYOB, and a payment goes to them for the first time: the payment was authorised, or its file was cleared.",
    ...everybody(now, now),
    isRequired: true,
  },
  payment_returned: {
    label: "Payment returned",
    description:
      "A payment was marked failed or returned by the bank, or was deleted in your accounting system after it counted as paid.",
    ...everybody(digest, digest),
    tellsOwner: true,
  },
  verification_waiting: {
    label: "Verification waiting",
    description: "A verification was opened and needs a check or a decision.",
    ...everybody(digest, digest),
  },
  details_received: {
    label: "Bank details received",
    description: "A payee answered your request for its bank details.",
    ...everybody(digest, digest),
    tellsOwner: true,
  },
  result_arrived: {
    label: "Bank check finished",
    description: "A bank check ended, and its result is available.",
    ...everybody(digest, digest),
    tellsOwner: true,
  },
  mentioned: {
    label: "Mentioned in a comment",
    description: "A colleague mentioned you in a comment on a verification.",
    audience: { named: true },
    defaults: { admin: now, member: now, read_only: now },
  },
  assigned: {
    label: "Verification assigned to you",
    description: "A colleague assigned a verification to you.",
    audience: { named: true },
    defaults: { admin: digest, member: digest },
  },
  payee_bsb_closed: {
    label: "BSB closed or merged",
    description: "A bank closed or merged a BSB of your payees, so payments to it can fail.",
    ...everybody(now, digest),
  },
  payee_concern: {
    label: "Email domain or ABN of a payee",
    description:
      "The email domain of a payee was registered recently, has no registration or lost its DMARC policy, or its ABN was cancelled.",
    ...everybody(now, digest),
  },
  connection_broken: {
    label: "Connection broken",
    description: "Your accounting system no longer gives PayeeProof access, so changes there are not noticed.",
    ...admins(now),
    isRequired: true,
  },
  join_request: {
    label: "Person asks to join",
    description: "Someone asked to join your organisation and is waiting for approval.",
    ...admins(now),
  },
  control_changed: {
    label: "Policies or access changed",
    description:
      "Someone changed policies, the level of a rule, approval limits, the paying account, email domains, an invitation, a role or who has access; a weaker policy is waiting or took effect; or a person joined by an email domain. Someone set up the company's sign-in or directory, joined through one of them, or signed in without the provider; someone added a passkey without using an older one; or the directory asked to end the access of an administrator who must not be locked out.",
    ...admins(now),
    isRequired: true,
    isAtOnce: true,
    isSafety: true,
    tellsOrganization: "always",
  },
  approval_refused: {
    label: "Approval with a passkey refused",
    description:
      "An approval came with a passkey that was not the person's, or that had signed something else. Someone else may be using their session.",
    ...admins(now),
    isRequired: true,
    isAtOnce: true,
    isSafety: true,
    tellsOrganization: "always",
  },
  trusted_alone: {
    label: "Trusted by one person",
    description:
      "Someone whitelisted a payee by hand, put former bank details back, or approved a payee, a payment or lines of a payment file that are their own work.",
    ...admins(now),
    isRequired: true,
    isSafety: true,
    tellsOrganization: "of_others",
  },
  data_exported: {
    label: "Records exported",
    description:
      "Someone exported payees, payments, verifications, reports or the audit trail, or downloaded a payment file, a certificate or evidence.",
    ...admins(digest),
    isRequired: true,
    tellsOrganization: "of_others",
  },
  seal_failed: {
    label: "Seal of the audit trail failed",
    description:
      "An entry of the audit trail is not what was sealed, is missing or was inserted, or the trail lacks a seal that was kept. The check runs all the time.",
    ...everybody(now, digest),
    isRequired: true,
    isAtOnce: true,
    isSafety: true,
    tellsOrganization: "always",
  },
  daily_seal: {
    label: "Daily seal of the audit trail",
    description:
      "The newest seal, once a day, to keep outside PayeeProof: whoever holds it can prove later whether the trail was altered. Off until you choose it.",
    ...admins(),
  },
  role_changed: {
    label: "Your role changed",
    description: "An administrator changed what you can do.",
    audience: { subject: true },
    defaults: { admin: now, member: now, read_only: now },
  },
  month_summary: {
    label: "Summary of the month",
    description: "What was verified, held and rejected in the month that has ended. Off until you choose it.",
    ...admins(),
  },
  subscription_changed: {
    label: "Subscription changed",
    description:
      "The subscription started or ended, or a payment for it failed. Emails about a failed payment and the end of the subscription are always sent.",
    ...admins(inAppOnly),
    hasOwnEmails: true,
  },
  delivery_failed: {
    label: "Message not delivered",
    description: "An email, text message or request to another service could not be delivered.",
    audience: { roles: REVIEWERS },
    defaults: { admin: digest },
  },
} as const satisfies Record<string, AlertEvent>;

export type AlertEventName = keyof typeof ALERT_EVENTS;
export const ALERT_EVENT_NAMES = Object.keys(ALERT_EVENTS) as AlertEventName[];

export const eventOf = (name: AlertEventName): AlertEvent => ALERT_EVENTS[name];

type Raises<Details> = { event: AlertEventName; when?: (details: Details) => boolean };
type Raised<Details> = Raises<Details> | readonly Raises<Details>[];

/** Causes of a new verification that another event reports already, or that would cause hundreds of alerts. */
const TOLD_OTHERWISE: readonly unknown[] = [
  "details_edited",
  "payee_renamed",
  "details_restored",
  "sent_by_payee",
  "bulk_check",
];

const FIRST_FROM_ACCOUNTING: Raises<Unknown<"firstFromAccounting">> = {
  event: "first_payment_from_accounting",
  when: ({ firstFromAccounting }) => firstFromAccounting !== undefined,
};

/** Which actions cause which event; the first condition that holds decides. An unlisted action causes none. */
const RAISED_BY: Readonly<{ [Action in AuditAction]?: Raised<DetailsIn<Action>> }> = {
  "payee.bank_details_changed": { event: "bank_details_changed" },
  "payee.renamed": { event: "bank_details_changed" },
  "payee.details_restored": { event: "bank_details_changed" },
  "payee.accounting_differs": { event: "bank_details_changed" },
  // If it was known when the details changed, the alert about the change already says so.
  "payee.contact_not_told": { event: "contact_not_told", when: ({ isSaid }) => !isSaid },
  // Reported only if people were told earlier that the contact had not been told.
  "payee.contact_told": { event: "contact_not_told", when: ({ isLate }) => isLate === true },
  "integration.broken": { event: "connection_broken" },
  "verification.disputed_by_payee": { event: "payee_disputed" },
  "verification.opened": { event: "verification_waiting", when: ({ cause }) => !TOLD_OTHERWISE.includes(cause) },
  "payee_request.answered_by_payee": { event: "details_received" },
  "verification.bank_check_finished": { event: "result_arrived" },
  // Results of automatic checks are reported only if the answer contradicts the details, because an import causes a
  // thousand of them.
  "verification.checked_at_once": {
    event: "result_arrived",
    when: ({ answeredFrom, cause, outcome }) =>
      answeredFrom === undefined &&
      (cause === undefined || cause === "asked_again" || outcome === "no_match" || outcome === "account_closed"),
  },
  "verification.commented": { event: "mentioned", when: ({ people = [] }) => people.length > 0 },
  "verification.assigned": { event: "assigned" },
  "payee.bsbs_ended": { event: "payee_bsb_closed" },
  "payee.concern_found": { event: "payee_concern" },
  "payment.recorded": [{ event: "payment_held", when: ({ decision }) => decision === "held" }, FIRST_FROM_ACCOUNTING],
  "payment.approved": FIRST_FROM_ACCOUNTING,
  "payment_file.checked": [
    { event: "payment_file_stopped", when: ({ otherPayingAccount }) => otherPayingAccount !== undefined },
    { event: "payment_file_waiting", when: ({ heldCount }) => typeof heldCount === "number" && heldCount > 0 },
  ],
  "invoice.read": { event: "invoice_stopped", when: ({ stops }) => typeof stops === "number" && stops > 0 },
  "payment_file.lines_held_again": { event: "payment_held_again" },
  "payment_file.cleared": FIRST_FROM_ACCOUNTING,
  "payment.returned_to_held": { event: "payment_held_again" },
  "payment.failed": { event: "payment_returned" },
  "payment.accounting_deleted": { event: "payment_returned" },
  "organization.selected": { event: "join_request", when: ({ status }) => status === "pending" },
  "member.role_changed": { event: "role_changed" },
  "report.month_ended": { event: "month_summary" },
  "audit.seal_kept": { event: "daily_seal" },
  "audit.seal_failed": { event: "seal_failed" },
  "subscription.status_changed": { event: "subscription_changed" },
  "job.given_up": { event: "delivery_failed" },
  "job.dead_lettered": { event: "delivery_failed" },
  // A notice to a payee's contact has a separate entry that names the contact.
  "message.not_delivered": { event: "delivery_failed", when: ({ isNotice }) => !isNotice },
  "message.address_stopped": { event: "delivery_failed" },
  "webhook.disabled": { event: "delivery_failed" },
};

const CONTROL = { event: "control_changed" } as const;
const OWN_WORK = {
  event: "trusted_alone",
  when: ({ selfApproval }: { readonly selfApproval?: boolean | undefined }) => selfApproval === true,
} as const;

/** With these one administrator could harm the others: reported to all of them, besides the event above. */
const WATCHED: typeof RAISED_BY = {
  "organization.policy_changed": CONTROL,
  "organization.policy_weakening_asked": CONTROL,
  "organization.policy_weakening_cancelled": CONTROL,
  "organization.policy_weakening_confirmed": CONTROL,
  "organization.policy_weakened": CONTROL,
  "organization.closing_asked": CONTROL,
  "organization.closing_cancelled": CONTROL,
  "organization.closed": CONTROL,
  "payment_file.settings_changed": CONTROL,
  "organization.staff_accounts_removed": CONTROL,
  "organization.domain_claimed": CONTROL,
  "organization.domain_proved": CONTROL,
  "organization.domain_proof_gone": CONTROL,
  "organization.domain_changed": CONTROL,
  "organization.domain_removed": CONTROL,
  "organization.details_changed": { ...CONTROL, when: ({ contactEmail }) => contactEmail !== undefined },
  "organization.selected": { ...CONTROL, when: ({ status }) => status === "active" },
  "organization.contact_confirmed": CONTROL,
  "member.invited": CONTROL,
  "member.invitation_accepted": CONTROL,
  "member.approved": CONTROL,
  "member.role_changed": CONTROL,
  "member.deactivated": CONTROL,
  "member.reactivated": CONTROL,
  "organization.provider_set": CONTROL,
  "organization.single_sign_on_chosen": CONTROL,
  "organization.directory_token_made": CONTROL,
  "organization.directory_token_revoked": CONTROL,
  "member.provider_joined": CONTROL,
  "member.directory_refused": CONTROL,
  "user.passkey_added": { ...CONTROL, when: ({ countsFrom }) => countsFrom !== undefined },
  "session.past_provider": CONTROL,
  // If a verification's decision whitelisted it, that decision says whose work it was.
  "payee.whitelisted": { event: "trusted_alone", when: ({ verificationId }) => verificationId === undefined },
  "payee.details_restored": { event: "trusted_alone" },
  "verification.approved": OWN_WORK,
  "payment.approved": OWN_WORK,
  "payment_file.lines_approved": OWN_WORK,
  "invoice.accepted": OWN_WORK,
  "invoice.settings_changed": CONTROL,
  "records.exported": { event: "data_exported" },
  "approval.refused": { event: "approval_refused" },
};

/** Whoever did one of these could try to hide it among other alerts: its email contains nothing else. */
export const NEVER_COMBINED: ReadonlySet<string> = new Set<AuditAction>([
  "organization.policy_weakening_asked",
  "organization.policy_weakening_confirmed",
  "organization.policy_weakened",
  "member.role_changed",
  "member.deactivated",
  "session.past_provider",
]);

/** The actions that the reader of the trail has to look at. */
export const RAISING_ACTIONS = [...new Set([...Object.keys(RAISED_BY), ...Object.keys(WATCHED)])] as AuditAction[];

/** The events for an audit entry: at most one about the action itself, then one that warns other administrators. */
export function raisedEvents({ action, details }: Pick<TrailEntry, "action" | "details">): AlertEventName[] {
  return [RAISED_BY, WATCHED].flatMap((table) => {
    const raises = [(table as Readonly<Record<string, Raised<object>>>)[action] ?? []].flat();
    return raises.find(({ when }) => !when || when(details ?? {}))?.event ?? [];
  });
}

/** A person's choices, and the defaults for the rest. Pure. */

const NOTHING: Choice = { inApp: false, email: "off", sms: false };

/** True if the organisation does not allow the person to turn the event off. */
export function isRequiredOf(event: AlertEventName, role: OrganizationRole): boolean {
  return role === "admin" && eventOf(event).isRequired === true;
}

/** True if the event can concern a person in this role at all. */
export function canConcern(event: AlertEventName, role: OrganizationRole): boolean {
  const { audience } = eventOf(event);
  return !("roles" in audience) || audience.roles.includes(role);
}

/** The choice that applies to a person: their own, otherwise their role's default; never less than what is required. */
export function effectiveChoice(event: AlertEventName, role: OrganizationRole, chosen: Choice | undefined): Choice {
  if (!canConcern(event, role)) return NOTHING;
  const { defaults, hasOwnEmails, isAtOnce } = eventOf(event);
  const choice = chosen ?? defaults[role] ?? NOTHING;
  if (hasOwnEmails) return { ...choice, email: "off" };
  if (!isRequiredOf(event, role)) return choice;
  const email = isAtOnce ? "now" : choice.email === "off" ? "digest" : choice.email;
  return { ...choice, inApp: true, email };
}

/** When nothing is sent, in minutes after midnight, e.g. 1260 to 420: from 9 pm to 7 am. Null: no quiet hours. */
export type QuietHours = { from: number; to: number } | null;

const DAY_MINUTES = 24 * 60;

/** Minutes until quiet hours are over; 0 outside. @param minute after midnight in the organisation's zone, 0 to 1439 */
export function minutesUntilQuietEnds(quiet: QuietHours, minute: number): number {
  if (!quiet || quiet.from === quiet.to) return 0;
  const { from, to } = quiet;
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  return isQuiet ? (to - minute + DAY_MINUTES) % DAY_MINUTES : 0;
}
