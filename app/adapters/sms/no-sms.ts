import { UpstreamError } from "~/kernel/upstream-error";
import type { SmsTransport } from "~/ports/sms";

/** Where no provider of text messages is set up: what waits to be sent goes on waiting, as in an outage. */
export const noSms: SmsTransport = {
  async send() {
    throw new UpstreamError("sms", "unavailable", "no provider of text messages is set up");
  },
};
