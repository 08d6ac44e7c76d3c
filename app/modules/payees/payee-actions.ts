import { type ConnectableSystem, systemName } from "~/kernel/accounting-system";
import type {
  CheckOutcome,
  NoticeDelay,
  NoticeFailure,
  NoticeSubject,
  NotificationChannel,
  TableKind,
} from "~/kernel/enums";
import type { PayeeDetails } from "~/kernel/payee";
import { capital, lowerFirst } from "~/kernel/text";
import {
  type AuditedActions,
  accountWords,
  after,
  counted,
  type Facts,
  joined,
  listOf,
  numberOf,
  payeeChangeWords,
  textOf,
  type Unknown,
  type WrittenChange,
  wordsFor,
} from "~/modules/core/audit/details";
import { changedWords, findProblemWords, showContact } from "~/modules/messages/notifications/notice-rules";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";
import type { ReviewFlag } from "~/modules/payees/verifications/review-flags";

const outcomeWords = ({ outcome, reasonCode }: { outcome?: CheckOutcome; reasonCode?: string | null }): string =>
  outcome ? lowerFirst(describeOutcome(outcome, reasonCode ?? null).title) : "not recorded what it said";

const KINDS: Readonly<Record<TableKind, string>> = { xero: "from Xero", myob: "from MYOB", table: "as a table" };

/** Where the details came from: a line of a file, or an accounting system. */
const fromFile = ({ file, line, system }: Unknown<"file" | "line" | "system">): string => {
  if (textOf(system)) return ` from ${systemName(system)}`;
  return textOf(file) ? ` from line ${numberOf(line)} of ${textOf(file)}` : "";
};

const sentTo = ({ channel, to }: Unknown<"channel" | "to">): string =>
  `${channel === "sms" ? " by text message" : " by email"}${after(" to ", textOf(to))}`;

const contactsOf = ({ to }: Unknown<"to">): string =>
  joined(listOf(to).map((each) => showContact(textOf(each)))) || "a contact";

const because = (details: Unknown<"reason">): string => after(": ", textOf(details.reason));

const forOthers = ({ whitelistGlobal }: Unknown<"whitelistGlobal">): string =>
  whitelistGlobal === true ? " and vouched for the account to other organisations" : "";

const own = ({ selfApproval }: Unknown<"selfApproval">): string => (selfApproval === true ? " (their own work)" : "");

const changed = (
  verb: string,
  { who, subject, details }: { who: string; subject: string; details: Unknown<"changes"> },
): string => `${who} ${verb} ${subject}${after(": ", payeeChangeWords(details.changes)).replace(/^: from /, " from ")}`;

/** Empty for entries from before restoring and trusting were recorded separately. */
function trustClause({ isTrusted }: Unknown<"isTrusted">): string {
  if (typeof isTrusted !== "boolean") return "";
  return isTrusted ? ", which trusts it again" : ", without trusting it";
}

const oneFile = ({ subject, details }: { subject: string; details: Unknown<"name"> }): string =>
  textOf(details.name) || subject;

/** What a person did with an import that is under way. */
const importAct = (done: string) => ({
  label: `${capital(done)} the import of payees`,
  sentence: (facts: Facts<{ name: string }>) => `${facts.who} ${done} the import of ${oneFile(facts)}`,
});

/** "12 added, 3 with differences, 1 refused", for the rows of an import. */
function rowsWords({
  rowCount,
  addedCount,
  filledCount,
  differsCount,
  refusedCount,
}: Unknown<"rowCount" | "addedCount" | "filledCount" | "differsCount" | "refusedCount">): string {
  const parts = [
    [addedCount, "added"],
    [filledCount, "filled in"],
    [differsCount, "with differences"],
    [refusedCount, "refused"],
  ].flatMap(([count, word]) => (numberOf(count) > 0 ? [`${numberOf(count)} ${word}`] : []));
  return `${counted(rowCount, "row")}${after(", ", joined(parts))}`;
}

/** What was found about a payee's email domain or ABN, and how sentences name the subject. */
const CONCERNS = {
  domain_new: "is newly registered",
  domain_unregistered: "is not registered",
  dmarc_gone: "has no DMARC policy any more",
  abn_cancelled: "is cancelled",
};

export type PayeeConcern = keyof typeof CONCERNS;

type Changed = { changes: readonly WrittenChange[] };

