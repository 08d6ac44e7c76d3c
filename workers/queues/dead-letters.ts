import { type DeadLetterEndings, recordDeadLetter } from "~/modules/core/commands/outbox.server";
import { tryDeadMessageAgain } from "~/modules/messages/notifications/notifications.server";
import { endDeadBankCheck, postponeDeadDeletion } from "~/modules/verifying/bank-checks/bank-check.server";
import type { Services } from "~/services";
import { parseMessage } from "./message";

const RETRY_DELAY_SECONDS = 60;

/** What follows when the queue could not deliver a job; of other kinds nothing does. */
const ENDINGS: DeadLetterEndings<Services> = {
  bank_check: endDeadBankCheck,
  bank_user: postponeDeadDeletion,
  change_notice: tryDeadMessageAgain,
  safety_email: tryDeadMessageAgain,
  safety_sms: tryDeadMessageAgain,
};

/** What the other queues gave up on. Each message for itself; one that cannot be recorded now is tried again. */
export async function consumeDeadLetters(batch: MessageBatch, services: Services): Promise<void> {
  for (const message of batch.messages) {
    try {
      const parsed = parseMessage(message.body);
      if (parsed) await recordDeadLetter(services, parsed.jobId, ENDINGS);
      else services.log.error("dead_letter.malformed", { messageId: message.id });
      message.ack();
    } catch (error) {
      services.log.error("dead_letter.unsettled", { error: String(error) });
      message.retry({ delaySeconds: RETRY_DELAY_SECONDS });
    }
  }
}
