import { rowIn, sentMessages, users } from "@db/database";
import { and, eq, ne } from "drizzle-orm";
import { normalizeEmail } from "~/kernel/email";
import type { DeliveryStatus, StopCause } from "~/kernel/enums";
import { type CommandPart, runCommand, runStatement } from "~/modules/core/commands/run-command.server";
import { setContact } from "~/modules/messages/alerts/alerts.server";
import { PLATFORM_ORGANIZATION_ID, systemActor, type WriteServices } from "~/services-and-actor";
import { findToldNotice, markNoticeNotDelivered, noticeIsTold } from "./change-notices.statements.server";
import { findSentMessage, messageKey, moveMessage, stopAddress } from "./deliveries.server";

/** A provider's report about a message that it accepted. Pure. */
export type EmailReport = {
  /** The provider's id of the email. */
  messageId: string;
  to: string;
  /** `bounced`: the mailbox refused it permanently. `failed`: it was not delivered, but another email may be. */
  outcome: "delivered" | "bounced" | "complained" | "failed";
  /** The provider's words; null for none. */
  detail: string | null;
};

export type SmsReport = {
  /** The provider's id of the text message. */
  messageId: string;
  isDelivered: boolean;
  /** The provider's error code, such as "30003"; null for none. */
  code: string | null;
};

const STATUS_OF: Readonly<Record<EmailReport["outcome"], DeliveryStatus>> = {
  delivered: "delivered",
  bounced: "failed",
  complained: "complained",
  failed: "failed",
};

/**
 * Handles a report about an email. After a permanent bounce or a complaint, no more emails are sent to the address, and
 * the sending organisation is told through its audit trail. The same report again changes nothing.
 */
export async function recordEmailReport(services: WriteServices, report: EmailReport): Promise<void> {
  const { messageId, outcome, detail } = report;
  const key = messageKey("email", messageId);
  await runStatement(services, moveMessage(services, key, { status: STATUS_OF[outcome], detail }));
  if (outcome === "bounced" || outcome === "failed") await tellNoticeFailed(services, key, outcome);
  if (outcome === "bounced" || outcome === "complained") await stopSending(services, report, outcome);
}

/** A notice of a change was not delivered: its contact was not told, and the organisation's people learn that. */
async function tellNoticeFailed(services: WriteServices, key: string, outcome: "bounced" | "failed"): Promise<void> {
  const sent = await findSentMessage(services, key);
  const notice = sent && (await findToldNotice(services, sent.jobId));
  if (!notice) return;
  const problem = outcome === "bounced" ? "bounced" : "not_delivered";
  await runCommand(services, systemActor(notice.organizationId, notice.id), {
    // Refused when it is known already.
    conditions: [noticeIsTold(services, notice)],
    parts: [markNoticeNotDelivered(services, notice, problem)],
  });
}

async function stopSending(services: WriteServices, { messageId, to }: EmailReport, cause: StopCause): Promise<void> {
  const sent = await findSentMessage(services, messageKey("email", messageId));
  const user = await findUser(services, to);
  const organizationId = sent?.organizationId ?? user?.organizationId ?? PLATFORM_ORGANIZATION_ID;
  const { condition, statement } = await stopAddress(services, to, cause);
  await runCommand(services, systemActor(organizationId, messageId), {
    // Refused when it is stopped already, and everybody was told then.
    conditions: [condition],
    statements: [statement],
    audit: [
      {
        action: "message.address_stopped",
        entityType: "job",
        entityId: sent?.jobId ?? messageId,
        details: { cause, email: normalizeEmail(to) },
      },
    ],
    parts: user ? [stopAlertsOf(services, user.id, cause)] : [],
  });
}

/** The person's profile shows that their alert emails are stopped, and why. */
function stopAlertsOf(services: WriteServices, userId: string, cause: StopCause): CommandPart {
  const now = services.clock.now();
  return {
    statements: [setContact(services, userId, { emailStoppedAt: now, emailStoppedReason: cause, updatedAt: now })],
    audit: [
      {
        action: "user.alert_emails_stopped",
        entityId: userId,
        organizationId: PLATFORM_ORGANIZATION_ID,
        details: { reason: cause },
      },
    ],
  };
}

async function findUser({ db }: WriteServices, email: string) {
  const [row] = await db
    .select({ id: users.id, organizationId: users.organizationId })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)));
  return row;
}

/**
 * Handles a report about a text message. One that was not delivered is recorded once in its organisation's trail, so
 * that the admins are told. A report about an unknown or deleted message changes nothing.
 */
export async function recordSmsReport(services: WriteServices, report: SmsReport): Promise<void> {
  const { messageId, isDelivered, code } = report;
  const key = messageKey("sms", messageId);
  if (isDelivered) {
    await runStatement(services, moveMessage(services, key, { status: "delivered", detail: null }));
    return;
  }
  const sent = await findSentMessage(services, key);
  if (!sent) return;
  const notYet = rowIn(services.db, sentMessages).where(
    and(eq(sentMessages.key, key), ne(sentMessages.status, "failed")),
  );
  const notice = await findToldNotice(services, sent.jobId);
  await runCommand(services, systemActor(sent.organizationId ?? PLATFORM_ORGANIZATION_ID, messageId), {
    // Refused when it is known already.
    conditions: [{ name: "known_already", found: notYet }],
    statements: [moveMessage(services, key, { status: "failed", detail: code })],
    parts: notice ? [markNoticeNotDelivered(services, notice, "not_delivered")] : [],
    audit: [
      {
        action: "message.not_delivered",
        entityType: "job",
        entityId: sent.jobId,
        details: { kind: "sms", ...(code ? { code } : {}), ...(notice ? { isNotice: true } : {}) },
      },
    ],
  });
}
