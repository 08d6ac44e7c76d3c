import type { Actor } from "~/kernel/actor";
import type { PayeeDetails } from "~/kernel/payee";
import type { Evidence } from "~/modules/payees/verifications/verification";
import type { VerificationSummary } from "~/modules/payees/verifications/verification.json";
import type { PayeeSummary } from "./payee.json";

/** A payee that was added just now, and its verification, which waits. */
export type Opened = { payee: PayeeSummary; latest: VerificationSummary & { evidence: Evidence }; grade: null };

/** What nothing is known of yet, as the database has it. */
const NEW_PAYEE = {
  paymentCount: 0,
  lastPaymentDate: null,
  whitelisted: false,
  whitelistedAt: null,
  whitelistedById: null,
  whitelistedReason: null,
  whitelistGlobal: false,
  version: 1,
  bankDetailsChangedAt: null,
  renamedAt: null,
  takenOffWhitelistAt: null,
  contactChangedAt: null,
  disputedAt: null,
  draftSince: null,
};

const NEW_VERIFICATION = {
  status: "pending",
  method: "manual",
  matchType: "none",
  nameMatchScore: null,
  nameDifferences: null,
  verifiedName: null,
  resultData: null,
  outcome: null,
  reasonCode: null,
  verifiedByPayee: false,
  disputedByPayeeAt: null,
  rejectedReason: null,
  completedAt: null,
  isCalledBack: 0,
  decider: null,
} as const;

/** The payee that a person added with these details at this instant, without reading it back. */
export function asOpened(
  { firstName, lastName, email }: Pick<Actor, "firstName" | "lastName" | "email">,
  details: PayeeDetails,
  opened: { payeeId: string; verificationId: string; evidence: Evidence; now: number },
): Opened {
  const { payeeId, verificationId, evidence, now } = opened;
  const { name, accountName, bsb, accountNumber } = details;
  const payee = { ...details, ...NEW_PAYEE, id: payeeId, createdAt: now, updatedAt: now };
  const latest = {
    ...NEW_VERIFICATION,
    ...{ accountName, bsb, accountNumber, evidence },
    id: verificationId,
    createdAt: now,
    payee: { id: payeeId, name, whitelistGlobal: false },
    requestedBy: { firstName, lastName, email },
  };
  return { payee, latest, grade: null };
}
