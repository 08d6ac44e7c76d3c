import { Webhook } from "standardwebhooks";
import type { SimulatorContext } from "../party";
import type { Mail } from "./mailbox";

/** Waits before each further try (resend.com/docs/webhooks/retries-and-replays). */
const RETRY_DELAYS_MS = [5, 300, 1_800, 7_200, 18_000, 36_000].map((seconds) => seconds * 1000);

export const REPORTS = ["delivered", "bounced", "complained"] as const;
export type Report = (typeof REPORTS)[number];

export const isReport = (text: string): text is Report => REPORTS.some((report) => report === text);

/** The report that an address is always answered with, as the provider's own test addresses are: `bounced@...`. */
export const reportOf = (to: string): Report | undefined => REPORTS.find((report) => to.startsWith(`${report}@`));

/** Tells the app what became of an email, signed, until the app takes it. */
export function sendReport(context: SimulatorContext, mail: Mail, report: Report): void {
  const id = `msg_${context.randomId()}`;
  const signer = new Webhook(context.secrets.mailWebhookSecret);
  const at = new Date(context.now());
  const payload = JSON.stringify({
    type: `email.${report}`,
    created_at: at.toISOString(),
    data: {
      email_id: mail.id,
      created_at: new Date(mail.receivedAt).toISOString(),
      to: [mail.to],
      subject: mail.subject,
      ...(report === "bounced"
        ? { bounce: { type: "Permanent", subType: "General", message: "The mailbox does not exist." } }
        : {}),
    },
  });
  async function attempt(tries: number): Promise<void> {
    const sentAt = new Date(context.now());
    const request = new Request(`${context.appOrigin}/webhooks/mail`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "svix-id": id,
        "svix-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
        "svix-signature": signer.sign(id, sentAt, payload),
      },
      body: payload,
    });
    if (await isTaken(context, request)) return;
    const delay = RETRY_DELAYS_MS[tries];
    if (delay !== undefined) context.timers.after(delay, () => context.background(attempt(tries + 1)));
  }
  context.background(attempt(0));
}

async function isTaken(context: SimulatorContext, request: Request): Promise<boolean> {
  try {
    const response = await context.callApp(request);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
