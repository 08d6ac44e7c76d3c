import { readXeroEvents } from "~/adapters/accounting/xero-webhook";
import { readText } from "~/http/body.server";
import { api } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { noticeChanges } from "~/modules/connections/connect.server";

const MAX_EVENT_BYTES = 1024 * 1024;
/** Xero waits five seconds for an answer, and resends what was refused. */
const ANSWER_WITHIN_MS = 4_000;

/** Xero says that something changed, not what, so a sync is requested. An invalid signature gets a 401. */
const answer = api({
  POST: async ({ services, request }) => {
    const rawBody = await readText(request, MAX_EVENT_BYTES);
    const signature = request.headers.get("x-xero-signature");
    const events = await readXeroEvents(services.config.xeroWebhookKeys, { rawBody, signature });
    if (!events) throw new AppError("BAD_SIGNATURE", "The signature is not valid.", { logText: "xero event" });
    const ledgerIds = new Set(events.filter(({ isOfInterest }) => isOfInterest).map(({ ledgerId }) => ledgerId));
    await withinTime(noticeChanges(services, "xero", [...ledgerIds]));
    return new Response(null, { status: 200 });
  },
}).action;

/** @throws AppError 503 when the work takes too long: anything not stored is in the next delivery */
async function withinTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    const late = new AppError("BUSY", "Try again in a moment.", { logText: "xero event: the database is slow" });
    timer = setTimeout(() => reject(late), ANSWER_WITHIN_MS);
  });
  await Promise.race([work, end]).finally(() => clearTimeout(timer));
}

/**
 * Before it sends events, Xero checks our answers to good and bad signatures: each must arrive within five seconds,
 * without a body or cookie (developer.xero.com/documentation/guides/webhooks/overview).
 */
async function answerWithoutBody(args: Parameters<typeof answer>[0]): Promise<Response> {
  const { status, headers } = await answer(args);
  const bare = new Headers(headers);
  bare.delete("Content-Type");
  return new Response(null, { status, headers: bare });
}

export { answerWithoutBody as action, answerWithoutBody as loader };
