import { type Condition, changeNotices, columnsOf, outbox, rowIn, type Statement } from "@db/database";
import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import {
  NOTICE_DELAYS,
  type NoticeDelay,
  type NoticeFailure,
  type NoticeSubject,
  type NotificationChannel,
} from "~/kernel/enums";
import type { JobKind } from "~/modules/core/commands/job";
import type { CommandAudit, CommandPart } from "~/modules/core/commands/run-command.server";
import type { Asking, ReadServices, Services, TimedServices } from "~/services-and-actor";
import {
  gradeNotice,
  type NoticeFacts,
  type NoticeGrade,
  noticeDelay,
  noticesOfLastChange,
  planNotice,
} from "./notice-rules";
import { countNotices, findNoticeLimits, hashRecipient } from "./outside-messages.queries.server";

/** How many notices a page or answer reads: ten addresses of each kind for several changes. */
const LOOKED_AT = 200;

const columns = {
  ...columnsOf(changeNotices, "id", "verificationId", "subject", "channel", "recipient"),
  ...columnsOf(changeNotices, "status", "problem", "dueAt", "endedAt", "createdAt"),
};

const ofPayee = ({ organizationId }: Asking, payeeId: string) =>
  and(eq(changeNotices.organizationId, organizationId), eq(changeNotices.payeeId, payeeId));

/** Whether a payee's contacts were told about its present details; empty: no change concerned them. */
export async function listNoticesOfPayee({ db }: ReadServices, actor: Asking, payeeId: string) {
  const rows = await db
    .select(columns)
    .from(changeNotices)
    .where(ofPayee(actor, payeeId))
    .orderBy(desc(changeNotices.id))
    .limit(LOOKED_AT);
  return noticesOfLastChange(rows);
}

/** Whether the contacts were told about the change that opened a verification; empty: no change opened it. */
export function listNoticesOfVerification(
  { db }: ReadServices,
  actor: Asking,
  { id, payeeId }: { id: string; payeeId: string },
) {
  return db
    .select(columns)
    .from(changeNotices)
    .where(and(ofPayee(actor, payeeId), eq(changeNotices.verificationId, id)))
    .orderBy(desc(changeNotices.id))
    .limit(LOOKED_AT);
}

/** A payee's notices that are messages of their own: those of the last 24 hours, and those still waiting. */
export function listRecentNotices({ db, clock }: TimedServices, actor: Asking, payeeId: string) {
  const isRecent = gt(changeNotices.createdAt, clock.now() - DAY_MS);
  return db
    .select({
      ...columnsOf(changeNotices, "id", "subject", "channel", "recipient", "status"),
      ...columnsOf(changeNotices, "problem", "dueAt", "startedAt", "createdAt"),
    })
    .from(changeNotices)
    .where(
      and(ofPayee(actor, payeeId), isNull(changeNotices.mergedInto), or(isRecent, eq(changeNotices.status, "waiting"))),
    )
    .orderBy(desc(changeNotices.id))
    .limit(LOOKED_AT);
}

/** One notice that is a message of its own, and every change that it covers, newest first. */
export async function findNoticeWithMerged(
  { db }: ReadServices,
  actor: Asking,
  { payeeId, id }: { payeeId: string; id: string },
) {
  const rows = await db
    .select()
    .from(changeNotices)
    .where(and(ofPayee(actor, payeeId), or(eq(changeNotices.id, id), eq(changeNotices.mergedInto, id))))
    .orderBy(desc(changeNotices.id));
  const notice = rows.find((row) => row.id === id);
  return notice && { notice, changes: rows };
}

/** The notice that a job's message was for, while its contact counts as told; undefined for other messages. */
export async function findToldNotice(services: ReadServices, jobId: string) {
  const [job] = await services.db
    .select({ kind: outbox.kind, organizationId: outbox.organizationId, payeeId: outbox.subjectId })
    .from(outbox)
    .where(eq(outbox.id, jobId));
  if (job?.kind !== ("change_notice" satisfies JobKind)) return undefined;
  const { organizationId, payeeId } = job;
  if (!organizationId || !payeeId) return undefined;
  const found = await findNoticeWithMerged(services, { organizationId }, { payeeId, id: jobId });
  return found?.notice.status === "told" ? found.notice : undefined;
}

type Planning = Pick<Services, "db" | "clock" | "ids" | "secrets">;

