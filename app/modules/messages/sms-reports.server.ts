import { sentMessages } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { runCommand, runStatement } from "~/modules/core/commands/run-command.server";
import { findToldNotice } from "~/modules/messages/notifications/change-notices.queries.server";
import { noticeNotDelivered } from "~/modules/messages/notifications/change-notices.statements.server";
import { findSentMessage, messageKey, moveMessage } from "~/modules/messages/notifications/deliveries.server";
import type { SmsReport } from "~/modules/messages/notifications/delivery-report";
import type { WriteServices } from "~/services";

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
