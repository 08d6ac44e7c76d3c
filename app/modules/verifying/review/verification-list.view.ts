import { maskAccountNumber } from "~/kernel/account-number";
import { displayName } from "~/kernel/actor";
import { formatBsb } from "~/kernel/bsb";
import type { CsvCell } from "~/kernel/csv";
import { formatDateTime } from "~/kernel/dates";
import type { BankCheckStep } from "~/kernel/enums";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { VERIFICATION_STATUS_LOOKS } from "~/kernel/status-words";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/grade";
import { type ShownVerdict, showVerdict, type VerdictRow } from "~/modules/payees/verifications/standing";
import type { VerificationSummary } from "~/modules/payees/verifications/verification";
import { type ShownStatus, shownStatus } from "~/modules/payees/verifications/verification";
import { methodOf, OUTCOME_LABELS } from "./verification-list";

/** One verification of the list, decided or not. The account number arrives masked. Pure. */

type Named = { firstName: string; lastName: string };

export type Listed = Omit<VerificationSummary, "payee"> & {
  lookalikes: number;
  formerHolders: number;
  notificationSentAt: number | null;
  verifiedByPayeeAt: number | null;
  verificationTokenExpiresAt: number | null;
  checkStep: BankCheckStep | null;
  payee: VerificationSummary["payee"] & VerdictRow["payee"];
  decision: { reason: string | null; createdAt: number } | null;
  decidedBy: Named | null;
};

export type ListedRow = {
  id: string;
  payeeName: string;
  account: string;
  status: ShownStatus;
  /** How it was verified; null: it was not. */
  grade: string | null;
  /** Where it stands, in the words of the review queue; null once it is decided. */
  verdict: ShownVerdict | null;
  outcome: string;
  score: number | null;
  method: string;
  requestedBy: string;
  decidedBy: string | null;
  decidedAt: ShownTime | null;
  createdAt: ShownTime;
};

type Reader = { timeZone: string; now: number; providerName: string };

const accountOf = ({ bsb, accountNumber, accountName }: Listed) =>
  `${formatBsb(bsb)} ${maskAccountNumber(accountNumber)} ${accountName}`;

/** Who decided: a person, or PayeeProof by a rule; null while nobody has. */
const deciderOf = ({ decision, decidedBy }: Listed): string | null =>
  decision && (decidedBy ? displayName(decidedBy) : "PayeeProof");

/** The verdict of one that waits for a decision. */
const verdictOf = (listed: Listed, now: number): ShownVerdict | null =>
  listed.status === "pending" ? showVerdict({ ...listed, isCheckRunning: listed.checkStep !== null }, now) : null;

const gradeText = (listed: Listed): string | null => gradeOf(gradeFactsOf(listed))?.text ?? null;

export function toListedRow(listed: Listed, reader: Reader): ListedRow {
  const { payee, requestedBy, decision } = listed;
  return {
    id: listed.id,
    payeeName: payee.name,
    account: accountOf(listed),
    status: shownStatus(listed),
    grade: gradeText(listed),
    verdict: verdictOf(listed, reader.now),
    outcome: OUTCOME_LABELS[listed.outcome ?? "none"],
    score: listed.nameMatchScore,
    method: methodOf(listed, reader.providerName),
    requestedBy: requestedBy ? displayName(requestedBy) : "System",
    decidedBy: deciderOf(listed),
    decidedAt: decision && showTime(decision.createdAt, reader),
    createdAt: showTime(listed.createdAt, reader),
  };
}

/** The headings of the CSV. */
export const CSV_HEAD = [
  "Verification",
  "Payee",
  "Account name",
  "BSB",
  "Account number (masked)",
  "Status",
  "How it was verified",
  "Verdict",
  "Changed",
  "Result",
  "Score",
  "Method",
  "Requested by",
  "Opened",
  "Decided by",
  "Decided",
  "Reason",
] as const;

export function toCsvRow(listed: Listed, { timeZone, providerName, now }: Reader): CsvCell[] {
  const { payee, requestedBy, decision } = listed;
  const verdict = verdictOf(listed, now);
  return [
    listed.id,
    payee.name,
    listed.accountName,
    formatBsb(listed.bsb),
    maskAccountNumber(listed.accountNumber),
    VERIFICATION_STATUS_LOOKS[shownStatus(listed)].word,
    gradeText(listed),
    verdict?.word ?? null,
    verdict?.changed ?? null,
    OUTCOME_LABELS[listed.outcome ?? "none"],
    listed.nameMatchScore,
    methodOf(listed, providerName),
    requestedBy ? displayName(requestedBy) : "System",
    formatDateTime(listed.createdAt, timeZone),
    deciderOf(listed),
    decision && formatDateTime(decision.createdAt, timeZone),
    decision?.reason ?? null,
  ];
}
