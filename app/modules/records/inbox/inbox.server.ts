import {
  columnsOf,
  type Db,
  invoices,
  organizationUsers,
  payees,
  paymentFiles,
  paymentRecords,
  prepared,
  users,
  verifications,
} from "@db/database";
import { IS_OPEN_STOP } from "@db/schema/invoices";
import { and, asc, desc, eq, inArray, isNotNull, ne, notExists, type SQLWrapper, sql } from "drizzle-orm";
import { systemName } from "~/kernel/accounting-system";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { displayName, formatCount } from "~/kernel/text";
import { VERDICTS } from "~/kernel/verdicts";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { listAllOpenChanges } from "~/modules/connections/integration.server";
import { showVerdict } from "~/modules/payees/verifications/standing";
import { headlineOfFlag } from "~/modules/payees/verifications/verdict";
import { findFileSettings } from "~/modules/payments/approval-limits.server";
import { placeAmong, selectWaitingFiles } from "~/modules/payments/held-payments.server";
import { shownStanding } from "~/modules/payments/invoices/invoice";
import { SUBJECT } from "~/modules/payments/invoices/invoice.server";
import { nameInvoice } from "~/modules/payments/invoices/reading";
import { checkPayingAccount } from "~/modules/payments/payment-files/payment-file";
import { ruleLabel } from "~/modules/rules";
import { listMostDangerous } from "~/modules/verifying/review/pending.server";
import { showAge } from "~/modules/verifying/review/pending-page.server";
import { type Actor, canAdminister, type ReadServices, type Services, type TimedServices } from "~/services-and-actor";
import {
  centsOf,
  fromInbox,
  groupOfTone,
  INBOX_GROUPS,
  INBOX_TABS,
  type InboxItem,
  type InboxTab,
  type InboxView,
  inboxHref,
  inView,
  isFromInbox,
  readInboxView,
  readPlaceBefore,
  sortInbox,
} from "./inbox";

/** At most this many items of each kind; that kind's own list has the rest. */
const MOST = 100;
/** How many held payments and disputes are searched for those without an open verification. */
const MOST_LOOKED_AT = 120;
/** `most`: the limit for each kind. */
type Reading = { now: number; most: number };

type Asking = Pick<Actor, "userId" | "organizationId" | "timeZone">;
/** The fields that a kind provides; the common ones are added. */
type Found = Omit<InboxItem, "tab" | "href" | "age" | "exact" | "isMine"> & {
  path: string;
  since: number;
  isMine?: boolean;
};

interface InboxKind {
  tab: InboxTab;
  /** Only administrators decide about it. */
  isForAdmins?: true;
  /** Reads items in the order in which they should be decided. */
  read: (services: TimedServices, asking: Asking, reading: Reading) => Promise<Found[]>;
  /** Reads whether more items are waiting than `read` searches, because it may find only few among them. */
  readBeyond?: (services: ReadServices, asking: Asking) => Promise<readonly unknown[]>;
}

/** The kinds of items in the Inbox. To add a kind, add an entry here; nothing else changes. */
const KINDS: readonly InboxKind[] = [
  { tab: "other", read: readDisputes, readBeyond: ({ db }, of) => inboxQueries(db).disputesBeyond.all(of) },
  { tab: "reviews", read: readReviews },
  { tab: "payments", read: readFiles },
  { tab: "payments", read: readHeldPayments, readBeyond: ({ db }, of) => inboxQueries(db).heldBeyond.all(of) },
  { tab: "payments", read: readStoppedInvoices },
  { tab: "changes", read: readAccountChanges },
  { tab: "other", isForAdmins: true, read: readJoinRequests },
];

export type Inbox = ReturnType<typeof showInbox>;

/**
 * Reads the items of every kind at once; `showInbox` builds the list once more is known about the person.
 * @param most items of each kind; a smaller number gives only the top of the list, without knowing whether more are
 * waiting
 */
