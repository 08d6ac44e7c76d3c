import type { OrganizationRole } from "~/kernel/enums";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { type Approval, isOwnWork } from "~/modules/payees/second-person";
import type { FurtherFacts } from "~/modules/rules/facts";
import type { Decision } from "./payment";

/** How much of a payment somebody may approve, and who else may. Pure: no database, no clock. */

/** What an organisation says of its own way of paying. */
export type PaymentLimits = {
  /** Integer cents; null: no limit. */
  memberLimitCents: number | null;
  adminLimitCents: number | null;
  workingHours: FurtherFacts["workingHours"];
};

export const NO_LIMITS: PaymentLimits = { memberLimitCents: null, adminLimitCents: null, workingHours: null };

/** How much this role may approve to one payee in a day, in cents; null: any amount. */
export function approvalLimitOf(limits: PaymentLimits, role: OrganizationRole | null): number | null {
  return role === "admin" ? limits.adminLimitCents : limits.memberLimitCents;
}

/** Who stands behind a payment, and by what: they approved it, they trusted its payee, or payments that they approved did. */
export type StandsBehind = { by: FurtherFacts["ownLimit"]["by"]; people: readonly string[] };

/**
 * Whoever approved the line of a file; of a payment that the rules let pass, whoever trusted the payee and whoever recorded
 * the payment. Behind one to a payee that a rule trusts for what a bank or others said stands who recorded it.
 *
 * @param by.trusted by whose decisions the payee is trusted, nobody's where a rule trusts it; undefined: it is not trusted
 */
export function whoStandsBehind(by: {
  approvedById: string | null;
  trusted: StandsBehind | undefined;
  recordedById: string | null;
}): StandsBehind {
  const { approvedById, trusted, recordedById } = by;
  if (approvedById !== null) return { by: "approval", people: [approvedById] };
  if (!trusted) return { by: "trust", people: [] };
  return recordedById === null ? trusted : { ...trusted, people: [...trusted.people, recordedById] };
}

const ROLES: readonly OrganizationRole[] = ["admin", "member"];

/**
 * What these people may approve together: the highest of their limits. Undefined: one of them may approve any amount, or there
 * is nobody. Authority ends with access: what somebody who has left decided stands, with the lower of both limits.
 *
 * @param roles of each of them; undefined: of somebody who has left
 */
export function highestLimitOf(
  roles: readonly (OrganizationRole | undefined)[],
  limits: PaymentLimits,
): number | undefined {
  const each = roles.map((role) =>
    Math.min(...(role ? [role] : ROLES).map((one) => approvalLimitOf(limits, one) ?? Number.POSITIVE_INFINITY)),
  );
  const highest = Math.max(...each);
  return Number.isFinite(highest) ? highest : undefined;
}

/** Whether a decision is signed with a passkey. Several payments of a day to one payee count together, as for approval limits. */
export const asksForPasskey = (
  decision: Decision,
  { amount }: { amount: number },
  { passkeyForApprovals, passkeyAboveCents }: Pick<Policy, "passkeyForApprovals" | "passkeyAboveCents">,
  sameDayCents: number,
): boolean => decision === "approve" && passkeyForApprovals && amount + sameDayCents > passkeyAboveCents;

export type Colleague = { userId: string; name: string; role: OrganizationRole };

type Asked = {
  /** Whose own work an approval would be; null: the organisation requires no second person. */
  approval: Approval | null;
  limits: PaymentLimits;
  /** Integer cents. */
  amount: number;
};

/** The colleagues who may approve this payment now: their role allows the amount, and it is not their own work. */
export function whoMayApprove(colleagues: readonly Colleague[], { approval, limits, amount }: Asked): Colleague[] {
  return colleagues.filter(({ userId, role }) => {
    const limit = approvalLimitOf(limits, role);
    const isWithinLimit = limit === null || amount <= limit;
    return role !== "read_only" && isWithinLimit && !(approval && isOwnWork(approval, userId));
  });
}

/** Names in a sentence at most. */
const MAX_NAMED = 3;
const NAMES = new Intl.ListFormat("en-AU", { type: "disjunction" });

/** The same in a sentence, with what to do where there is no such person. */
export function describeApprovers(approvers: readonly Colleague[]): string {
  if (approvers.length === 0) {
    return "No one else in your organisation may approve it now. An administrator can invite a second person or raise an approval limit.";
  }
  const named = approvers.slice(0, MAX_NAMED).map(({ name }) => name);
  const others = approvers.length - named.length;
  const all = others > 0 ? [...named, `${others} other ${others === 1 ? "person" : "people"}`] : named;
  return `${NAMES.format(all)} may approve it.`;
}
