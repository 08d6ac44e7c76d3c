import type { ReadAccount } from "~/ports/document-reader";
import type { Line } from "../layout/lines";
import { cellsOf, precedingText, wordsBefore } from "./context";
import { findCustomer } from "./invoice-facts";
import type { NumberRun } from "./numbers";
import type { Piece } from "./numbers-by-label";

/** What the words around an account say of it: whose it is, and whether it is the one to be paid. */

/** "Our account 062-000 12345678 is under audit: please do not use it", "062-000 12345678 (closed)": nobody is asked to pay there. */
const NOT_TO_USE =
  /^\s*[([–-]\s*(?:(?:this|the|our|account|now|is)\s+){0,3}(?:closed|old|former|previous|frozen|cancelled|not in use|do not use)\b|^[^.]{0,60}\b(?:under audit|(?:being|is) audited|(?:is|are|was|been|being) (?:now )?(?:closed|frozen|suspended|unavailable)|(?:do not|don't|no longer|not to|cannot be|not be|stop) us(?:e|ed|ing)\b(?! (?:cheques?|cash)))/i;

/** "Former BSB 062-000", "(old account, closed 31/10/2026: 062-000 ..." and "Replaces 062-000": another one is meant instead. */
const FORMER =
  /\b(?:(?:former|old|previous|prior|closed)(?=[\s,:(-]*(?:[,:(-]|bank|bsb|branch|acc(?:oun)?t?s?\b|a\/c|details))|replac(?:es|ing)|superse(?:des|ding|ded))\b[^.\t]{0,50}$/i;

/** The words say that another account is to be paid. */
export const isNotToBePaid = ({ run }: Piece, account: Piece): boolean =>
  NOT_TO_USE.test(account.run.line.text.slice(account.run.to, account.run.to + 200)) || FORMER.test(wordsBefore(run));

/** Words that are as good as a label: right before the BSB and account number, or with only the bank's name in between. */
const DETAILS =
  /\b(?:e\.?f\.?t\.?|bank|direct (?:deposit|credit)|transfer)(?:\s+(?:account|details|to|payments?))*\s*:\s*(?:[A-Za-z][\w&.']*\s+){0,3}$/i;

/** Words that say how to pay, above a line that holds nothing but an account: "062-000 12345678". */
const PAY_TO =
  /^(?:(?:please\s+)?(?:pay(?:ment)?s?|remit|deposit|transfer)\s+(?:to|into)|payable\s+to|bank(?:ing)?\s+(?:account|details)|payment\s+details|direct\s+(?:deposit|credit)|e\.?f\.?t\.?)\b/i;
const WHOLE_LINE = /^\d{3}-\d{3}[\s\t/|-]{1,4}\d[\d ]{4,11}\d$/;

export function isUnderDetails(lines: readonly Line[], bsb: Piece, account: Piece): boolean {
  const { line, row, from } = bsb.run;
  if (DETAILS.test(wordsBefore(bsb.run))) return true;
  if (account.run.line !== line) return false;
  const cell = cellsOf(line).find((one) => from >= one.from && from < one.to);
  const text = cell && line.text.slice(cell.from, Math.max(cell.to, account.run.to)).trim();
  if (!(cell && text && WHOLE_LINE.test(text))) return false;
  return lines
    .slice(Math.max(0, row - 3), row)
    .filter((above) => above.turn === line.turn && line.baseline - above.baseline < line.size * 9)
    .flatMap(cellsOf)
    .some((above) => Math.abs(above.start - cell.start) < line.size && PAY_TO.test(above.text));
}

const DEBITED = [
  /\b(?:we|us|automatically|will be|to be|is|are|be)\b[^.]{0,40}\b(?:debit|deduct|draw|withdraw|collect|charge)(?:ed|n)?\b/i,
  /\b(?:debit(?:ed)?|deduct(?:ed)?|drawn?|withdrawn?|charged?|collect(?:ed)?|taken|paid)\b[^.]{0,30}\bfrom\b[^.]{0,20}\b(?:your|the following|nominated)\b/i,
];
const ADDRESSED = [
  /\bdirect debit\b(?!\s+(?:is\s+|are\s+)?(?:not|no longer|unavailable))/i,
  /\byour\b[^.]{0,24}\b(?:nominated|bank|own|registered)?\s*(?:bank )?account\b(?!\s+manager)/i,
  /\b(?:refund|credit)(?:ed)?\b[^.]{0,30}\b(?:in)?to\b[^.]{0,12}\byour\b(?! (?:next|future|following|balance|statement|invoices?|orders?)\b)/i,
  /\bcustomer'?s?\s+(?:bank\s+)?(?:account|details)\b/i,
];
const PAYEES =
  /\b(?:(?:pay|deposit|transfer|remit)\s+(?:the|this|your|any|all)\b[^.\d]{0,30}?\b(?:in)?to\b|pay(?:ment)?s?\s+(?:to|into|by|via)|please\s+(?:pay|remit|deposit|transfer)|remit|deposit(?:s)?\s+(?:to|into)|transfer(?:s)?\s+to|our\s+(?:bank\s+)?account|how to pay|payment (?:details|options|methods)|payable to|bank transfer|eft|direct (?:deposit|credit)|(?:when|before) you pay us)\b/i;

/** The standard text beside every BPAY code. Its "account" is not one on the invoice. */
const OF_BPAY = /\b(?:contact|call) your (?:bank|financial)[^.]{0,80}?\bfrom your\b[^.\d]{0,80}?\baccount\b/gi;

/** "Your BSB 062-000": right before its digits. */
const YOURS = /\byour\s+(?:nominated\s+|bank\s+)*(?:bsb|branch|account|acct|acc)\b[^.\d]{0,24}$/i;

/**
 * "We will debit your account 062-000 ...": the account of the document's recipient.
 * @param name of the account, where a word gives it
 */
export function whoseAccount(
  lines: readonly Line[],
  run: NumberRun,
  account: NumberRun,
  name?: string,
): ReadAccount["whose"] {
  if ([run, account].some((one) => YOURS.test(wordsBefore(one).replace(OF_BPAY, "")))) return "customer";
  const before = precedingText(lines, run, 4, "\n");
  // Text in other columns after both numbers says nothing about them.
  const last = account.line === run.line ? Math.max(run.to, account.to) : run.to;
  const to = cellsOf(run.line).find((cell) => cell.to >= last)?.to ?? last;
  const own = run.line.text.slice(run.from, Math.min(to, last + LONGEST_BEHIND));
  const rows = `${before} ${wordsBefore(run)}${own}`;
  const text = rows.replaceAll("\n", " ").replace(OF_BPAY, (words) => " ".repeat(words.length));
  const debited = lastIndexOf(text, DEBITED);
  const customer = Math.max(debited, lastIndexOf(text, ADDRESSED));
  const payee = lastIndexOf(text, [PAYEES]);
  // "Any balance will be paid to your account." and below that an account in another name than the customer's.
  const isElsewhere = debited < 0 && name && name !== findCustomer(lines) && /[.!?]\s*\n/.test(rows.slice(customer));
  if (isElsewhere) return "payee";
  return customer >= 0 && customer >= payee ? "customer" : "payee";
}

/** A line may be as long as a whole message. */
const LONGEST_BEHIND = 400;

function lastIndexOf(text: string, patterns: readonly RegExp[]): number {
  return Math.max(
    -1,
    ...patterns.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, "gi"))].map(({ index }) => index)),
  );
}