export function readInboxItems(services: Services, asking: Asking, most = MOST) {
  const now = services.clock.now();
  return Promise.all(
    KINDS.map(async ({ read, readBeyond }) => {
      const [some, beyond] = await Promise.all([
        read(services, asking, { now, most }),
        most === MOST && readBeyond ? readBeyond(services, asking) : [],
      ]);
      return { some, isPartial: some.length >= most || beyond.length > 0 };
    }),
  );
}

/** The list for a person: items that they may decide, in the chosen view. */
export function showInbox(
  { clock }: Pick<Services, "clock">,
  actor: Actor,
  found: Awaited<ReturnType<typeof readInboxItems>>,
  view: InboxView,
) {
  const now = clock.now();
  const mayAdminister = canAdminister(actor);
  const isOpen = ({ isForAdmins }: InboxKind) => mayAdminister || !isForAdmins;
  const items = KINDS.flatMap((kind, at) =>
    (isOpen(kind) ? (found[at]?.some ?? []) : []).map(({ path, since, isMine = false, ...item }) => ({
      ...item,
      tab: kind.tab,
      isMine,
      href: fromInbox(path, view),
      age: showAge(since, now),
      exact: formatDateTime(since, actor.timeZone),
    })),
  );
  const sorted = sortInbox(items);
  const isPartial = ({ tab }: InboxView) =>
    KINDS.some((kind, at) => isOpen(kind) && (tab ?? kind.tab) === kind.tab && found[at]?.isPartial);
  const count = (shown: InboxView) => countOf(inView(sorted, shown).length, isPartial(shown));
  const tabs = Object.entries(INBOX_TABS) as [InboxTab, string][];
  const shown = inView(sorted, view);
  return {
    items: shown,
    view,
    total: sorted.length,
    cents: centsOf(shown),
    /** More items are waiting in this view than were read. */
    isPartial: isPartial(view),
    groups: INBOX_GROUPS,
    tabs: [
      { label: "All", to: inboxHref(), count: count({}), current: view.tab === undefined && !view.mine },
      ...tabs.map(([tab, label]) => ({
        label,
        to: inboxHref({ tab }),
        count: count({ tab }),
        current: view.tab === tab,
      })),
      { label: "Mine", to: inboxHref({ mine: true }), count: count({ mine: true }), current: view.mine === true },
    ],
  };
}

/** "100+" if more are waiting. */
const countOf = (count: number, isPartial: boolean) => `${formatCount(count)}${isPartial ? "+" : ""}`;

export async function showInboxPage(
  services: Services,
  actor: Actor,
  found: Awaited<ReturnType<typeof readInboxItems>>,
  view: InboxView,
) {
  const { reviewKeys } = await findReviewChoices(services, actor.userId);
  return { inbox: showInbox(services, actor, found, view), hasKeys: reviewKeys };
}

/** The Inbox beside an item that was opened from it; null for an item that was opened from elsewhere. */
export async function readInboxBeside(services: Services, actor: Actor, params: URLSearchParams) {
  if (!isFromInbox(params)) return null;
  return showInbox(services, actor, await readInboxItems(services, actor), readInboxView(params));
}

/** The position of an item in the Inbox, and its neighbours. `params`: of the item's address. */
export function placeInInbox({ items, view, isPartial }: Inbox, path: string, params: URLSearchParams) {
  const hrefs = items.map(({ href }) => href);
  const place = placeAmong(hrefs, hrefs[indexOf(items, path)] ?? path, { isPartial, was: readPlaceBefore(params) });
  return { ...place, listHref: inboxHref(view) };
}

const indexOf = (items: Inbox["items"], path: string) => items.findIndex(({ href }) => href.split("?")[0] === path);

/**
 * An item's page after a decision, which takes the item from the Inbox: its address keeps the place that it has until
 * then, so that the next one is the one below it. Read before the decision.
 */
export async function pageOnceDecided(services: Services, actor: Actor, path: string, params: URLSearchParams) {
  const inbox = await readInboxBeside(services, actor, params);
  return inbox ? fromInbox(path, inbox.view, indexOf(inbox.items, path)) : path;
}

