import { counters, prepared, verifications } from "@db/database";
import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS, formatDateTime, HOUR_MS, MINUTE_MS, toIso, type Zone } from "~/kernel/dates";
import type { CounterName } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { cleanText, displayName, isStorable } from "~/kernel/text";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { listColleagues } from "~/modules/accounts/members/members.server";
import { idempotencyKeySchema } from "~/modules/core/commands/run-command.server";
import { isCompared } from "~/modules/core/housekeeping.server";
import { MAX_WALK, payeeHasWords } from "~/modules/core/search-words.server";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import type { MatchType } from "~/modules/name-match";
import { showVerdict } from "~/modules/payees/verifications/standing";
import { BULK_MAX } from "~/modules/verifying/act-on-each.server";
import { assigneeSchema } from "~/modules/verifying/assign.server";
import { listSavedViews } from "~/modules/verifying/saved-view.server";
import { type Actor, type Asking, canWrite, type ReadServices, type Services } from "~/services-and-actor";
import {
  countInView,
  isWaiting,
  listPendingVerifications,
  type Narrowing,
  type PendingFilter,
  type PendingVerification,
  queueIds,
  type readPendingFilter,
  readSearch,
  type Search,
} from "./pending.server";
import { rejectionReason } from "./review.server";
import { pendingHref } from "./verification-list";

/** Starts reading the queue before it is known whether the person may see it. */
export function readQueue(
  services: ReadServices,
  reader: Pick<Actor, "userId" | "organizationId">,
  { mine, after, before, ...view }: ReturnType<typeof readPendingFilter>,
) {
  const assignedTo = mine ? reader.userId : undefined;
  const search = readSearch(services, reader, view.q);
  return Promise.all([
    listPendingVerifications(services, reader, { ...view, assignedTo, after, before }, search),
    countPending(services, reader, view, search),
    listSavedViews(services, reader),
    findReviewChoices(services, reader.userId),
    listColleagues(services, reader, { canWrite: true }),
  ]);
}

