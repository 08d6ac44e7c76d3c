import { commit } from "@db/commit";
import { contactSubmissions } from "@db/schema";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import {
  findFirstAnswer,
  hashRequest,
  type IdempotentCall,
  isRepeatedCall,
  keepAnswer,
} from "~/modules/commands/idempotency.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";
import { CONTACT_INTERESTS, type ContactMessage } from "./contact";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "config">;

/**
 * Stores a visitor's message and promises its mail to our inbox, both or neither.
 *
 * The message itself is the key: a double click, a repeated call and a lost answer store and mail it once. The key is
 * forgotten with the other kept answers, so that somebody may say the same again later.
 */
export async function submitContactMessage(services: Needs, message: ContactMessage): Promise<void> {
  const { db, clock, ids, config } = services;
  const requestHash = await hashRequest(services, "contact", message);
  const call: IdempotentCall = { organizationId: PLATFORM_ORGANIZATION_ID, key: `contact:${requestHash}`, requestHash };
  if (await findFirstAnswer(services, call)) return;

  const id = ids.next();
  const mail = await queueEmail(services, null, [config.contactInbox], {
    template: "contactReceived",
    data: { ...message, interest: CONTACT_INTERESTS[message.interest] },
  });
  const statements = [
    keepAnswer(services, call, { id }),
    db.insert(contactSubmissions).values({ id, ...message, createdAt: clock.now() }),
    ...jobStatements(services, mail),
  ];
  try {
    await commit(db, statements, async () => (await findFirstAnswer<{ id: string }>(services, call))?.id === id);
  } catch (error) {
    if (isRepeatedCall(error)) return;
    throw error;
  }
  await services.queues.send("jobs", jobIds(mail));
}