/** Bound for each organisation, so that the queries are built once. */
const organizationId = sql.placeholder("organizationId");
const most = sql.placeholder("most");

/** Pending verifications. The payee's held payments are included in them, as an amount. */
async function readReviews(services: ReadServices, asking: Asking, { now, most }: Reading): Promise<Found[]> {
  const rows = await listMostDangerous(services, asking, most);
  return rows.map((row) => {
    const verdict = showVerdict({ ...row, isCheckRunning: row.checkStep !== null }, now);
    const isChanged = verdict.changed !== null;
    return {
      id: row.id,
      group: groupOfTone(verdict.tone, isChanged),
      path: appPaths.verification(row.id),
      title: row.payee.name,
      word: verdict.word,
      tone: verdict.tone,
      icon: verdict.icon,
      what: verdict.change ? verdict.change.word.toLowerCase() : isChanged ? "change" : "review",
      cents: row.heldCents || null,
      who: row.requestedBy?.firstName ?? null,
      since: row.createdAt,
      isMine: row.assignedToId === asking.userId,
    };
  });
}

const heldPayment = { tone: "review", icon: "pause" } as const;

/** The newest payment files, for those that are stopped: whether one is follows from the declared accounts. */
const selectNewestFiles = (db: Db) =>
  db
    .select(columnsOf(paymentFiles, "id", "name", "status", "paysFrom", "totalCents", "createdAt"))
    .from(paymentFiles)
    .where(eq(paymentFiles.organizationId, organizationId))
    .orderBy(desc(paymentFiles.id))
    .limit(most);

/** Payment files that are stopped, or have held lines; the most money first. */
async function readFiles(services: TimedServices, { organizationId }: Asking, { most }: Reading): Promise<Found[]> {
  const queries = inboxQueries(services.db);
  const [held, newest, { payingAccounts }] = await Promise.all([
    queries.files.all({ organizationId, most }),
    queries.newestFiles.all({ organizationId, most }),
    findFileSettings(services, organizationId),
  ]);
  const stopped = newest.filter(
    (file) => file.status === "open" && checkPayingAccount(file.paysFrom, payingAccounts).state === "other",
  );
  const isStopped = new Set(stopped.map(({ id }) => id));
  const rows = [
    ...stopped.map((file) => ({ ...file, word: "Stopped: other paying account", cents: file.totalCents })),
    ...held
      .filter(({ id }) => !isStopped.has(id))
      .map(({ heldCount, heldCents, ...file }) => {
        const word = `${formatCount(heldCount)} ${heldCount === 1 ? "line" : "lines"} held`;
        return { ...file, word, cents: heldCents };
      }),
  ];
  return rows
    .sort((a, b) => b.cents - a.cents)
    .map(({ id, name, word, cents, createdAt }) => ({
      ...{ ...heldPayment, id, group: "call", title: name, word, cents },
      path: appPaths.paymentFile(id),
      icon: "list",
      what: "payment file",
      who: null,
      since: createdAt,
    }));
}

/** The `heldRank` of findings against the account itself. */
const RED = 1;

const selectHeld = (db: Db) =>
  db
    .select(columnsOf(paymentRecords, "id", "payeeId", "heldRank", "amount"))
    .from(paymentRecords)
    // Literal SQL, because SQLite cannot use the partial index of held payments with a bound value.
    .where(and(eq(paymentRecords.organizationId, organizationId), sql`${paymentRecords.status} = 'held'`))
    .orderBy(...heldInOrder);

/** Held payments whose payee has no open verification: the others are decided after it, and are included in its row. */
const selectHeldAlone = (db: Db) => {
  const walk = selectHeld(db).limit(MOST_LOOKED_AT).as("walk");
  const alone = db
    .select({ id: walk.id })
    .from(walk)
    .where(notExists(openVerificationOf(db, walk.payeeId)))
    .orderBy(asc(walk.heldRank), desc(walk.amount), asc(walk.id))
    .limit(most);
  return db
    .select({
      id: paymentRecords.id,
      payeeName: payees.name,
      ...columnsOf(paymentRecords, "accountName", "reference", "amount", "reasons", "heldRank", "createdAt"),
      recordedBy: users.firstName,
    })
    .from(paymentRecords)
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentRecords.payeeId)))
    .leftJoin(users, eq(users.id, paymentRecords.recordedById))
    .where(and(eq(paymentRecords.organizationId, organizationId), inArray(paymentRecords.id, alone)))
    .orderBy(...heldInOrder);
};