/** A change of a payee, and who is to be told: the email addresses and mobiles of its contacts before the change. */
type ChangeToTell = {
  organizationId: string;
  payeeId: string;
  verificationId: string | null;
  subject: NoticeSubject;
  isTrusted: boolean;
  facts: NoticeFacts;
  contacts: readonly { channel: NotificationChannel; recipient: string }[];
};

/** For the command that makes the change. A refused condition: a message was sent meanwhile, so it plans again. */
export type ToldOfChange = {
  conditions: readonly Condition<"notice_sent">[];
  parts: readonly CommandPart[];
  /** For the audit entry of the change: whether anybody can be told, and what delays the message. */
  telling: { contacts: number; problem?: NoticeDelay; isCollected?: boolean };
};

type Row = typeof changeNotices.$inferInsert;

/**
 * Plans the notices of a change. The recipients are always contacts that were on file; no other address can be passed
 * in. The batch itself tells nobody: each message has a job that is retried until the provider accepts it, and until
 * then the row says "not told yet".
 */
export async function planChangeNotices(services: Planning, change: ChangeToTell): Promise<ToldOfChange> {
  const { organizationId, payeeId, contacts } = change;
  if (contacts.length === 0) {
    const nobody = { ...rowOf(services, change), status: "not_told", problem: "no_contact" } as const;
    return { conditions: [], parts: [{ statements: [insert(services, [nobody])] }], telling: { contacts: 0 } };
  }
  const now = services.clock.now();
  const recent = await listRecentNotices(services, { organizationId }, payeeId);
  const rows: Row[] = [];
  for (const { channel, recipient } of contacts) {
    const earlier = recent.filter((notice) => notice.channel === channel && notice.recipient === recipient);
    rows.push({
      ...rowOf(services, change),
      channel,
      recipient,
      ...(await planRow(services, change, recipient, earlier)),
    });
  }
  const merged = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
  const problem = rows.flatMap((row) => NOTICE_DELAYS.find((delay) => delay === row.problem) ?? [])[0];
  const isCollected = rows.some(({ dueAt }) => dueAt > now);
  const jobs = rows
    .filter(({ mergedInto }) => !mergedInto)
    .map(({ id, dueAt }) => ({ id, kind: "change_notice" as const, organizationId, subjectId: payeeId, dueAt }));
  return {
    conditions: merged.length > 0 ? [canStillTell(change, merged)] : [],
    parts: [{ statements: [insert(services, rows)], jobs, audit: problem ? [heldUp(change, rows, problem)] : [] }],
    telling: {
      contacts: contacts.length,
      ...(problem ? { problem } : {}),
      ...(isCollected ? { isCollected } : {}),
    },
  };
}

type Recent = Awaited<ReturnType<typeof listRecentNotices>>[number];

/** When one contact is told and with which message, and what is known to delay it. */
async function planRow(services: Planning, change: ChangeToTell, recipient: string, earlier: readonly Recent[]) {
  const now = services.clock.now();
  const plan = planNotice(earlier, change.subject, now);
  if ("mergedInto" in plan) {
    const { dueAt, problem } = earlier.find(({ id }) => id === plan.mergedInto) ?? { dueAt: now, problem: null };
    return { ...plan, dueAt, problem };
  }
  if (plan.dueAt > now) return plan;
  const problem = await findDelay(services, change, recipient, gradeNotice(earlier, change, now));
  return { ...plan, problem: problem ?? null };
}

const rowOf = ({ ids, clock }: Planning, { contacts: _, ...change }: ChangeToTell): Row => ({
  ...change,
  id: ids.next(),
  status: "waiting",
  dueAt: clock.now(),
  createdAt: clock.now(),
});

/** The rows are passed as one JSON list, because D1 binds at most 100 parameters. */
const insert = ({ db }: Planning, rows: readonly Row[]): Statement =>
  db.insert(changeNotices).select(
    sql`SELECT value ->> 'organizationId', value ->> 'payeeId', value ->> 'id', value ->> 'verificationId',
      value ->> 'subject', value ->> 'channel', value ->> 'recipient', value -> 'facts', value ->> 'isTrusted',
      value ->> 'mergedInto', value ->> 'status', value ->> 'problem', value ->> 'dueAt', NULL,
      CASE WHEN value ->> 'status' = 'waiting' THEN NULL ELSE value ->> 'createdAt' END, value ->> 'createdAt'
      FROM json_each(${JSON.stringify(rows)})`,
  );

