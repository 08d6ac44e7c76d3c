import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import { lowerFirst } from "~/kernel/text";
import { API_SCOPES, type ApiScope } from "~/modules/accounts/identity/api-token";
import {
  type AuditedActions,
  after,
  changeOf,
  type Facts,
  joined,
  listOf,
  numberOf,
  textOf,
  type Unknown,
  wordsFor,
} from "~/modules/core/audit/details";

export const ROLE_WORDS: Readonly<Record<UserRole, string>> = {
  super_admin: "super admin",
  admin: "administrator",
  member: "member",
  read_only: "read-only member",
};

const STATUS_WORDS: Readonly<Record<UserStatus, string>> = {
  pending: "waiting for approval",
  active: "active",
  inactive: "inactive",
  rejected: "not approved",
};

const PROOFS = {
  session: "signed in as that person",
  password: "with the account's password",
  new_password: "with a new password",
};

const STOPS = {
  unsubscribed: "the link in an email was used",
  bounced: "an email could not be delivered",
  complained: "an email was reported as unwanted",
};

const REFUSED_STEPS = {
  code: "the two-step code was wrong",
  passkey: "the passkey was not accepted",
  provider: "the organisation lets them sign in with their company only",
  passkey_counter: "the passkey had been used fewer times than counted, so there may be a copy of it",
};

const SIGNED = {
  approve_payment: "approve a payment",
  approve_lines: "approve held lines of a payment file",
  clear_file: "clear a payment file for the bank",
  change_policies: "change the policies",
  confirm_policy: "put a weaker policy into effect",
  change_limits: "change approval limits or working hours",
  give_role: "allow a person to decide",
};

const REFUSED_APPROVALS = {
  not_shown: "it did not come from a page that showed them this",
  passkey: "the passkey was not theirs, or had not signed this",
  passkey_counter: REFUSED_STEPS.passkey_counter,
};

const STARTED_WITH = { passkey: "with a passkey", provider: "with the company's sign-in" };

const JOINED_BY = { sign_in: "by signing in with the company", directory: "added by the company's directory" };

const KEPT = {
  way_in: "they are one of the two who may sign in without the provider",
  last_admin: "they are the last active administrator",
};

const MAILBOXES = { old: "the old address", new: "the new address" };

const roleOf = (details: Unknown<"role">): string => after(" as ", wordsFor(ROLE_WORDS, details.role));

const fromTo = (value: unknown): string => {
  const change = changeOf(value);
  return change ? ` from ${textOf(change.from) || "none"} to ${textOf(change.to) || "none"}` : "";
};

const onOff = (label: string, value: unknown): string[] => {
  const change = changeOf(value);
  return change && change.from !== change.to ? [`${label} ${change.to === true ? "on" : "off"}`] : [];
};

const roleChange = (details: Unknown<"role">): string => {
  const change = changeOf(details.role);
  return change ? ` from ${wordsFor(ROLE_WORDS, change.from)} to ${wordsFor(ROLE_WORDS, change.to)}` : "";
};

const staysAddress = ({ organizationAddress: email }: Unknown<"organizationAddress">): string =>
  typeof email === "string" ? `; ${email} stays the organisation's address for alerts` : "";

const standing = (details: Unknown<"status">): string => {
  const status = wordsFor(STATUS_WORDS, details.status);
  return status && status !== STATUS_WORDS.active ? ` (${status})` : "";
};

const lifetime = (details: Unknown<"lifetimeDays">): string =>
  numberOf(details.lifetimeDays) > 0 ? `, for ${numberOf(details.lifetimeDays)} days` : ", without an end";

const scopeWords = (scope: unknown): string => lowerFirst(wordsFor<ApiScope>(API_SCOPES, scope));

const named = ({ details, person }: { details: Unknown<"person">; person: string }): string =>
  textOf(details.person) || person;

type Invited = { email: string; role: OrganizationRole };

/** A person whose role or status in the organisation has changed. */
type Placed = { person?: string; email?: string; role?: FromTo<UserRole>; status?: FromTo<UserStatus> };

type FromTo<Value> = { from: Value; to: Value };

