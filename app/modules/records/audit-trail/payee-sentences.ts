import { systemName } from "~/kernel/accounting-system";
import type { TableKind } from "~/kernel/enums";
import { lowerFirst } from "~/kernel/text";
import type { AuditAction } from "~/modules/core/audit/audit";
import { changedWords, findProblemWords, showContact } from "~/modules/messages/notifications/notice-rules";
import {
  after,
  counted,
  type Details,
  joined,
  listOf,
  numberOf,
  sayAccount,
  sayChanges,
  type Told,
  textOf,
  wordsFor,
} from "./details";

import type { Say } from "./people-sentences";

/** Entries about payees, the list of payees and its imports. Pure. */

const KINDS: Readonly<Record<TableKind, string>> = { xero: "from Xero", myob: "from MYOB", table: "as a table" };

/** Where it was read: a line of a file, or an accounting system. */
const fromFile = ({ file, line, system }: Details): string => {
  if (textOf(system)) return ` from ${systemName(system)}`;
  return textOf(file) ? ` from line ${numberOf(line)} of ${textOf(file)}` : "";
};

const sentTo = ({ channel, to }: Details): string =>
  `${channel === "sms" ? " by text message" : " by email"}${after(" to ", textOf(to))}`;

const contactsOf = ({ to }: Details): string =>
  joined(listOf(to).map((each) => showContact(textOf(each)))) || "a contact";

const because = (details: Details): string => after(": ", textOf(details.reason));

const forOthers = ({ whitelistGlobal }: Details): string =>
  whitelistGlobal === true ? " and vouched for the account to other organisations" : "";

const own = ({ selfApproval }: Details): string => (selfApproval === true ? " (their own work)" : "");

const changed =
  (verb: string): Say =>
  ({ who, thing, details }) =>
    `${who} ${verb} ${thing}${after(": ", sayChanges(details.changes)).replace(/^: from /, " from ")}`;

/** Nothing of an entry from before restoring was told apart from trusting. */
function sayTrust({ isTrusted }: Details): string {
  if (typeof isTrusted !== "boolean") return "";
  return isTrusted ? ", which trusts it again" : ", without trusting it";
}

const oneFile = ({ thing, details }: Told): string => textOf(details.name) || thing;

/** "12 added, 3 with differences, 1 refused" of the rows of an import. */
function sayRows({ rowCount, addedCount, filledCount, differsCount, refusedCount }: Details): string {
  const parts = [
    [addedCount, "added"],
    [filledCount, "filled in"],
    [differsCount, "with differences"],
    [refusedCount, "refused"],
  ].flatMap(([count, word]) => (numberOf(count) > 0 ? [`${numberOf(count)} ${word}`] : []));
  return `${counted(rowCount, "row")}${after(", ", joined(parts))}`;
}

