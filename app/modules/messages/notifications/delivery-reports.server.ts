import { sentMessages, users } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import { PLATFORM_ORGANIZATION_ID, systemActor } from "~/kernel/actor";
import { normalizeEmail } from "~/kernel/email";
import type { DeliveryStatus, StopCause } from "~/kernel/enums";
import { type CommandPart, runCommand, runStatement } from "~/modules/core/commands/run-command.server";
import { setContact } from "~/modules/messages/alerts/alerts.server";
import type { Services, WriteServices } from "~/services";
import { findToldNotice, noticeIsTold, noticeNotDelivered } from "./change-notices.statements.server";
import { findSentMessage, messageKey, moveMessage, stopAddress } from "./deliveries.server";

/** What a provider reports of a message that it took. Pure. */
export type EmailReport = {
  /** The provider's id of the email. */
  messageId: string;
  to: string;
  /** `bounced`: the mailbox refused it for good. `failed`: it did not arrive, and another may. */
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

type Reporting = WriteServices & Pick<Services, "secrets">;

/**
 * What the mail provider said of an email. After a bounce for good or a complaint nothing more is sent to the address, and
 * the organisation that sent the email is told through its trail. The same report again changes nothing.
 */
export async function recordEmailReport(services: Reporting, report: EmailReport): Promise<void> {
  const { messageId, outcome, detail } = report;
  const key = messageKey("email", messageId);
  await runStatement(services, moveMessage(services, key, { status: STATUS_OF[outcome], detail }));
  if (outcome === "bounced" || outcome === "failed") await tellNoticeFailed(services, key, outcome);
  if (outcome === "bounced" || outcome === "complained") await stopSending(services, report, outcome);
}

/** A notice of a change that came back: its contact was not told after all, and the organisation's people are told so. */
async function tellNoticeFailed(services: Reporting, key: string, outcome: "bounced" | "failed"): Promise<void> {
  const sent = await findSentMessage(services, key);
  const notice = sent && (await findToldNotice(services, sent.jobId));
  if (!notice) return;
  const problem = outcome === "bounced" ? "bounced" : "not_delivered";
  await runCommand(services, systemActor(notice.organizationId, notice.id), {
    // Refused: known already.
    conditions: [noticeIsTold(services, notice)],
    parts: [noticeNotDelivered(services, notice, problem)],
    answer: undefined,
  });
}

async function stopSending(services: Reporting, { messageId, to }: EmailReport, cause: StopCause): Promise<void> {
  const sent = await findSentMessage(services, messageKey("email", messageId));
  const user = await findUser(services, to);
  const organizationId = sent?.organizationId ?? user?.organizationId ?? PLATFORM_ORGANIZATION_ID;
  const { condition, statement } = await stopAddress(services, to, cause);
  await runCommand(services, systemActor(organizationId, messageId), {
    // Refused: stopped already, and everyone was told then.
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
    answer: undefined,
  });
}

/** The person sees in their profile that their alert emails are stopped, and why. */
function stopAlertsOf(services: Reporting, userId: string, cause: StopCause): CommandPart {
  const now = services.clock.now();
  return {
    statements: [setContact(services, userId, { emailStoppedAt: now, emailStoppedReason: cause, updatedAt: now })],
    audit: [
      {
        action: "user.alert_emails_stopped",
        entityType: "user",
        entityId: userId,
        organizationId: PLATFORM_ORGANIZATION_ID,
        details: { reason: cause },
      },
    ],
  };
}

async function findUser({ db }: Reporting, email: string) {
  const [row] = await db
    .select({ id: users.id, organizationId: users.organizationId })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)));
  return row;
}

/**
 * What the provider said of a text message. One that did not arrive is in its organisation's trail, once, so that the
 * admins are told. A report of a message that is not ours, or is forgotten by now, changes nothing.
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
  const notYet = services.db
    .select({ one: sql`1` })
    .from(sentMessages)
    .where(and(eq(sentMessages.key, key), ne(sentMessages.status, "failed")));
  const notice = await findToldNotice(services, sent.jobId);
  await runCommand(services, systemActor(sent.organizationId ?? PLATFORM_ORGANIZATION_ID, messageId), {
    // Refused: known already.
    conditions: [{ name: "known_already", found: notYet }],
    statements: [moveMessage(services, key, { status: "failed", detail: code })],
    parts: notice ? [noticeNotDelivered(services, notice, "not_delivered")] : [],
    audit: [
      {
        action: "message.not_delivered",
        entityType: "job",
        entityId: sent.jobId,
        details: { kind: "sms", ...(code ? { code } : {}), ...(notice ? { isNotice: true } : {}) },
      },
    ],
    answer: undefined,
  });
}
