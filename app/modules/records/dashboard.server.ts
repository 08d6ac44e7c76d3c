import type { Db } from "@db/client";
import { prepared } from "@db/prepared";
import {
  bankChecks,
  counters,
  organizations,
  organizationUsers,
  payees,
  paymentRecords,
  verifications,
} from "@db/schema";
import { QUEUE_RANKS } from "@db/schema/verifications";
import { and, asc, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Actor, canAdminister, canWrite, displayName } from "~/kernel/actor";
import { DAY_MS } from "~/kernel/dates";
import type { CounterName } from "~/kernel/enums";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { findIsFirstVisit } from "~/modules/accounts/identity/profile.server";
import { showVerdict } from "~/modules/payees/verifications/standing";
import { type ChangeLook, headlineOfFlag, type VerdictLook } from "~/modules/payees/verifications/verdict";
import { countsInEvidence } from "~/modules/payees/verifications/verification.server";
import { selectWaitingFiles } from "~/modules/payments/held-payments.server";
import type { ReadServices, Services } from "~/services";
import { selectJoinRequests } from "./inbox/inbox.server";

/** Rows of each kind that wait for a person; the lists behind them have the rest. */
const WAITING_SIZE = 5;
/** More people than the question whether there is a second one needs. */
const PEOPLE_SIZE = 2;
/** Files that wait, and are counted with what they hold: the oldest. */
const FILES_SIZE = 50;
/** Written out: a parameter does not find the index of held payments. */
const IS_HELD = sql`${paymentRecords.status} = 'held'`;

/** What the dashboard is made of; `showDashboard` needs to know more of who asks. */
export const readDashboardPage = (
  services: Services,
  { organizationId, userId }: Pick<Actor, "organizationId" | "userId">,
) => Promise.all([readDashboard(services, organizationId), findIsFirstVisit(services, userId)]);

/** The dashboard, and whom it greets. */
export function showDashboard(
  { clock }: Pick<Services, "clock">,
  actor: Actor,
  [found, isFirstVisit]: Awaited<ReturnType<typeof readDashboardPage>>,
) {
  const { timeZone, emailVerified, twoStepEnabled, firstName, lastName, username, organizationName } = actor;
  const reader = { timeZone, now: clock.now(), emailVerified, twoStepEnabled, canAdminister: canAdminister(actor) };
  return {
    view: toDashboardView(found, reader),
    person: { firstName, lastName, username },
    organizationName,
    isFirstVisit,
    canWrite: canWrite(actor),
  };
}

/** Everything the dashboard shows, in one batch: counts that the database keeps, and the few rows that come first. */
export async function readDashboard(services: ReadServices, organizationId: string) {
  const asking = { organizationId };
  const queries = dashboardQueries(services.db);
  // Asked in one moment, so in one call of the database.
  const [counts, verified, paid, organization, people, disputed, grave, matching, held, oldest, files, requests] =
    await Promise.all([
      queries.counts.all(asking),
      queries.verified.all(asking),
      queries.paid.all(asking),
      queries.trial.all(asking),
      queries.people.all(asking),
      queries.disputed.all(asking),
      queries.grave.all(asking),
      queries.matching.all(asking),
      queries.held.all(asking),
      queries.oldestHeld.all(asking),
      queries.files.all(asking),
      queries.requests.all(asking),
    ]);
  return {
    counts: Object.fromEntries(counts.map(({ name, value }) => [name, value])) as Partial<Record<CounterName, number>>,
    hasVerified: verified.length > 0,
    hasPayment: paid.length > 0,
    trialEndsAt: organization[0]?.trialEndsAt ?? null,
    /** The card payment provider knows it: the trial is no concern any more. */
    isSubscribed: organization[0]?.subscriptionStatus != null,
    hasSecondPerson: people.length === PEOPLE_SIZE,
    disputed: disputed.flatMap(({ disputedAt, ...payee }) => (disputedAt === null ? [] : [{ ...payee, disputedAt }])),
    pending: [...grave, ...matching],
    held,
    files,
    /** When the oldest payment that is held was recorded, or its file uploaded; null: none is. */
    heldSince: [...oldest, ...files].reduce<number | null>(
      (first, { createdAt }) => (first === null ? createdAt : Math.min(first, createdAt)),
      null,
    ),
    requests,
  };
}

/** Filled in for each organisation. */
const organizationId = sql.placeholder("organizationId");

