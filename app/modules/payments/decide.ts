import { sameAccountNumber } from "~/kernel/account-number";
import type { PaymentStatus } from "~/kernel/enums";
import { canMove, DECISIONS, type Decision } from "./payment";

/** The rules of deciding a held payment. Pure: no database, no clock. */

type Account = { bsb: string; accountNumber: string };

/** What the rules look at, as the database has it now. */
export type DecisionCase = Account & {
  status: PaymentStatus;
  /** Integer cents. */
  amount: number;
  /** Null: the account is not a payee of the organisation. */
  payee: Account | null;
};

export type DecisionRefusal =
  | "not_held"
  | "above_limit"
  | "second_person_required"
  | "payee_required"
  | "account_changed";

/** True if the payee has been given another account since the payment was recorded. A corrected name moves no money. */
export function hasOtherAccount({ payee, bsb, accountNumber }: Account & { payee: Account | null }): boolean {
  return payee !== null && (payee.bsb !== bsb || !sameAccountNumber(payee.accountNumber, accountNumber));
}

/**
 * Whether this person may decide so now; undefined when they may. Rejecting is always open: it pays nobody. An account
 * that the payee no longer has is neither approved nor verified: the verification would be about the new one.
 *
 * @param person.isOwn whether they would approve their own work (`isOwnWork`)
 * @param person.approvalLimitCents how much their role may approve of one payment; null: any amount
 */
export function refuseDecision(
  subject: DecisionCase,
  decision: Decision,
  person: { isOwn: boolean; secondPersonRequired: boolean; approvalLimitCents: number | null },
): DecisionRefusal | undefined {
  if (subject.status !== "held" || !canMove(subject.status, DECISIONS[decision])) return "not_held";
  if (decision === "reject") return undefined;
  if (decision === "request_verification" && subject.payee === null) return "payee_required";
  const limit = person.approvalLimitCents;
  if (decision === "approve" && limit !== null && subject.amount > limit) return "above_limit";
  if (decision === "approve" && person.secondPersonRequired && person.isOwn) return "second_person_required";
  return hasOtherAccount(subject) ? "account_changed" : undefined;
}

type Basis = {
  version: number;
  payee: { version: number; disputedAt: number | null } | null;
  latest: { id: string; status: string } | null;
};

/** What a decision rests on, as text: the payment, and how its payee stands. */
export function basisOf({ version, payee, latest }: Basis): string {
  return [version, payee?.version, payee?.disputedAt, latest?.id, latest?.status].map(String).join(":");
}
