import { readText } from "~/http/body.server";
import { api, json } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { storeCardEvent } from "~/modules/accounts/billing/sync-billing.server";
import { CardEventRejected } from "~/ports/cards";

const MAX_EVENT_BYTES = 1024 * 1024;

/** The provider retries after anything but a 2xx, so it gets a 2xx once the event is stored. */
export const { loader, action } = api({
  POST: async ({ services, request }) => {
    const rawBody = await readText(request, MAX_EVENT_BYTES);
    const signature = request.headers.get("Stripe-Signature");
    const event = await services.cards.readEvent({ rawBody, signature }).catch((error) => {
      throw error instanceof CardEventRejected ? refusal(error) : error;
    });
    await storeCardEvent(services, event);
    return json({ received: true });
  },
});

function refusal({ reason }: CardEventRejected): AppError {
  const logText = `card event: ${reason}`;
  return reason === "malformed"
    ? new AppError("MALFORMED", "The event cannot be read.", { logText })
    : new AppError("BAD_SIGNATURE", "The signature is not valid.", { logText });
}
