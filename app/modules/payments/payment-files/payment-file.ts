import { accountKey, formatBsb, maskAccountNumber, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { showTime, type Zone } from "~/kernel/dates";
import type { FileFormat, FileStatus, LineStatus } from "~/kernel/enums";
import { FILE_LIMITS } from "~/kernel/limits";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { PAYMENT_STATUS_WORDS } from "~/kernel/status-words";
import { cleanLine, foldDiacritics } from "~/kernel/text";
import { linkOfReason, stepForUnknownAccount } from "~/modules/payments/payment";
import { isDecidedIndividually } from "~/modules/rules";
import { formerAccount } from "~/modules/rules/account-rules";
import { type AccountStanding, describeTrust } from "~/modules/rules/account-standing";
import { accountChanged, detailsChanged } from "~/modules/rules/change-rules";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { PaymentReason } from "~/modules/rules/payment-holds";
import type { FileLineDetail } from "./file-lines.server";
import type { PaymentFileDetail } from "./payment-file.server";

/* The statuses of a payment file and its lines, and whether it pays from a declared account. Pure. */

/** The largest number of payments in one file. */
export const MAX_LINES = FILE_LIMITS.paymentFile.lines;

/** Up to this many lines, the answer to an upload includes the decision about each. */
export const MAX_LINES_IN_ANSWER = 1_000;

/** 20,000 records of 122 bytes are 2.4 MB; tables of payments carry other columns too. */
export const MAX_FILE_BYTES = FILE_LIMITS.paymentFile.bytes;

export type FileLine = {
  /** Line of the text, from 1. */
  line: number;
  /** The account title in the file: at most 32 characters in a direct entry file. */
  accountName: string;
  bsb: string;
  accountNumber: string;
  /** Integer cents. */
  amount: number;
  reference: string;
  /** The file itself says that the bank details are new or varied (indicator N). */
  newDetails: boolean;
};

/** A chosen line that was not decided, and why, as a sentence. */
export type LeftLine = { line: number; message: string };

type LineBefore = {
  /** The reasons that the rules found when the line was last judged. */
  reasons: readonly PaymentReason[];
  /** A person approved the line knowing those reasons. */
  isApproved: boolean;
};

const keyOf = ({ rule, evidence }: PaymentReason) => JSON.stringify([rule, evidence]);

/**
 * The holding reasons found now that no person has approved: all of them for an undecided line; for an approved line,
 * those that are new or rest on different evidence.
 */
export function findNewHolds(line: LineBefore, now: readonly PaymentReason[]): PaymentReason[] {
  const accepted = new Set(line.isApproved ? line.reasons.map(keyOf) : []);
  return now.filter((reason) => reason.level === "hold" && !accepted.has(keyOf(reason)));
}

/** What the other lines of a file reveal about one line. */
type LineInFile = {
  /** Other titles that the file gives this line's account. */
  otherTitles: string[];
  /** The first line that pays the same account the same amount with the same reference; null: this one is the first. */
  earlierLine: number | null;
};

/** The lines that pay one account. */
type Group = {
  /** Normalised title -> as it first appears in the file. */
  titles: Map<string, string>;
  /** Amount and reference -> the first line that has them. */
  first: Map<string, number>;
};

const plainTitle = (title: string) => foldDiacritics(cleanLine(title));
const paymentKey = ({ amount, reference }: FileLine) => `${amount} ${referenceKey(reference)}`;

/** Reads all lines once. Most accounts appear in only one line, which says nothing about the others. */
export function summariseLines(lines: readonly FileLine[]): (line: FileLine) => LineInFile {
  const byAccount = new Map<string, FileLine[]>();
  for (const line of lines) {
    const key = accountKey(line);
    const known = byAccount.get(key);
    if (known) known.push(line);
    else byAccount.set(key, [line]);
  }
  const groups = new Map<string, Group>();
  for (const [key, group] of byAccount) if (group.length > 1) groups.set(key, toGroup(group));
  return (line) => {
    const group = groups.size > 0 ? groups.get(accountKey(line)) : undefined;
    if (!group) return { otherTitles: [], earlierLine: null };
    const first = group.first.get(paymentKey(line)) ?? line.line;
    return { otherTitles: otherTitles(group, line), earlierLine: first === line.line ? null : first };
  };
}

function otherTitles({ titles }: Group, { accountName }: FileLine): string[] {
  if (titles.size < 2) return [];
  const own = plainTitle(accountName);
  return [...titles].flatMap(([plain, title]) => (plain === own ? [] : [title]));
}

function toGroup(lines: readonly FileLine[]): Group {
  const group: Group = { titles: new Map(), first: new Map() };
  for (const line of lines) {
    const plain = plainTitle(line.accountName);
    if (!group.titles.has(plain)) group.titles.set(plain, line.accountName);
    if (!group.first.has(paymentKey(line))) group.first.set(paymentKey(line), line.line);
  }
  return group;
}

/** True if the lines of a file in this status can be decided and cleared. */
export const isDecidable = (status: FileStatus): boolean => status === "open" || status === "cleared";

/** True if a file may be abandoned: none of it can be at the bank. */
export const canBeAbandoned = ({ status, clearedCount }: { status: FileStatus; clearedCount: number }): boolean =>
  (status === "checking" || status === "open") && clearedCount === 0;

/** The width of an account title in a direct entry record. */
const TITLE_WIDTH = 32;

/** How many characters of a name a file format can hold; null: all of them. */
export const nameWidthOf = (format: FileFormat): number | null => (format === "aba" ? TITLE_WIDTH : null);

/** Integer cents. */
export const sumOf = (lines: readonly { amount: number }[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

/** The add-payee form, filled in with the account of a line. The address does not contain the account itself. */
const addPayeePath = (fileId: string, line: number) =>
  withQuery(appPaths.newPayee, { file: fileId, line: String(line) });

export type LineTab = LineStatus | "all";

/** The address of a file's lines, with the filters, the start, and the line being decided individually. */
export function linesHref(
  id: string,
  {
    tab,
    rule,
    payeeId,
    after,
    line,
    tick = [],
  }: {
    tab?: LineTab;
    rule?: string;
    payeeId?: string;
    after?: number;
    line?: number;
    tick?: readonly string[];
  },
): string {
  const [from, one] = [after, line].map((number) => (number === undefined ? undefined : String(number)));
  const query = { lines: tab, rule, payeeId, after: from, line: one, tick: tick.join(",") || undefined };
  return `${withQuery(appPaths.paymentFile(id), query)}#${line === undefined ? "lines" : "decide"}`;
}

type Grouped = Pick<LineRow, "line" | "amount" | "status" | "paymentId" | "isDecidedIndividually" | "reasons">;

/** True if the line is not cleared yet and may be decided together with others. */
export const isTickable = ({
  status,
  paymentId,
  isDecidedIndividually: isSingle,
}: Omit<Grouped, "reasons" | "line" | "amount">) => status !== "rejected" && paymentId === null && !isSingle;

/** Whether the reason of a group counts against the account itself. */
const isGrave = ({ rule, lines }: { rule: string; lines: readonly Grouped[] }): boolean =>
  lines.some(({ reasons }) => reasons.some((reason) => reason.rule === rule && reason.isGrave));

/** Groups held lines by the most serious reason of each: reasons against the account first, then the largest amount. */
export function groupByReason<Line extends Grouped>(lines: readonly Line[]) {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const holds = line.reasons.filter(({ level }) => level === "hold");
    const rule = (holds.find(({ isGrave }) => isGrave) ?? holds[0])?.rule ?? "";
    groups.set(rule, [...(groups.get(rule) ?? []), line]);
  }
  return [...groups]
    .map(([rule, held]) => ({ rule, lines: held, cents: sumOf(held), tickable: held.filter(isTickable).length }))
    .sort((a, b) => Number(isGrave(b)) - Number(isGrave(a)) || b.cents - a.cents);
}

export const LINE_TAB_LABELS: Readonly<Record<LineTab, string>> = {
  all: "All",
  held: PAYMENT_STATUS_WORDS.held,
  authorised: PAYMENT_STATUS_WORDS.authorised,
  rejected: PAYMENT_STATUS_WORDS.rejected,
};

export const FORMAT_LABELS: Readonly<Record<FileFormat, string>> = {
  aba: "ABA (direct entry)",
  csv: "CSV",
  pasted: "Pasted lines",
};

export function toFileRow(file: PaymentFileDetail, isStopped: boolean, zone: Zone) {
  const { id, name, lineCount, totalCents, heldCount, uploadedBy } = file;
  const status = isStopped ? ("stopped" as const) : file.status;
  return { id, name, status, lineCount, totalCents, heldCount, uploadedBy, uploadedAt: showTime(file.createdAt, zone) };
}

export type FileRow = ReturnType<typeof toFileRow>;

/** The sentences of these rules already say who verified the account. */
const TELL_STANDING: ReadonlySet<string> = new Set([accountChanged.id, detailsChanged.id, formerAccount.id]);

const tellsStanding = ({ rule }: Pick<PaymentReason, "rule">): boolean => TELL_STANDING.has(rule);

/** One line on its file's page: the account number arrives masked. */
export function toLineRow(
  { accountNumber, decidedAt, reasons, ...line }: FileLineDetail,
  zone: Zone,
  { bank, news, standing }: { bank: string | null; news: string | null; standing: AccountStanding | null },
  /** The file whose unknown accounts may be added as payees; null: the person may not add payees. */
  addFrom: string | null,
) {
  return {
    ...line,
    /** `isGrave`: because of this reason, the line is decided individually. */
    reasons: reasons.map((reason) => {
      const { rule, level, message } = reason;
      return { rule, level, message, isGrave: isDecidedIndividually([reason]), link: linkOfReason(reason) };
    }),
    /** The line is held, and must be decided individually. */
    isDecidedIndividually: line.status === "held" && (news !== null || isDecidedIndividually(reasons)),
    /** A bank's answer against the account since the line was judged; null: none. */
    news,
    /** The bank's last answer about the account, in short; null: it was never asked. */
    bank,
    /** Who verified the account of a held line; null: nobody, or the reasons already say so. */
    verified: (standing && !reasons.some(tellsStanding) && describeTrust(standing, zone.timeZone)) || null,
    maskedAccountNumber: maskAccountNumber(accountNumber),
    decidedAt: decidedAt === null ? null : showTime(decidedAt, zone),
    /** What to do about an account that belongs to no payee. */
    nextStep: stepForUnknownAccount({ ...line, reasons }, addFrom && addPayeePath(addFrom, line.line)),
  };
}

export type LineRow = ReturnType<typeof toLineRow>;

/*
 * Compares the paying account that a direct entry file names with the accounts that the organisation declared.
 * Whoever tampers with a file can also change which account is debited and where returned payments go. Pure.
 */

export type PayingAccount = {
  /** The bank's three letters, such as CBA. */
  bank: string;
  /** Up to six digits: the direct entry user id that the bank assigned. */
  userId: string;
  bsb: string;
  accountNumber: string;
};

/** `header`: some banks put the account there; `trace`: returned payments go there; `debit`: it is debited. */
type Place = "header" | "trace" | "debit";

export type StatedAccount = {
  place: Place;
  bsb: string;
  accountNumber: string;
  /** The first line that names the account in this place, and how many lines do. */
  line: number;
  count: number;
};

/** The paying details in a file. The same account in two places is listed twice. */
export type PaysFrom = { bank: string; userId: string; accounts: StatedAccount[] };

/** `not_stated`: a table, or a file with too few details; `none_declared`: there is nothing to compare with. */
export type PayingCheck =
  | { state: "declared" | "not_stated" | "none_declared"; problems: [] }
  | { state: "other"; problems: string[] };

const sameUser = (a: string, b: string): boolean => a.trim().padStart(6, "0") === b.trim().padStart(6, "0");

const show = ({ bsb, accountNumber }: Pick<StatedAccount, "bsb" | "accountNumber">): string =>
  `${parseBsb(bsb) ? formatBsb(bsb) : bsb || "no BSB"} ${accountNumber === "" ? "without an account number" : maskAccountNumber(accountNumber)}`;

const NOT_DECLARED = "which your organisation has not declared to pay from";

function statedAccountSentence({ place, line, count, ...account }: StatedAccount): string {
  const more = count > 1 ? ` and ${count - 1} more` : "";
  switch (place) {
    case "header":
      return `The header names the account ${show(account)}, ${NOT_DECLARED}.`;
    case "debit":
      return `Line ${line} takes the whole amount from ${show(account)}, ${NOT_DECLARED}.`;
    case "trace":
      return `Line ${line}${more}: returned payments would go to ${show(account)}, ${NOT_DECLARED}.`;
  }
}

/** Compares a file's paying details with the declared accounts: those that the file names, otherwise any. */
export function checkPayingAccount(stated: PaysFrom | null, declared: readonly PayingAccount[]): PayingCheck {
  if (!stated) return { state: "not_stated", problems: [] };
  if (declared.length === 0) return { state: "none_declared", problems: [] };
  const byKey = new Map<string, PayingAccount[]>();
  for (const account of declared) byKey.set(accountKey(account), [...(byKey.get(accountKey(account)) ?? []), account]);
  const others = stated.accounts.filter((account) => !byKey.has(accountKey(account)));
  const named = stated.accounts.flatMap((account) => byKey.get(accountKey(account)) ?? []);
  const owners = named.length > 0 ? named : declared;
  const isKnown = owners.some(({ bank, userId }) => bank === stated.bank && sameUser(userId, stated.userId));
  const problems = [...(isKnown ? [] : [headerSentence(stated, owners)]), ...others.map(statedAccountSentence)];
  return problems.length > 0 ? { state: "other", problems } : { state: "declared", problems: [] };
}

type Progress = { status: FileStatus; heldCount: number; authorisedCount: number; clearedCount: number };

/** True until everything that was approved is cleared and nothing is held: a stop is about what is cleared next. */
export const hasMoreToClear = ({ status, heldCount, authorisedCount, clearedCount }: Progress): boolean =>
  status === "checking" ||
  (isDecidable(status) && (clearedCount === 0 || heldCount > 0 || authorisedCount > clearedCount));

/** Why what is left of a file cannot be cleared; none: nothing stops it. */
export const stopsOf = (
  { paysFrom, ...progress }: Progress & { paysFrom: PaysFrom | null },
  declared: readonly PayingAccount[],
): string[] => (hasMoreToClear(progress) ? checkPayingAccount(paysFrom, declared).problems : []);

function headerSentence({ bank, userId }: PaysFrom, owners: readonly PayingAccount[]): string {
  const known = [...new Set(owners.map((each) => `${each.bank} and ${each.userId}`))].join(", or ");
  return `The header names the bank ${bank || "(blank)"} and the user number ${userId || "(blank)"}. You declared ${known}.`;
}

/** What to do about a file with an undeclared paying account. */
export const STOPPED_NEXT =
  "Ask whoever made the file, on a number you know, why it names a different account. If the account is yours, an administrator can declare it; if not, abandon the file and tell your bank.";

/** A shorter version of the same. */
export const STOPPED_SHORTLY =
  "Ask whoever made it, on a number you know, or let an administrator declare the account.";

/** The accounts in a file that nobody declared, ready to be declared: each once, if valid. */
export function findUndeclared({ bank, userId, accounts }: PaysFrom, declared: readonly PayingAccount[]) {
  if (!/^[A-Z&]{3}$/.test(bank) || !/^\d{1,6}$/.test(userId)) return [];
  const keyOf = (account: PayingAccount) => `${account.bank} ${account.userId.padStart(6, "0")} ${accountKey(account)}`;
  const known = new Set(declared.map(keyOf));
  const found = new Map<string, PayingAccount>();
  for (const { bsb, accountNumber } of accounts) {
    const account = { bank, userId, bsb, accountNumber };
    const isAccount = parseBsb(bsb) !== undefined && parseAccountNumber(accountNumber) !== undefined;
    if (isAccount && !known.has(keyOf(account))) found.set(keyOf(account), account);
  }
  return [...found.values()];
}
