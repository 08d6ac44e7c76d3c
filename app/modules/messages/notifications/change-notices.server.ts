import type { changeNotices, Statement } from "@db/database";
import { renderEmail } from "~/emails/render";
import { composeEmail } from "~/emails/templates";
import { UpstreamError } from "~/kernel/app-error";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { NoticeDelay, NoticeFailure, NotificationChannel } from "~/kernel/enums";
import { type Job, nextAttemptAt } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import {
  type CommandAudit,
  endJob,
  jobIsLeased,
  type Postponement,
  postponeJob,
  runCommand,
  runStep,
} from "~/modules/core/commands/run-command.server";
import { sendOnce } from "~/modules/core/restores/sent-messages.server";
import { type Services, systemActor, type WriteServices } from "~/services-and-actor";
import {
  delayNotice,
  findNoticeWithMerged,
  listRecentNotices,
  markNoticeFailed,
  markNoticeTold,
  noticeIsOpen,
  notTold,
  startNotice,
} from "./change-notices.statements.server";
import { isAddressStopped, recordSent } from "./deliveries.server";
import { gradeNotice, lookAgainAt, noticeDelay, TRIED_FOR_MS } from "./notice-rules";
import { findPayload, sendInSameBytes } from "./notifications.server";
import { reportableText } from "./outside-messages";
import { countNotices, findNoticeLimits, hashRecipient, noticeFits } from "./outside-messages.queries.server";
import { recordOutsideMessage, reportHrefOf } from "./outside-messages.server";

/** Text messages to a payee about changes to its details: plain letters only, no link. */

type Changed = {
  organizationName: string;
  payeeName: string;
  changedOn: string;
  /** How many changes the message covers. */
  changes: number;
};

const ADVICE = "If you did not ask for this, call them on a number you already know.";

/** "changed 23 Nov 2026, 2:31 pm", or how often, and when last. */
const when = ({ changes, changedOn }: Changed): string =>
  changes > 1 ? `changed ${changes} times, last on ${changedOn}` : `changed ${changedOn}`;

/** @param changed.maskedAccount the new account number, masked */
function bankDetailsChangedText(changed: Changed & { maskedAccount: string; isRestored: boolean }): string {
  const { organizationName, payeeName, maskedAccount, isRestored } = changed;
  const ending = maskedAccount.replace(/\D/g, "");
  if (isRestored) {
    return `PayeeProof: ${organizationName} has put back the former bank details of ${payeeName}, account ending ${ending}, ${when(changed)}. ${ADVICE}`;
  }
  return `PayeeProof: ${organizationName} now has different bank details for ${payeeName}, account ending ${ending}, ${when(changed)}. ${ADVICE}`;
}

function contactChangedText(changed: Changed): string {
  const { organizationName, payeeName } = changed;
  return `PayeeProof: the contact details that ${organizationName} holds for ${payeeName} were ${when(changed)}. ${ADVICE}`;
}

type Sending = WriteServices & Pick<Services, "mail" | "sms">;
type Notice = typeof changeNotices.$inferSelect;
/** A notice that is a message of its own, with its recipient. */
type ToSend = Notice & { channel: NotificationChannel; recipient: string };

/** After this many refusals by a provider, the organisation's people are told that a contact has not been told yet. */
const SAID_AFTER_TRIES = 3;
/** The number of attempts in the first three hours. */
const QUICK_TRIES = 12;
const SLOW_MS = 6 * HOUR_MS;

/**
 * Sends one notice of a change to a payee's contact. First counts it towards the daily quota of notices. If a limit, an
 * unconfirmed organisation or a provider prevents sending, it is tried again for thirty days. The contact counts as
 * told only once the provider has accepted the message.
 */