const heldInOrder = [asc(paymentRecords.heldRank), desc(paymentRecords.amount), asc(paymentRecords.id)];

async function readHeldPayments({ db }: ReadServices, { organizationId }: Asking, { most }: Reading): Promise<Found[]> {
  const rows = await inboxQueries(db).held.all({ organizationId, most });
  return rows.map((row) => {
    const isRed = (row.heldRank ?? RED) === RED;
    const holding = row.reasons.find(({ level }) => level === "hold") ?? row.reasons[0];
    return {
      ...heldPayment,
      id: row.id,
      group: isRed ? "call" : "compare",
      path: appPaths.payment(row.id),
      title: row.payeeName ?? row.accountName,
      word: holding ? ruleLabel(holding.rule) : "Held since something changed",
      tone: isRed ? "review" : "pending",
      what: row.reference ? `payment ${row.reference}` : "payment",
      cents: row.amount,
      who: row.recordedBy,
      since: row.createdAt,
    };
  });
}

const openVerificationOf = (db: Db, payeeId: SQLWrapper) =>
  db
    .select({ id: verifications.id })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        sql`${verifications.payeeId} = ${payeeId}`,
        sql`${verifications.status} = 'pending'`,
      ),
    );

/** The payee that was found for an invoice, and any that has an account on it by now. */
const payeesOfInvoice = sql`SELECT "invoices"."payeeId" UNION ALL SELECT "holder"."id"
  FROM json_each("invoices"."read", '$.accounts') AS "named" CROSS JOIN ${payees} AS "holder"
  WHERE "holder"."organizationId" = ${organizationId} AND "holder"."bsb" = "named"."value" ->> 'bsb'
    AND ltrim("holder"."accountNumber", '0') = ltrim("named"."value" ->> 'accountNumber', '0')`;

/** Invoices that are stopped and undecided, with whether their money waits in another row: a payment's, or a copy's. */
const selectStoppedInvoices = (db: Db) =>
  db
    .select({
      ...columnsOf(invoices, "id", "supplierName"),
      subject: SUBJECT,
      ...columnsOf(invoices, "fileName", "invoiceNumber", "totalCents"),
      isCounted: sql<number>`EXISTS (SELECT 1 FROM ${paymentRecords} AS "waiting"
          WHERE "waiting"."organizationId" = ${organizationId} AND "waiting"."payeeId" IN (${payeesOfInvoice})
          AND "waiting"."status" IN ('held', 'verification_requested') AND "waiting"."amount" = "invoices"."totalCents")
        OR EXISTS (SELECT 1 FROM ${invoices} AS "newer" WHERE "newer"."organizationId" = ${organizationId}
          AND "newer"."numberKey" = "invoices"."numberKey" AND "newer"."totalCents" = "invoices"."totalCents"
          AND ("newer"."payeeId" = "invoices"."payeeId" OR "newer"."supplierName" = "invoices"."supplierName")
          AND "newer"."isStopped" AND "newer"."decision" IS NULL AND "newer"."id" > "invoices"."id")`,
      receivedAt: invoices.receivedAt,
      receivedBy: users.firstName,
      ...{ status: invoices.status, verdict: invoices.verdict, isStopped: invoices.isStopped },
      ...{ decision: invoices.decision, findings: invoices.findings },
    })
    .from(invoices)
    .leftJoin(users, eq(users.id, invoices.receivedById))
    .where(and(eq(invoices.organizationId, organizationId), sql.raw(IS_OPEN_STOP)))
    .orderBy(desc(invoices.id))
    .limit(most);

