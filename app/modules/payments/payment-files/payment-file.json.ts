import { toIso } from "~/kernel/dates";
import type { FileFormat, FileStatus, LineStatus, PaymentStatus } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import type { Difference } from "./compare-files";

type File = {
  id: string;
  name: string;
  format: FileFormat;
  status: FileStatus;
  sha256: string;
  problems: FileProblem[];
  lineCount: number;
  totalCents: number;
  checkedCount: number;
  heldCount: number;
  heldCents: number;
  authorisedCount: number;
  authorisedCents: number;
  rejectedCount: number;
  clearedCount: number;
  settledCount: number;
  createdAt: number;
};

/** A payment file as the API shows it: amounts in integer cents, instants in ISO 8601. */
export function toFileJson(file: File) {
  const { heldCount, heldCents, authorisedCount, authorisedCents, rejectedCount } = file;
  return {
    id: file.id,
    name: file.name,
    format: file.format,
    status: file.status,
    sha256: file.sha256,
    totals: {
      lines: file.lineCount,
      cents: file.totalCents,
      checked: file.checkedCount,
      held: heldCount,
      heldCents,
      authorised: authorisedCount,
      authorisedCents,
      rejected: rejectedCount,
      cleared: file.clearedCount,
      settled: file.settledCount,
    },
    problems: file.problems,
    createdAt: toIso(file.createdAt),
  };
}

type Line = {
  line: number;
  status: LineStatus;
  accountName: string;
  bsb: string;
  accountNumber: string;
  amount: number;
  reference: string;
  payeeId: string | null;
  reasons: PaymentReason[];
  decisionReason: string | null;
  decidedAt: number | null;
  paymentId: string | null;
  paymentStatus: PaymentStatus | null;
};

/** A line of a payment file. The account number arrives as the caller may show it. */
export function toLineJson(line: Line) {
  return {
    line: line.line,
    decision: line.status,
    accountName: line.accountName,
    bsb: line.bsb,
    accountNumber: line.accountNumber,
    amount: line.amount,
    reference: line.reference,
    payeeId: line.payeeId,
    reasons: line.reasons,
    decisionReason: line.decisionReason,
    decidedAt: line.decidedAt === null ? null : toIso(line.decidedAt),
    paymentId: line.paymentId,
    paymentStatus: line.paymentStatus,
  };
}

type Clearing = {
  id: string;
  fileId: string;
  sha256: string;
  lineCount: number;
  totalCents: number;
  createdAt: number;
};

/** A clearing as the API shows it. */
export const toClearingJson = ({ id, fileId, sha256, lineCount, totalCents, createdAt }: Clearing) => ({
  id,
  fileId,
  sha256,
  lines: lineCount,
  totalCents,
  clearedAt: toIso(createdAt),
});

type Proof =
  | { cleared: true; clearing: Clearing }
  | { cleared: false; sha256: string; nearest: Clearing | null; differences: readonly Difference[] };

/** The answer to "Is this the file that was cleared?". */
export function toProofJson(proof: Proof) {
  if (proof.cleared) return { cleared: true, clearing: toClearingJson(proof.clearing) };
  const { sha256, nearest, differences } = proof;
  return { cleared: false, sha256, comparedWith: nearest && toClearingJson(nearest), differences };
}
