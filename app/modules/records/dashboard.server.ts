import {
  columnsOf,
  counters,
  type Db,
  organizations,
  organizationUsers,
  paymentRecords,
  prepared,
  verifications,
} from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import { DAY_MS, showTime } from "~/kernel/dates";
import type { CounterName } from "~/kernel/enums";
import { findIsFirstVisit } from "~/modules/accounts/identity/profile.server";
import { selectWaitingFiles } from "~/modules/payments/held-payments.server";
import { type Actor, canAdminister, canWrite, type ReadServices, type Services } from "~/services-and-actor";
import { readInboxItems, showInbox } from "./inbox/inbox.server";
import { readMoney, showMoney } from "./reports/money.server";

/** How many items from the top of the Inbox are shown; the Inbox has the rest. */
const WAITING_SIZE = 10;
/** Two people are enough to know whether there is a second one. */
const PEOPLE_SIZE = 2;
/** How many waiting files are counted with their held payments, oldest first. */
const FILES_SIZE = 50;

/** Reads the dashboard's data; `showDashboard` builds the page once more is known about the person. */
export const readDashboardPage = (services: Services, asking: Pick<Actor, "organizationId" | "userId" | "timeZone">) =>
  Promise.all([
    readDashboard(services, asking.organizationId),
    readMoney(services, asking),
    readInboxItems(services, asking, WAITING_SIZE),
    findIsFirstVisit(services, asking.userId),
  ]);

/** Builds the dashboard for a person. */
export function showDashboard(
  services: Pick<Services, "clock">,
  actor: Actor,
  [found, money, waiting, isFirstVisit]: Awaited<ReturnType<typeof readDashboardPage>>,
) {
  const { firstName, lastName, username, organizationName } = actor;
  return {
    view: {
      ...toDashboardView(found, actor, services.clock.now()),
      /** The top of the Inbox. */
      inbox: showInbox(services, actor, waiting, {}).items.slice(0, WAITING_SIZE),
      money: showMoney(money, actor),
    },
    person: { firstName, lastName, username },
    organizationName,
    isFirstVisit,
    canWrite: canWrite(actor),
  };
}

/** Counts that database triggers maintain, and facts that show which set-up steps remain. */
async function readDashboard(services: ReadServices, organizationId: string) {
  const asking = { organizationId };
  const queries = dashboardQueries(services.db);
  // Promise.all sends these as one database call.
  const [counts, verified, paid, organization, people, oldest, files] = await Promise.all([
    queries.counts.all(asking),
    queries.verified.all(asking),
    queries.paid.all(asking),
    queries.trial.all(asking),
    queries.people.all(asking),
    queries.oldestHeld.all(asking),
    queries.files.all(asking),
  ]);
  return {
    counts: Object.fromEntries(counts.map(({ name, value }) => [name, value])) as Partial<Record<CounterName, number>>,
    hasVerified: verified.length > 0,
    hasPayment: paid.length > 0,
    trialEndsAt: organization[0]?.trialEndsAt ?? null,
    /** The organisation has or had a subscription, so the trial no longer matters. */
    isSubscribed: organization[0]?.subscriptionStatus != null,
    hasSecondPerson: people.length === PEOPLE_SIZE,
    hasSample: organization[0]?.hasSample === 1,
    files,
    /** When the oldest held payment was recorded, or its file uploaded; null: none is held. */
    heldSince: [...oldest, ...files].reduce<number | null>(
      (first, { createdAt }) => (first === null ? createdAt : Math.min(first, createdAt)),
      null,
    ),
  };
}

/** Bound for each organisation, so that the queries are built once. */
const organizationId = sql.placeholder("organizationId");

const dashboardQueries = prepared((db) => ({
  counts: db
    .select({ name: counters.name, value: counters.value })
    .from(counters)
    .where(eq(counters.organizationId, organizationId))
    .prepare(),
  verified: db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), sql`${verifications.status} = 'verified'`))
    .limit(1)
    .prepare(),
  paid: db
    .select({ id: paymentRecords.id })
    .from(paymentRecords)
    .where(eq(paymentRecords.organizationId, organizationId))
    .limit(1)
    .prepare(),
  trial: selectTrial(db).prepare(),
  people: db
    .select({ id: organizationUsers.id })
    .from(organizationUsers)
    .where(and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.status, "active")))
    .limit(PEOPLE_SIZE)
    .prepare(),
  oldestHeld: db
    .select({ createdAt: paymentRecords.createdAt })
    .from(paymentRecords)
    .where(and(eq(paymentRecords.organizationId, organizationId), sql`${paymentRecords.status} = 'held'`))
    .orderBy(asc(paymentRecords.id))
    .limit(1)
    .prepare(),
  files: selectWaitingFiles(db, organizationId, FILES_SIZE).prepare(),
}));

const selectTrial = (db: Db) =>
  db
    .select({
      ...columnsOf(organizations, "trialEndsAt", "subscriptionStatus"),
      hasSample: sql<number>`EXISTS (SELECT 1 FROM ${organizations} AS "sample" WHERE "sample"."sampleFor" = ${organizationId})`,
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId));

/** What the dashboard shows: texts are finished, with instants in the organisation's time zone. Pure. */

type DashboardData = Awaited<ReturnType<typeof readDashboard>>;

function toDashboardView(data: DashboardData, actor: Actor, now: number) {
  const { payees = 0, pendingVerifications = 0, whitelistedPayees = 0, heldPayments = 0, heldCents = 0 } = data.counts;
  const ofFiles = (of: "heldCount" | "heldCents") => data.files.reduce((sum, file) => sum + file[of], 0);
  // `after`: what has to be done first; until then the step leads nowhere.
  const afterPayee = payees > 0 ? null : "Verify a payee first.";
  const steps = [
    { id: "email" as const, isDone: actor.emailVerified, after: null },
    { id: "payee" as const, isDone: payees > 0, after: null },
    { id: "verification" as const, isDone: data.hasVerified, after: afterPayee },
    { id: "payment" as const, isDone: data.hasPayment, after: afterPayee },
    ...(canAdminister(actor)
      ? [
          {
            id: "person" as const,
            isDone: data.hasSecondPerson,
            after: actor.emailVerified ? null : "Confirm your email address first.",
          },
        ]
      : []),
    { id: "two_step" as const, isDone: actor.twoStepEnabled, after: null },
  ];
  return {
    counts: {
      pendingVerifications,
      whitelistedPayees,
      /** Single payments, and lines of files. */
      heldPayments: heldPayments + ofFiles("heldCount"),
      heldCents: heldCents + ofFiles("heldCents"),
      heldSince: data.heldSince === null ? null : showTime(data.heldSince, { timeZone: actor.timeZone, now }),
      /** There may be more waiting files than were counted. */
      isPartial: data.files.length === FILES_SIZE,
    },
    /** The set-up steps, until each has been done once. */
    setUp: steps.every(({ isDone }) => isDone) ? null : steps,
    /** Whole days left of the trial; null without one. */
    trialDaysLeft: daysLeft(data, now),
    isNew: payees === 0,
    canAdminister: canAdminister(actor),
    /** Sample data can be loaded, or is loaded. */
    offersSample: canAdminister(actor) && (data.hasSample || (payees === 0 && !data.hasPayment)),
  };
}

function daysLeft({ trialEndsAt, isSubscribed }: DashboardData, now: number): number | null {
  if (isSubscribed || trialEndsAt === null || trialEndsAt <= now) return null;
  return Math.ceil((trialEndsAt - now) / DAY_MS);
}