export async function sendChangeNotice(services: Sending, job: Job): Promise<void> {
  const notice = await findWaiting(services, job);
  if (!notice) return finishJob(services, job);
  if (services.clock.now() - notice.createdAt > TRIED_FOR_MS) return fail(services, job, notice, "tried_for_long");
  if (notice.startedAt === null && !(await takePlace(services, job, notice))) return;
  if (notice.channel === "email" && (await isAddressStopped(services, notice.recipient))) {
    return fail(services, job, notice, "address_stopped");
  }
  try {
    const { channel } = notice;
    const sent = await deliver(services, job, notice);
    const noted = "forgetLost" in sent ? sent.forgetLost : recordSent(services, job, { channel, ...sent });
    await finish(services, job, notice, noted);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (!error.retryable) return fail(services, job, notice, "address_refused");
    await tryLater(services, job, notice, error);
  }
}

/** After the last attempt failed: the contact was not told. */
export async function giveUpChangeNotice(services: Sending, job: Job, error: string): Promise<void> {
  const notice = await findWaiting(services, job);
  if (!notice) return finishJob(services, job, "failed", error);
  await fail(services, job, notice, "tried_for_long");
}

const whichOf = ({ organizationId, subjectId, id }: Job) => ({
  organizationId: organizationId ?? "",
  payeeId: subjectId ?? "",
  id,
});

async function findWaiting(services: Sending, job: Job): Promise<ToSend | undefined> {
  const found = await findNoticeWithMerged(services, whichOf(job), whichOf(job));
  if (found?.notice.status !== "waiting") return undefined;
  const { notice, changes } = found;
  const { channel, recipient } = notice;
  if (channel === null || recipient === null) return undefined;
  const gravest = changes.find(({ subject }) => subject === "bank_details") ?? notice;
  // If the payee became trusted while the message waited, the notice may use the whole quota.
  return { ...notice, channel, recipient, subject: gravest.subject, isTrusted: changes.some((each) => each.isTrusted) };
}

/**
 * Counts the notice towards the daily quota, and closes it to further changes.
 * @returns false when a limit prevents it, or another consumer has it by now
 */
async function takePlace(services: Sending, job: Job, notice: ToSend): Promise<boolean> {
  const { organizationId, payeeId, id, channel, recipient } = notice;
  const recent = await listRecentNotices(services, notice, payeeId);
  const earlier = recent.filter((each) => each.id !== id && each.channel === channel && each.recipient === recipient);
  const grade = gradeNotice(earlier, notice, services.clock.now());
  const [recipientHash, limits] = await Promise.all([
    hashRecipient(services, recipient),
    findNoticeLimits(services, organizationId, grade),
  ]);
  const result = await runStep(services, {
    conditions: [
      jobIsLeased(services, job),
      noticeIsOpen(services, notice),
      noticeFits(services, organizationId, recipientHash, limits),
    ],
    statements: [
      startNotice(services, notice),
      recordOutsideMessage(services, { id, organizationId, kind: "change_notice", recipientHash }),
    ],
  });
  if (result.ok) return true;
  if (result.refused !== "notice_limits") return false;
  const delay = noticeDelay(await countNotices(services, organizationId, recipientHash), limits) ?? "sender_limit";
  await wait(services, job, notice, delay);
  return false;
}

/** Hands the message to the provider. */
async function deliver(services: Sending, job: Job, notice: ToSend): ReturnType<typeof sendOnce> {
  const { channel, recipient } = notice;
  // Read again with merged changes: nothing is added after it was counted, so every attempt sends the same text.
  const { changes = [notice] } = (await findNoticeWithMerged(services, notice, notice)) ?? {};
  const { facts } = changes.find(({ subject }) => subject === "bank_details") ?? changes[0] ?? notice;
  const { organizationName, payeeName, changedOn, maskedAccount, restored } = facts;
  const data = { organizationName, payeeName, changedOn, changes: changes.length };
  const reportHref = await reportHrefOf(services, notice.id);
  if (channel === "sms") {
    const text =
      maskedAccount === null
        ? contactChangedText(data)
        : bankDetailsChangedText({ ...data, maskedAccount, isRestored: restored !== undefined });
    const body = reportableText(text, reportHref);
    return sendOnce(services, { to: recipient, text }, () => services.sms.send({ to: recipient, body }));
  }
  const email =
    maskedAccount === null
      ? ({ template: "payeeContactChanged", data } as const)
      : ({ template: "payeeDetailsChanged", data: { ...data, maskedAccount, restored } } as const);
  const payload = await findPayload(services, job);
  return sendOnce(services, { to: recipient, ...email }, () =>
    sendInSameBytes(services, job, payload, () => ({
      to: recipient,
      ...renderEmail(composeEmail({ ...email, reportHref })),
    })),
  );
}

