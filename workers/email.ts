import { type ArrivingMail, receiveMail } from "~/modules/payments/invoices/receive-mail.server";
import type { Services } from "~/services-and-actor";

/** The part of the platform's message that is used here. */
export type RoutedMail = Pick<ForwardableEmailMessage, "from" | "to" | "raw" | "rawSize" | "setReject">;

/**
 * Accepts an email to an invoice address, or rejects it so that the sender's mail server reports that. Our own failures
 * are thrown: the platform then reports them to the sender's server, so that no email is lost silently.
 * @returns whether the email was stored
 */
export async function receiveEmail(message: RoutedMail, services: Services): Promise<boolean> {
  const { from, to, raw, rawSize: size } = message;
  const mail: ArrivingMail = { from, to, raw, size };
  const received = await receiveMail(services, mail);
  if (received.isRefused) {
    services.log.info("email.refused", { reason: received.reason });
    message.setReject(received.reason);
    return false;
  }
  const { invoiceId, organizationId } = received;
  services.log.info("email.received", { invoiceId, organizationId });
  return true;
}