async function readStoppedInvoices(
  { db }: ReadServices,
  { organizationId }: Asking,
  { most }: Reading,
): Promise<Found[]> {
  const rows = await inboxQueries(db).invoices.all({ organizationId, most });
  return rows.map((row) => ({
    id: row.id,
    group: "call",
    path: appPaths.supplierInvoice(row.id),
    title: nameInvoice(row),
    ...{ word: shownStanding(row).word, tone: "review", icon: "flag" },
    what: row.invoiceNumber ? `invoice ${row.invoiceNumber}` : "invoice",
    cents: row.totalCents,
    isCountedElsewhere: row.isCounted === 1,
    who: row.receivedBy,
    since: row.receivedAt,
  }));
}

/** Bank details in an accounting system that differ from ours. */
async function readAccountChanges(services: ReadServices, asking: Asking, { most }: Reading): Promise<Found[]> {
  const rows = await listAllOpenChanges(services, asking, most);
  return rows.map(({ contact, payee }) => ({
    id: `${payee.id} ${contact.system}`,
    group: "compare",
    path: appPaths.payeeAccounting(payee.id),
    title: payee.name,
    word: `Changed in ${systemName(contact.system)}`,
    tone: "pending",
    icon: "plug",
    what: "bank details",
    cents: null,
    who: null,
    since: contact.noticedAt ?? payee.updatedAt,
  }));
}

const selectDisputed = (db: Db) =>
  db
    .select({ id: payees.id, name: payees.name, disputedAt: payees.disputedAt })
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), isNotNull(payees.disputedAt)))
    .orderBy(asc(payees.id));

/** Payees that dispute their details without an open verification. */
const selectDisputes = (db: Db) => {
  const walk = selectDisputed(db).limit(MOST_LOOKED_AT).as("walk");
  return db
    .select({ id: walk.id, name: walk.name, disputedAt: walk.disputedAt })
    .from(walk)
    .where(notExists(openVerificationOf(db, walk.id)))
    .orderBy(asc(walk.id))
    .limit(most);
};

async function readDisputes({ db }: ReadServices, { organizationId }: Asking, { most }: Reading): Promise<Found[]> {
  const rows = await inboxQueries(db).disputes.all({ organizationId, most });
  const { tone, icon, word } = headlineOfFlag("disputed");
  return rows.map(({ id, name, disputedAt }) => ({
    ...{ id, tone, icon, word },
    group: "call",
    path: appPaths.payee(id),
    title: name,
    what: "payee",
    cents: null,
    who: null,
    since: disputedAt ?? 0,
  }));
}

/** People who have asked to join the organisation. */
const selectJoinRequests = (db: Db) =>
  db
    .select({
      userId: users.id,
      ...columnsOf(users, "firstName", "lastName"),
      createdAt: organizationUsers.createdAt,
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.status, "pending"),
        ne(organizationUsers.role, "read_only"),
      ),
    )
    .orderBy(asc(organizationUsers.userId))
    .limit(most);

async function readJoinRequests({ db }: ReadServices, { organizationId }: Asking, { most }: Reading): Promise<Found[]> {
  const rows = await inboxQueries(db).requests.all({ organizationId, most });
  return rows.map((row) => ({
    id: row.userId,
    group: "people",
    path: appPaths.members,
    title: displayName(row),
    word: "Join request",
    tone: VERDICTS.not_checked.tone,
    icon: "user",
    what: "person",
    cents: null,
    who: null,
    since: row.createdAt,
  }));
}

const inboxQueries = prepared((db) => ({
  files: selectWaitingFiles(db, organizationId, most).prepare(),
  newestFiles: selectNewestFiles(db).prepare(),
  held: selectHeldAlone(db).prepare(),
  heldBeyond: selectHeld(db).limit(1).offset(MOST_LOOKED_AT).prepare(),
  invoices: selectStoppedInvoices(db).prepare(),
  disputes: selectDisputes(db).prepare(),
  disputesBeyond: selectDisputed(db).limit(1).offset(MOST_LOOKED_AT).prepare(),
  requests: selectJoinRequests(db).prepare(),
}));
