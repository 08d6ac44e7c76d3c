import { expect, test } from "vitest";
import {
  BILLING_ATTEMPT_KINDS,
  CALL_OUTCOMES,
  CALL_SOURCES,
  CHECK_OUTCOMES,
  FILE_FORMATS,
  INVOICE_VERDICTS,
  NO_PROOF_REASONS,
  NOTICE_DELAYS,
  NOTICE_FAILURES,
  NOTICE_SUBJECTS,
  ORGANIZATION_ROLES,
  OUTSIDE_MESSAGE_KINDS,
  STOP_CAUSES,
  SUBSCRIPTION_STATUSES,
  TABLE_KINDS,
  USER_ROLES,
  USER_STATUSES,
} from "~/kernel/enums";
import { PAYEE_FIELDS } from "~/kernel/payee";
import { DETAIL_FIELDS } from "~/modules/accounts/organizations/details";
import type { AuditAction } from "~/modules/core/audit/audit";
import { JOB_KINDS } from "~/modules/core/commands/job";
import { REASONS } from "~/modules/payees/verifications/outcomes";
import { REVIEW_FLAGS } from "~/modules/payees/verifications/review-flags";
import { RULES } from "~/modules/rules";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import { AUDIT_ACTIONS, type AuditNames, auditSentence } from "./audit-sentence";

const NAMES: AuditNames = {
  people: new Map([
    ["u1", "Mira Okafor"],
    ["u2", "Jo Wills"],
  ]),
  payees: new Map([["p1", "Acme Timber"]]),
  verifications: new Map([["v1", "Acme Timber"]]),
  payments: new Map([["m1", { name: "Acme Timber", amount: 123_450 }]]),
  invoices: new Map([["i1", "CSR-4471 of Coral Sea Refrigeration"]]),
  files: new Map([["f1", "october.aba"]]),
};

const SUBJECTS = {
  payee: "p1",
  verification: "v1",
  payment: "m1",
  payment_file: "f1",
  import: "i1",
  invoice: "i1",
  user: "u2",
  organization: "o1",
  session: "s1",
} as const;

type Details = Record<string, unknown> | null;

/** The subject of an action with this name. */
function subjectOf(action: string): keyof typeof SUBJECTS {
  const [noun = ""] = action.split(".");
  if (noun === "member") return "user";
  return noun in SUBJECTS ? (noun as keyof typeof SUBJECTS) : "organization";
}

function say(action: AuditAction, details: Details = null, userId: string | null = "u1"): string {
  const entityType = subjectOf(action);
  return auditSentence({ action, details, userId, entityType, entityId: SUBJECTS[entityType] }, NAMES);
}

const bank = (field: string, from: string | null, to: string | null) => ({ field, from, to });

