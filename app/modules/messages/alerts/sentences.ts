import { systemName } from "~/kernel/accounting-system";
import { DEFAULT_TIME_ZONE, formatDate, formatDateTime } from "~/kernel/dates";
import type { HealthKind, InvoiceVerdict } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths, findEntityPath } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { CLOSED_KEPT_YEARS } from "~/kernel/retention";
import { lowerFirst } from "~/kernel/text";
import { findVerdict } from "~/kernel/verdicts";
import { type AuditAction, type DetailsIn, detailsIn } from "~/modules/core/audit/audit";
import { after, changeOf, counted, listOf, numberOf, payeeChangeWords } from "~/modules/core/audit/details";
import type { TrailEntry } from "~/modules/core/trail-reading.server";
import { jobWords } from "~/modules/messages/message-actions";
import {
  COLLECTED,
  changedWords,
  findProblemWords,
  problemWords,
  showContact,
} from "~/modules/messages/notifications/notice-rules";
import { holdSentence, isHoldCause } from "~/modules/rules/payment-holds";
import { policyChangesWords } from "~/modules/rules/policy-changes";
import type { AlertEventName } from "./events";

/** The words of an alert. Pure; bank numbers are masked already in the audit trail. */

/** Names for the ids in the audit trail. */
export type AlertNames = {
  /** Who acted; "PayeeProof" for the system, "The payee" for a person without an account. */
  actor: string;
  payee: string | null;
  /** The payment's amount in cents. */
  amount: number | null;
  /** The organisation's time zone. */
  timeZone?: string;
};

export type AlertText = { title: string; body: string; href: string | null };

/** " from 062-000 •••••678 to 082-001 •••••999": masked, as the trail has it. */
const fromTo = (changes: unknown): string => after(": ", payeeChangeWords(changes)).replace(/^: from /, " from ");

/**
 * The title in an email with several alerts: the payee comes first. "Riverbend Timber: bank details changed" instead of
 * "Bank details changed: Riverbend Timber"; a title without a payee stays as it is.
 */
