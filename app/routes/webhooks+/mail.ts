import { readMailWebhook, WebhookRejected } from "~/adapters/mail/mail-webhook";
import { readText } from "~/http/body.server";
import { api, json } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { recordEmailReport } from "~/modules/messages/notifications/delivery-reports.server";

const MAX_WEBHOOK_BYTES = 1024 * 1024;

/** Delivery reports about emails. The provider retries without a 2xx, which it gets once the report is stored. */
export const { loader, action } = api({
  POST: async ({ services, request }) => {
    const rawBody = await readText(request, MAX_WEBHOOK_BYTES);
    const report = await readMailWebhook({
      secrets: services.config.mailWebhookSecrets,
      headers: request.headers,
      rawBody,
      nowMs: services.clock.now(),
    }).catch((error) => {
      throw error instanceof WebhookRejected ? refusal(error) : error;
    });
    if (report) await recordEmailReport(services, report);
    return json({ received: true });
  },
});

function refusal({ reason }: WebhookRejected): AppError {
  const logText = `mail webhook: ${reason}`;
  return reason === "malformed"
    ? new AppError("MALFORMED", "The event cannot be read.", { logText })
    : new AppError("BAD_SIGNATURE", "The signature is not valid.", { logText });
}
