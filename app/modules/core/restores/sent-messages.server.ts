import { lostMessages, type Statement } from "@db/database";
import { eq } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { ReadServices, Services } from "~/services-and-actor";
import { hourOf } from "./outside-trail.server";

/*
 * Notes sent emails and texts outside the database, as digests. After a restore, jobs for messages that were sent
 * in the lost period are waiting again; the digests prevent sending them twice.
 */

const KEPT_SECONDS = (35 * DAY_MS) / 1000;
export const sentNotes = (hour: string) => `sent/${hour}/`;

/** Left out of the digest: it differs in each email and has nothing to do with the content. */
const CHANGES_EACH_TIME = "stopHref";

/** The digest of a message: its content and recipient. */
const digestOf = ({ secrets }: Pick<Services, "secrets">, message: object): Promise<string> =>
  secrets.hashToken(JSON.stringify(message, (name, value) => (name === CHANGES_EACH_TIME ? undefined : value)));

/**
 * The provider's response; or, for a message that was sent before, the statement that forgets its digest, for the batch
 * that ends the job.
 */
type Sent = { providerMessageId: string } | { forgetLost: Statement };

/** Sends a message unless the same one was sent in a period that a restore erased: then it counts as sent, once. */
export async function sendOnce(
  services: ReadServices & Pick<Services, "secrets" | "notes" | "clock" | "log">,
  message: object,
  send: () => Promise<{ providerMessageId: string }>,
): Promise<Sent> {
  const digest = await digestOf(services, message);
  const [lost] = await services.db
    .select({ sentAt: lostMessages.sentAt })
    .from(lostMessages)
    .where(eq(lostMessages.digest, digest));
  if (lost) {
    services.log.warn("message.sent_before_restore", { sentAt: lost.sentAt });
    return { forgetLost: services.db.delete(lostMessages).where(eq(lostMessages.digest, digest)) };
  }
  const { providerMessageId } = await send();
  const now = services.clock.now();
  await services.notes
    .write(`${sentNotes(hourOf(now))}${now}.${digest}`, "", KEPT_SECONDS)
    .catch((error) => services.log.error("outside_notes.not_written", { error: String(error) }));
  return { providerMessageId };
}