export function leadOf(title: string, payee: string | null): string {
  if (payee === null || !title.endsWith(`: ${payee}`)) return title;
  return `${payee}: ${lowerFirst(title.slice(0, -2 - payee.length))}`;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

type Say = (
  names: AlertNames & { who: string; sum: string },
  entry: TrailEntry,
) => Omit<AlertText, "href"> & { href?: string };

/** The health report's finding for closed BSBs. */
const BSB_CLOSED: HealthKind = "bsb_closed";

/** Why an invoice was stopped, as a sentence; this one is for verdicts that do not explain it. */
const ELSE = "Something on it, or about its sender, suggests fraud.";
const STOPPED: Readonly<Record<InvoiceVerdict, string>> = {
  other_account: "It asks for a different account from the payee's.",
  another_payees_account: "It asks for the account of another payee.",
  several_accounts: "It names several accounts.",
  same_account: ELSE,
  unknown_payee: ELSE,
  no_account: ELSE,
  unreadable: "Its bank details could not be read beyond doubt.",
};

/** A concern from a look-up proves nothing by itself: it is a reason to ask. */
function concernAlert(
  who: string,
  timeZone: string | undefined,
  { concern, subject, since }: Partial<DetailsIn<"payee.concern_found">>,
): Omit<AlertText, "href"> {
  const day = typeof since === "number" ? formatDate(since, timeZone ?? DEFAULT_TIME_ZONE) : "";
  const ask = "Before you pay, ask the payee on a number that you knew before.";
  switch (concern) {
    case "domain_new":
      return {
        title: `New email domain: ${who}`,
        body: `${text(subject)} was registered${after(" on ", day)}. Domains made for fraud are new. ${ask}`,
      };
    case "domain_unregistered":
      return {
        title: `Email domain not registered: ${who}`,
        body: `The registry has no registration of ${text(subject)}. ${ask}`,
      };
    case "dmarc_gone":
      return {
        title: `Email domain without DMARC: ${who}`,
        body: `${text(subject)} had a DMARC policy${after(", last seen on ", day)}, and has none now. Anyone can send email that names it as the sender. ${ask}`,
      };
    default:
      return { title: `ABN cancelled: ${who}`, body: `The business register says so${after(", since ", day)}. ${ask}` };
  }
}

const SENTENCES: Readonly<Record<AlertEventName, Say>> = {
  bank_details_changed: ({ actor, who }, entry) => {
    const there = detailsIn<"payee.accounting_differs">(entry);
    if (there.system) return otherAccountAlert(who, there, entry.entityId ?? "");
    if (entry.action === ("payee.renamed" satisfies AuditAction)) return renamedAlert(actor, who, detailsIn(entry));
    if (entry.action === ("payee.details_restored" satisfies AuditAction)) {
      return restoredAlert(actor, who, detailsIn(entry));
    }
    const { telling, changes } = detailsIn<"payee.bank_details_changed">(entry);
    return {
      title: `Bank details changed: ${who}`,
      body: `${actor} changed the bank details${fromTo(changes)}. Payments to this payee are held until the new details are verified. ${tellingSentence(telling)}`.trim(),
    };
  },
  contact_not_told: ({ who }, entry) =>
    entry.action === ("payee.contact_told" satisfies AuditAction)
      ? toldLateAlert(who, detailsIn(entry))
      : notToldAlert(who, detailsIn(entry)),
  payee_disputed: ({ who }, entry) => ({
    title: `Disputed: ${who}`,
    body: `The payee said that these are not their bank details. Payments to this payee are held.${after(" They wrote: ", text(detailsIn<"verification.disputed_by_payee">(entry).note))}`,
  }),
  payment_file_stopped: ({ who }, entry) => {
    const checked = detailsIn<"payment_file.checked">(entry);
    const problems = (checked.otherPayingAccount ?? []).map(text).join(" ");
    return {
      title: `Payment file stopped: ${who}`,
      body: `${problems} The file cannot be cleared. Call whoever made the file, on a number you know. ${heldSentence(checked)}`.trim(),
    };
  },
  invoice_stopped: ({ who }, entry) => {
    const { totalCents, verdict } = detailsIn<"invoice.read">(entry);
    const sum = typeof totalCents === "number" ? ` of ${formatAud(totalCents)}` : "";
    return {
      title: `Invoice stopped: ${who}${sum}`,
      body: `${STOPPED[verdict ?? "unreadable"]} Before you pay it, call the payee on a number you knew before. Payments that match it are held.`,
    };
  },
  payment_file_waiting: ({ who }, entry) => {
    const checked = detailsIn<"payment_file.checked">(entry);
    return {
      title: `Payment file needs a decision: ${formatAud(numberOf(checked.heldCents))} held in ${who}`,
      body: `${heldSentence(checked)} ${whoDecidesSentence(checked)}`.trim(),
    };
  },
  payment_held_again: ({ who, sum }, entry) => {
    if (entry.action === ("payment_file.lines_held_again" satisfies AuditAction)) {
      const { count, cents } = detailsIn<"payment_file.lines_held_again">(entry);
      return {
        title: `Held again: ${counted(count, "payment")} of ${who}, ${formatAud(numberOf(cents))}`,
        body: "Something changed since the file was checked, so nothing was cleared. These payments need a decision.",
      };
    }
    const { cause } = detailsIn<"payment.returned_to_held">(entry);
    return {
      title: `Held again: ${sum} to ${who}`,
      body: isHoldCause(cause) ? holdSentence(cause, who) : "The verification that was asked for has ended.",
    };
  },
  payment_held: ({ who, sum, actor }) => ({
    title: `Payment held: ${sum} to ${who}`,
    body: `${actor} recorded it, and a rule held it. It needs a decision.`,
  }),
  first_payment_from_accounting: ({ actor, who, sum }, entry) =>
    firstFromAccountingAlert(actor, `${sum} to ${who}`, entry),
  payment_returned: ({ who, sum }, entry) =>
    entry.action === ("payment.accounting_deleted" satisfies AuditAction)
      ? deletedThereAlert(who, sum, systemName(detailsIn<"payment.accounting_deleted">(entry).system))
      : {
          title: `Payment failed: ${sum} to ${who}`,
          body: text(detailsIn<"payment.failed">(entry).reason) || "The payment was marked failed.",
        },
  verification_waiting: ({ who, actor }) => ({
    title: `Verification waiting: ${who}`,
    body: `${actor} opened it. It needs a check or a decision.`,
  }),
  details_received: (names, entry) => detailsReceivedAlert(names.payee, detailsIn(entry)),
  result_arrived: ({ who }, entry) => resultAlert(who, detailsIn(entry)),
  mentioned: ({ actor, who }, entry) => ({
    title: `${actor} mentioned you: ${who}`,
    body: detailsIn<"verification.commented">(entry).text ?? "",
  }),
  assigned: ({ actor, who }) => ({
    title: `Assigned to you: ${who}`,
    body: `${actor} assigned this verification to you. It needs a check or a decision.`,
  }),
  payee_bsb_closed: (_names, entry) => ({
    title: "A BSB of your payees was closed or merged",
    body: `This affects ${counted(detailsIn<"payee.bsbs_ended">(entry).payees, "payee")}. Payments to their BSB can fail. Ask for the new details before you pay.`,
    href: `${withQuery(appPaths.payeeHealth, { kind: BSB_CLOSED })}#list`,
  }),
  payee_concern: ({ who, timeZone }, entry) => concernAlert(who, timeZone, detailsIn(entry)),
  connection_broken: (_names, entry) => ({
    title: `The connection to ${systemName(detailsIn<"integration.broken">(entry).system)} is broken`,
    body: detailsIn<"integration.broken">(entry).problem ?? "",
    href: appPaths.integrations,
  }),
  control_changed: controlAlert,
  trusted_alone: ({ actor, who, sum }, { action, details }) => {
    const reason = text(details?.reason) ? ` The reason given: ${text(details?.reason)}` : "";
    if (action === ("payee.details_restored" satisfies AuditAction))
      return restoredAlert(actor, who, detailsIn<"payee.details_restored">({ details }));
    if (action === ("payment.approved" satisfies AuditAction)) {
      return {
        title: `Approved alone: ${sum} to ${who}`,
        body: `${actor} approved a payment that is their own work.${reason}`,
      };
    }
    if (action === ("payment_file.lines_approved" satisfies AuditAction)) {
      const { ownCount, ownCents } = detailsIn<"payment_file.lines_approved">({ details });
      const own = counted(ownCount, "payment");
      return {
        title: `Approved alone: ${own} of ${who}, ${formatAud(numberOf(ownCents))}`,
        body: `${actor} approved ${own} of a payment file as their own work: they uploaded it, or entered the bank details.${reason}`,
      };
    }
    if (action === ("verification.approved" satisfies AuditAction)) {
      return { title: `Approved alone: ${who}`, body: `${actor} approved a payee that is their own work.${reason}` };
    }
    return { title: `Whitelisted by hand: ${who}`, body: `${actor} put the payee on the whitelist.${reason}` };
  },
  approval_refused: ({ actor }) => ({
    title: "Approval with a passkey refused",
    body: `An approval by ${actor} came with a passkey that was not theirs, or that had signed something else. Nothing was decided. If it was not them, they should end their sessions under Profile and change their password.`,
    href: appPaths.audit,
  }),
  data_exported: ({ actor }, entry) => ({
    title: "Records exported",
    body: `${actor} exported ${detailsIn<"records.exported">(entry).what ?? "records"}.`,
    href: appPaths.audit,
  }),
  join_request: ({ actor }) => ({
    title: `${actor} asks to join`,
    body: "An administrator needs to approve or reject them.",
    href: appPaths.members,
  }),
  role_changed: ({ actor }, entry) => ({
    title: "Your role changed",
    body: `${actor} changed what you can do. ${newRoleOf(entry.details, "Your")}`.trim(),
  }),
  month_summary: (_names, entry) => {
    const details = detailsIn<"report.month_ended">(entry);
    return {
      title: `Summary of ${text(details.month) || "the month"}`,
      body: monthOf(details),
      href: withQuery(appPaths.reports, { from: text(details.from), to: text(details.to) }),
    };
  },
  seal_failed: (_names, entry) => {
    const { brokenAt, kept } = detailsIn<"audit.seal_failed">(entry);
    const what = kept
      ? `The seal of entry ${numberOf(brokenAt)}, which was kept and sent to administrators, is missing from the trail.`
      : `Entry ${numberOf(brokenAt)} is not what was sealed, is missing, or is next to an entry that was inserted.`;
    return {
      title: `The audit trail was altered at entry ${numberOf(brokenAt)}`,
      body: `${what} Compare the trail with an export or a seal that you kept, and contact us at once.`,
      href: appPaths.auditSeals,
    };
  },
  daily_seal: (names, entry) => {
    const { count, hash } = detailsIn<"audit.seal_kept">(entry);
    return {
      title: `Seal of ${formatDate(entry.createdAt, names.timeZone ?? DEFAULT_TIME_ZONE)}: entry ${numberOf(count)}`,
      body: `Entry ${numberOf(count)} of your audit trail has the seal ${text(hash)}. Keep it outside PayeeProof: it proves later whether the trail up to this entry was altered.`,
      href: appPaths.auditSeals,
    };
  },
  subscription_changed: () => ({
    title: "Your subscription changed",
    body: "Open the subscription page to see its status.",
    href: appPaths.subscription,
  }),
  delivery_failed: (_names, entry) => undeliveredAlert(detailsIn<Undelivered>(entry)),
};

/** The verdict first: a bank's answer says nothing of other reasons not to pay, which the alert then says before it. */
function resultAlert(
  who: string,
  { explanation, beside, verdict }: DetailsIn<"verification.bank_check_finished" | "verification.checked_at_once">,
) {
  const said = explanation || "Open the verification to see the result.";
  const title = `${findVerdict(verdict)?.word ?? "Bank check finished"}: ${who}`;
  if (!beside) return { title, body: verdict ? `The bank check ended. ${said}` : said };
  return { title, body: `${beside.why} ${beside.next} The bank's answer: ${said}` };
}

type Weakening =
  | "organization.policy_weakening_asked"
  | "organization.policy_weakening_cancelled"
  | "organization.policy_weakening_confirmed"
  | "organization.policy_weakened";

function companySignInWords(actor: string, { mode, waysIn }: DetailsIn<"organization.single_sign_on_chosen">): string {
  const named = listOf(changeOf(waysIn)?.to).map(text).join(" and ");
  const now = text(changeOf(mode)?.to);
  const past = now === "required" ? `${named || "Nobody"} may sign in without it.` : "";
  return `${actor} changed it: it is now ${now || "different"}. ${past}`.trim();
}

/** The alerts about single sign-on and the directory. */
function providerAlerts(
  actor: string,
  { person, role, details }: { person: string; role: string; details: TrailEntry["details"] },
): Sentences {
  return {
    ...leadingTo(appPaths.singleSignOn, {
      "organization.provider_set": {
        title: "Company sign-in set up",
        body: `${actor} set up the provider at which your people sign in: ${text(changeOf(details?.issuer)?.to)}.`,
      },
      "organization.single_sign_on_chosen": {
        title: "Company sign-in changed",
        body: companySignInWords(actor, detailsIn({ details })),
      },
      "organization.directory_token_made": {
        title: "Directory token made",
        body: `${actor} made a token that lets your company's directory add people and end their access.`,
      },
      "organization.directory_token_revoked": {
        title: "Directory token revoked",
        body: `${actor} revoked a token of your company's directory.`,
      },
      "session.past_provider": {
        title: `${actor} signed in without the provider`,
        body: `${actor} signed in with a password or a passkey, as one of the two who may do so when the provider is down. If it is not down, ask them why.`,
      },
    }),
    ...leadingTo(appPaths.members, {
      "member.provider_joined": {
        title: `${person} joined`,
        body: `${person} joined ${details?.by === "directory" ? "because your company's directory added them" : "by signing in with your company"}${after(", as ", role)}. No administrator approved them.`,
      },
      "member.directory_refused": {
        title: `Access not ended: ${person}`,
        body: `Your company's directory asked to end the access of ${person}, who is ${details?.why === "last_admin" ? "the last active administrator" : "one of the two who may sign in without the provider"}. Their access was not ended. If they have left, name another administrator and end it here.`,
      },
    }),
  };
}

/** Changes by one administrator that the others should know about. */
function controlAlert({ actor, timeZone }: AlertNames, entry: TrailEntry): ReturnType<Say> {
  const { action, details } = entry;
  const { changes = {}, dueAt = 0 } = detailsIn<Weakening>(entry);
  const { closesAt } = detailsIn<"organization.closing_asked">(entry);
  const waiting = policyChangesWords(changes);
  const person = text(details?.person) || text(details?.email) || "a person";
  const email = text(details?.email) || "a person";
  const role = text(details?.role).replace("_", " ");
  const said: Sentences = {
    ...leadingTo(appPaths.policies, {
      "organization.policy_changed": {
        title: "Policies changed",
        body: `${actor} changed ${policyChangesWords(details ?? {}) || "the policies"}.`,
      },
      "organization.policy_weakening_asked": {
        title: "A weaker policy is waiting",
        body: `${actor} asked for it: ${waiting}. It takes effect on ${formatDateTime(dueAt, timeZone)}. Any administrator can cancel it until then; a second one can put it into effect at once.`,
      },
      "organization.policy_weakening_cancelled": {
        title: "A weaker policy was cancelled",
        body: `${actor} cancelled it: ${waiting}. Nothing was weakened.`,
      },
      "organization.policy_weakening_confirmed": {
        title: "A weaker policy is in effect",
        body: `${actor} confirmed what a colleague had asked for: ${waiting}.`,
      },
      "organization.policy_weakened": {
        title: "A weaker policy is in effect",
        body: `Nobody cancelled it while it waited: ${waiting}.`,
      },
    }),
    ...leadingTo(appPaths.settings, {
      "organization.closing_asked": {
        title: "The organisation is going to close",
        body: `${actor} asked for it. It closes on ${formatDateTime(closesAt ?? 0, timeZone)}, unless an administrator cancels that.`,
      },
      "organization.closing_cancelled": {
        title: "The organisation stays open",
        body: `${actor} cancelled the closing.`,
      },
      "organization.closed": {
        title: "The organisation has closed",
        body: `Nobody can use it any more. Its records are kept for ${CLOSED_KEPT_YEARS} years.`,
      },
      "organization.details_changed": {
        title: "Contact email changed",
        body: `${actor} changed the organisation's contact email, which is told about changes like this one once its reader confirms it.`,
      },
      "organization.contact_confirmed": {
        title: "Contact email confirmed",
        body: `${text(details?.to)} now gets the organisation's alerts${after(", instead of ", text(details?.from))}.`,
      },
    }),
    "payment_file.settings_changed": {
      title: "Payment settings changed",
      body: `${actor} changed approval limits, working hours, the paying account or remittance emails.`,
      href: appPaths.fileSettings,
    },
    "organization.staff_accounts_removed": {
      title: "Staff accounts removed",
      body: `${actor} removed the list of staff accounts. Payments to them are no longer flagged.`,
      href: appPaths.staffAccounts,
    },
    ...leadingTo(appPaths.members, {
      "user.passkey_added": {
        title: `New passkey: ${actor}`,
        body: `${actor} added a passkey without using an older one. From ${formatDateTime(detailsIn<"user.passkey_added">(entry).countsFrom ?? 0, timeZone)} they can approve and sign with it. Ask them about it. If it was not them, end their access before then.`,
      },
      "organization.selected": {
        title: `${actor} joined`,
        body: `${actor} joined with an address at one of your email domains${after(", as ", role)}. No administrator approved them.`,
      },
      "member.invited": { title: "Person invited", body: `${actor} invited ${email}${after(" as ", role)}.` },
      "member.invitation_accepted": {
        title: `${actor} joined`,
        body: `${actor} accepted an invitation${after(" as ", role)}.`,
      },
      "member.approved": { title: "Person approved", body: `${actor} gave ${person} access.` },
      "member.role_changed": {
        title: "Role changed",
        body: `${actor} changed what ${person} can do. ${newRoleOf(details, "Their")}`.trim(),
      },
      "member.deactivated": { title: "Access ended", body: `${actor} ended the access of ${person}.` },
      "member.reactivated": { title: "Access given again", body: `${actor} gave ${person} access again.` },
    }),
    ...domainAlerts(actor, entry),
    ...providerAlerts(actor, { person, role, details }),
  };
  const otherwise = { title: "Settings changed", body: `${actor} changed settings.`, href: appPaths.policies };
  return said[action as AuditAction] ?? otherwise;
}

type Sentences = Readonly<Partial<Record<AuditAction, ReturnType<Say>>>>;

/** The same sentences, each with a link to this page. */
const leadingTo = (href: string, said: Sentences): Sentences =>
  Object.fromEntries(Object.entries(said).map(([action, words]) => [action, { ...words, href }]));

function domainAlerts(actor: string, entry: TrailEntry): Sentences {
  const domain = text(entry.details?.domain) || "an email domain";
  return leadingTo(appPaths.domains, {
    "organization.domain_claimed": { title: "Email domain claimed", body: `${actor} claimed ${domain}.` },
    "organization.domain_changed": {
      title: "Email domain changed",
      body: `${actor} changed how people with an address at ${domain} join.`,
    },
    "organization.domain_proved": {
      title: "Email domain proved",
      body: `The DNS of ${domain} names your organisation, as ${actor} asked. People with an address there sign in with your company, whoever else claims the domain.`,
    },
    "organization.domain_proof_gone": detailsIn<"organization.domain_proof_gone">(entry).isLost
      ? {
          title: "Email domain no longer proved",
          body: `The DNS record that proved ${domain} has been gone for a day, so the domain counts as claimed, not as proved. If another organisation has claimed it too, no further account with that domain is linked. Put the record back and prove the domain again.`,
        }
      : {
          title: "DNS record of an email domain missing",
          body: `The DNS of ${domain} no longer names your organisation. No new account is linked until the record is back. If it is still gone a day later, the domain is no longer proved.`,
        },
    "organization.domain_removed": { title: "Email domain removed", body: `${actor} removed ${domain}.` },
  });
}

/** A payee's answer with its own details, or with those of an account that already belongs to a payee. */
function detailsReceivedAlert(name: string | null, details: DetailsIn<"payee_request.answered_by_payee">) {
  const title = `Bank details received: ${name ?? "a payee"}`;
  if (details.isDuplicate) {
    const body = "The account is already one of your payees. No new payee was added. Compare the names before you pay.";
    return { title, body, href: appPaths.payee(details.payeeId ?? "") };
  }
  const body = "The payee sent them through your link. They need a check or a decision before anything is paid.";
  return { title, body, href: appPaths.verification(details.verificationId ?? "") };
}

/** The account is unchanged, and was verified for a payee with a different name. */
function renamedAlert(actor: string, who: string, { changes = [] }: DetailsIn<"payee.renamed">) {
  const [change] = changes;
  const before = text(change?.from);
  return {
    title: `Payee renamed: ${who}`,
    body: `${actor} changed the name${before ? ` from ${before}` : ""}. The bank details are still the same. Payments to this payee are held until it is verified under its new name.`,
  };
}

/** Details restored as trusted, or as untrusted if a dispute or the organisation's rules require a person. */
function restoredAlert(
  actor: string,
  who: string,
  { changes, isTrusted, telling }: DetailsIn<"payee.details_restored">,
) {
  return {
    title: `Former bank details restored: ${who}`,
    body: `${actor} rejected the new details and put back the former ones${after(": ", payeeChangeWords(changes))}. ${isTrusted === true ? "The payee is trusted with them again." : "They are waiting for a decision, and payments to this payee are held until then."} ${tellingSentence(telling)}`.trim(),
  };
}

/** The accounting system has a different account: the payee keeps its own until a person decides. */
function otherAccountAlert(who: string, details: DetailsIn<"payee.accounting_differs">, payeeId: string) {
  const name = systemName(details.system);
  const edited = text(details.editedBy) ? ` The last edit there was by ${text(details.editedBy)}.` : "";
  const change = fromTo(details.changes);
  return {
    title: `Different bank details in ${name}: ${who}`,
    body: `The bank account was ${details.isUnreadable === true ? "replaced by something that cannot be read" : "changed"} in ${name}.${edited}${change && ` Using it here would change the details${change}.`} The payee keeps its details here, and payments to it are held until a person decides which are right.`,
    href: appPaths.payeeAccounting(payeeId),
  };
}

/** "Its bank details came from Xero, and it is not known who entered them there (the last edit is by Jo Nguyen)." */
function cameFromSentence(from: DetailsIn<"payment.recorded">["firstFromAccounting"]): string {
  const name = systemName(from?.system);
  const editor = text(from?.editedBy);
  if (from?.isEditorKnown === true) return `Its bank details came from ${name}, last edited there by ${editor}.`;
  return `Its bank details came from ${name}, and it is not known who entered them there${editor ? ` (the last edit is by ${editor})` : ""}.`;
}

/** The first payment to a payee since its account came from an accounting system: one, or several in a file. */
function firstFromAccountingAlert(actor: string, what: string, entry: TrailEntry) {
  const ofFile = detailsIn<"payment_file.cleared">(entry).firstFromAccounting;
  const [first, ...others] = ofFile?.payees ?? [];
  if (!first) {
    const from = detailsIn<"payment.recorded" | "payment.approved">(entry).firstFromAccounting;
    const verb = entry.action === ("payment.approved" satisfies AuditAction) ? "approved" : "recorded";
    return {
      title: `First payment: ${what}`,
      body: `${cameFromSentence(from)} ${actor} ${verb} the payment, and it was authorised. Check it before it is paid.`,
    };
  }
  const count = numberOf(ofFile?.count);
  const cleared = `${actor} cleared the payment file. Check it before it goes to the bank.`;
  if (count <= 1) {
    const sum = formatAud(numberOf(first.cents));
    return { title: `First payment: ${sum} to ${text(first.name)}`, body: `${cameFromSentence(first)} ${cleared}` };
  }
  const names = [first, ...others].map(({ name }) => text(name));
  const more = count - names.length;
  const isUnknown = [first, ...others].some(({ isEditorKnown }) => isEditorKnown !== true);
  return {
    title: `First payments: ${formatAud(numberOf(ofFile?.cents))} to ${count} payees`,
    body: `The bank details of ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""} came from ${systemName(first.system)}${isUnknown ? ", and for some of them it is not known who entered them there" : ""}. ${cleared}`,
  };
}

const deletedThereAlert = (who: string, sum: string, system: string) => ({
  title: `Deleted in ${system}: ${sum} to ${who}`,
  body: `The payment was marked successful here because ${system} had reconciled it. It has since been deleted there. Ask your bank whether the money left. Until then it does not count towards the whitelist.`,
});

/** Whether former contacts are being told. A contact counts as told only once a provider has accepted the message. */
function tellingSentence(telling: DetailsIn<"payee.bank_details_changed">["telling"]): string {
  if (telling?.contacts === undefined) return "";
  if (telling.contacts === 0) return `The former contact was NOT told: ${problemWords("no_contact")}.`;
  const problem = findProblemWords(telling.problem);
  if (problem) return `The former contact was NOT told yet: ${problem}. We keep trying.`;
  return "isCollected" in telling
    ? `The former contact was NOT told yet: ${COLLECTED}.`
    : "A notice to the former contact is on its way; another alert tells you if it cannot be sent.";
}

const contactsOf = ({ to = [] }: Pick<DetailsIn<"payee.contact_told" | "payee.contact_not_told">, "to">): string =>
  to.map(showContact).join(", ") || "a contact";

function notToldAlert(who: string, details: DetailsIn<"payee.contact_not_told">): { title: string; body: string } {
  const problem = findProblemWords(details.reason);
  const why = problem ? `: ${problem}` : "";
  const what = `We could not tell ${contactsOf(details)} about ${changedWords(details.changed)}`;
  return details.isFinal
    ? {
        title: `The former contact was NOT told: ${who}`,
        body: `${what}${why}. Call the payee on a number that you had before the change.`,
      }
    : {
        title: `The former contact was NOT told yet: ${who}`,
        body: `${what} yet${why}. We keep trying, and will tell you when it is sent.`,
      };
}

const toldLateAlert = (who: string, details: DetailsIn<"payee.contact_told">): { title: string; body: string } => ({
  title: `The former contact has now been told: ${who}`,
  body: `The provider has accepted the message to ${contactsOf(details)} about ${changedWords(details.changed)}.`,
});

type Undelivered =
  | "job.given_up"
  | "job.dead_lettered"
  | "message.not_delivered"
  | "message.address_stopped"
  | "webhook.disabled";

function undeliveredAlert({ url, email = "", cause, kind, code, reason }: DetailsIn<Undelivered>) {
  if (url) {
    const body = `${url} did not accept events for three days, so no more are sent there. Correct it, then switch it on again in the settings.`;
    return { title: "A webhook endpoint was switched off", body, href: appPaths.webhooks };
  }
  if (cause === "bounced") {
    const body = "The mailbox does not accept emails, so no more are sent there. Check the address and correct it.";
    return { title: `Emails to ${email} do not arrive`, body };
  }
  if (cause === "complained") {
    const body = "The person who reads them marked our email as unwanted, so no more are sent there.";
    return { title: `Emails to ${email} are unwanted`, body };
  }
  const title = "Something was not delivered";
  if (kind === "sms" && code !== undefined) {
    return { title, body: `A text message did not arrive. The provider's code is ${code}.` };
  }
  if (reason === "address_stopped") {
    return { title, body: "An email was not sent, because no more emails are sent to its address." };
  }
  return {
    title,
    body: `${kind ? jobWords(kind) : "A message"} could not be delivered after several attempts.`,
  };
}

/** " (3 confirmed by the bank, 1 approved by a person only)"; empty: none was verified, or no grades were counted. */
function gradesOf(details: DetailsIn<"report.month_ended">): string {
  const grades = [
    [numberOf(details.verifiedByBank), "confirmed by the bank"],
    [numberOf(details.verifiedByCall), "called back"],
    [numberOf(details.verifiedByVouching), "vouched for by other organisations"],
    [numberOf(details.verifiedByPerson), "approved by a person only"],
  ] as const;
  const found = grades.filter(([count]) => count > 0).map(([count, how]) => `${count} ${how}`);
  return found.length > 0 ? ` (${found.join(", ")})` : "";
}

const monthOf = (details: DetailsIn<"report.month_ended">): string =>
  [
    `${counted(details.verified, "payee")} verified${gradesOf(details)}, ${numberOf(details.rejected)} rejected.`,
    `${counted(details.paymentsHeld, "payment")} held (${formatAud(numberOf(details.heldCents))}),`,
    `${numberOf(details.paymentsRejected)} rejected (${formatAud(numberOf(details.rejectedCents))}).`,
    `${counted(details.calls, "call")} to payees.`,
  ].join(" ");

/** "3 of 40 payments are held, $95,000.00." */
function heldSentence({ heldCount, heldCents, lineCount }: DetailsIn<"payment_file.checked">): string {
  const count = numberOf(heldCount);
  if (count === 0) return "";
  return `${count} of ${counted(lineCount, "payment")} ${count === 1 ? "is" : "are"} held, ${formatAud(numberOf(heldCents))}.`;
}

/** Who may decide about a file's held payments if its uploader, a member or an administrator may not. */
function whoDecidesSentence(details: DetailsIn<"payment_file.checked">): string {
  const { secondPersonRequired, largestHeldCents, aboveMemberLimitCents, aboveAdminLimitCents } = details;
  const largest = `The largest, ${formatAud(numberOf(largestHeldCents))}, is above`;
  const second =
    secondPersonRequired === true ? "Someone other than the person who uploaded the file has to approve them." : "";
  const limit =
    typeof aboveAdminLimitCents === "number"
      ? `${largest} what an administrator may approve (${formatAud(aboveAdminLimitCents)}): reject it, or ask an administrator to raise the limit.`
      : typeof aboveMemberLimitCents === "number"
        ? `${largest} what a member may approve (${formatAud(aboveMemberLimitCents)}): an administrator has to approve it.`
        : "";
  return [second, limit].filter(Boolean).join(" ") || "They need a decision.";
}

/** The new role, from the trail's old and new values. */
const newRoleOf = (details: TrailEntry["details"], whose: "Your" | "Their"): string => {
  const to = text((details?.role as { to?: unknown } | undefined)?.to);
  return to ? `${whose} role is now ${to.replace("_", " ")}.` : "";
};

export function alertText(event: AlertEventName, entry: TrailEntry, names: AlertNames): AlertText {
  const who = names.payee ?? "an account that is not among your payees";
  const sum = names.amount === null ? "a payment" : formatAud(names.amount);
  const said = SENTENCES[event]({ ...names, who, sum }, entry);
  return { title: said.title, body: said.body, href: said.href ?? findEntityPath(entry) };
}