const dashboardQueries = prepared((db) => ({
  counts: selectCounts(db).prepare(),
  verified: selectVerified(db).prepare(),
  paid: selectPayment(db).prepare(),
  trial: selectTrial(db).prepare(),
  people: selectPeople(db).prepare(),
  disputed: selectDisputed(db).prepare(),
  grave: selectPending(
    db,
    sql`${verifications.queueRank} BETWEEN ${QUEUE_RANKS.changeWithThreeSigns} AND ${QUEUE_RANKS.noAnswer}`,
  ).prepare(),
  matching: selectPending(db, sql`${verifications.queueRank} = ${QUEUE_RANKS.match}`).prepare(),
  held: selectHeld(db).prepare(),
  oldestHeld: selectOldestHeld(db).prepare(),
  files: selectWaitingFiles(db, organizationId, FILES_SIZE).prepare(),
  requests: selectJoinRequests(db, organizationId, WAITING_SIZE).prepare(),
}));

const selectCounts = (db: Db) =>
  db
    .select({ name: counters.name, value: counters.value })
    .from(counters)
    .where(eq(counters.organizationId, organizationId));

const selectVerified = (db: Db) =>
  db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.status, "verified")))
    .limit(1);

const selectPayment = (db: Db) =>
  db
    .select({ id: paymentRecords.id })
    .from(paymentRecords)
    .where(eq(paymentRecords.organizationId, organizationId))
    .limit(1);

const selectTrial = (db: Db) =>
  db
    .select({ trialEndsAt: organizations.trialEndsAt, subscriptionStatus: organizations.subscriptionStatus })
    .from(organizations)
    .where(eq(organizations.id, organizationId));

const selectPeople = (db: Db) =>
  db
    .select({ id: organizationUsers.id })
    .from(organizationUsers)
    .where(and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.status, "active")))
    .limit(PEOPLE_SIZE);

const selectDisputed = (db: Db) =>
  db
    .select({
      id: payees.id,
      name: payees.name,
      disputedAt: payees.disputedAt,
      heldCents: heldCents(sql`"payees"."id"`),
    })
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), isNotNull(payees.disputedAt)))
    .orderBy(asc(payees.id))
    .limit(WAITING_SIZE);

/** The gravest of the queue; disputes are in a list of their own, and a verification without a bank check can wait. */
const selectPending = (db: Db, rank: SQL) =>
  db
    .select({
      id: verifications.id,
      accountName: verifications.accountName,
      outcome: verifications.outcome,
      nameMatchScore: verifications.nameMatchScore,
      disputedByPayeeAt: verifications.disputedByPayeeAt,
      verifiedByPayeeAt: verifications.verifiedByPayeeAt,
      notificationSentAt: verifications.notificationSentAt,
      verificationTokenExpiresAt: verifications.verificationTokenExpiresAt,
      ...countsInEvidence,
      institutionDiffers: sql<number | null>`json_extract(${verifications.resultData}, '$.institutionDiffers')`,
      isCheckRunning: sql<number>`EXISTS (SELECT 1 FROM ${bankChecks} AS "check"
        WHERE "check"."organizationId" = ${organizationId} AND "check"."verificationId" = "verifications"."id"
        AND "check"."finishedAt" IS NULL)`,
      payeeId: verifications.payeeId,
      payee: {
        name: payees.name,
        bankDetailsChangedAt: payees.bankDetailsChangedAt,
        renamedAt: payees.renamedAt,
        disputedAt: payees.disputedAt,
        contactChangedAt: payees.contactChangedAt,
        whitelisted: payees.whitelisted,
      },
      createdAt: verifications.createdAt,
      heldCents: heldCents(sql`"verifications"."payeeId"`),
    })
    .from(verifications)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, verifications.payeeId)))
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.status, "pending"), rank))
    .orderBy(asc(verifications.queueRank), asc(verifications.id))
    .limit(WAITING_SIZE);

/** Red ones first, then by what may be lost, then the oldest. */
const selectHeld = (db: Db) =>
  db
    .select({
      id: paymentRecords.id,
      payeeId: paymentRecords.payeeId,
      payeeName: payees.name,
      accountName: paymentRecords.accountName,
      reference: paymentRecords.reference,
      amount: paymentRecords.amount,
      createdAt: paymentRecords.createdAt,
      heldRank: paymentRecords.heldRank,
    })
    .from(paymentRecords)
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentRecords.payeeId)))
    .where(and(eq(paymentRecords.organizationId, organizationId), IS_HELD))
    .orderBy(asc(paymentRecords.heldRank), desc(paymentRecords.amount), asc(paymentRecords.id))
    .limit(WAITING_SIZE);

const selectOldestHeld = (db: Db) =>
  db
    .select({ createdAt: paymentRecords.createdAt })
    .from(paymentRecords)
    .where(and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.status, "held")))
    .orderBy(asc(paymentRecords.id))
    .limit(1);

