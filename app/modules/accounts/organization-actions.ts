import { formatDate } from "~/kernel/dates";
import type { NameDoubt, SingleSignOnMode, SubscriptionStatus, UserRole, UserStatus } from "~/kernel/enums";
import { STATUS_TEXT } from "~/modules/accounts/billing/subscription";
import { DETAIL_LABELS, type DetailField } from "~/modules/accounts/organizations/details";
import { NAME_DOUBT_TEXT } from "~/modules/accounts/organizations/organization";
import {
  type AuditedActions,
  after,
  changeOf,
  counted,
  type Facts,
  joined,
  listOf,
  textOf,
  type Unknown,
  wordsFor,
} from "~/modules/core/audit/details";
import { policyChangesWords } from "~/modules/rules/policy-changes";
import { ROLE_WORDS } from "./people-actions";

/** Changes that weaken an organisation's policies, by field, and when they take effect unless somebody cancels them. */
type Weakening = { changes: Readonly<Record<string, { from: unknown; to: unknown }>>; dueAt: number };

const waitingWords = ({ changes = {} }: Facts<Weakening>["details"]): string =>
  policyChangesWords(changes) || "not recorded which";

function detailWords([field, value]: [string, unknown]): string[] {
  if (field === "logo") return [value === "removed" ? "the logo, which was removed" : "the logo"];
  const change = changeOf(value);
  if (!change || !Object.hasOwn(DETAIL_LABELS, field)) return [];
  const label = DETAIL_LABELS[field as DetailField];
  return [`${label} from ${textOf(change.from) || "none"} to ${textOf(change.to) || "none"}`];
}

const CANCELLED = { now: "at once", at_period_end: "for the end of the paid period" };
const GOALS = { home: "", card: " to change the card" };
const WAYS = { element: "with the card form", checkout: "on the card provider's page" };

const statusWord = (value: unknown): string =>
  value === null || value === undefined ? "none" : wordsFor<SubscriptionStatus>(STATUS_TEXT, value);

/** How a domain is treated after the change. */
function domainWords(details: Unknown<"isPrimary" | "autoApprove">): string {
  if (details.isPrimary === true) return ": it is now the primary domain";
  const change = changeOf(details.autoApprove);
  if (!change) return "";
  return change.to === true ? ": people with it join without approval" : ": people with it wait for approval";
}

type Changed = { from: string | null; to: string };

type SingleSignOnChoice = {
  mode: { from: SingleSignOnMode; to: SingleSignOnMode };
  newcomerRole: { from: UserRole; to: UserRole };
  waysIn: { from: readonly string[]; to: readonly string[] };
};

const MODES: Readonly<Record<SingleSignOnMode, string>> = { off: "off", allowed: "allowed", required: "required" };

const formerWords = (value: unknown): string => {
  const change = changeOf(value);
  return change && change.from !== change.to ? textOf(change.from) : "";
};

/** "required, instead of allowed; newcomers are read-only members; Ada and Bo may sign in without it" */
function signInChoiceWords(details: Facts<SingleSignOnChoice>["details"]): string {
  const mode = changeOf(details.mode);
  const people = listOf(changeOf(details.waysIn)?.to).map(textOf);
  return [
    `${wordsFor(MODES, mode?.to)}${mode && mode.from !== mode.to ? after(", instead of ", wordsFor(MODES, mode.from)) : ""}`,
    after("a person who joins this way is a ", wordsFor(ROLE_WORDS, changeOf(details.newcomerRole)?.to)),
    people.length > 0 ? `${people.join(" and ")} may sign in without it` : "",
  ]
    .filter(Boolean)
    .join("; ");
}