/** For each action: the details as its command stores them, and the sentence. */
const CASES: readonly [AuditAction, Details, string][] = [
  ["user.registered", { role: "admin", status: "active" }, "Mira Okafor registered as administrator."],
  ["session.started", null, "Mira Okafor signed in."],
  ["session.ended", null, "Mira Okafor signed out."],
  ["session.started", { with: "passkey" }, "Mira Okafor signed in with a passkey."],
  ["session.refused", { step: "passkey" }, "A sign-in as Mira Okafor was refused: the passkey was not accepted."],
  [
    "session.refused",
    { step: "passkey_counter" },
    "A sign-in as Mira Okafor was refused: the passkey had been used fewer times than counted, so there may be a copy of it.",
  ],
  ["session.refused", { step: "code" }, "A sign-in as Mira Okafor was refused: the two-step code was wrong."],
  ["session.refused", null, "A sign-in as Mira Okafor was refused: the password was wrong."],
  ["session.revoked", null, "Mira Okafor ended one of their sessions."],
  ["session.others_revoked", null, "Mira Okafor signed out everywhere else."],
  ["organization.created", { name: "Harbour", abn: null }, "Mira Okafor created the organisation Harbour."],
  [
    "organization.selected",
    { role: "member", status: "pending" },
    "Mira Okafor asked to join the organisation as member.",
  ],
  ["organization.selected", { role: "member", status: "active" }, "Mira Okafor joined the organisation as member."],
  ["organization.switched", { role: "admin" }, "Mira Okafor switched to this organisation as administrator."],
  ["session.stepped_up", null, "Mira Okafor entered a code or used a passkey again."],
  [
    "organization.domain_proved",
    { domain: "alpha.example" },
    "Mira Okafor proved by DNS that the email domain alpha.example is the organisation's.",
  ],
  [
    "organization.domain_proof_gone",
    { domain: "alpha.example", isLost: false },
    "The DNS record that proves the email domain alpha.example was not there.",
  ],
  [
    "organization.domain_proof_gone",
    { domain: "alpha.example", isLost: true },
    "The DNS record that proved the email domain alpha.example is gone: the domain no longer counts as proved.",
  ],
  ["organization.domain_claimed", { domain: "alpha.example" }, "Mira Okafor claimed the email domain alpha.example."],
  [
    "organization.domain_changed",
    { domain: "alpha.example", autoApprove: { from: false, to: true } },
    "Mira Okafor changed how the email domain alpha.example is treated: people with it join without approval.",
  ],
  [
    "organization.domain_changed",
    { domain: "alpha.example", isPrimary: true },
    "Mira Okafor changed how the email domain alpha.example is treated: it is now the primary domain.",
  ],
  ["organization.domain_removed", { domain: "alpha.example" }, "Mira Okafor removed the email domain alpha.example."],
  [
    "organization.details_changed",
    { phone: { from: null, to: "02 9374 4000" }, logo: "changed" },
    "Mira Okafor changed the organisation's details: Phone from none to 02 9374 4000 and the logo.",
  ],
  [
    "organization.policy_weakening_asked",
    { changes: { secondPersonRequired: { from: true, to: false } }, dueAt: 1_764_000_000_000 },
    'Mira Okafor asked for weaker policies, which have to wait: the policy "a second person approves" from on to off.',
  ],
  [
    "organization.policy_weakening_cancelled",
    { changes: { secondPersonRequired: { from: true, to: false } }, dueAt: 1_764_000_000_000 },
    'Mira Okafor cancelled weaker policies that were waiting: the policy "a second person approves" from on to off.',
  ],
  [
    "organization.policy_weakening_confirmed",
    { changes: { secondPersonRequired: { from: true, to: false } }, dueAt: 1_764_000_000_000 },
    'Mira Okafor confirmed weaker policies that a colleague had asked for, at once: the policy "a second person approves" from on to off.',
  ],
  [
    "organization.policy_weakened",
    { changes: { secondPersonRequired: { from: true, to: false } }, dueAt: 1_764_000_000_000 },
    'Weaker policies took effect: the policy "a second person approves" from on to off.',
  ],
  ["records.exported", { what: "the list of payees" }, "Mira Okafor exported the list of payees."],
  [
    "organization.policy_changed",
    {
      secondPersonRequired: { from: false, to: true },
      firstPaymentLimitCents: { from: 1000000, to: 500000 },
      duplicate_payment: { from: "default", to: "off" },
    },
    'Mira Okafor changed the policies: the policy "a second person approves" from off to on, the limit for a first payment from $10,000.00 to $5,000.00 and the rule "The same payee, amount and reference within 30 days" from the rule\'s own level to off.',
  ],
  [
    "organization.staff_accounts_loaded",
    { accounts: 1204 },
    "Mira Okafor loaded the list of staff accounts: 1,204 accounts.",
  ],
  ["organization.staff_accounts_removed", null, "Mira Okafor removed the list of staff accounts."],
  [
    "organization.name_requested",
    { name: "Payee Proof Support", why: "ours" },
    "Mira Okafor asked for the name Payee Proof Support, which PayeeProof's staff have to approve because it is, or looks like, the name of PayeeProof.",
  ],
  [
    "organization.name_approved",
    { name: { from: "Mira's organisation", to: "ANZ Staff Choir" } },
    "PayeeProof's staff approved the name ANZ Staff Choir.",
  ],
  [
    "organization.name_refused",
    { name: "Westpac Security", reason: "It is not your name" },
    "PayeeProof's staff refused the name Westpac Security: It is not your name.",
  ],
  ["organization.suspended", { active: { from: true, to: false } }, "PayeeProof's staff suspended the organisation."],
  [
    "organization.closing_asked",
    { closesAt: Date.UTC(2026, 11, 3) },
    "Mira Okafor asked to close the organisation on 3 Dec 2026.",
  ],
  ["organization.closing_cancelled", null, "Mira Okafor cancelled the closing of the organisation."],
  ["organization.sample_loaded", null, "Mira Okafor loaded sample data, in an organisation of its own."],
  ["organization.sample_removed", null, "Mira Okafor removed the sample data."],
  [
    "organization.closed",
    null,
    "The organisation closed: nobody can use it any more, its subscription ended, and its connections ended.",
  ],
  [
    "organization.removed",
    { closedAt: Date.UTC(2026, 11, 3) },
    "PayeeProof removed what was kept of an organisation that closed on 3 Dec 2026.",
  ],
  [
    "platform.person_looked_up",
    { by: "account" },
    "Mira Okafor looked up where a person is on record, by their bank account.",
  ],
  ["organization.resumed", null, "PayeeProof's staff ended the suspension of the organisation."],
  [
    "member.invited",
    { email: "jo@alpha.example", role: "read_only" },
    "Mira Okafor invited jo@alpha.example as read-only member.",
  ],
  [
    "member.invitation_resent",
    { email: "jo@alpha.example", role: "member" },
    "Mira Okafor sent the invitation of jo@alpha.example again.",
  ],
  [
    "member.invitation_revoked",
    { email: "jo@alpha.example", role: "member" },
    "Mira Okafor withdrew the invitation of jo@alpha.example.",
  ],
  [
    "member.invitation_accepted",
    { email: "jo@alpha.example", role: "member" },
    "Mira Okafor accepted an invitation as member.",
  ],
  [
    "member.approved",
    { person: "Jo Wills", email: "jo@alpha.example", status: { from: "pending", to: "active" } },
    "Mira Okafor approved Jo Wills as a member of the organisation.",
  ],
  ["member.rejected", { person: "Jo Wills", email: "jo@alpha.example" }, "Mira Okafor did not approve Jo Wills."],
  [
    "member.role_changed",
    { person: "Jo Wills", email: "jo@alpha.example", role: { from: "member", to: "admin" } },
    "Mira Okafor changed the role of Jo Wills from member to administrator.",
  ],
  ["member.deactivated", { status: { from: "active", to: "inactive" } }, "Mira Okafor ended the access of Jo Wills."],
  [
    "user.super_admin_granted",
    { role: { from: "admin", to: "super_admin" } },
    "PayeeProof's operator made Jo Wills a super admin.",
  ],
  ["session.started", { with: "provider" }, "Mira Okafor signed in with the company's sign-in."],
  ["session.past_provider", {}, "Mira Okafor signed in without the company's provider, as one of the two who may."],
  [
    "session.vouched_refused",
    { why: "it answered invalid_client" },
    "A sign-in with the company was refused: it answered invalid_client.",
  ],
  [
    "user.provider_linked",
    { email: "mira@bigcorp.example" },
    "The account of Mira Okafor was linked to the company's sign-in of mira@bigcorp.example.",
  ],
  [
    "member.provider_joined",
    { person: "Jo Wills", email: "jo@bigcorp.example", role: "read_only", by: "sign_in" },
    "Jo Wills joined as read-only member, by signing in with the company.",
  ],
  [
    "member.provider_joined",
    { person: "Jo Wills", email: "jo@bigcorp.example", role: "member", by: "directory" },
    "Jo Wills joined as member, added by the company's directory.",
  ],
  [
    "member.directory_refused",
    { person: "Jo Wills", email: "jo@bigcorp.example", why: "way_in" },
    "The company's directory asked to end the access of Jo Wills, which was not done: they are one of the two who may sign in without the provider.",
  ],
  [
    "member.directory_refused",
    { person: "Jo Wills", email: "jo@bigcorp.example", why: "last_admin" },
    "The company's directory asked to end the access of Jo Wills, which was not done: they are the last active administrator.",
  ],
  [
    "member.directory_removed",
    { person: "Jo Wills", email: "jo@bigcorp.example" },
    "The company's directory no longer lists Jo Wills.",
  ],
  [
    "organization.provider_set",
    {
      issuer: { from: null, to: "https://bigcorp.okta.com" },
      clientId: { from: null, to: "us" },
      hasNewSecret: true,
    },
    "Mira Okafor set up the company's sign-in at https://bigcorp.okta.com, with a new secret.",
  ],
  [
    "organization.provider_set",
    {
      issuer: { from: "https://old.example", to: "https://bigcorp.okta.com" },
      clientId: { from: "us", to: "us" },
      hasNewSecret: false,
    },
    "Mira Okafor set up the company's sign-in at https://bigcorp.okta.com, instead of https://old.example.",
  ],
  [
    "organization.provider_tested",
    { email: "mira@bigcorp.example" },
    "Mira Okafor tested the company's sign-in as mira@bigcorp.example.",
  ],
  [
    "organization.single_sign_on_chosen",
    {
      mode: { from: "allowed", to: "required" },
      newcomerRole: { from: "read_only", to: "member" },
      waysIn: { from: [], to: ["Ada (ada@bigcorp.example)", "Bo (bo@bigcorp.example)"] },
    },
    "Mira Okafor changed the company's sign-in: required, instead of allowed; a person who joins this way is a member; Ada (ada@bigcorp.example) and Bo (bo@bigcorp.example) may sign in without it.",
  ],
  [
    "organization.directory_token_made",
    { hint: "Ab3d", days: 365 },
    "Mira Okafor made a directory token that ends in Ab3d.",
  ],
  [
    "organization.directory_token_revoked",
    { hint: "Ab3d" },
    "Mira Okafor revoked the directory token that ends in Ab3d.",
  ],
  ["member.reactivated", { status: { from: "inactive", to: "active" } }, "Mira Okafor gave Jo Wills access again."],
  [
    "user.email_confirmed",
    { provedBy: "session" },
    "Mira Okafor confirmed their email address, signed in as that person.",
  ],
  [
    "user.names_changed",
    { firstName: { from: "Mira", to: "Miriam" }, lastName: { from: "Okafor", to: "Okafor" } },
    "Mira Okafor changed their name from Mira Okafor to Miriam Okafor.",
  ],
  [
    "user.review_choices_changed",
    { reviewNext: { from: false, to: true }, reviewKeys: { from: false, to: false } },
    "Mira Okafor changed how they review: going on to the next item on.",
  ],
  ["user.view_saved", { name: "My disputes" }, "Mira Okafor saved a view of the review queue: My disputes."],
  ["user.view_removed", { name: "My disputes" }, "Mira Okafor removed a view of the review queue: My disputes."],
  ["user.confirmation_resent", null, "Mira Okafor asked for the confirmation link again."],
  [
    "user.registration_disowned",
    { email: "jo@alpha.example" },
    "The holder of jo@alpha.example deleted a registration that another person made with it.",
  ],
  ["user.password_reset_requested", null, "Mira Okafor asked to reset the password."],
  ["user.password_reset", null, "Mira Okafor reset the password."],
  ["user.password_changed", null, "Mira Okafor changed the password."],
  [
    "user.email_change_requested",
    { email: { from: "a@alpha.example", to: "b@alpha.example" } },
    "Mira Okafor asked to change the email address from a@alpha.example to b@alpha.example.",
  ],
  [
    "user.email_change_confirmed",
    { mailbox: "old" },
    "Mira Okafor confirmed the change of email address from the old address.",
  ],
  [
    "user.email_change_stopped",
    { mailbox: "new" },
    "The change of the email address of Mira Okafor was stopped from the new address.",
  ],
  [
    "user.email_changed",
    { email: { from: "a@alpha.example", to: "b@alpha.example" } },
    "Mira Okafor changed the email address from a@alpha.example to b@alpha.example.",
  ],
  ["user.two_step_begun", null, "Mira Okafor began to set up two-step sign-in."],
  ["user.two_step_abandoned", null, "Mira Okafor stopped setting up two-step sign-in."],
  ["user.two_step_enabled", null, "Mira Okafor turned on two-step sign-in."],
  ["user.two_step_disabled", null, "Mira Okafor turned off two-step sign-in."],
  ["user.recovery_codes_renewed", null, "Mira Okafor made new recovery codes."],
  [
    "approval.signed",
    { decision: "approve_payment", challenge: "c", key: "k" },
    "Mira Okafor signed with a passkey: approve a payment.",
  ],
  [
    "approval.signed",
    { decision: "change_policies", challenge: "c", key: "k" },
    "Mira Okafor signed with a passkey: change the policies.",
  ],
  [
    "approval.refused",
    { decision: "clear_file", entityType: "payment_file", entityId: "f1", why: "passkey" },
    "An approval by Mira Okafor was refused: the passkey was not theirs, or had not signed this.",
  ],
  [
    "approval.refused",
    { why: "not_shown" },
    "An approval by Mira Okafor was refused: it did not come from a page that showed them this.",
  ],
  ["user.passkey_begun", null, "Mira Okafor began to add a passkey."],
  ["user.passkey_added", { name: "Work laptop" }, 'Mira Okafor added the passkey "Work laptop".'],
  [
    "user.passkey_renamed",
    { name: { from: "Work laptop", to: "Old laptop" } },
    "Mira Okafor renamed a passkey from Work laptop to Old laptop.",
  ],
  ["user.passkey_removed", { name: "Work laptop" }, 'Mira Okafor removed the passkey "Work laptop".'],
  ["user.alerts_changed", null, "Mira Okafor changed which alerts they get."],
  [
    "user.alert_emails_stopped",
    { reason: "bounced" },
    "Alert emails to Mira Okafor were stopped: an email could not be delivered.",
  ],
  ["user.alert_emails_resumed", null, "Mira Okafor turned alert emails on again."],
  ["user.phone_code_sent", null, "Mira Okafor asked for a code to confirm a mobile number."],
  ["user.phone_confirmed", null, "Mira Okafor confirmed a mobile number for text messages."],
  ["user.phone_removed", null, "Mira Okafor removed the mobile number for text messages."],
  [
    "api_token.created",
    { name: "Ledger", scopes: ["payees:read", "audit:read"], lifetimeDays: 90 },
    'Mira Okafor made the API token "Ledger" (see payees; read and export the audit trail), for 90 days.',
  ],
  ["api_token.revoked", { name: "Ledger" }, 'Mira Okafor revoked the API token "Ledger".'],
  [
    "payee.added",
    {
      name: "Acme Timber",
      accountName: "Acme Timber Pty Ltd",
      bsb: "062000",
      accountNumber: "•••••678",
      abn: null,
      email: null,
      phone: null,
      address: null,
    },
    "Mira Okafor added Acme Timber, 062-000 •••••678 in the name of Acme Timber Pty Ltd.",
  ],
  [
    "payee.added",
    {
      name: "Acme Timber",
      accountName: "Acme Timber Pty Ltd",
      bsb: "062000",
      accountNumber: "•••••678",
      importId: "i1",
      file: "vendors.csv",
      line: 12,
    },
    "Mira Okafor added Acme Timber, 062-000 •••••678 in the name of Acme Timber Pty Ltd from line 12 of vendors.csv.",
  ],
  [
    "payee.added_by_payee",
    { name: "Acme Timber", accountName: "Acme Timber Pty Ltd", bsb: "062000", accountNumber: "•••••678" },
    "The payee Acme Timber sent its own details, 062-000 •••••678 in the name of Acme Timber Pty Ltd.",
  ],
  ["bulk_check.started", { payees: 120 }, "Mira Okafor started a bulk check of 120 payees."],
  ["bulk_check.stopped", { asked: 7 }, "Mira Okafor stopped the bulk check of payees after 7 had been asked."],
  ["bulk_check.finished", { asked: 1 }, "The bulk check of payees has asked 1 payee."],
  [
    "bulk_check.failed",
    { problem: "Your subscription has ended." },
    "The bulk check of payees was stopped: your subscription has ended.",
  ],
  [
    "payee_request.sent",
    { name: "Acme Timber", channel: "email", to: "a@acme.example" },
    "Mira Okafor asked Acme Timber for its bank details by email to a@acme.example.",
  ],
  [
    "payee_request.resent",
    { name: "Acme Timber", channel: "sms", to: "+61412345678" },
    "Mira Okafor asked Acme Timber for its bank details again by text message to +61412345678.",
  ],
  [
    "payee_request.cancelled",
    { name: "Acme Timber" },
    "Mira Okafor cancelled the request for the bank details of Acme Timber.",
  ],
  [
    "payee_request.answered_by_payee",
    { name: "Acme Timber", payeeId: "p1", verificationId: "v1" },
    "Acme Timber answered the request for its bank details.",
  ],
  [
    "payee_request.answered_by_payee",
    { name: "Acme Timber", payeeId: "p1", isDuplicate: true },
    "Acme Timber answered the request for its bank details with an account that another payee already has.",
  ],
  [
    "payee.edited",
    {
      changes: [
        { field: "email", from: null, to: "pay@acme.example" },
        { field: "phone", from: "+61293744000", to: "+61293744001" },
      ],
    },
    "Mira Okafor edited Acme Timber: email set to pay@acme.example and phone from (02) 9374 4000 to (02) 9374 4001.",
  ],
  [
    "payee.bank_details_changed",
    {
      changes: [
        { field: "accountName", from: "Acme", to: "Acme Pty Ltd" },
        { field: "bsb", from: "062000", to: "082001" },
        { field: "accountNumber", from: "•••••678", to: "•••••999" },
      ],
    },
    "Mira Okafor changed the bank details of Acme Timber from 062-000 •••••678 to 082-001 •••••999 and account name from Acme to Acme Pty Ltd.",
  ],
  [
    "payee.bank_details_changed",
    { changes: [{ field: "accountNumber", from: "•••••678", to: "•••••999" }] },
    "Mira Okafor changed the bank details of Acme Timber: account number from •••••678 to •••••999.",
  ],
  [
    "payee.contact_told",
    { changed: "bank_details", to: ["accounts@acme.example"], channel: "email" },
    "PayeeProof told accounts@acme.example about the changed bank details of Acme Timber.",
  ],
  [
    "payee.contact_not_told",
    { changed: "bank_details", to: ["accounts@acme.example", "+61412345678"], reason: "sender_limit", isFinal: false },
    "PayeeProof has NOT yet told accounts@acme.example and 0412 345 678 about the changed bank details of Acme Timber: the organisation has sent as many notices of changes as it can in 24 hours.",
  ],
  [
    "payee.contact_not_told",
    { changed: "contact", to: ["accounts@acme.example"], reason: "bounced", isFinal: true },
    "PayeeProof did NOT tell accounts@acme.example about the changed contact details of Acme Timber: the mailbox did not accept the email.",
  ],
  [
    "payee.bank_details_changed",
    { changes: [{ field: "bsb", from: "062000", to: "082001" }], cameFrom: "xero", editedBy: "Jo Nguyen" },
    "Mira Okafor changed the bank details of Acme Timber: BSB from 062-000 to 082-001, as they stand in Xero.",
  ],
  [
    "payee.renamed",
    { changes: [{ field: "name", from: "B Miller", to: "Borealis Mining" }] },
    "Mira Okafor renamed Acme Timber: payee name from B Miller to Borealis Mining.",
  ],
  [
    "payee.confirmed_again",
    { outcome: "match", reasonCode: null, lookUpId: "l1" },
    "The bank was asked about Acme Timber again, and confirms the details.",
  ],
  [
    "payee.confirmed_again",
    { outcome: "unable", reasonCode: "bank_unable_now", lookUpId: "l1" },
    "The bank was asked about Acme Timber again, and could not answer.",
  ],
  [
    "payee.confirmed_again",
    { outcome: "close_match", reasonCode: null, lookUpId: "l1", purpose: "PYMT", answeredBy: "Azupay" },
    "The bank was asked about Acme Timber again: the names are close.",
  ],
  [
    "organization.bank_asked",
    {
      accountName: "Kestrel Freight",
      outcome: "no_match",
      reasonCode: "account_not_found",
      purpose: "PYMT",
      lookUpId: "l1",
    },
    "A bank was asked about an account in the name of Kestrel Freight, which belongs to no payee: no account found.",
  ],
  [
    "payee.whitelisted",
    { verificationId: "v1", whitelistGlobal: true },
    "Mira Okafor put Acme Timber on the whitelist and vouched for the account to other organisations.",
  ],
  [
    "payee.whitelisted",
    { reason: "Long-standing supplier", selfApproval: true },
    "Mira Okafor put Acme Timber on the whitelist (their own work): Long-standing supplier.",
  ],
  [
    "payee.promoted",
    { reason: "3 successful payments", paymentIds: ["1", "2", "3"] },
    "PayeeProof put Acme Timber on the whitelist after 3 successful payments.",
  ],
  [
    "payee.unwhitelisted",
    { reason: "Bank details changed", whitelistGlobal: false },
    "Mira Okafor took Acme Timber off the whitelist: Bank details changed.",
  ],
  [
    "payee.way_to_pay_forgotten",
    { kind: "PayID", value: "•••••••236" },
    "Mira Okafor removed what was known of Acme Timber: PayID •••••••236.",
  ],
  [
    "payee.details_restored",
    { changes: [{ field: "bsb", from: "082001", to: "062000" }], whitelistGlobal: false },
    "Mira Okafor restored the former bank details of Acme Timber: BSB from 082-001 to 062-000.",
  ],
  [
    "payee.details_restored",
    { changes: [{ field: "bsb", from: "082001", to: "062000" }], isTrusted: true, selfApproval: true },
    "Mira Okafor restored the former bank details of Acme Timber: BSB from 082-001 to 062-000, which trusts it again (their own work).",
  ],
  [
    "payee.details_restored",
    { changes: [{ field: "name", from: "Borealis Mining", to: "B Miller" }], isTrusted: false, selfApproval: false },
    "Mira Okafor restored the former bank details of Acme Timber: payee name from Borealis Mining to B Miller, without trusting it.",
  ],
  [
    "payee.unwhitelisted",
    { reason: "Never heard of them", whitelistGlobal: false, wasOff: true },
    "Mira Okafor decided that Acme Timber, which was already off the whitelist, is not trusted with its former details either: Never heard of them.",
  ],
  [
    "payee.accounting_differs",
    { system: "xero", editedBy: "Sam Lee", changes: [{ field: "bsb", from: "082001", to: "062000" }] },
    "Xero has different bank details for Acme Timber, last edited there by Sam Lee: BSB from 082-001 to 062-000.",
  ],
  ["payee.accounting_agrees", { system: "xero" }, "Xero has the bank details of Acme Timber again."],
  [
    "payee.accounting_kept",
    { system: "xero", reason: "Called them" },
    "Mira Okafor kept the bank details of Acme Timber, not those of Xero: Called them.",
  ],
  ["payee.archived", null, "Mira Okafor archived Acme Timber."],
  ["payee.restored", null, "Mira Okafor restored Acme Timber from the archive."],
  ["payee.details_revealed", null, "Mira Okafor looked at the full bank details of Acme Timber."],
  [
    "payee.filled",
    { changes: [{ field: "abn", from: null, to: "51824753556" }], importId: "i1", file: "vendors.csv", line: 3 },
    "Mira Okafor filled in Acme Timber from line 3 of vendors.csv: ABN set to 51 824 753 556.",
  ],
  ["payee.remittance_sent", { payments: 2 }, "PayeeProof told Acme Timber about 2 payments by email."],
  ["payee.remittance_not_sent", { payments: 1 }, "PayeeProof did not tell Acme Timber about 1 payment by email."],
  [
    "payee.concern_found",
    { subject: "acme.example", concern: "domain_new", since: 1 },
    "PayeeProof found that the email domain acme.example of Acme Timber is newly registered.",
  ],
  [
    "payee.concern_found",
    { subject: "51824753556", concern: "abn_cancelled", since: null },
    "PayeeProof found that the ABN of Acme Timber is cancelled.",
  ],
  [
    "payee.bsbs_ended",
    { payees: 2, fileName: "november.csv" },
    "BSBs of 2 payees were closed or merged in a new BSB directory.",
  ],
  [
    "bsb_directory.uploaded",
    { fileName: "november.csv", rowCount: 15_000 },
    "Mira Okafor uploaded the BSB directory november.csv: 15,000 rows.",
  ],
  [
    "bsb_directory.loaded",
    { fileName: "november.csv", rowCount: 1 },
    "Mira Okafor started to use the BSB directory november.csv: 1 row.",
  ],
  ["payee_health.started", null, "Mira Okafor started to check the list of payees."],
  [
    "payee_health.finished",
    { runId: "r", payeeCount: 1204, pointsSum: 5 },
    "The check of the list of payees ended: 1,204 payees looked at.",
  ],
  [
    "import.uploaded",
    { name: "vendors.csv", kind: "xero", sha256: "x", rowCount: 1204 },
    "Mira Okafor uploaded vendors.csv from Xero: 1,204 rows.",
  ],
  ["import.started", { name: "vendors.csv" }, "Mira Okafor started the import of vendors.csv."],
  ["import.paused", { name: "vendors.csv" }, "Mira Okafor paused the import of vendors.csv."],
  ["import.resumed", { name: "vendors.csv" }, "Mira Okafor continued the import of vendors.csv."],
  ["import.stopped", { name: "vendors.csv" }, "Mira Okafor stopped the import of vendors.csv."],
  [
    "import.finished",
    { name: "vendors.csv", rowCount: 16, addedCount: 12, filledCount: 0, differsCount: 3, refusedCount: 1 },
    "The import of vendors.csv ended: 16 rows, 12 added, 3 with differences and 1 refused.",
  ],
  ["import.failed", { name: "vendors.csv" }, "The import of vendors.csv was stopped after several failures."],
  [
    "verification.opened",
    { payeeId: "p1", cause: "details_edited" },
    "Mira Okafor opened a verification of Acme Timber because the bank details were changed.",
  ],
  [
    "verification.superseded",
    { payeeId: "p1", reasonCode: "details_edited" },
    "The verification of Acme Timber was closed because the bank details were changed.",
  ],
  [
    "verification.link_sent",
    { channel: "email", to: "a•••@acme.example" },
    "Mira Okafor sent Acme Timber a verification link by email to a•••@acme.example.",
  ],
  ["verification.link_kept", null, "The link that Acme Timber was sent leads to their bank."],
  [
    "verification.assigned",
    { people: ["u1"], name: "Ana Silva" },
    "Mira Okafor assigned the verification of Acme Timber to Ana Silva.",
  ],
  ["verification.unassigned", null, "Mira Okafor removed the assignment from the verification of Acme Timber."],
  [
    "verification.commented",
    { text: "Called twice, no answer", people: [] },
    "Mira Okafor commented on the verification of Acme Timber: Called twice, no answer.",
  ],
  ["verification.bank_check_started", null, "Mira Okafor started the bank check of Acme Timber."],
  [
    "verification.bank_check_finished",
    { outcome: "close_match", reasonCode: null, score: 84, explanation: "x" },
    "The bank check of Acme Timber ended: the names are close, score 84.",
  ],
  [
    "verification.checked_at_once",
    { source: "cop", outcome: "close_match", reasonCode: null, score: 84, lookUpId: "x", explanation: "x" },
    "Mira Okafor asked the bank of Acme Timber by Confirmation of Payee: the names are close, score 84.",
  ],
  [
    "verification.checked_at_once",
    {
      source: "cop",
      outcome: "match",
      reasonCode: "name_confirmed",
      score: null,
      answeredBy: "Azupay",
      answeredFrom: "account",
    },
    "Mira Okafor asked the bank of Acme Timber by Confirmation of Payee through Azupay, using the bank's answer from the last 24 hours: name confirmed by the bank.",
  ],
  [
    "verification.provider_data_deleted",
    null,
    "PayeeProof had the data of Acme Timber deleted at the bank data provider.",
  ],
  [
    "verification.consent_ended",
    { eventType: "consent.revoked" },
    "The consent of Acme Timber at the bank ended: the payee withdrew it.",
  ],
  ["verification.payee_sent_to_bank", null, "The payee Acme Timber continued to their bank."],
  ["verification.confirmed_by_payee", null, "The payee Acme Timber confirmed the details."],
  [
    "verification.disputed_by_payee",
    { note: "We never changed banks" },
    "The payee Acme Timber said that these are not their details: We never changed banks.",
  ],
  [
    "verification.call_recorded",
    {
      callId: "c1",
      payeeId: "p1",
      number: "+61293744000",
      source: "on_file",
      spokeTo: "Ana Silva",
      outcome: "confirmed",
      note: "Read the number back",
      noProof: null,
    },
    "Mira Okafor called Acme Timber: (02) 9374 4000 (on file before the change), spoke to Ana Silva, the details were confirmed: Read the number back.",
  ],
  [
    "verification.call_recorded",
    {
      callId: "c1",
      payeeId: "p1",
      number: "+61293744000",
      source: "on_file",
      spokeTo: null,
      outcome: "no_answer",
      note: null,
      noProof: "recently_changed",
    },
    "Mira Okafor called Acme Timber: (02) 9374 4000 (on file before the change), no answer, no proof, because the number was changed lately.",
  ],
  [
    "verification.approved",
    {
      outcome: "close_match",
      score: 84,
      addToGlobalWhitelist: true,
      selfApproval: false,
      reason: "Trading name",
      flags: ["name_close", "changed_details"],
      calledBack: true,
      withoutCheck: false,
    },
    "Mira Okafor approved the verification of Acme Timber (the names are close, score 84), after a call-back, vouched for it to other organisations, although the name at the bank is close, not the same and the bank details were changed: Trading name.",
  ],
  [
    "verification.approved",
    {
      ...{ outcome: null, addToGlobalWhitelist: false, selfApproval: true, reason: "Trading name" },
      ...{ flags: ["changed_details", "unchecked"], calledBack: false, withoutCheck: true },
      ...{ grade: "person", gradeText: "Approved by a person, no bank was asked" },
    },
    "Mira Okafor approved the verification of Acme Timber (approved by a person, no bank was asked), their own work, although the bank details were changed: Trading name.",
  ],
  [
    "verification.approved",
    {
      ...{ outcome: "no_match", addToGlobalWhitelist: false, reason: null, flags: ["disputed", "name_mismatch"] },
      ...{ calledBack: true, grade: "call_back", gradeText: "Called back, the bank did not confirm the name" },
    },
    "Mira Okafor approved the verification of Acme Timber (called back, the bank did not confirm the name), although the payee said that these are not their details.",
  ],
  [
    "verification.approved",
    {
      ...{ reason: "Exact match by Confirmation of Payee", by: "policy", calledBack: true },
      ...{ grade: "bank_instant", gradeText: "Confirmed by the bank, by Confirmation of Payee" },
    },
    "Mira Okafor approved the verification of Acme Timber (confirmed by the bank, by Confirmation of Payee), after a call-back: Exact match by Confirmation of Payee.",
  ],
  [
    "verification.approved",
    { payeeId: "p1", reason: "3 other organisations trust this account under the same name" },
    "Mira Okafor approved the verification of Acme Timber: 3 other organisations trust this account under the same name.",
  ],
  [
    "verification.rejected",
    { outcome: "no_match", score: 12, reason: "Manual rejection" },
    "Mira Okafor rejected the verification of Acme Timber (the names do not match, score 12): Manual rejection.",
  ],
  [
    "verification.certificate_issued",
    { hash: "0123456789abcdef0123" },
    "Mira Okafor issued the certificate of the verification of Acme Timber, hash 0123456789ab.",
  ],
  ["verification.failed", { reasonCode: "account_closed" }, "The verification of Acme Timber failed: account closed."],
  [
    "payment.recorded",
    {
      payeeId: "p1",
      amount: 123450,
      reference: "INV 7",
      accountName: "Acme Timber Pty Ltd",
      bsb: "062000",
      accountNumber: "•••••678",
      decision: "held",
      reasons: [
        { rule: "details_changed", level: "hold" },
        { rule: "first_payment_limit", level: "hold" },
        { rule: "outside_hours", level: "warn" },
      ],
    },
    'Mira Okafor recorded the payment of $1,234.50 to Acme Timber, account 062-000 •••••678 in the name of Acme Timber Pty Ltd, reference INV 7, held by "Bank details or name changed since the last decision" and "A first payment above the limit", warned by "Entered outside your working hours".',
  ],
  [
    "payment.approved",
    { from: "held", to: "authorised", reason: "Invoice seen", selfApproval: true, rules: ["details_changed"] },
    'Mira Okafor approved the payment of $1,234.50 to Acme Timber (their own work), held by "Bank details or name changed since the last decision": Invoice seen.',
  ],
  [
    "payment.recorded",
    {
      decision: "authorised",
      reasons: [],
      firstFromAccounting: { system: "xero", editedBy: null, isEditorKnown: false },
    },
    "Mira Okafor recorded the payment of $1,234.50 to Acme Timber, the first to an account that came from Xero.",
  ],
  [
    "payment.approved",
    { rules: ["one_person"], firstFromAccounting: { system: "myob", editedBy: null, isEditorKnown: false } },
    'Mira Okafor approved the payment of $1,234.50 to Acme Timber, the first to an account that came from MYOB, held by "One person alone approves and pays an account from the accounting system".',
  ],
  [
    "payment.rejected",
    { from: "held", to: "rejected", reason: "Fraud" },
    "Mira Okafor rejected the payment of $1,234.50 to Acme Timber: Fraud.",
  ],
  [
    "payment.verification_requested",
    { from: "held", to: "verification_requested", reason: null, verificationId: "v1" },
    "Mira Okafor asked for more verification before the payment of $1,234.50 to Acme Timber is paid.",
  ],
  [
    "payment.returned_to_held",
    { reason: "details_changed_since", cause: "bank_details_changed" },
    "The payment of $1,234.50 to Acme Timber is held again: the bank details of the payee were changed.",
  ],
  [
    "payment.returned_to_held",
    { verificationId: "v1" },
    "The payment of $1,234.50 to Acme Timber is held again: the verification asked for has ended.",
  ],
  [
    "payment.succeeded",
    { from: "authorised", to: "successful", reason: null, processedAt: 1 },
    "Mira Okafor marked the payment of $1,234.50 to Acme Timber successful.",
  ],
  [
    "payment.succeeded",
    { from: "authorised", to: "successful", processedAt: 1, system: "xero", accountingPaymentId: "p" },
    "Mira Okafor marked the payment of $1,234.50 to Acme Timber successful: Xero has reconciled it.",
  ],
  [
    "payment.accounting_deleted",
    { system: "xero", amount: 123_450, billNumber: "INV-1" },
    "Xero has deleted the payment by which the payment of $1,234.50 to Acme Timber was marked successful.",
  ],
  [
    "payment.failed",
    { from: "authorised", to: "failed", reason: "Account closed", processedAt: 1 },
    "Mira Okafor marked the payment of $1,234.50 to Acme Timber failed: Account closed.",
  ],
  [
    "invoice.received",
    { name: "csr-4471.pdf", sha256: "x", source: "upload" },
    "Mira Okafor uploaded the invoice CSR-4471 of Coral Sea Refrigeration.",
  ],
  [
    "invoice.received",
    { name: "Email.eml", sha256: "x", source: "email", from: "accounts@coralsea.example" },
    "The invoice CSR-4471 of Coral Sea Refrigeration arrived by email, sent in the name of accounts@coralsea.example.",
  ],
  [
    "invoice.received",
    { name: "Email.eml", sha256: "x", source: "email", from: null },
    "The invoice CSR-4471 of Coral Sea Refrigeration arrived by email.",
  ],
  ["invoice.mail_switched_on", {}, "Mira Okafor switched on receiving invoices by email."],
  [
    "invoice.mail_replaced",
    {},
    "Mira Okafor replaced the email address for invoices; the former one receives nothing.",
  ],
  ["invoice.mail_switched_off", {}, "Mira Okafor switched off receiving invoices by email."],
  [
    "invoice.mail_senders_changed",
    { addresses: ["books@bookkeeper.example"] },
    "Mira Okafor changed which addresses, besides your people's, get answers about invoices: books@bookkeeper.example.",
  ],
  [
    "invoice.mail_senders_changed",
    { addresses: [] },
    "Mira Okafor changed which addresses, besides your people's, get answers about invoices: none.",
  ],
  [
    "invoice.read",
    { verdict: "other_account", payeeId: "p1", totalCents: 1_859_000, findings: [], stops: 1 },
    "The invoice CSR-4471 of Coral Sea Refrigeration was read, $18,590.00: it asks for a different account from the payee's. It is stopped.",
  ],
  [
    "invoice.accepted",
    { reason: "Called Kirra", verdict: "other_account", stops: 1, totalCents: null, selfApproval: true },
    "Mira Okafor accepted the invoice CSR-4471 of Coral Sea Refrigeration (their own work): Called Kirra.",
  ],
  [
    "invoice.rejected",
    { reason: null, verdict: "other_account", stops: 1, totalCents: 1_859_000 },
    "Mira Okafor stopped the invoice CSR-4471 of Coral Sea Refrigeration, $18,590.00.",
  ],
  [
    "invoice.payee_added",
    { payeeId: "p2", verificationId: "v2" },
    "Mira Okafor opened a verification of the bank details on the invoice CSR-4471 of Coral Sea Refrigeration.",
  ],
  ["invoice.downloaded", { sha256: "x" }, "Mira Okafor downloaded the invoice CSR-4471 of Coral Sea Refrigeration."],
  ["invoice.deleted", { name: "csr-4471.pdf", sha256: "x" }, "Mira Okafor deleted the invoice csr-4471.pdf."],
  [
    "invoice.bytes_removed",
    { invoices: ["i1", "i2"], keptMonths: 18 },
    "2 documents of invoices were removed: they are kept for 18 months.",
  ],
  [
    "invoice.settings_changed",
    { keptMonths: 24 },
    "Mira Okafor changed how long documents of invoices are kept: 24 months.",
  ],
  [
    "payment_file.uploaded",
    { name: "october.aba", format: "aba", sha256: "x", lineCount: 204, totalCents: 1234567 },
    "Mira Okafor uploaded october.aba, an ABA file of 204 lines, $12,345.67.",
  ],
  ["payment_file.checked", { lineCount: 204 }, "Every line of october.aba was checked: 204 lines."],
  ["payment_file.check_failed", null, "The file october.aba could not be checked."],
  [
    "payment_file.lines_approved",
    { rule: "first_payment_limit", lines: [3, 7], count: 2, cents: 500000, reason: "Known suppliers" },
    'Mira Okafor approved held lines of october.aba: 2 lines (3 and 7) of $5,000.00, held by "A first payment above the limit": Known suppliers.',
  ],
  [
    "payment_file.lines_rejected",
    { lines: [4], count: 1, cents: 9900, reason: null },
    "Mira Okafor rejected lines of october.aba: 1 line (4) of $99.00.",
  ],
  [
    "payment_file.lines_held_again",
    { lines: [{ line: 4, message: "x" }], count: 1 },
    "Lines of october.aba are held again: 1 line (4).",
  ],
  [
    "payment_file.lines_judged_again",
    { lines: [{ line: 4, message: "x" }], count: 1 },
    "There is new information about held lines of october.aba: 1 line (4).",
  ],
  [
    "payment_file.cleared",
    { clearingId: "c", sha256: "x", lineCount: 203, totalCents: 1234467 },
    "Mira Okafor cleared october.aba for the bank: 203 lines, $12,344.67.",
  ],
  [
    "payment_file.downloaded",
    { clearingId: "c", sha256: "x" },
    "Mira Okafor downloaded the cleared file of october.aba.",
  ],
  ["payment_file.original_downloaded", { sha256: "x" }, "Mira Okafor downloaded october.aba as it was uploaded."],
  [
    "payment_file.outcomes_recorded",
    { successful: 200, failed: 3, processedAt: 1 },
    "Mira Okafor recorded what the bank did with october.aba: 200 paid, 3 failed.",
  ],
  ["payment_file.abandoned", null, "Mira Okafor abandoned october.aba."],
  [
    "payment_file.settings_changed",
    {
      payer: {
        bank: "CBA",
        userName: "Harbour",
        userId: "301500",
        bsb: "062000",
        accountNumber: "•••••111",
        remitter: "Harbour",
      },
    },
    "Mira Okafor changed the settings for payment files: Harbour, 062-000 •••••111, pays.",
  ],
  [
    "payment_file.settings_changed",
    { sendsRemittances: true },
    "Mira Okafor changed the settings for payment files: remittance emails to payees are on.",
  ],
  [
    "payment_file.settings_changed",
    {
      memberLimitCents: 500000,
      adminLimitCents: null,
      workingHours: { opensAtMinute: 480, closesAtMinute: 1080, worksWeekends: false },
    },
    "Mira Okafor changed the settings for payment files: members approve $5,000.00, administrators any amount, working hours 08:00 to 18:00, Monday to Friday.",
  ],
  [
    "subscription.payment_started",
    { kind: "checkout" },
    "Mira Okafor continued to the payment page of the subscription on the card provider's page.",
  ],
  ["subscription.status_changed", { from: null, to: "active" }, "The subscription changed from none to Active."],
  [
    "subscription.cancelled",
    { subscriptionId: "s", how: "at_period_end" },
    "Mira Okafor cancelled the subscription for the end of the paid period.",
  ],
  ["subscription.resumed", { subscriptionId: "s" }, "Mira Okafor resumed the subscription."],
  ["subscription.portal_opened", { goTo: "card" }, "Mira Okafor opened the card provider's portal to change the card."],
  ["report.month_ended", { month: "October 2026", verified: 3 }, "The summary of October 2026 is ready."],
  ["audit.seal_kept", { count: 41, hash: "ab" }, "The seal of entry 41 was kept for administrators."],
  ["audit.seal_failed", { brokenAt: 7 }, "Entry 7 of the audit trail is not what was sealed."],
  ["audit.seal_failed", { brokenAt: 7, kept: true }, "The seal kept for entry 7 is missing from the audit trail."],
  [
    "restore.released",
    { from: "1 Nov 2026, 9:00 am", until: "1 Nov 2026, 10:00 am" },
    "Mira Okafor released the hold on PayeeProof after its database was restored.",
  ],
  [
    "records.restored",
    { restoreId: "r1", from: "1 Nov 2026, 9:00 am", until: "1 Nov 2026, 10:00 am", kept: 7, lost: 2 },
    "PayeeProof restored its database: what was done from 1 Nov 2026, 9:00 am to 1 Nov 2026, 10:00 am is lost.",
  ],
  [
    "organization.contact_link_sent",
    { email: "office@harbour.example" },
    "Mira Okafor sent a link to confirm the contact email to office@harbour.example.",
  ],
  [
    "organization.contact_confirmed",
    { from: null, to: "office@harbour.example" },
    "The person who reads office@harbour.example confirmed that this address gets the organisation's alerts.",
  ],
  [
    "organization.contact_confirmed",
    { from: "old@harbour.example", to: "office@harbour.example" },
    "The person who reads office@harbour.example confirmed that this address gets the organisation's alerts, instead of old@harbour.example.",
  ],
  ["contact.received", null, "A message from the contact form arrived."],
  [
    "message.reported",
    { kind: "payee_link", messageId: "x" },
    "A person outside the organisation reported a verification link to a payee.",
  ],
  [
    "message.withheld",
    { kind: "change_notice", channel: "email", reason: "sender_unconfirmed" },
    "PayeeProof did not send a change notice to a payee by email: no administrator has confirmed their email address.",
  ],
  ["integration.connected", { system: "xero", ledger: null }, "Mira Okafor connected Xero."],
  ["integration.connected", { system: "xero", ledger: "Harbour" }, "Mira Okafor connected Xero, Harbour."],
  ["integration.ledger_chosen", { system: "xero", ledger: "Harbour" }, "Mira Okafor chose Harbour in Xero."],
  ["integration.sync_requested", { system: "xero", all: false }, "Mira Okafor asked for changed suppliers of Xero."],
  ["integration.sync_requested", { system: "xero", all: true }, "Mira Okafor asked for all suppliers of Xero."],
  [
    "integration.synced",
    { system: "xero", read: 40, added: 3, filled: 0, changed: 1 },
    "PayeeProof read 40 suppliers from Xero: 3 added and 1 with different bank details.",
  ],
  ["integration.synced", { system: "xero", read: 1 }, "PayeeProof read 1 supplier from Xero."],
  [
    "integration.broken",
    { system: "xero", reason: "ledger_removed", problem: "PayeeProof was disconnected in Xero." },
    "PayeeProof lost its connection to Xero: PayeeProof was disconnected in Xero.",
  ],
  ["integration.disconnected", { system: "xero", isRevoked: true }, "Mira Okafor disconnected Xero."],
  ["integration.notes_stopped", { system: "xero" }, "Mira Okafor stopped notes in Xero about verified payees."],
  [
    "integration.connected",
    { system: "xero", ledger: "Harbour", writesNotes: true },
    "Mira Okafor connected Xero, Harbour, and allowed notes about verified payees.",
  ],
  [
    "integration.disconnected",
    { system: "xero", isRevoked: false },
    "Mira Okafor disconnected Xero; its access there was not ended.",
  ],
  [
    "webhook.created",
    { url: "https://hooks.harbour.example/payeeproof", events: ["payee.added"] },
    "Mira Okafor added the webhook endpoint https://hooks.harbour.example/payeeproof.",
  ],
  [
    "webhook.changed",
    { url: "https://hooks.harbour.example/payeeproof", status: { from: "active", to: "paused" } },
    "Mira Okafor changed the webhook endpoint https://hooks.harbour.example/payeeproof: it is paused.",
  ],
  [
    "webhook.changed",
    { url: "https://hooks.harbour.example/payeeproof", events: ["payee.added", "payment.failed"] },
    "Mira Okafor changed the webhook endpoint https://hooks.harbour.example/payeeproof: it receives 2 events.",
  ],
  [
    "webhook.secret_renewed",
    { url: "https://hooks.harbour.example/payeeproof" },
    "Mira Okafor made a new secret for the webhook endpoint https://hooks.harbour.example/payeeproof.",
  ],
  [
    "webhook.former_secret_ended",
    { url: "https://hooks.harbour.example/payeeproof" },
    "Mira Okafor ended the former secret of the webhook endpoint https://hooks.harbour.example/payeeproof.",
  ],
  [
    "webhook.tested",
    { url: "https://hooks.harbour.example/payeeproof" },
    "Mira Okafor sent a test event to the webhook endpoint https://hooks.harbour.example/payeeproof.",
  ],
  [
    "webhook.resent",
    { url: "https://hooks.harbour.example/payeeproof", event: "payee.added" },
    "Mira Okafor sent the event payee.added to the webhook endpoint https://hooks.harbour.example/payeeproof again.",
  ],
  [
    "webhook.removed",
    { url: "https://hooks.harbour.example/payeeproof" },
    "Mira Okafor removed the webhook endpoint https://hooks.harbour.example/payeeproof.",
  ],
  [
    "webhook.disabled",
    { url: "https://hooks.harbour.example/payeeproof" },
    "PayeeProof switched the webhook endpoint https://hooks.harbour.example/payeeproof off after three days of failures.",
  ],
  ["job.dead_lettered", { kind: "email" }, "An email could not be delivered."],
  [
    "message.not_delivered",
    { kind: "sms", code: "30003" },
    "A text message did not arrive: the provider's code is 30003.",
  ],
  [
    "message.address_allowed",
    { email: "accounts@wattle.example" },
    "Mira Okafor allowed emails to accounts@wattle.example again.",
  ],
  [
    "message.address_stopped",
    { cause: "bounced", email: "accounts@wattle.example" },
    "PayeeProof sends no more emails to accounts@wattle.example: the mailbox does not accept them.",
  ],
  [
    "job.given_up",
    { kind: "email", reason: "address_stopped" },
    "An email was not sent: no more emails go to its address.",
  ],
  ["job.given_up", { kind: "bank_check" }, "A bank check failed after several attempts."],
  ["job.run_again", { kind: "email" }, "An email had failed, and was run again by PayeeProof's staff."],
  ["platform.notice_set", { text: "Banks answer late" }, "Mira Okafor put a notice on every page: Banks answer late."],
  ["platform.notice_removed", { text: "Banks answer late" }, "Mira Okafor took the notice off every page."],
];