/** Cents of the payee's payments that wait for a decision. */
const heldCents = (payeeId: SQL) =>
  sql<number>`(SELECT coalesce(sum("waiting"."amount"), 0) FROM ${paymentRecords} AS "waiting"
    WHERE "waiting"."organizationId" = ${organizationId} AND "waiting"."payeeId" = ${payeeId}
    AND "waiting"."status" IN ('held', 'verification_requested'))`;

/** What the dashboard draws: texts come ready, instants in the organisation's time zone. Pure. */

type DashboardData = Awaited<ReturnType<typeof readDashboard>>;

/** One thing that waits for a person. */
type InboxItem = {
  kind: "disputed" | "changed" | "payment" | "file" | "verification" | "request";
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

type Reader = {
  timeZone: string;
  now: number;
  emailVerified: boolean;
  twoStepEnabled: boolean;
  canAdminister: boolean;
};

export function toDashboardView(data: DashboardData, reader: Reader) {
  const { payees = 0, pendingVerifications = 0, whitelistedPayees = 0, heldPayments = 0, heldCents = 0 } = data.counts;
  const ofFiles = (of: "heldCount" | "heldCents") => data.files.reduce((sum, file) => sum + file[of], 0);
  const steps = [
    { id: "email" as const, isDone: reader.emailVerified },
    { id: "payee" as const, isDone: payees > 0 },
    { id: "verification" as const, isDone: data.hasVerified },
    { id: "payment" as const, isDone: data.hasPayment },
    ...(reader.canAdminister ? [{ id: "person", isDone: data.hasSecondPerson } as const] : []),
    { id: "two_step" as const, isDone: reader.twoStepEnabled },
  ];
  return {
    counts: {
      pendingVerifications,
      whitelistedPayees,
      /** Payments recorded one at a time, and lines of files. */
      heldPayments: heldPayments + ofFiles("heldCount"),
      heldCents: heldCents + ofFiles("heldCents"),
      heldSince: data.heldSince === null ? null : showTime(data.heldSince, reader),
      /** There are more files that wait than were counted. */
      isPartial: data.files.length === FILES_SIZE,
    },
    inbox: toInbox(data, reader),
    /** What is left to set up, until all of it has been done once. */
    setUp: steps.every(({ isDone }) => isDone) ? null : steps,
    /** Whole days of the trial that are left; null without one. */
    trialDaysLeft: daysLeft(data, reader.now),
    isNew: payees === 0,
  };
}

function daysLeft({ trialEndsAt, isSubscribed }: DashboardData, now: number): number | null {
  if (isSubscribed || trialEndsAt === null || trialEndsAt <= now) return null;
  return Math.ceil((trialEndsAt - now) / DAY_MS);
}

/** Disputes, changed details that money waits for, held payments and files, results, then people who asked to join. */
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
    ...toHeldItems(data, reader),
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

/** Payees that a dispute or an open verification stands here of: their payments are decided after it, and stand in its amount. */
const payeesAbove = ({ disputed, pending }: DashboardData) =>
  new Set([...disputed.map(({ id }) => id), ...pending.map(({ payeeId }) => payeeId)]);

/** Held payments and files that hold some. What a file holds may be red too: it stands with those that are, by its amount. */
function toHeldItems(data: DashboardData, reader: Reader): InboxItem[] {
  const { files } = data;
  const above = payeesAbove(data);
  const held = data.held.filter(({ payeeId }) => payeeId === null || !above.has(payeeId));
  const none = { verdict: null, change: null };
  const items = [
    ...held.map((payment) => ({
      rank: payment.heldRank ?? RED,
      item: {
        ...none,
        kind: "payment" as const,
        id: payment.id,
        title: payment.payeeName ?? payment.accountName,
        detail: payment.reference ? `Held payment, ${payment.reference}` : "Held payment",
        cents: payment.amount,
        since: showTime(payment.createdAt, reader),
      },
    })),
    ...files.map((file) => ({
      rank: RED,
      item: {
        ...none,
        kind: "file" as const,
        id: file.id,
        title: file.name,
        detail: `Payment file, ${file.heldCount.toLocaleString("en-AU")} held`,
        cents: file.heldCents,
        since: showTime(file.createdAt, reader),
      },
    })),
  ];
  return items
    .sort((a, b) => a.rank - b.rank || b.item.cents - a.item.cents)
    .slice(0, WAITING_SIZE)
    .map(({ item }) => item);
}

/** `heldRank` of what speaks against the account itself. */
const RED = 1;

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