/** The audit actions of the organisation: its details, domains, policies and subscription. */
export const organizationActions = {
  "organization.created": {
    label: "Created the organisation",
    sentence: ({ who, details }: Facts<{ name: string; abn: string | null }>) =>
      `${who} created the organisation${after(" ", textOf(details.name))}`,
  },
  "organization.selected": {
    label: "Joined the organisation",
    sentence: ({ who, details }: Facts<{ role: UserRole; status: UserStatus; domain?: string }>) => {
      const role = after(" as ", wordsFor(ROLE_WORDS, details.role));
      return details.status === "pending"
        ? `${who} asked to join the organisation${role}`
        : `${who} joined the organisation${role}`;
    },
  },
  "organization.switched": {
    label: "Switched to the organisation",
    sentence: ({ who, details }: Facts<{ role: UserRole }>) =>
      `${who} switched to this organisation${after(" as ", wordsFor(ROLE_WORDS, details.role))}`,
  },
  "organization.domain_claimed": {
    label: "Claimed an email domain",
    sentence: ({ who, details }: Facts<{ domain: string }>) =>
      `${who} claimed the email domain ${textOf(details.domain)}`,
  },
  "organization.domain_proved": {
    label: "Proved an email domain",
    sentence: ({ who, details }: Facts<{ domain: string }>) =>
      `${who} proved by DNS that the email domain ${textOf(details.domain)} is the organisation's`,
  },
  "organization.domain_proof_gone": {
    label: "The DNS record of an email domain was missing",
    sentence: ({ details }: Facts<{ domain: string; isLost: boolean }>) =>
      details.isLost === true
        ? `The DNS record that proved the email domain ${textOf(details.domain)} is gone: the domain no longer counts as proved`
        : `The DNS record that proves the email domain ${textOf(details.domain)} was not there`,
  },
  "organization.domain_changed": {
    label: "Changed how an email domain is treated",
    sentence: ({
      who,
      details,
    }: Facts<{ domain: string; isPrimary?: true; autoApprove?: { from: boolean; to: boolean } }>) =>
      `${who} changed how the email domain ${textOf(details.domain)} is treated${domainWords(details)}`,
  },
  "organization.domain_removed": {
    label: "Removed an email domain",
    sentence: ({ who, details }: Facts<{ domain: string }>) =>
      `${who} removed the email domain ${textOf(details.domain)}`,
  },
  "organization.provider_set": {
    label: "Set up the company's sign-in",
    sentence: ({ who, details }: Facts<{ issuer: Changed; clientId: Changed; hasNewSecret: boolean }>) =>
      `${who} set up the company's sign-in at ${textOf(changeOf(details.issuer)?.to)}${after(", instead of ", formerWords(details.issuer))}${details.hasNewSecret === true ? ", with a new secret" : ""}`,
  },
  "organization.provider_tested": {
    label: "Tested the company's sign-in",
    sentence: ({ who, details }: Facts<{ email: string }>) =>
      `${who} tested the company's sign-in as ${textOf(details.email)}`,
  },
  "organization.single_sign_on_chosen": {
    label: "Chose who signs in with the company",
    sentence: ({ who, details }: Facts<SingleSignOnChoice>) =>
      `${who} changed the company's sign-in: ${signInChoiceWords(details)}`,
  },
  "organization.directory_token_made": {
    label: "Made a directory token",
    sentence: ({ who, details }: Facts<{ hint: string; days: number }>) =>
      `${who} made a directory token that ends in ${textOf(details.hint)}`,
  },
  "organization.directory_token_revoked": {
    label: "Revoked a directory token",
    sentence: ({ who, details }: Facts<{ hint: string }>) =>
      `${who} revoked the directory token that ends in ${textOf(details.hint)}`,
  },
  "organization.details_changed": {
    label: "Changed the organisation's details",
    sentence: ({
      who,
      details,
    }: Facts<{ [Field in DetailField]?: { from: string | null; to: string | null } } & { logo?: string }>) =>
      `${who} changed the organisation's details: ${joined(Object.entries(details).flatMap(detailWords)) || "not recorded which"}`,
  },
  "organization.contact_link_sent": {
    label: "Sent a link to confirm the contact email",
    sentence: ({ who, details }: Facts<{ email: string }>) =>
      `${who} sent a link to confirm the contact email to ${textOf(details.email)}`,
  },
  "organization.contact_confirmed": {
    label: "The contact email was confirmed",
    sentence: ({ details }: Facts<{ from: string | null; to: string }>) =>
      `The person who reads ${textOf(details.to)} confirmed that this address gets the organisation's alerts${after(", instead of ", textOf(details.from))}`,
  },
  "organization.policy_changed": {
    label: "Changed the organisation's policies",
    sentence: ({ who, details }: Facts<Readonly<Record<string, { from: unknown; to: unknown }>>>) =>
      `${who} changed the policies: ${policyChangesWords(details) || "not recorded which"}`,
  },
  "organization.policy_weakening_asked": {
    label: "Asked for weaker policies",
    sentence: ({ who, details }: Facts<Weakening>) =>
      `${who} asked for weaker policies, which have to wait: ${waitingWords(details)}`,
  },
  "organization.policy_weakening_cancelled": {
    label: "Cancelled weaker policies",
    sentence: ({ who, details }: Facts<Weakening>) =>
      `${who} cancelled weaker policies that were waiting: ${waitingWords(details)}`,
  },
  "organization.policy_weakening_confirmed": {
    label: "Confirmed weaker policies",
    sentence: ({ who, details }: Facts<Weakening>) =>
      `${who} confirmed weaker policies that a colleague had asked for, at once: ${waitingWords(details)}`,
  },
  "organization.policy_weakened": {
    label: "Weaker policies took effect",
    sentence: ({ details }: Facts<Weakening>) => `Weaker policies took effect: ${waitingWords(details)}`,
  },
  "organization.closing_asked": {
    label: "Asked to close the organisation",
    sentence: ({ who, details }: Facts<{ closesAt: number }>) =>
      `${who} asked to close the organisation${after(" on ", typeof details.closesAt === "number" ? formatDate(details.closesAt) : "")}`,
  },
  "organization.closing_cancelled": {
    label: "Cancelled the closing of the organisation",
    sentence: ({ who }: Facts) => `${who} cancelled the closing of the organisation`,
  },
  "organization.closed": {
    label: "The organisation closed",
    sentence: () =>
      "The organisation closed: nobody can use it any more, its subscription ended, and its connections ended",
  },
  "organization.removed": {
    label: "Removed a closed organisation",
    sentence: ({ details }: Facts<{ closedAt: number }>) =>
      `PayeeProof removed what was kept of an organisation that closed${after(" on ", typeof details.closedAt === "number" ? formatDate(details.closedAt) : "")}`,
  },
  "organization.sample_loaded": {
    label: "Loaded sample data",
    sentence: ({ who }: Facts) => `${who} loaded sample data, in an organisation of its own`,
  },
  "organization.sample_removed": {
    label: "Removed the sample data",
    sentence: ({ who }: Facts) => `${who} removed the sample data`,
  },
  "records.exported": {
    label: "Exported records",
    sentence: ({ who, details }: Facts<{ what: string }>) => `${who} exported ${textOf(details.what) || "records"}`,
  },
  "organization.staff_accounts_loaded": {
    label: "Loaded the list of staff accounts",
    sentence: ({ who, details }: Facts<{ accounts: number }>) =>
      `${who} loaded the list of staff accounts: ${counted(details.accounts, "account")}`,
  },
  "organization.staff_accounts_removed": {
    label: "Removed the list of staff accounts",
    sentence: ({ who }: Facts<{ accounts: number }>) => `${who} removed the list of staff accounts`,
  },
  "organization.name_requested": {
    label: "Asked for a name that needs approval",
    sentence: ({ who, details }: Facts<{ name: string; why: NameDoubt }>) =>
      `${who} asked for the name ${textOf(details.name)}, which PayeeProof's staff have to approve${after(" because ", wordsFor(NAME_DOUBT_TEXT, details.why))}`,
  },
  "organization.name_approved": {
    label: "Approved the waiting name",
    sentence: ({ details }: Facts<{ name: { from: string; to: string } }>) =>
      `PayeeProof's staff approved the name ${textOf(changeOf(details.name)?.to)}`,
  },
  "organization.name_refused": {
    label: "Refused the waiting name",
    sentence: ({ details }: Facts<{ name: string; reason: string }>) =>
      `PayeeProof's staff refused the name ${textOf(details.name)}${after(": ", textOf(details.reason))}`,
  },
  "organization.suspended": {
    label: "Suspended the organisation",
    sentence: (_: Facts<{ active: { from: boolean; to: boolean } }>) => "PayeeProof's staff suspended the organisation",
  },
  "organization.resumed": {
    label: "Ended the suspension of the organisation",
    sentence: (_: Facts<{ active: { from: boolean; to: boolean } }>) =>
      "PayeeProof's staff ended the suspension of the organisation",
  },
  "platform.person_looked_up": {
    label: "Looked up where a person is on record",
    sentence: ({ who, details }: Facts<{ by: "email" | "account" }>) =>
      `${who} looked up where a person is on record, by their ${details.by === "account" ? "bank account" : "email address"}`,
  },
  "platform.notice_set": {
    label: "Put a notice on every page",
    sentence: ({ who, details }: Facts<{ text: string }>) =>
      `${who} put a notice on every page: ${textOf(details.text)}`,
  },
  "platform.notice_removed": {
    label: "Took the notice off every page",
    sentence: ({ who }: Facts<{ text: string }>) => `${who} took the notice off every page`,
  },
  "subscription.payment_started": {
    label: "Continued to the payment page of the subscription",
    sentence: ({ who, details }: Facts<{ kind: keyof typeof WAYS }>) =>
      `${who} continued to the payment page of the subscription${after(" ", wordsFor(WAYS, details.kind))}`,
  },
  "subscription.status_changed": {
    label: "The subscription's status changed",
    sentence: ({
      details,
    }: Facts<{
      from: SubscriptionStatus | null;
      to: SubscriptionStatus | null;
      subscriptionId: string | null;
    }>) => `The subscription changed from ${statusWord(details.from)} to ${statusWord(details.to)}`,
  },
  "subscription.cancelled": {
    label: "Cancelled the subscription",
    sentence: ({ who, details }: Facts<{ subscriptionId: string; how: keyof typeof CANCELLED }>) =>
      `${who} cancelled the subscription${after(" ", wordsFor(CANCELLED, details.how))}`,
  },
  "subscription.resumed": {
    label: "Resumed the subscription",
    sentence: ({ who }: Facts<{ subscriptionId: string }>) => `${who} resumed the subscription`,
  },
  "subscription.portal_opened": {
    label: "Opened the card provider's portal",
    sentence: ({ who, details }: Facts<{ goTo: keyof typeof GOALS }>) =>
      `${who} opened the card provider's portal${wordsFor(GOALS, details.goTo)}`,
  },
} satisfies AuditedActions;
