import type { CheckOutcome } from "~/kernel/enums";
import { type ShownTime, showTime } from "~/kernel/shown-time";

/** What the dashboard draws: texts come ready, instants in the organisation's time zone. Pure. */

type Data = {
  counts: { payees?: number; pendingVerifications?: number; whitelistedPayees?: number; heldPayments?: number };
  hasVerified: boolean;
  hasPayment: boolean;
  answered: {
    id: string;
    payeeName: string;
    outcome: CheckOutcome;
    nameMatchScore: number | null;
    createdAt: number;
  }[];
  held: {
    id: string;
    payeeName: string | null;
    accountName: string;
    reference: string | null;
    amount: number;
    createdAt: number;
  }[];
  disputed: { id: string; name: string; disputedAt: number }[];
};

export type FirstStep = { id: "payee" | "verification" | "payment"; isDone: boolean };

export type DashboardView = {
  counts: { pendingVerifications: number; whitelistedPayees: number; heldPayments: number };
  answered: { id: string; payeeName: string; outcome: CheckOutcome; nameMatchScore: number | null; since: ShownTime }[];
  held: { id: string; payeeName: string; reference: string | null; amount: number; since: ShownTime }[];
  disputed: { id: string; name: string; since: ShownTime }[];
  /** The way into the product, until all of it has been gone once. */
  firstSteps: FirstStep[] | null;
};

export function toDashboardView(data: Data, zone: { timeZone: string; now: number }): DashboardView {
  const { payees = 0, pendingVerifications = 0, whitelistedPayees = 0, heldPayments = 0 } = data.counts;
  const steps: FirstStep[] = [
    { id: "payee", isDone: payees > 0 },
    { id: "verification", isDone: data.hasVerified },
    { id: "payment", isDone: data.hasPayment },
  ];
  return {
    counts: { pendingVerifications, whitelistedPayees, heldPayments },
    answered: data.answered.map(({ createdAt, ...row }) => ({ ...row, since: showTime(createdAt, zone) })),
    held: data.held.map(({ createdAt, payeeName, accountName, ...row }) => ({
      ...row,
      payeeName: payeeName ?? accountName,
      since: showTime(createdAt, zone),
    })),
    disputed: data.disputed.map(({ disputedAt, ...row }) => ({ ...row, since: showTime(disputedAt, zone) })),
    firstSteps: steps.every(({ isDone }) => isDone) ? null : steps,
  };
}
