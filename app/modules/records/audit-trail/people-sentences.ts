import type { UserRole, UserStatus } from "~/kernel/enums";
import { lowerFirst } from "~/kernel/text";
import { API_SCOPES, type ApiScope } from "~/modules/accounts/identity/api-token";
import type { AuditAction } from "~/modules/core/audit/audit";
import { after, changeOf, type Details, joined, listOf, numberOf, type Told, textOf, wordsFor } from "./details";

/** Entries about people: their accounts, sessions and places in the organisation. Pure. */

export type Say = (told: Told) => string;

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

const MAILBOXES = { old: "the old address", new: "the new address" };

const roleOf = (details: Details): string => after(" as ", wordsFor(ROLE_WORDS, details.role));

const fromTo = (value: unknown): string => {
  const change = changeOf(value);
  return change ? ` from ${textOf(change.from) || "none"} to ${textOf(change.to) || "none"}` : "";
};

const onOff = (label: string, value: unknown): string[] => {
  const change = changeOf(value);
  return change && change.from !== change.to ? [`${label} ${change.to === true ? "on" : "off"}`] : [];
};

const roleChange = (details: Details): string => {
  const change = changeOf(details.role);
  return change ? ` from ${wordsFor(ROLE_WORDS, change.from)} to ${wordsFor(ROLE_WORDS, change.to)}` : "";
};

const standing = (details: Details): string => {
  const status = wordsFor(STATUS_WORDS, details.status);
  return status && status !== STATUS_WORDS.active ? ` (${status})` : "";
};

const lifetime = (details: Details): string =>
  numberOf(details.lifetimeDays) > 0 ? `, for ${numberOf(details.lifetimeDays)} days` : ", without an end";

const scopeWords = (scope: unknown): string => lowerFirst(wordsFor<ApiScope>(API_SCOPES, scope));

const named = ({ details, person }: Told): string => textOf(details.person) || person;

export const PEOPLE_SENTENCES = {
  "user.registered": ({ who, details }) => `${who} registered${roleOf(details)}${standing(details)}`,
  "session.started": ({ who }) => `${who} signed in`,
  "session.ended": ({ who }) => `${who} signed out`,
  "session.refused": ({ who, person, details }) =>
    details.step === "code"
      ? `A sign-in as ${who === "PayeeProof" ? person : who} was refused: the two-step code was wrong`
      : `A sign-in as ${who === "PayeeProof" ? person : who} was refused: the password was wrong`,
  "session.revoked": ({ who }) => `${who} ended one of their sessions`,
  "session.others_revoked": ({ who }) => `${who} signed out everywhere else`,
  "member.invited": ({ who, details }) => `${who} invited ${textOf(details.email) || "a person"}${roleOf(details)}`,
  "member.invitation_resent": ({ who, details }) =>
    `${who} sent the invitation of ${textOf(details.email) || "a person"} again`,
  "member.invitation_revoked": ({ who, details }) =>
    `${who} took the invitation of ${textOf(details.email) || "a person"} back`,
  "member.invitation_accepted": ({ who, details }) => `${who} accepted an invitation${roleOf(details)}`,
  "member.approved": (told) => `${told.who} approved ${named(told)} as a member of the organisation`,
  "member.rejected": (told) => `${told.who} did not approve ${named(told)}`,
  "member.role_changed": (told) => `${told.who} changed the role of ${named(told)}${roleChange(told.details)}`,
  "member.deactivated": (told) => `${told.who} ended the access of ${named(told)}`,
  "member.reactivated": (told) => `${told.who} gave ${named(told)} access again`,
  "user.email_confirmed": ({ who, details }) =>
    `${who} confirmed their email address${after(", ", wordsFor(PROOFS, details.provedBy))}`,
  "user.names_changed": ({ who, details }) => {
    const names = (side: "from" | "to") =>
      [details.firstName, details.lastName]
        .map((value) => textOf(changeOf(value)?.[side]))
        .join(" ")
        .trim();
    return `${who} changed their name from ${names("from")} to ${names("to")}`;
  },
  "user.review_choices_changed": ({ who, details }) =>
    `${who} changed how they review${after(": ", joined([...onOff("going on to the next item", details.reviewNext), ...onOff("keyboard shortcuts", details.reviewKeys), ...onOff("more space between rows", details.reviewRoomy)]))}`,
  "user.view_saved": ({ who, details }) =>
    `${who} saved a view of the review queue${after(": ", textOf(details.name))}`,
  "user.view_removed": ({ who, details }) =>
    `${who} removed a view of the review queue${after(": ", textOf(details.name))}`,
  "user.confirmation_resent": ({ who }) => `${who} asked for the confirmation link again`,
  "user.registration_disowned": ({ details }) =>
    `The holder of ${textOf(details.email) || "an address"} deleted a registration that another person made with it`,
  "user.password_reset_requested": ({ who }) => `${who} asked to reset the password`,
  "user.password_reset": ({ who }) => `${who} reset the password`,
  "user.password_changed": ({ who }) => `${who} changed the password`,
  "user.email_change_requested": ({ who, details }) =>
    `${who} asked to change the email address${fromTo(details.email)}`,
  "user.email_change_confirmed": ({ who, details }) =>
    `${who} confirmed the change of email address${after(" from ", wordsFor(MAILBOXES, details.mailbox))}`,
  "user.email_change_stopped": ({ who, details }) =>
    `The change of the email address of ${who} was stopped${after(" from ", wordsFor(MAILBOXES, details.mailbox))}`,
  "user.email_changed": ({ who, details }) => `${who} changed the email address${fromTo(details.email)}`,
  "user.two_step_begun": ({ who }) => `${who} began to set up two-step sign-in`,
  "user.two_step_abandoned": ({ who }) => `${who} stopped setting up two-step sign-in`,
  "user.two_step_enabled": ({ who }) => `${who} turned on two-step sign-in`,
  "user.two_step_disabled": ({ who }) => `${who} turned off two-step sign-in`,
  "user.recovery_codes_renewed": ({ who }) => `${who} made new recovery codes`,
  "user.alerts_changed": ({ who }) => `${who} changed which alerts they get`,
  "user.alert_emails_stopped": ({ who, details }) =>
    `Alert emails to ${who} were stopped${after(": ", wordsFor(STOPS, details.reason))}`,
  "user.alert_emails_resumed": ({ who }) => `${who} turned alert emails on again`,
  "user.phone_code_sent": ({ who }) => `${who} asked for a code to confirm a mobile number`,
  "user.phone_confirmed": ({ who }) => `${who} confirmed a mobile number for text messages`,
  "user.phone_removed": ({ who }) => `${who} removed the mobile number for text messages`,
  "api_token.created": ({ who, details }) =>
    `${who} made the API token "${textOf(details.name)}" (${listOf(details.scopes).map(scopeWords).join("; ")})${lifetime(details)}`,
  "api_token.revoked": ({ who, details }) => `${who} revoked the API token "${textOf(details.name)}"`,
} as const satisfies Partial<Record<AuditAction, Say>>;