test.each(CASES)("%s %j", (action, details, sentence) => {
  expect(say(action, details)).toBe(sentence);
});

test("the table has every action", () => {
  const missing = Object.keys(AUDIT_ACTIONS).filter((action) => !CASES.some(([named]) => named === action));
  expect(missing).toEqual([]);
});

/** The levels of rules are stored under the rules' names. */
const POLICY_KEYS = Object.keys(DEFAULT_POLICY).filter((key) => key !== "ruleLevels");

/** Every code that a command stores in the details, with the action that contains it. */
const CODES: readonly [AuditAction, readonly string[], (code: string) => Details][] = [
  ["user.registered", USER_ROLES, (role) => ({ role, status: "active" })],
  ["user.registered", USER_STATUSES, (status) => ({ role: "member", status })],
  ["session.refused", ["code", "passkey", "passkey_counter"], (step) => ({ step })],
  [
    "approval.signed",
    ["approve_payment", "approve_lines", "clear_file", "change_policies", "confirm_policy"],
    (decision) => ({ decision }),
  ],
  ["approval.refused", ["not_shown", "passkey", "passkey_counter"], (why) => ({ why })],
  ["session.refused", ["code", "passkey", "passkey_counter", "provider"], (step) => ({ step })],
  ["member.invited", ORGANIZATION_ROLES, (role) => ({ email: "jo@alpha.example", role })],
  ["member.role_changed", ORGANIZATION_ROLES, (to) => ({ person: "Jo", role: { from: "read_only", to } })],
  ["organization.selected", USER_STATUSES, (status) => ({ role: "member", status })],
  ["user.email_confirmed", ["session", "password", "new_password"], (provedBy) => ({ provedBy })],
  ["user.email_change_confirmed", ["old", "new"], (mailbox) => ({ mailbox })],
  ["user.email_change_stopped", ["old", "new"], (mailbox) => ({ mailbox })],
  ["user.alert_emails_stopped", ["unsubscribed", "bounced", "complained"], (reason) => ({ reason })],
  ["organization.details_changed", DETAIL_FIELDS, (field) => ({ [field]: { from: null, to: "new" } })],
  ["organization.policy_changed", POLICY_KEYS, (key) => ({ [key]: { from: 1, to: 2 } })],
  ["organization.policy_changed", RULES.map(({ id }) => id), (id) => ({ [id]: { from: "hold", to: "default" } })],
  [
    "organization.policy_changed",
    ["flagged", "always_reason", "check_or_call_back"],
    (to) => ({ approvalEvidence: { from: "flagged", to } }),
  ],
  ["subscription.payment_started", BILLING_ATTEMPT_KINDS, (kind) => ({ kind })],
  ["subscription.status_changed", SUBSCRIPTION_STATUSES, (to) => ({ from: null, to })],
  ["subscription.cancelled", ["now", "at_period_end"], (how) => ({ how })],
  ["subscription.portal_opened", ["home", "card"], (goTo) => ({ goTo })],
  ["message.reported", OUTSIDE_MESSAGE_KINDS, (kind) => ({ kind })],
  [
    "message.withheld",
    ["sender_unconfirmed", "sender_limit", "recipient_limit"],
    (reason) => ({ kind: "payee_link", channel: "sms", reason }),
  ],
  [
    "payee.contact_not_told",
    [...NOTICE_DELAYS, ...NOTICE_FAILURES],
    (reason) => ({ changed: "bank_details", to: ["accounts@acme.example"], reason, isFinal: true }),
  ],
  ["payee.contact_told", NOTICE_SUBJECTS, (changed) => ({ changed, to: ["accounts@acme.example"] })],
  ["message.address_stopped", STOP_CAUSES, (cause) => ({ cause, email: "accounts@wattle.example" })],
  ["job.given_up", Object.keys(JOB_KINDS), (kind) => ({ kind })],
  ["job.dead_lettered", Object.keys(JOB_KINDS), (kind) => ({ kind })],
  ["job.run_again", Object.keys(JOB_KINDS), (kind) => ({ kind })],
  ["payee.edited", PAYEE_FIELDS, (field) => ({ changes: [bank(field, "a", "b")] })],
  ["payee.edited", PAYEE_FIELDS, (field) => ({ changes: [bank(field, "a", null)] })],
  ["import.uploaded", TABLE_KINDS, (kind) => ({ name: "x.csv", kind, rowCount: 1 })],
  [
    "verification.opened",
    ["payee_added", "details_edited", "payee_renamed", "details_restored", "requested"],
    (cause) => ({ cause }),
  ],
  ["verification.superseded", ["details_edited", "payee_renamed", "payee_archived"], (reasonCode) => ({ reasonCode })],
  ["verification.bank_check_finished", CHECK_OUTCOMES, (outcome) => ({ outcome, reasonCode: null, score: null })],
  ["verification.bank_check_finished", Object.keys(REASONS), (reasonCode) => ({ outcome: "unable", reasonCode })],
  ["verification.failed", Object.keys(REASONS), (reasonCode) => ({ reasonCode })],
  ["verification.consent_ended", ["consent.revoked", "consent.expired"], (eventType) => ({ eventType })],
  ["verification.call_recorded", CALL_SOURCES, (source) => ({ number: "+61293744000", source, outcome: "confirmed" })],
  ["verification.call_recorded", CALL_OUTCOMES, (outcome) => ({ number: "+61293744000", source: "other", outcome })],
  [
    "verification.call_recorded",
    NO_PROOF_REASONS,
    (noProof) => ({ number: "+61293744000", source: "on_file", outcome: "confirmed", noProof }),
  ],
  ["verification.approved", REVIEW_FLAGS, (flag) => ({ flags: [flag] })],
  ["payment.recorded", RULES.map(({ id }) => id), (rule) => ({ reasons: [{ rule, level: "hold" }] })],
  ["payment.approved", RULES.map(({ id }) => id), (rule) => ({ rules: [rule] })],
  [
    "payment.returned_to_held",
    ["bank_details_changed", "payee_renamed", "payee_disputed", "verification_rejected", "taken_off_whitelist"],
    (cause) => ({ reason: "details_changed_since", cause }),
  ],
  ["invoice.read", INVOICE_VERDICTS, (verdict) => ({ verdict, totalCents: null, stops: 0 })],
  ["payment_file.uploaded", FILE_FORMATS, (format) => ({ format, lineCount: 2, totalCents: 100 })],
  ["payment_file.lines_rejected", RULES.map(({ id }) => id), (rule) => ({ rule, lines: [1], count: 1, cents: 5 })],
];

