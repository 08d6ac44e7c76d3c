import { verifyBasiqWebhook, WebhookRejected } from "~/adapters/bank-data/basiq-webhook";
import { readText } from "~/http/body.server";
import { api, json } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { storeBankEvent } from "~/modules/verifying/bank-checks/bank-events.server";

const MAX_WEBHOOK_BYTES = 1024 * 1024;

/** The provider retries after anything but a 2xx, so it gets a 2xx once the event is stored. */
export const { loader, action } = api({
  POST: async ({ services, request }) => {
    const rawBody = await readText(request, MAX_WEBHOOK_BYTES);
    const event = await verifyBasiqWebhook({
      secret: services.config.basiqWebhookSecrets,
      headers: request.headers,
      rawBody,
      nowMs: services.clock.now(),
    }).catch((error) => {
      throw error instanceof WebhookRejected ? refusal(error) : error;
    });
    await storeBankEvent(services, event);
    return json({ received: true });
  },
});

function refusal({ reason }: WebhookRejected): AppError {
  const logText = `basiq webhook: ${reason}`;
  return reason === "malformed"
    ? new AppError("MALFORMED", "The event cannot be read.", { logText })
    : new AppError("BAD_SIGNATURE", "The signature is not valid.", { logText });
}