export const PAYEE_SENTENCES = {
  "payee.added": ({ who, thing, details }) =>
    `${who} added ${textOf(details.name) || thing}${after(", ", sayAccount(details))}${fromFile(details)}`,
  "payee.added_by_payee": ({ thing, details }) =>
    `The payee ${textOf(details.name) || thing} sent its own details${after(", ", sayAccount(details))}`,
  "bulk_check.started": ({ who, details }) => `${who} started to check ${counted(details.payees, "payee")} in bulk`,
  "bulk_check.stopped": ({ who, details }) =>
    `${who} stopped the bulk check of payees after ${numberOf(details.asked)} had been asked`,
  "bulk_check.finished": ({ details }) => `The bulk check of payees has asked ${counted(details.asked, "payee")}`,
  "bulk_check.failed": ({ details }) =>
    `The bulk check of payees was stopped${after(": ", lowerFirst(textOf(details.problem)))}`,
  "payee_request.sent": ({ who, details }) =>
    `${who} asked ${textOf(details.name)} for its bank details${sentTo(details)}`,
  "payee_request.resent": ({ who, details }) =>
    `${who} asked ${textOf(details.name)} for its bank details again${sentTo(details)}`,
  "payee_request.cancelled": ({ who, details }) =>
    `${who} cancelled the request for the bank details of ${textOf(details.name)}`,
  "payee_request.answered_by_payee": ({ details }) =>
    details.isDuplicate === true
      ? `${textOf(details.name)} answered the request for its bank details with an account that is a payee's already`
      : `${textOf(details.name)} answered the request for its bank details`,
  "payee.edited": changed("edited"),
  "payee.bank_details_changed": (told) =>
    `${changed("changed the bank details of")(told)}${textOf(told.details.cameFrom) && `, as they stand in ${systemName(told.details.cameFrom)}`}`,
  "payee.contact_told": ({ thing, details }) =>
    `PayeeProof told ${contactsOf(details)} of ${changedWords(details.changed)} of ${thing}`,
  "payee.contact_not_told": ({ thing, details }) =>
    `PayeeProof ${details.isFinal === true ? "did NOT tell" : "has NOT yet told"} ${contactsOf(details)} of ${changedWords(details.changed)} of ${thing}${after(": ", findProblemWords(details.reason) ?? "")}`,
  "payee.renamed": changed("gave another name to"),
  "payee.whitelisted": ({ who, thing, details }) =>
    `${who} put ${thing} on the whitelist${forOthers(details)}${own(details)}${because(details)}`,
  "payee.promoted": ({ thing, details }) =>
    `PayeeProof put ${thing} on the whitelist after ${counted(listOf(details.paymentIds).length, "successful payment")}`,
  "payee.unwhitelisted": ({ who, thing, details }) =>
    details.wasOff === true
      ? `${who} decided that ${thing}, off the whitelist already, is not trusted with its former details either${because(details)}`
      : `${who} took ${thing} off the whitelist${because(details)}`,
  "payee.accounting_differs": ({ thing, details }) =>
    `${systemName(details.system)} has ${details.isUnreadable === true ? "something that cannot be read as the bank account of" : "other bank details for"} ${thing}${after(", last edited there by ", textOf(details.editedBy))}${after(": ", sayChanges(details.changes))}`,
  "payee.accounting_agrees": ({ thing, details }) =>
    `${systemName(details.system)} has the bank details of ${thing} again`,
  "payee.accounting_kept": ({ who, thing, details }) =>
    `${who} kept the bank details of ${thing}, not those of ${systemName(details.system)}${because(details)}`,
  "payee.details_restored": (told) =>
    `${changed("restored the former bank details of")(told)}${sayTrust(told.details)}${own(told.details)}`,
  "payee.remittance_sent": ({ thing, details }) =>
    `PayeeProof told ${thing} of ${counted(details.payments, "payment")} by email`,
  "payee.remittance_not_sent": ({ thing, details }) =>
    `PayeeProof did not tell ${thing} of ${counted(details.payments, "payment")} by email`,
  "payee.archived": ({ who, thing }) => `${who} archived ${thing}`,
  "payee.restored": ({ who, thing }) => `${who} put ${thing} back into use`,
  "payee.details_revealed": ({ who, thing }) => `${who} looked at the full bank details of ${thing}`,
  "payee.filled": ({ who, thing, details }) =>
    `${who} filled in ${thing}${fromFile(details)}${after(": ", sayChanges(details.changes))}`,
  "payee.bsbs_ended": ({ details }) =>
    `BSBs of ${counted(details.payees, "payee")} were closed or merged in a new BSB directory`,
  "bsb_directory.uploaded": ({ who, details }) =>
    `${who} uploaded the BSB directory ${textOf(details.fileName)}: ${counted(details.rowCount, "row")}`,
  "bsb_directory.loaded": ({ who, details }) =>
    `${who} took the BSB directory ${textOf(details.fileName)} into use: ${counted(details.rowCount, "row")}`,
  "payee_health.started": ({ who }) => `${who} started to check the list of payees`,
  "payee_health.finished": ({ details }) =>
    `The check of the list of payees ended: ${counted(details.payeeCount, "payee")} looked at`,
  "import.uploaded": ({ who, details, thing }) =>
    `${who} uploaded ${textOf(details.name) || thing} ${wordsFor(KINDS, details.kind)}: ${counted(details.rowCount, "row")}`,
  "import.started": (told) => `${told.who} started the import of ${oneFile(told)}`,
  "import.paused": (told) => `${told.who} paused the import of ${oneFile(told)}`,
  "import.resumed": (told) => `${told.who} went on with the import of ${oneFile(told)}`,
  "import.stopped": (told) => `${told.who} stopped the import of ${oneFile(told)}`,
  "import.finished": (told) => `The import of ${oneFile(told)} ended: ${sayRows(told.details)}`,
  "import.failed": (told) => `The import of ${oneFile(told)} was stopped after several failures`,
} as const satisfies Partial<Record<AuditAction, Say>>;