async function finish(services: Sending, job: Job, notice: ToSend, sent: Statement): Promise<void> {
  const { payeeId, organizationId, channel, recipient, subject } = notice;
  const isLate =
    job.attempts >= SAID_AFTER_TRIES ||
    (notice.problem !== null && notice.problem !== "provider") ||
    services.clock.now() - notice.dueAt >= MINUTE_MS;
  const details = { changed: subject, to: [recipient], channel, ...(isLate ? { isLate } : {}) };
  await runCommand(services, systemActor(organizationId, job.id), {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, "done"), sent, markNoticeTold(services, notice)],
    audit: [{ action: "payee.contact_told", entityId: payeeId, details }],
  });
}

/** The provider did not accept it: try again later. The organisation's people are told if the problem lasts. */
async function tryLater(services: Sending, job: Job, notice: ToSend, error: UpstreamError): Promise<void> {
  const attempts = job.attempts + 1;
  services.log.warn("change_notice.not_taken", { jobId: job.id, attempts, error: error.message });
  const now = services.clock.now();
  const soonest = nextAttemptAt(now, attempts, error.options.retryAfterMs);
  const dueAt = mayHaveArrived(notice, error) && attempts > QUICK_TRIES ? Math.max(soonest, now + SLOW_MS) : soonest;
  const next = { dueAt, attempts, error: error.message };
  await postpone(services, job, notice, { next, delay: "provider", isSaid: attempts === SAID_AFTER_TRIES });
}

/** The text provider has no idempotency key: a message that it may have accepted is not resent for a month. */
const mayHaveArrived = ({ channel }: ToSend, { kind }: UpstreamError): boolean =>
  channel === "sms" && kind !== "unavailable" && kind !== "rate_limited";

/** Postpones the notice because of a limit or an unconfirmed sender. */
function wait(services: Sending, job: Job, notice: ToSend, delay: NoticeDelay): Promise<void> {
  const next = { dueAt: lookAgainAt(notice.createdAt, services.clock.now()), attempts: job.attempts };
  return postpone(services, job, notice, { next, delay, isSaid: notice.problem !== delay });
}

async function postpone(
  services: Sending,
  job: Job,
  notice: ToSend,
  { next, delay, isSaid }: { next: Postponement; delay: NoticeDelay; isSaid: boolean },
): Promise<void> {
  const step = {
    conditions: [jobIsLeased(services, job)] as const,
    statements: [delayNotice(services, notice, delay), postponeJob(services, job, next)],
    woken: [{ id: job.id, kind: job.kind, dueAt: next.dueAt }],
  };
  if (!isSaid) {
    await runStep(services, step);
    return;
  }
  const audit = [entryOf(notice, delay, false)];
  await runCommand(services, systemActor(notice.organizationId, job.id), { ...step, audit });
}

const entryOf = (notice: ToSend, reason: NoticeDelay | NoticeFailure, isFinal: boolean): CommandAudit =>
  notTold(notice.payeeId, { changed: notice.subject, to: [notice.recipient], reason, isFinal });

async function fail(services: Sending, job: Job, notice: ToSend, problem: NoticeFailure): Promise<void> {
  await runCommand(services, systemActor(notice.organizationId, job.id), {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, "failed", problem), markNoticeFailed(services, notice, problem)],
    audit: [entryOf(notice, problem, true)],
  });
}
