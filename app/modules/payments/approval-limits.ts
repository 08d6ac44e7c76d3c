import type { OrganizationRole } from "~/kernel/enums";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { type Approval, isOwnWork } from "~/modules/payees/second-person";
import type { FurtherFacts } from "~/modules/rules/facts";
import type { Decision } from "./payment";

/** How much of a payment somebody may approve, and who else may approve it. Pure: no database, no clock. */

/** The payment limits that an organisation has set. */
export type PaymentLimits = {
  /** Integer cents; null: no limit. */
  memberLimitCents: number | null;
  adminLimitCents: number | null;
  workingHours: FurtherFacts["workingHours"];
};

export const NO_LIMITS: PaymentLimits = { memberLimitCents: null, adminLimitCents: null, workingHours: null };

/** How much people with this role may approve to one payee in a day, in cents; null: any amount. */
export function approvalLimitOf(limits: PaymentLimits, role: OrganizationRole | null): number | null {
  return role === "admin" ? limits.adminLimitCents : limits.memberLimitCents;
}

/**
 * The people whose decisions allow a payment, and why: they approved it, they trusted its payee, or they approved the
 * payments that made the payee trusted.
 */
export type ResponsiblePeople = { by: FurtherFacts["ownLimit"]["by"]; people: readonly string[] };

/**
 * For a line of a file: whoever approved it. For a payment that the rules authorised: whoever trusted the payee, and
 * whoever recorded the payment. When a rule trusts the payee because of what a bank or others said: only whoever
 * recorded the payment.
 *
 * @param by.trusted the people whose decisions make the payee trusted, empty when a rule trusts it; undefined: it is
 * not trusted
 */
export function selectResponsiblePeople(by: {
  approvedById: string | null;
  trusted: ResponsiblePeople | undefined;
  recordedById: string | null;
}): ResponsiblePeople {
  const { approvedById, trusted, recordedById } = by;
  if (approvedById !== null) return { by: "approval", people: [approvedById] };
  if (!trusted) return { by: "trust", people: [] };
  return recordedById === null ? trusted : { ...trusted, people: [...trusted.people, recordedById] };
}

const ROLES: readonly OrganizationRole[] = ["admin", "member"];

/**
 * The highest limit among these people. Undefined: one of them may approve any amount, or there is nobody. A person who
 * has left counts with the lower of the two role limits.
 *
 * @param roles one for each person; undefined: the person has left
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

/**
 * True if the decision must be signed with a passkey. Several payments to one payee on one day are added up, as for
 * approval limits.
 */
export const asksForPasskey = (
  decision: Decision,
  { amount }: { amount: number },
  { passkeyForApprovals, passkeyAboveCents }: Pick<Policy, "passkeyForApprovals" | "passkeyAboveCents">,
  sameDayCents: number,
): boolean => decision === "approve" && passkeyForApprovals && amount + sameDayCents > passkeyAboveCents;

export type Colleague = { userId: string; name: string; role: OrganizationRole };

type Asked = {
  /**
   * The people for whom approving would mean approving their own work; null: the organisation does not require a second
   * person.
   */
  approval: Approval | null;
  limits: PaymentLimits;
  /** Integer cents. */
  amount: number;
};

/**
 * The colleagues who may approve this payment now: their role's limit allows the amount, and the payment is not their
 * own work.
 */
export function whoMayApprove(colleagues: readonly Colleague[], { approval, limits, amount }: Asked): Colleague[] {
  return colleagues.filter(({ userId, role }) => {
    const limit = approvalLimitOf(limits, role);
    const isWithinLimit = limit === null || amount <= limit;
    return role !== "read_only" && isWithinLimit && !(approval && isOwnWork(approval, userId));
  });
}

/** At most this many people are named in a sentence. */
const MAX_NAMED = 3;
const NAMES = new Intl.ListFormat("en-AU", { type: "disjunction" });

/** Names the colleagues who may approve, in a sentence; when there are none, says what to do. */
export function describeApprovers(approvers: readonly Colleague[]): string {
  if (approvers.length === 0) {
    return "No one else in your organisation may approve it now. An administrator can invite a second person or raise an approval limit.";
  }
  const named = approvers.slice(0, MAX_NAMED).map(({ name }) => name);
  const others = approvers.length - named.length;
  const all = others > 0 ? [...named, `${others} other ${others === 1 ? "person" : "people"}`] : named;
  return `${NAMES.format(all)} may approve it.`;
}