/** Reads the review queue's page. `reading`: what was started before the person was authenticated. */
export async function readPendingPage(
  services: Services,
  actor: Actor,
  { q, match, order, mine, after, before }: ReturnType<typeof readPendingFilter>,
  reading: ReturnType<typeof readQueue>,
) {
  const [[list, counts, views, choices, colleagues], missing] = await Promise.all([
    reading,
    canWrite(actor) ? findMissingConfirmation(services, actor) : null,
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const filter = { q, match, order, mine };
  return {
    rows: list.verifications.map((row) => toPendingRow(row, zone)),
    filter,
    isNarrowed: Boolean(q || match || mine || after || before),
    counts: showCounts(counts, { isSearch: Boolean(q) }),
    views,
    isRoomy: choices.reviewRoomy,
    hasKeys: choices.reviewKeys,
    /** The person has write access, so rows can be ticked. */
    canAct: canWrite(actor),
    /** What must be confirmed before payees and banks can be asked; null: nothing. */
    missing,
    colleagues: canWrite(actor) ? colleagues : [],
    providerName: services.bankData.providerName,
    submissionId: services.ids.next(),
    previousHref: list.previous && pendingHref({ ...filter, before: list.previous }),
    nextHref: list.next && pendingHref({ ...filter, after: list.next }),
  };
}

/** A filter's count stops here: beyond it the page shows "99+". */
export const COUNT_CAP = 100;

/** One row of the review queue, with the account number masked: the full one stays on the server. */
export function toPendingRow(verification: PendingVerification, zone: Zone) {
  const { requestedBy, notificationSentAt: sentAt } = verification;
  const verdict = showVerdict({ ...verification, isCheckRunning: verification.checkStep !== null }, zone.now);
  return {
    id: verification.id,
    payeeName: verification.payee.name,
    accountName: verification.accountName,
    bsb: verification.bsb,
    maskedAccountNumber: maskAccountNumber(verification.accountNumber),
    /** Null: nothing was compared yet. */
    matchType: wasCompared(verification) ? verification.matchType : null,
    nameMatchScore: verification.nameMatchScore,
    verdict,
    /** The time since the payee's link was sent, "2 d", while it waits. */
    waiting: verdict.name === "waiting" && sentAt !== null ? showAge(sentAt, zone.now) : null,
    heldCents: verification.heldCents,
    requestedBy: requestedBy && { name: displayName(requestedBy), email: requestedBy.email },
    assignedTo: verification.assignedTo && displayName(verification.assignedTo),
    createdAt: {
      dateTime: toIso(verification.createdAt),
      exact: formatDateTime(verification.createdAt, zone.timeZone),
    },
    age: showAge(verification.createdAt, zone.now),
  };
}

/** The same as `isCompared`, for a row already read. */
const wasCompared = ({ matchType, nameMatchScore, outcome }: PendingVerification) =>
  nameMatchScore !== null || matchType !== "none" || outcome === "no_match";

/** A short age for a column: "now", "40 min", "5 h", "12 d". */
export function showAge(ms: number, now: number): string {
  const passed = Math.max(0, now - ms);
  if (passed < MINUTE_MS) return "now";
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`;
  return passed < DAY_MS ? `${Math.floor(passed / HOUR_MS)} h` : `${Math.floor(passed / DAY_MS)} d`;
}

/** `isAtLeast`: counting stopped before the end of the queue, so every count may be higher. */
type PendingCounts = {
  all: number;
  mine: number;
  /** Verifications without a match type for which nothing was compared yet; `none` counts the others. */
  notCompared: number;
  isAtLeast?: boolean;
} & Record<MatchType, number>;

/** The filter counts as text. Triggers keep those of the whole queue; what is counted for the page stops at the cap. */
export function showCounts(
  { all, mine, exact, fuzzy, none, notCompared, isAtLeast }: PendingCounts,
  { isSearch = false }: { isSearch?: boolean } = {},
): Record<"all" | "mine" | "notCompared" | MatchType, string> {
  const counted = (count: number) => {
    if (isAtLeast) return `${count}+`;
    return count >= COUNT_CAP ? `${COUNT_CAP - 1}+` : String(count);
  };
  const show = isSearch ? counted : String;
  return {
    all: show(all),
    mine: counted(mine),
    exact: show(exact),
    fuzzy: show(fuzzy),
    none: show(none),
    notCompared: show(notCompared),
  };
}

/** While common words are counted, this many matches are found at most: no page shows more than the count. */
const FOUND_CAP = 60;

/**
 * The count for each tab, up to the cap: all, each match type, and the person's own. During a search, only matches are
 * counted; for common words the count walks the queue, as far as a page would.
 */
export async function countPending(
  services: ReadServices,
  actor: Asking & { userId: string },
  { q, order }: Pick<PendingFilter, "q" | "order"> = {},
  reading = readSearch(services, actor, q),
): Promise<PendingCounts> {
  const search = await reading;
  if (search === "nothing") return { all: 0, mine: 0, exact: 0, fuzzy: 0, none: 0, notCompared: 0 };
  if (search.words.length > 0 && search.rare === undefined) return countAlongQueue(services, actor, search, order);
  if (search.words.length === 0) {
    const [kept, mine] = await Promise.all([
      readKeptCounts(services, actor),
      countInView(services, actor, { assignedTo: actor.userId }, { cap: COUNT_CAP }),
    ]);
    return { ...kept, mine };
  }
  const count = async (filter: Narrowing, also?: SQL) => {
    const some = queueIds(services, actor, search, and(isWaiting(actor, filter, search), also))
      .limit(COUNT_CAP)
      .as("walk");
    const [row] = await services.db.select({ n: sql<number>`count(*)` }).from(some);
    return row?.n ?? 0;
  };
  const [all, mine, exact, fuzzy, none, notCompared] = await Promise.all([
    count({}),
    count({ assignedTo: actor.userId }),
    count({ match: "exact" }),
    count({ match: "fuzzy" }),
    count({ match: "none" }, isCompared),
    count({ match: "none" }, sql`NOT ${isCompared}`),
  ]);
  return { all, mine, exact, fuzzy, none, notCompared };
}

/** One walk for all tabs; `isAtLeast` if it stopped before the end of the queue. */
async function countAlongQueue(
  services: ReadServices,
  actor: Asking & { userId: string },
  search: Search,
  order: PendingFilter["order"] = "newest",
): Promise<PendingCounts> {
  const { id, payeeId, matchType, assignedToId, queueRank } = verifications;
  const inOrder = order === "risk" ? [asc(queueRank), asc(id)] : [order === "newest" ? desc(id) : asc(id)];
  const walk = services.db
    .select({ payeeId, matchType, assignedToId, compared: isCompared.as("compared") })
    .from(verifications)
    .where(isWaiting(actor, {}, search))
    .orderBy(...inOrder)
    .limit(MAX_WALK)
    .as("walk");
  const [rows, kept] = await Promise.all([
    services.db
      .select({ matchType: walk.matchType, assignedToId: walk.assignedToId, compared: walk.compared })
      .from(walk)
      .where(payeeHasWords(actor, sql`${walk.payeeId}`, search.words))
      .limit(FOUND_CAP + 1),
    readKeptCounts(services, actor),
  ]);
  const found = rows.slice(0, FOUND_CAP);
  const count = (match: MatchType) => found.filter((row) => row.matchType === match && row.compared === 1).length;
  return {
    all: found.length,
    mine: found.filter((row) => row.assignedToId === actor.userId).length,
    exact: count("exact"),
    fuzzy: count("fuzzy"),
    none: count("none"),
    notCompared: found.filter(({ compared }) => compared === 0).length,
    isAtLeast: rows.length > FOUND_CAP || kept.all > MAX_WALK,
  };
}

const KEPT: readonly CounterName[] = ["pendingVerifications", "pending:exact", "pending:fuzzy", "pending:none"];

/** The counts of the whole queue, which database triggers maintain. */
async function readKeptCounts({ db }: ReadServices, { organizationId }: Asking) {
  const rows = await keptCountsOf(db).all({ organizationId });
  const [all = 0, exact = 0, fuzzy = 0, none = 0] = KEPT.map((name) => rows.find((row) => row.name === name)?.value);
  return { all, exact, fuzzy, none, notCompared: all - exact - fuzzy - none };
}

const keptCountsOf = prepared((db) =>
  db
    .select({ name: counters.name, value: counters.value })
    .from(counters)
    .where(and(eq(counters.organizationId, sql.placeholder("organizationId")), inArray(counters.name, [...KEPT])))
    .prepare(),
);

const NO_ITEM = "Tick at least one verification";
const MAX_NAME = 60;
const NO_NAME = "Give the view a name";

const many = {
  submissionId: idempotencyKeySchema,
  id: z
    .array(z.string({ error: NO_ITEM }).refine(isId, NO_ITEM), { error: NO_ITEM })
    .min(1, NO_ITEM)
    .max(BULK_MAX, `Tick at most ${BULK_MAX} at once`)
    .transform((ids) => [...new Set(ids)]),
};

/** Form posts of the queue, distinguished by the button pressed. An empty `assignee` removes the assignment. */
export const queueFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("assign"), ...many, assignee: assigneeSchema }),
  z.object({ intent: z.literal("verify-basiq"), ...many }),
  z.object({ intent: z.literal("send-link"), ...many }),
  z.object({ intent: z.literal("reject"), ...many, reason: rejectionReason }),
  z.object({
    intent: z.literal("save-view"),
    name: z
      .string({ error: NO_NAME })
      .max(MAX_NAME, `Keep the name under ${MAX_NAME} characters`)
      .refine(isStorable, "The name contains characters that cannot be stored")
      .transform(cleanText)
      .pipe(z.string({ error: NO_NAME }).min(1, NO_NAME)),
  }),
  z.object({ intent: z.literal("remove-view"), view: z.string({ error: "Choose a view" }) }),
  z.object({
    intent: z.literal("density"),
    roomy: z.enum(["yes", "no"], { error: "Choose how much space rows have" }),
  }),
]);

export type QueueForm = z.infer<typeof queueFormSchema>;
export type BulkForm = Extract<QueueForm, { id: string[] }>;
