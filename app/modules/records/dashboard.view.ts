import { displayName } from "~/kernel/actor";
import { DAY_MS } from "~/kernel/dates";
import type { CounterName } from "~/kernel/enums";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { showVerdict, type VerdictRow } from "~/modules/payees/verifications/standing";
import { type ChangeLook, headlineOfFlag, type VerdictLook } from "~/modules/payees/verifications/verdict";

/** What the dashboard draws: texts come ready, instants in the organisation's time zone. Pure. */

export type DashboardData = {
  counts: Partial<Record<CounterName, number>>;
  hasVerified: boolean;
  hasPayment: boolean;
  trialEndsAt: number | null;
  /** The card payment provider knows it: the trial is no concern any more. */
  isSubscribed: boolean;
  hasSecondPerson: boolean;
  disputed: { id: string; name: string; disputedAt: number; heldCents: number }[];
  /** Pending verifications about which something is known, the gravest first. */
  pending: (Omit<VerdictRow, "status" | "resultData" | "isCheckRunning"> & {
    id: string;
    /** 1 or 0; null: not compared. */
    institutionDiffers: number | null;
    /** 1 or 0. */
    isCheckRunning: number;
    heldCents: number;
  })[];
  held: {
    id: string;
    /** Null: the account is not one of the payees. */
    payeeName: string | null;
    accountName: string;
    reference: string | null;
    /** Integer cents. */
    amount: number;
    createdAt: number;
  }[];
  /** People who asked to join. */
  requests: { userId: string; firstName: string; lastName: string; createdAt: number }[];
};

/** One thing that waits for a person. */
export type InboxItem = {
  kind: "disputed" | "changed" | "payment" | "verification" | "request";
  id: string;
  title: string;
  detail: string | null;
  verdict: VerdictLook | null;
  /** What was changed; null: nothing that is waiting for it. */
  change: ChangeLook | null;
  /** Cents that wait for it; null where no money does. */
  cents: number | null;
  since: ShownTime;
};

export type SetUpStep = { id: "email" | "payee" | "verification" | "payment" | "person" | "two_step"; isDone: boolean };

export type DashboardView = {
  counts: { pendingVerifications: number; whitelistedPayees: number; heldPayments: number };
  inbox: InboxItem[];
  /** What is left to set up, until all of it has been done once. */
  setUp: SetUpStep[] | null;
  /** Whole days of the trial that are left; null without one. */
  trialDaysLeft: number | null;
  isNew: boolean;
};

type Reader = {
  timeZone: string;
  now: number;
  emailVerified: boolean;
  twoStepEnabled: boolean;
  canAdminister: boolean;
};

export function toDashboardView(data: DashboardData, reader: Reader): DashboardView {
  const { payees = 0, pendingVerifications = 0, whitelistedPayees = 0, heldPayments = 0 } = data.counts;
  const steps: SetUpStep[] = [
    { id: "email", isDone: reader.emailVerified },
    { id: "payee", isDone: payees > 0 },
    { id: "verification", isDone: data.hasVerified },
    { id: "payment", isDone: data.hasPayment },
    ...(reader.canAdminister ? [{ id: "person", isDone: data.hasSecondPerson } as const] : []),
    { id: "two_step", isDone: reader.twoStepEnabled },
  ];
  return {
    counts: { pendingVerifications, whitelistedPayees, heldPayments },
    inbox: toInbox(data, reader),
    setUp: steps.every(({ isDone }) => isDone) ? null : steps,
    trialDaysLeft: daysLeft(data, reader.now),
    isNew: payees === 0,
  };
}

function daysLeft({ trialEndsAt, isSubscribed }: DashboardData, now: number): number | null {
  if (isSubscribed || trialEndsAt === null || trialEndsAt <= now) return null;
  return Math.ceil((trialEndsAt - now) / DAY_MS);
}

/** Disputes, changed details that money waits for, held payments, results, then people who asked to join. */
function toInbox(data: DashboardData, reader: Reader): InboxItem[] {
  const pending = data.pending.map((row) => toPendingItem(row, reader));
  const isUrgent = ({ kind, cents }: InboxItem) => kind === "changed" && cents !== null;
  return [
    ...data.disputed.map((payee) => ({
      kind: "disputed" as const,
      id: payee.id,
      title: payee.name,
      detail: "The payee says that the details are not theirs",
      verdict: lookOf(headlineOfFlag("disputed")),
      change: null,
      cents: payee.heldCents || null,
      since: showTime(payee.disputedAt, reader),
    })),
    ...pending.filter(isUrgent),
    ...data.held.map((payment) => ({
      kind: "payment" as const,
      id: payment.id,
      title: payment.payeeName ?? payment.accountName,
      detail: payment.reference ? `Held payment, ${payment.reference}` : "Held payment",
      verdict: null,
      change: null,
      cents: payment.amount,
      since: showTime(payment.createdAt, reader),
    })),
    ...pending.filter((item) => !isUrgent(item)),
    ...(reader.canAdminister ? data.requests : []).map((person) => ({
      kind: "request" as const,
      id: person.userId,
      title: displayName(person),
      detail: "Asked to join your organisation",
      verdict: null,
      change: null,
      cents: null,
      since: showTime(person.createdAt, reader),
    })),
  ];
}

const lookOf = ({ tone, icon, word }: VerdictLook): VerdictLook => ({ tone, icon, word });

function toPendingItem(row: DashboardData["pending"][number], reader: Reader): InboxItem {
  const resultData = { institutionDiffers: row.institutionDiffers === 1 };
  const facts = { ...row, status: "pending" as const, resultData, isCheckRunning: row.isCheckRunning === 1 };
  const verdict = showVerdict(facts, reader.now);
  return {
    kind: verdict.changed ? "changed" : "verification",
    id: row.id,
    title: row.payee.name,
    detail: null,
    verdict: lookOf(verdict),
    change: verdict.change,
    cents: row.heldCents || null,
    since: showTime(row.createdAt, reader),
  };
}