/** What is known to delay the message; limits are counted again when it is sent. */
async function findDelay(services: Planning, { organizationId }: ChangeToTell, recipient: string, grade: NoticeGrade) {
  const hash = await hashRecipient(services, recipient);
  const [counts, limits] = await Promise.all([
    countNotices(services, organizationId, hash),
    findNoticeLimits(services, organizationId, grade),
  ]);
  return noticeDelay(counts, limits);
}

/** The condition that none of these messages was closed since they were read. */
function canStillTell({ organizationId, payeeId }: ChangeToTell, ids: readonly string[]): Condition<"notice_sent"> {
  const open = sql`SELECT 1 FROM ${changeNotices} WHERE ${changeNotices.organizationId} = ${organizationId}
    AND ${changeNotices.payeeId} = ${payeeId} AND ${changeNotices.id} = one.value
    AND ${changeNotices.status} = 'waiting' AND ${changeNotices.startedAt} IS NULL`;
  const found = sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(ids)}) AS one WHERE NOT EXISTS (${open}))`;
  return { name: "notice_sent", found };
}

const heldUp = ({ payeeId, subject }: ChangeToTell, rows: readonly Row[], problem: NoticeDelay): CommandAudit =>
  notTold(payeeId, {
    changed: subject,
    to: rows.flatMap((row) => (row.problem ? (row.recipient ?? []) : [])),
    reason: problem,
    isFinal: false,
    // The alert about the change already says so.
    ...(subject === "bank_details" ? { isSaid: true } : {}),
  });

type NotTold = {
  changed: NoticeSubject;
  to: readonly string[];
  reason: NoticeDelay | NoticeFailure;
  isFinal: boolean;
  isSaid?: true;
};

/** The audit entry about contacts that were not told, or not yet. */
export const notTold = (payeeId: string, details: NotTold): CommandAudit => ({
  action: "payee.contact_not_told",
  entityId: payeeId,
  details,
  bySystem: true,
});

type Which = { organizationId: string; payeeId: string; id: string };

const whole = ({ organizationId, payeeId, id }: Which) =>
  and(
    eq(changeNotices.organizationId, organizationId),
    eq(changeNotices.payeeId, payeeId),
    or(eq(changeNotices.id, id), eq(changeNotices.mergedInto, id)),
  );

const itself = ({ organizationId, payeeId, id }: Which) =>
  and(eq(changeNotices.organizationId, organizationId), eq(changeNotices.payeeId, payeeId), eq(changeNotices.id, id));

/** The condition that the message is still open to further changes. */
export const noticeIsOpen = ({ db }: ReadServices, which: Which): Condition<"notice_started"> => ({
  name: "notice_started",
  found: rowIn(db, changeNotices).where(
    and(itself(which), eq(changeNotices.status, "waiting"), isNull(changeNotices.startedAt)),
  ),
});

/** The condition that its contact counts as told. */
export const noticeIsTold = ({ db }: ReadServices, which: Which): Condition<"notice_not_told"> => ({
  name: "notice_not_told",
  found: rowIn(db, changeNotices).where(and(itself(which), eq(changeNotices.status, "told"))),
});

/** Closes the message, because it is about to be sent: its text no longer changes. */
export const startNotice = ({ db, clock }: TimedServices, which: Which): Statement =>
  db.update(changeNotices).set({ startedAt: clock.now() }).where(itself(which));

/** Stores what delays a notice and every change that it covers. */
export const delayNotice = ({ db }: ReadServices, which: Which, problem: NoticeDelay): Statement =>
  db
    .update(changeNotices)
    .set({ problem })
    .where(and(whole(which), eq(changeNotices.status, "waiting")));

/** Records that the provider has accepted the message. */
export const markNoticeTold = ({ db, clock }: TimedServices, which: Which): Statement =>
  db.update(changeNotices).set({ status: "told", problem: null, endedAt: clock.now() }).where(whole(which));

/** Records that this message was not and will not be sent. */
export const markNoticeFailed = ({ db, clock }: TimedServices, which: Which, problem: NoticeFailure): Statement =>
  db.update(changeNotices).set({ status: "not_told", problem, endedAt: clock.now() }).where(whole(which));

/** Records that the provider accepted the message but could not deliver it: its contact was not told after all. */
export const markNoticeNotDelivered = (
  services: TimedServices,
  notice: Which & { subject: NoticeSubject; recipient: string | null },
  problem: NoticeFailure,
): CommandPart => ({
  statements: [markNoticeFailed(services, notice, problem)],
  audit: [
    notTold(notice.payeeId, {
      changed: notice.subject,
      to: notice.recipient ? [notice.recipient] : [],
      reason: problem,
      isFinal: true,
    }),
  ],
});