/** The line of the file that a payee came from. */
type LineOfFile = { importId: string; file: string; line: number };

/** Who last edited a supplier in the accounting system, and when. */
type LastEdit = { editedBy: string | null; editedAt: number | null };

/** Who would be told about changed details, as known at the time of the change. */
type Telling = { contacts: number; problem?: NoticeDelay; isCollected?: boolean };

/** Details that were restored when the new ones were rejected. */
type Restored = Changed & {
  isTrusted: boolean;
  whitelistGlobal: boolean;
  telling?: Telling;
  verificationId: string;
  reason: string | null;
  flags: readonly ReviewFlag[];
  /** Why the payee is not trusted again. */
  noTrust: string | null;
  selfApproval: boolean;
};

type Asked = { name: string | null; channel: NotificationChannel; to: string };

/** The audit actions of payees, the payee list and imports. */
export const payeeActions = {
  "payee.added": {
    label: "Added the payee",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<PayeeDetails & Partial<LineOfFile> & { system?: ConnectableSystem } & Partial<LastEdit>>) =>
      `${who} added ${textOf(details.name) || subject}${after(", ", accountWords(details))}${fromFile(details)}`,
  },
  "payee.added_by_payee": {
    label: "The payee sent its own details",
    sentence: ({ subject, details }: Facts<PayeeDetails>) =>
      `The payee ${textOf(details.name) || subject} sent its own details${after(", ", accountWords(details))}`,
  },
  "payee.edited": { label: "Edited the payee", sentence: (facts: Facts<Changed>) => changed("edited", facts) },
  "payee.bank_details_changed": {
    label: "Changed the bank details",
    sentence: (facts: Facts<Changed & { telling?: Telling; cameFrom?: ConnectableSystem; editedBy?: string | null }>) =>
      `${changed("changed the bank details of", facts)}${textOf(facts.details.cameFrom) && `, as they stand in ${systemName(facts.details.cameFrom)}`}`,
  },
  "payee.contact_told": {
    label: "Told a contact of the payee about the change",
    sentence: ({
      subject,
      details,
    }: Facts<{ changed: NoticeSubject; to: readonly string[]; channel: NotificationChannel; isLate?: true }>) =>
      `PayeeProof told ${contactsOf(details)} about ${changedWords(details.changed)} of ${subject}`,
  },
  "payee.contact_not_told": {
    label: "Did NOT tell a contact of the payee about the change",
    sentence: ({
      subject,
      details,
    }: Facts<{
      changed: NoticeSubject;
      to: readonly string[];
      reason: NoticeDelay | NoticeFailure;
      isFinal: boolean /** The alert of the change itself says so. */;
      isSaid?: true;
    }>) =>
      `PayeeProof ${details.isFinal === true ? "did NOT tell" : "has NOT yet told"} ${contactsOf(details)} about ${changedWords(details.changed)} of ${subject}${after(": ", findProblemWords(details.reason) ?? "")}`,
  },
  "payee.renamed": {
    label: "Renamed the payee",
    sentence: (facts: Facts<Changed>) => changed("renamed", facts),
  },
  "organization.bank_asked": {
    label: "Asked a bank about an account",
    sentence: ({
      details,
    }: Facts<{
      accountName: string;
      outcome: CheckOutcome;
      reasonCode: string | null;
      purpose: string;
      lookUpId?: string;
      answeredBy?: string;
    }>) =>
      `A bank was asked about an account in the name of ${textOf(details.accountName)}, which belongs to no payee: ${outcomeWords(details)}`,
  },
  "payee.confirmed_again": {
    label: "Asked the bank again",
    sentence: ({
      subject,
      details,
    }: Facts<{
      outcome: CheckOutcome;
      reasonCode: string | null;
      lookUpId: string | null;
      /** Absent in entries from before payments had questions. */
      purpose?: string;
      answeredBy?: string;
    }>) =>
      details.outcome === "match"
        ? `The bank was asked about ${subject} again, and confirms the details`
        : details.outcome === "unable"
          ? `The bank was asked about ${subject} again, and could not answer`
          : `The bank was asked about ${subject} again: ${outcomeWords(details)}`,
  },
  "payee.whitelisted": {
    label: "Whitelisted the payee",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<{
      reason?: string | null;
      verificationId?: string;
      whitelistGlobal?: boolean;
      selfApproval?: boolean;
    }>) => `${who} put ${subject} on the whitelist${forOthers(details)}${own(details)}${because(details)}`,
  },
  "payee.promoted": {
    label: "Whitelisted the payee after successful payments",
    sentence: ({ subject, details }: Facts<{ reason: string; paymentIds: readonly string[] }>) =>
      `PayeeProof put ${subject} on the whitelist after ${counted(listOf(details.paymentIds).length, "successful payment")}`,
  },
  "payee.way_to_pay_forgotten": {
    label: "Removed what was known of the payee",
    sentence: ({ who, subject, details }: Facts<{ kind: string; value: string }>) =>
      `${who} removed what was known of ${subject}: ${textOf(details.kind)} ${textOf(details.value)}`,
  },
  "payee.unwhitelisted": {
    label: "Took the payee off the whitelist",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<{
      reason?: string | null;
      whitelistGlobal?: boolean;
      verificationId?: string;
      wasOff?: boolean;
    }>) =>
      details.wasOff === true
        ? `${who} decided that ${subject}, which was already off the whitelist, is not trusted with its former details either${because(details)}`
        : `${who} took ${subject} off the whitelist${because(details)}`,
  },
  "payee.details_restored": {
    label: "Restored the former bank details",
    sentence: (facts: Facts<Restored>) =>
      `${changed("restored the former bank details of", facts)}${trustClause(facts.details)}${own(facts.details)}`,
  },
  "payee.archived": {
    label: "Archived the payee",
    sentence: ({ who, subject }: Facts) => `${who} archived ${subject}`,
  },
  "payee.restored": {
    label: "Restored the archived payee",
    sentence: ({ who, subject }: Facts) => `${who} restored ${subject} from the archive`,
  },
  "payee.details_revealed": {
    label: "Looked at the full bank details",
    sentence: ({ who, subject }: Facts) => `${who} looked at the full bank details of ${subject}`,
  },
  "payee.filled": {
    label: "Filled in details of the payee from a file",
    sentence: ({ who, subject, details }: Facts<Changed & Partial<LineOfFile> & { system?: ConnectableSystem }>) =>
      `${who} filled in ${subject}${fromFile(details)}${after(": ", payeeChangeWords(details.changes))}`,
  },
  "payee.concern_found": {
    label: "Found something about the payee's email domain or ABN",
    sentence: ({
      subject,
      details: { subject: domain, concern },
    }: Facts<{ subject: string; concern: PayeeConcern; since: number | null }>) =>
      `PayeeProof found that ${concern === "abn_cancelled" ? "the ABN" : `the email domain ${textOf(domain)}`} of ${subject} ${wordsFor(CONCERNS, concern)}`,
  },
  "payee.bsbs_ended": {
    label: "BSBs of payees were closed or merged",
    sentence: ({ details }: Facts<{ payees: number; fileName: string }>) =>
      `BSBs of ${counted(details.payees, "payee")} were closed or merged in a new BSB directory`,
  },
  "payee_request.sent": {
    label: "Asked a payee for its details",
    sentence: ({ who, details }: Facts<Asked>) =>
      `${who} asked ${textOf(details.name)} for its bank details${sentTo(details)}`,
  },
  "payee_request.resent": {
    label: "Asked a payee for its details again",
    sentence: ({ who, details }: Facts<Asked>) =>
      `${who} asked ${textOf(details.name)} for its bank details again${sentTo(details)}`,
  },
  "payee_request.cancelled": {
    label: "Cancelled a request for a payee's details",
    sentence: ({ who, details }: Facts<{ name: string | null }>) =>
      `${who} cancelled the request for the bank details of ${textOf(details.name)}`,
  },
  "payee_request.answered_by_payee": {
    label: "A payee answered the request for its details",
    sentence: ({
      details,
    }: Facts<{ name: string | null; payeeId: string; verificationId?: string; isDuplicate?: true }>) =>
      details.isDuplicate === true
        ? `${textOf(details.name)} answered the request for its bank details with an account that another payee already has`
        : `${textOf(details.name)} answered the request for its bank details`,
  },
  "bulk_check.started": {
    label: "Started a bulk check of payees",
    sentence: ({
      who,
      details,
    }: Facts<{ payees: number; filter: string; verified: string; paid: string; q?: string }>) =>
      `${who} started a bulk check of ${counted(details.payees, "payee")}`,
  },
  "bulk_check.stopped": {
    label: "Stopped a bulk check of payees",
    sentence: ({ who, details }: Facts<{ asked: number }>) =>
      `${who} stopped the bulk check of payees after ${numberOf(details.asked)} had been asked`,
  },
  "bulk_check.finished": {
    label: "Asked every payee in a bulk check",
    sentence: ({ details }: Facts<{ asked: number }>) =>
      `The bulk check of payees has asked ${counted(details.asked, "payee")}`,
  },
  "bulk_check.failed": {
    label: "A bulk check of payees was stopped",
    sentence: ({ details }: Facts<{ problem: string }>) =>
      `The bulk check of payees was stopped${after(": ", lowerFirst(textOf(details.problem)))}`,
  },
  "bsb_directory.uploaded": {
    label: "Uploaded a BSB directory",
    sentence: ({ who, details }: Facts<{ fileName: string; rowCount: number }>) =>
      `${who} uploaded the BSB directory ${textOf(details.fileName)}: ${counted(details.rowCount, "row")}`,
  },
  "bsb_directory.loaded": {
    label: "Started to use a new BSB directory",
    sentence: ({ who, details }: Facts<{ fileName: string; rowCount: number }>) =>
      `${who} started to use the BSB directory ${textOf(details.fileName)}: ${counted(details.rowCount, "row")}`,
  },
  "payee_health.started": {
    label: "Started to check the list of payees",
    sentence: ({ who }: Facts) => `${who} started to check the list of payees`,
  },
  "payee_health.finished": {
    label: "The check of the list of payees ended",
    sentence: ({ details }: Facts<{ runId: string; payeeCount: number; pointsSum: number }>) =>
      `The check of the list of payees ended: ${counted(details.payeeCount, "payee")} looked at`,
  },
  "import.uploaded": {
    label: "Uploaded a file of payees",
    sentence: ({ who, details, subject }: Facts<{ name: string; kind: TableKind; sha256: string; rowCount: number }>) =>
      `${who} uploaded ${textOf(details.name) || subject} ${wordsFor(KINDS, details.kind)}: ${counted(details.rowCount, "row")}`,
  },
  "import.started": importAct("started"),
  "import.paused": importAct("paused"),
  "import.resumed": importAct("continued"),
  "import.stopped": importAct("stopped"),
  "import.finished": {
    label: "The import of payees ended",
    sentence: (
      facts: Facts<{ name: string } & Record<`${"row" | "added" | "filled" | "differs" | "refused"}Count`, number>>,
    ) => `The import of ${oneFile(facts)} ended: ${rowsWords(facts.details)}`,
  },
  "import.failed": {
    label: "The import of payees was stopped after several failures",
    sentence: (facts: Facts<{ name: string } | undefined>) =>
      `The import of ${oneFile(facts)} was stopped after several failures`,
  },
  "payee.remittance_sent": {
    label: "Told the payee about payments by email",
    sentence: ({ subject, details }: Facts<{ payments: number }>) =>
      `PayeeProof told ${subject} about ${counted(details.payments, "payment")} by email`,
  },
  "payee.remittance_not_sent": {
    label: "Did not tell the payee about payments by email",
    sentence: ({ subject, details }: Facts<{ payments: number }>) =>
      `PayeeProof did not tell ${subject} about ${counted(details.payments, "payment")} by email`,
  },
  "payee.accounting_differs": {
    label: "Found different bank details in the accounting system",
    sentence: ({
      subject,
      details,
    }: Facts<Changed & LastEdit & { system: ConnectableSystem; isUnreadable?: boolean }>) =>
      `${systemName(details.system)} has ${details.isUnreadable === true ? "something that cannot be read as the bank account of" : "different bank details for"} ${subject}${after(", last edited there by ", textOf(details.editedBy))}${after(": ", payeeChangeWords(details.changes))}`,
  },
  "payee.accounting_agrees": {
    label: "Found the same bank details in the accounting system again",
    sentence: ({ subject, details }: Facts<{ system: ConnectableSystem }>) =>
      `${systemName(details.system)} has the bank details of ${subject} again`,
  },
  "payee.accounting_kept": {
    label: "Kept the payee's bank details, not those of the accounting system",
    sentence: ({ who, subject, details }: Facts<{ system: ConnectableSystem; reason: string }>) =>
      `${who} kept the bank details of ${subject}, not those of ${systemName(details.system)}${because(details)}`,
  },
} satisfies AuditedActions;
