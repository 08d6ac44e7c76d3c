import { maskAccountNumber } from "~/kernel/account-number";
import type { FileFormat, FileStatus, LineStatus, PaymentStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { PAYMENT_STATUS_WORDS } from "~/kernel/status-words";
import { type NextStep, stepForUnknownAccount } from "~/modules/payments/unknown-account";
import { isDecidedSingly } from "~/modules/rules";
import { accountChanged } from "~/modules/rules/account-changed";
import { type AccountStanding, sayTrust } from "~/modules/rules/account-standing";
import { detailsChanged } from "~/modules/rules/details-changed";
import { formerAccount } from "~/modules/rules/former-account";
import type { PaymentReason } from "~/modules/rules/payment-reason";

/** Addresses of payment files, and what their pages draw. Pure. */

/** The form that adds the account of a line as a payee, filled in. The account itself stays out of the address. */
const addPayeePath = (fileId: string, line: number) =>
  withQuery(appPaths.newPayee, { file: fileId, line: String(line) });

export type LineTab = LineStatus | "all";

/** The address of a file's lines: which status, which reason, from where, and which of them is decided by itself. */
export function linesHref(
  id: string,
  {
    tab,
    rule,
    payeeId,
    after,
    line,
  }: { tab?: LineTab; rule?: string; payeeId?: string; after?: number; line?: number },
): string {
  const [from, one] = [after, line].map((number) => (number === undefined ? undefined : String(number)));
  const query = { lines: tab, rule, payeeId, after: from, line: one };
  return `${withQuery(appPaths.paymentFile(id), query)}#${line === undefined ? "lines" : "decide"}`;
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

type File = {
  id: string;
  name: string;
  status: FileStatus;
  lineCount: number;
  totalCents: number;
  heldCount: number;
  createdAt: number;
  uploadedBy: string | null;
};

/** One row of the list of files. */
export function toFileRow(file: File, zone: { timeZone: string; now: number }) {
  const { createdAt, ...row } = file;
  const { id, name, status, lineCount, totalCents, heldCount, uploadedBy } = row;
  return { id, name, status, lineCount, totalCents, heldCount, uploadedBy, uploadedAt: showTime(createdAt, zone) };
}
export type FileRow = ReturnType<typeof toFileRow>;

type Line = {
  line: number;
  status: LineStatus;
  accountName: string;
  bsb: string;
  accountNumber: string;
  amount: number;
  reference: string;
  payeeId: string | null;
  payeeName: string | null;
  reasons: PaymentReason[];
  decidedBy: string | null;
  decisionReason: string | null;
  decidedAt: number | null;
  paymentId: string | null;
  paymentStatus: PaymentStatus | null;
};

/** One line as the page of its file shows it: the account number arrives masked. */
export type LineRow = Omit<Line, "accountNumber" | "decidedAt" | "reasons"> & {
  maskedAccountNumber: string;
  decidedAt: ShownTime | null;
  /** `isGrave`: the line is decided by itself for it. */
  reasons: (Pick<PaymentReason, "rule" | "level" | "message"> & { isGrave: boolean })[];
  /** It is held, and is decided by itself. */
  isDecidedSingly: boolean;
  /** What a bank has said against the account since the line was judged; null: nothing. */
  news: string | null;
  /** Who verified the account, while the line is held; null: nobody, or the reasons say it. */
  verified: string | null;
  /** What to do about an account that is no payee's. */
  nextStep: NextStep | null;
};

/** These rules say who verified the account that is paid. */
const TELL_STANDING: ReadonlySet<string> = new Set([accountChanged.id, detailsChanged.id, formerAccount.id]);
const tellsStanding = ({ rule }: Pick<PaymentReason, "rule">): boolean => TELL_STANDING.has(rule);

export function toLineRow(
  { accountNumber, decidedAt, reasons, ...line }: Line,
  zone: { timeZone: string; now: number },
  { news, standing }: { news: string | null; standing: AccountStanding | null },
  /** The file from which an unknown account may be added as a payee; null: the person may not. */
  addFrom: string | null,
): LineRow {
  return {
    ...line,
    reasons: reasons.map((reason) => {
      const { rule, level, message } = reason;
      return { rule, level, message, isGrave: isDecidedSingly([reason]) };
    }),
    isDecidedSingly: line.status === "held" && (news !== null || isDecidedSingly(reasons)),
    news,
    verified: (standing && !reasons.some(tellsStanding) && sayTrust(standing, zone.timeZone)) || null,
    maskedAccountNumber: maskAccountNumber(accountNumber),
    decidedAt: decidedAt === null ? null : showTime(decidedAt, zone),
    nextStep: stepForUnknownAccount({ ...line, reasons }, addFrom && addPayeePath(addFrom, line.line)),
  };
}