/** The audit actions of accounts, sessions and memberships. */
export const peopleActions = {
  "user.registered": {
    label: "Registered",
    sentence: ({ who, details }: Facts<{ role: UserRole | undefined; status: UserStatus | undefined }>) =>
      `${who} registered${roleOf(details)}${standing(details)}`,
  },
  "session.started": {
    label: "Signed in",
    sentence: ({ who, details }: Facts<{ with: keyof typeof STARTED_WITH } | undefined>) =>
      `${who} signed in${after(" ", wordsFor(STARTED_WITH, details.with))}`,
  },
  "session.past_provider": {
    label: "Signed in without the company's provider",
    sentence: ({ who }: Facts) => `${who} signed in without the company's provider, as one of the two who may`,
  },
  "session.vouched_refused": {
    label: "Sign-in with the company refused",
    sentence: ({ details }: Facts<{ why: string }>) =>
      `A sign-in with the company was refused: ${textOf(details.why) || "not recorded why"}`,
  },
  "user.provider_linked": {
    label: "Linked to the company's sign-in",
    sentence: ({ who, details }: Facts<{ email: string }>) =>
      `The account of ${who} was linked to the company's sign-in of ${textOf(details.email)}`,
  },
  "member.provider_joined": {
    label: "Joined with the company's sign-in",
    sentence: (facts: Facts<{ person: string; email: string; role: OrganizationRole; by: keyof typeof JOINED_BY }>) =>
      `${named(facts)} joined${roleOf(facts.details)}, ${wordsFor(JOINED_BY, facts.details.by)}`,
  },
  "member.directory_refused": {
    label: "Kept the access of a person the directory removed",
    sentence: (facts: Facts<{ person: string; email: string; why: keyof typeof KEPT }>) =>
      `The company's directory asked to end the access of ${named(facts)}, which was not done: ${wordsFor(KEPT, facts.details.why)}`,
  },
  "member.directory_removed": {
    label: "Removed from the company's directory",
    sentence: (facts: Facts<{ person: string; email: string }>) =>
      `The company's directory no longer lists ${named(facts)}`,
  },
  "session.stepped_up": {
    label: "Repeated the second step",
    sentence: ({ who }: Facts) => `${who} entered a code or used a passkey again`,
  },
  "session.ended": { label: "Signed out", sentence: ({ who }: Facts) => `${who} signed out` },
  "session.refused": {
    label: "Sign-in refused",
    sentence: ({ who, person, details }: Facts<{ step: keyof typeof REFUSED_STEPS } | undefined>) =>
      `A sign-in as ${who === "PayeeProof" ? person : who} was refused: ${wordsFor(REFUSED_STEPS, details.step) || "the password was wrong"}`,
  },
  "approval.signed": {
    label: "Signed an approval with a passkey",
    sentence: ({ who, details }: Facts<{ decision: string; challenge: string; key: string }>) =>
      `${who} signed with a passkey: ${wordsFor(SIGNED, details.decision)}`,
  },
  "approval.refused": {
    label: "An approval with a passkey was refused",
    sentence: ({
      who,
      details,
    }: Facts<{
      decision: string;
      entityType: string;
      entityId: string;
      why: keyof typeof REFUSED_APPROVALS;
    }>) => `An approval by ${who} was refused: ${wordsFor(REFUSED_APPROVALS, details.why)}`,
  },
  "member.invited": {
    label: "Invited a person",
    sentence: ({ who, details }: Facts<Invited>) =>
      `${who} invited ${textOf(details.email) || "a person"}${roleOf(details)}`,
  },
  "member.invitation_resent": {
    label: "Sent an invitation again",
    sentence: ({ who, details }: Facts<Invited>) =>
      `${who} sent the invitation of ${textOf(details.email) || "a person"} again`,
  },
  "member.invitation_revoked": {
    label: "Withdrew an invitation",
    sentence: ({ who, details }: Facts<Invited>) =>
      `${who} withdrew the invitation of ${textOf(details.email) || "a person"}`,
  },
  "member.invitation_accepted": {
    label: "Accepted an invitation",
    sentence: ({ who, details }: Facts<Invited>) => `${who} accepted an invitation${roleOf(details)}`,
  },
  "member.approved": {
    label: "Approved a person",
    sentence: (facts: Facts<Placed>) => `${facts.who} approved ${named(facts)} as a member of the organisation`,
  },
  "member.rejected": {
    label: "Did not approve a person",
    sentence: (facts: Facts<Placed>) => `${facts.who} did not approve ${named(facts)}`,
  },
  "member.role_changed": {
    label: "Changed a person's role",
    sentence: (facts: Facts<Placed & { organizationAddress?: string }>) =>
      `${facts.who} changed the role of ${named(facts)}${roleChange(facts.details)}${staysAddress(facts.details)}`,
  },
  "user.super_admin_granted": {
    label: "Made a super admin",
    sentence: (facts: Facts<{ role: FromTo<UserRole> }>) => `PayeeProof's operator made ${facts.person} a super admin`,
  },
  "member.deactivated": {
    label: "Ended a person's access",
    sentence: (facts: Facts<Placed & { organizationAddress?: string }>) =>
      `${facts.who} ended the access of ${named(facts)}${staysAddress(facts.details)}`,
  },
  "member.reactivated": {
    label: "Gave a person access again",
    sentence: (facts: Facts<Placed>) => `${facts.who} gave ${named(facts)} access again`,
  },
  "user.email_confirmed": {
    label: "Confirmed their email address",
    sentence: ({ who, details }: Facts<{ provedBy: keyof typeof PROOFS }>) =>
      `${who} confirmed their email address${after(", ", wordsFor(PROOFS, details.provedBy))}`,
  },
  "user.names_changed": {
    label: "Changed their name",
    sentence: ({ who, details }: Facts<{ firstName: FromTo<string>; lastName: FromTo<string> }>) => {
      const names = (side: "from" | "to") =>
        [details.firstName, details.lastName]
          .map((value) => textOf(changeOf(value)?.[side]))
          .join(" ")
          .trim();
      return `${who} changed their name from ${names("from")} to ${names("to")}`;
    },
  },
  "user.review_choices_changed": {
    label: "Changed how they review",
    sentence: ({
      who,
      details,
    }: Facts<{ [Choice in "reviewNext" | "reviewKeys" | "reviewRoomy"]?: FromTo<boolean> }>) =>
      `${who} changed how they review${after(": ", joined([...onOff("going on to the next item", details.reviewNext), ...onOff("keyboard shortcuts", details.reviewKeys), ...onOff("more space between rows", details.reviewRoomy)]))}`,
  },
  "user.view_saved": {
    label: "Saved a view of the review queue",
    sentence: ({ who, details }: Facts<{ name: string }>) =>
      `${who} saved a view of the review queue${after(": ", textOf(details.name))}`,
  },
  "user.view_removed": {
    label: "Removed a view of the review queue",
    sentence: ({ who, details }: Facts<{ name: string }>) =>
      `${who} removed a view of the review queue${after(": ", textOf(details.name))}`,
  },
  "user.confirmation_resent": {
    label: "Asked for the confirmation link again",
    sentence: ({ who }: Facts) => `${who} asked for the confirmation link again`,
  },
  "user.registration_disowned": {
    label: "Deleted a registration that someone else made with their address",
    sentence: ({ details }: Facts<{ email: string }>) =>
      `The holder of ${textOf(details.email) || "an address"} deleted a registration that another person made with it`,
  },
  "user.password_reset_requested": {
    label: "Asked to reset the password",
    sentence: ({ who }: Facts) => `${who} asked to reset the password`,
  },
  "user.password_reset": {
    label: "Reset the password",
    sentence: ({ who }: Facts) => `${who} reset the password`,
  },
  "user.password_changed": {
    label: "Changed the password",
    sentence: ({ who }: Facts) => `${who} changed the password`,
  },
  "user.email_change_requested": {
    label: "Asked to change the email address",
    sentence: ({ who, details }: Facts<{ email: FromTo<string> }>) =>
      `${who} asked to change the email address${fromTo(details.email)}`,
  },
  "user.email_change_confirmed": {
    label: "Confirmed the change of address from one mailbox",
    sentence: ({ who, details }: Facts<{ mailbox: keyof typeof MAILBOXES }>) =>
      `${who} confirmed the change of email address${after(" from ", wordsFor(MAILBOXES, details.mailbox))}`,
  },
  "user.email_change_stopped": {
    label: "Stopped the change of address",
    sentence: ({ who, details }: Facts<{ mailbox: keyof typeof MAILBOXES }>) =>
      `The change of the email address of ${who} was stopped${after(" from ", wordsFor(MAILBOXES, details.mailbox))}`,
  },
  "user.email_changed": {
    label: "Changed the email address",
    sentence: ({ who, details }: Facts<{ email: FromTo<string> }>) =>
      `${who} changed the email address${fromTo(details.email)}`,
  },
  "user.two_step_begun": {
    label: "Began to set up two-step sign-in",
    sentence: ({ who }: Facts) => `${who} began to set up two-step sign-in`,
  },
  "user.two_step_abandoned": {
    label: "Stopped setting up two-step sign-in",
    sentence: ({ who }: Facts) => `${who} stopped setting up two-step sign-in`,
  },
  "user.two_step_enabled": {
    label: "Turned on two-step sign-in",
    sentence: ({ who }: Facts) => `${who} turned on two-step sign-in`,
  },
  "user.two_step_disabled": {
    label: "Turned off two-step sign-in",
    sentence: ({ who }: Facts) => `${who} turned off two-step sign-in`,
  },
  "user.recovery_codes_renewed": {
    label: "Made new recovery codes",
    sentence: ({ who }: Facts) => `${who} made new recovery codes`,
  },
  "user.passkey_begun": {
    label: "Began to add a passkey",
    sentence: ({ who }: Facts) => `${who} began to add a passkey`,
  },
  "user.passkey_added": {
    label: "Added a passkey",
    sentence: ({ who, details }: Facts<{ name: string; key?: string; countsFrom?: number }>) =>
      `${who} added the passkey "${textOf(details.name)}"${details.countsFrom === undefined ? "" : ", which is accepted a day later"}`,
  },
  "user.passkey_renamed": {
    label: "Renamed a passkey",
    sentence: ({ who, details }: Facts<{ name: FromTo<string> }>) => `${who} renamed a passkey${fromTo(details.name)}`,
  },
  "user.passkey_removed": {
    label: "Removed a passkey",
    sentence: ({ who, details }: Facts<{ name: string }>) => `${who} removed the passkey "${textOf(details.name)}"`,
  },
  "user.alerts_changed": {
    label: "Changed their alerts",
    sentence: ({ who }: Facts) => `${who} changed which alerts they get`,
  },
  "user.alert_emails_stopped": {
    label: "Stopped alert emails",
    sentence: ({ who, details }: Facts<{ reason: keyof typeof STOPS }>) =>
      `Alert emails to ${who} were stopped${after(": ", wordsFor(STOPS, details.reason))}`,
  },
  "user.alert_emails_resumed": {
    label: "Turned alert emails on again",
    sentence: ({ who }: Facts) => `${who} turned alert emails on again`,
  },
  "user.phone_code_sent": {
    label: "Asked for a code to confirm a mobile number",
    sentence: ({ who }: Facts) => `${who} asked for a code to confirm a mobile number`,
  },
  "user.phone_confirmed": {
    label: "Confirmed a mobile number for text messages",
    sentence: ({ who }: Facts) => `${who} confirmed a mobile number for text messages`,
  },
  "user.phone_removed": {
    label: "Removed the mobile number for text messages",
    sentence: ({ who }: Facts) => `${who} removed the mobile number for text messages`,
  },
  "session.revoked": {
    label: "Ended a session",
    sentence: ({ who }: Facts) => `${who} ended one of their sessions`,
  },
  "session.others_revoked": {
    label: "Signed out everywhere else",
    sentence: ({ who }: Facts) => `${who} signed out everywhere else`,
  },
  "api_token.created": {
    label: "Made an API token",
    sentence: ({ who, details }: Facts<{ name: string; scopes: readonly ApiScope[]; lifetimeDays: number | null }>) =>
      `${who} made the API token "${textOf(details.name)}" (${listOf(details.scopes).map(scopeWords).join("; ")})${lifetime(details)}`,
  },
  "api_token.revoked": {
    label: "Revoked an API token",
    sentence: ({ who, details }: Facts<{ name: string }>) => `${who} revoked the API token "${textOf(details.name)}"`,
  },
} satisfies AuditedActions;