const RAW_CODE = /[a-z]_[a-z]|[a-z]\.[a-z]+_|\b[a-z]+[A-Z][a-z]+\b|undefined|null|NaN|\[object/;

test.each(CODES)("every code of %s (%j) is said in words", (action, codes, detailsOf) => {
  for (const code of codes) {
    const sentence = say(action, detailsOf(code)).replaceAll("PayeeProof", "");
    expect(sentence).not.toMatch(RAW_CODE);
    expect(sentence).toMatch(/^[A-Z].*[.?!]$|^ /);
  }
});

test("an entry of an older version is said as it is stored, without its signs", () => {
  const entry = { action: "payee.moved_away", details: null, userId: "u1", entityType: "payee", entityId: "p1" };
  expect(auditSentence(entry, NAMES)).toBe("Mira Okafor: payee moved away.");
});

test("an account number stays masked, and BSB and number that changed together are said together", () => {
  const changes = [bank("bsb", "062000", "082001"), bank("accountNumber", "•••••678", "•••••999")];
  expect(say("payee.bank_details_changed", { changes })).toBe(
    "Mira Okafor changed the bank details of Acme Timber from 062-000 •••••678 to 082-001 •••••999.",
  );
});

test("what the system did is said of PayeeProof, and of a person who has left of a former member", () => {
  expect(say("payee.whitelisted", { reason: "Approved" }, null)).toBe(
    "PayeeProof put Acme Timber on the whitelist: Approved.",
  );
  expect(say("payee.archived", null, "gone")).toBe("A former member archived Acme Timber.");
});
