import { changeNotices, outbox } from "@db/schema";
import { and, desc, eq, gt, isNull, or } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { JobKind } from "~/modules/core/commands/job";
import type { ReadServices, Services } from "~/services";
import { noticesOfLastChange } from "./notice-rules";

/** Notices that a page or an answer looks at: ten addresses of each kind for some changes. */
const LOOKED_AT = 200;

const columns = {
  id: changeNotices.id,
  verificationId: changeNotices.verificationId,
  subject: changeNotices.subject,
  channel: changeNotices.channel,
  recipient: changeNotices.recipient,
  status: changeNotices.status,
  problem: changeNotices.problem,
  dueAt: changeNotices.dueAt,
  endedAt: changeNotices.endedAt,
  createdAt: changeNotices.createdAt,
};

type Asking = { organizationId: string };

const ofPayee = ({ organizationId }: Asking, payeeId: string) =>
  and(eq(changeNotices.organizationId, organizationId), eq(changeNotices.payeeId, payeeId));

/** Whether the contacts of a payee were told of how it stands now; empty: nothing was changed that they are told of. */
export async function listNoticesOfPayee({ db }: ReadServices, actor: Asking, payeeId: string) {
  const rows = await db
    .select(columns)
    .from(changeNotices)
    .where(ofPayee(actor, payeeId))
    .orderBy(desc(changeNotices.id))
    .limit(LOOKED_AT);
  return noticesOfLastChange(rows);
}

/** Whether the contacts were told of the change that opened a verification; empty: no change did. */
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

/** Notices about a payee with messages of their own: those of the last 24 hours, and those that still wait. */
export function listRecentNotices({ db, clock }: Pick<Services, "db" | "clock">, actor: Asking, payeeId: string) {
  const isRecent = gt(changeNotices.createdAt, clock.now() - DAY_MS);
  return db
    .select({
      id: changeNotices.id,
      subject: changeNotices.subject,
      channel: changeNotices.channel,
      recipient: changeNotices.recipient,
      status: changeNotices.status,
      problem: changeNotices.problem,
      dueAt: changeNotices.dueAt,
      startedAt: changeNotices.startedAt,
      createdAt: changeNotices.createdAt,
    })
    .from(changeNotices)
    .where(
      and(ofPayee(actor, payeeId), isNull(changeNotices.mergedInto), or(isRecent, eq(changeNotices.status, "waiting"))),
    )
    .orderBy(desc(changeNotices.id))
    .limit(LOOKED_AT);
}

/** One notice with a message of its own, and every change that its message tells of, the newest first. */
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

/** The notice whose message a job was, while its contact counts as told; undefined for the job of any other message. */
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
