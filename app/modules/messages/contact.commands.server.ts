import { contactSubmissions } from "@db/schema";
import { systemActor } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { findAnswer, type IdempotentRequest } from "~/modules/core/commands/idempotency.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.statements.server";
import type { NotifyServices } from "~/services";
import { CONTACT_INTERESTS, type ContactMessage } from "./contact";

/**
 * Stores a visitor's message and queues its email to our inbox, both or neither.
 *
 * The message itself is the key: a double click, a repeated call and a lost answer store and send it once. The key is
 * forgotten with the other kept answers, so that a person may say the same again later.
 */
export async function submitContactMessage(services: NotifyServices, message: ContactMessage): Promise<void> {
  const { db, clock, ids, config } = services;
  const requestHash = await services.secrets.hashToken(`contact\n${JSON.stringify(message)}`);
  const request: IdempotentRequest = {
    organizationId: PLATFORM_ORGANIZATION_ID,
    key: `contact:${requestHash}`,
    requestHash,
  };
  if (await findAnswer(services, request)) return;
  const id = ids.next();
  await runCommand(services, systemActor(PLATFORM_ORGANIZATION_ID, id), {
    statements: [db.insert(contactSubmissions).values({ id, ...message, createdAt: clock.now() })],
    audit: [{ action: "contact.received", entityType: "contact", entityId: id }],
    jobs: await queueEmail(services, null, [config.contactInbox], {
      template: "contactReceived",
      data: { ...message, interest: CONTACT_INTERESTS[message.interest] },
    }),
    request,
    answer: { id },
  });
}
