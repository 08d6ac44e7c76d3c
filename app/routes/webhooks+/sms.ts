import { readSmsReport, SmsReportRejected } from "~/adapters/sms/sms-webhook";
import { readText } from "~/http/body.server";
import { api } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { smsReportsPath } from "~/kernel/paths/links";
import { recordSmsReport } from "~/modules/messages/notifications/delivery-reports.server";

/** Delivery reports about text messages. The provider is answered once the report is stored. */
export const { loader, action } = api({
  POST: async ({ services, request }) => {
    const { appOrigin, smsAuthTokens: authTokens } = services.config;
    const form = new URLSearchParams(await readText(request));
    const signature = request.headers.get("X-Twilio-Signature");
    const report = await readSmsReport({ authTokens, signature, url: `${appOrigin}${smsReportsPath}`, form }).catch(
      (error) => {
        throw error instanceof SmsReportRejected ? refusal(error) : error;
      },
    );
    if (report) await recordSmsReport(services, report);
    return new Response(null, { status: 204 });
  },
});

function refusal({ message: reason }: SmsReportRejected): AppError {
  const logText = `sms webhook: ${reason}`;
  return reason === "malformed"
    ? new AppError("MALFORMED", "The report cannot be read.", { logText })
    : new AppError("BAD_SIGNATURE", "The signature is not valid.", { logText });
}
