import { toIso } from "~/kernel/dates";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/grade";
import { toGradeJson } from "~/modules/payees/verifications/verification.json";
import { type AskedPayee, type BulkCheck, expectedMinutes, type NotAsked } from "./bulk-check";

type Allowance = { perDay: number; sent: number };

/**
 * A bulk check as the API shows it. `expectedMinutes` is null while the payees are counted and once the check has ended:
 * nothing is known of it then.
 */
export function toBulkCheckJson(row: BulkCheck, allowance: Allowance) {
  const { status, payeeCount, askedCount, centsPerCheck, waitsUntil, startedAt, finishedAt } = row;
  const { filter, q, payeeIds, verified, paid } = row.choice;
  const left = status === "ready" ? payeeCount : Math.max(0, payeeCount - askedCount);
  return {
    id: row.id,
    status,
    choice: { q: q ?? null, status: filter, verified, paid, payeeIds: payeeIds ?? null },
    payeeCount,
    noContactCount: row.noContactCount,
    underWayCount: row.underWayCount,
    askedCount,
    centsPerCheck,
    costCents: payeeCount * centsPerCheck,
    expectedMinutes: status === "ready" || status === "running" ? expectedMinutes(left, allowance) : null,
    waitsUntil: waitsUntil === null ? null : toIso(waitsUntil),
    problem: row.problem,
    createdAt: toIso(row.createdAt),
    startedAt: startedAt === null ? null : toIso(startedAt),
    finishedAt: finishedAt === null ? null : toIso(finishedAt),
  };
}

export const toAskedJson = ({ payeeName: name, notificationSentAt, verifiedByPayee, ...asked }: AskedPayee) => ({
  ...{ position: asked.position, payeeId: asked.payeeId, name, verificationId: asked.verificationId },
  ...{ status: asked.status, outcome: asked.outcome, reasonCode: asked.reasonCode },
  grade: toGradeJson(gradeOf(gradeFactsOf(asked))),
  confirmedByPayee: verifiedByPayee,
  linkSentAt: notificationSentAt === null ? null : toIso(notificationSentAt),
});

/** `can_be_asked`: it is asked when the check comes to it, or was not because the check ended before. */
export const toNotAskedJson = ({ payeeId, name, judgement }: NotAsked) => ({
  ...{ payeeId, name },
  why: WHY[judgement],
});

const WHY = { ask: "can_be_asked", no_contact: "no_contact", under_way: "under_way", not_chosen: "archived" } as const;
