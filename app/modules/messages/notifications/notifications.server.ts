import type { EmailContent } from "~/emails/content";
import { renderEmail } from "~/emails/render";
import { composeEmail, type Email, type TemplateName } from "~/emails/templates";
import type { NotificationChannel } from "~/kernel/enums";
import type { Job, JobKind } from "~/modules/core/commands/job";
import { keepPayload } from "~/modules/core/commands/outbox.server";
import { endJob, jobIsLeased, type NewJob, runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { sendOnce } from "~/modules/core/restores/sent-messages.server";
import { PLATFORM_ORGANIZATION_ID, type Services, systemActor, type WriteServices } from "~/services-and-actor";
import { isAddressStopped, recordSent } from "./deliveries.server";

type Queueing = Pick<Services, "ids" | "secrets">;

/**
 * The purpose of an email: `safety` is retried until it is sent, whatever happens to other emails; `asked_for` is tried
 * even after an earlier email bounced, because the person has just requested it. An alert's purpose depends on its
 * event.
 */
type EmailPurpose = "safety" | "asked_for" | "ordinary";

const PURPOSE_OF: Readonly<Record<TemplateName, EmailPurpose>> = {
  alertRaised: "ordinary",
  alertDigest: "ordinary",
  trialEnding: "ordinary",
  paymentFailed: "ordinary",
  cardExpiring: "ordinary",
  subscriptionCancelled: "ordinary",
  subscriptionEnded: "ordinary",
  contactReceived: "ordinary",
  messageReported: "ordinary",
  emailConfirmation: "asked_for",
  passwordReset: "asked_for",
  passwordChanged: "safety",
  newDeviceSignIn: "safety",
  emailChangeNew: "asked_for",
  emailChangeOld: "safety",
  emailChanged: "safety",
  twoStepChanged: "safety",
  passkeyChanged: "safety",
  apiTokenCreated: "safety",
  invitation: "ordinary",
  contactAddressConfirmation: "ordinary",
  memberApproved: "ordinary",
  memberRejected: "ordinary",
  memberDeactivated: "ordinary",
  memberReactivated: "ordinary",
  organizationStanding: "ordinary",
  organizationNameWaits: "ordinary",
  organizationNameDecided: "ordinary",
  recordsRestored: "safety",
  invoiceAnswer: "ordinary",
  payeeLink: "ordinary",
  detailsRequest: "ordinary",
  payeeDetailsChanged: "safety",
  payeeContactChanged: "safety",
  remittance: "ordinary",
};

/**
 * One job for each address, for the `jobs` of the command that causes the email. Links with tokens stay encrypted until
 * the email is sent, then they are wiped.
 * @param email an alert states its own purpose, because its template serves every event
 */
export async function queueEmail(
  services: Queueing,
  organizationId: string | null,
  to: readonly string[],
  { purpose, ...email }: Email & { purpose?: EmailPurpose },
): Promise<NewJob[]> {
  const kind = (purpose ?? PURPOSE_OF[email.template]) === "safety" ? "safety_email" : "email";
  return Promise.all(to.map((address) => sealJob(services, kind, organizationId, { to: address, ...email })));
}

/** The job of one text message, for the `jobs` of the command that causes it. */
export async function queueSms(
  services: Queueing,
  organizationId: string | null,
  message: { to: string; body: string },
  purpose: "safety" | "ordinary" = "ordinary",
): Promise<NewJob[]> {
  return [await sealJob(services, purpose === "safety" ? "safety_sms" : "sms", organizationId, message)];
}

async function sealJob({ ids, secrets }: Queueing, kind: JobKind, organizationId: string | null, payload: object) {
  const id = ids.next();
  return { id, kind, organizationId, subjectId: null, sealedPayload: await secrets.seal(JSON.stringify(payload), id) };
}

/** A job's payload; undefined when it has none yet. */
export const findPayload = async (services: Pick<Services, "secrets">, job: Job): Promise<object> =>
  job.sealedPayload ? openPayload<object>(services, job) : {};

async function openPayload<T>(services: Pick<Services, "secrets">, job: Job): Promise<T> {
  if (!job.sealedPayload) throw new Error("a message without its payload");
  return JSON.parse(await services.secrets.open(job.sealedPayload, job.id)) as T;
}

/** An email in the form that the provider is sent. */
type Message = Parameters<Services["mail"]["send"]>[0];

/**
 * Sends a job's email with the same bytes on every attempt: the provider recognises a repetition by the job's id, and
 * rejects it if its content differs. The composed message is therefore stored before the first attempt, and a newer
 * release sends the stored one.
 * @returns the provider's id of the message
 */
export async function sendInSameBytes(
  services: WriteServices & Pick<Services, "mail">,
  job: Job,
  payload: object,
  compose: () => Message,
): Promise<{ providerMessageId: string }> {
  const kept = (payload as { message?: Message }).message;
  const message = kept ?? compose();
  if (!kept) {
    const sealed = await services.secrets.seal(JSON.stringify({ ...payload, message }), job.id);
    await keepPayload(services, job, sealed);
  }
  return services.mail.send(message, job.id);
}

/** Sends a queued email: once, even if the job runs again, because the job's id is the idempotency key. */
export async function sendQueuedEmail(services: WriteServices & Pick<Services, "mail">, job: Job): Promise<void> {
  const payload = await openPayload<Email & { to: string }>(services, job);
  // The stored message is not part of the original request.
  const { to, message: _message, ...email } = { message: undefined, ...payload };
  if (PURPOSE_OF[(email as Email).template] !== "asked_for" && (await isAddressStopped(services, to))) {
    await giveUpMessage(services, job, "no emails are sent to this address", "address_stopped");
    return;
  }
  const sent = await sendOnce(services, { to, ...email }, () =>
    sendInSameBytes(services, job, payload, () => {
      const content = composeEmail(email as Email);
      return { to, ...renderEmail(content), headers: headersOf(content) };
    }),
  );
  await finishMessage(services, job, "email", sent);
}

/** Headers for one-click unsubscribing, and for automatic replies. Sources: RFC 8058 section 3.1, RFC 3834 section 5 */
function headersOf({ unsubscribeHref, isAnswer }: EmailContent): Record<string, string> | undefined {
  if (isAnswer) return { "Auto-Submitted": "auto-replied" };
  if (unsubscribeHref === undefined) return undefined;
  return { "List-Unsubscribe": `<${unsubscribeHref}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** Ends the job and stores the provider's message id, to match its delivery reports. */
async function finishMessage(
  services: WriteServices,
  job: Job,
  channel: NotificationChannel,
  sent: Awaited<ReturnType<typeof sendOnce>>,
): Promise<void> {
  const noted = "forgetLost" in sent ? sent.forgetLost : recordSent(services, job, { channel, ...sent });
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, "done"), noted],
  });
}

/**
 * Sends a queued text message. The provider has no idempotency key, so a crash between its response and our commit
 * sends it twice, which is better than not at all.
 */
export async function sendQueuedSms(services: WriteServices & Pick<Services, "sms">, job: Job): Promise<void> {
  const message = await openPayload<{ to: string; body: string }>(services, job);
  const sent = await sendOnce(services, message, () => services.sms.send(message));
  await finishMessage(services, job, "sms", sent);
}

/** After the last attempt failed: the organisation's audit trail says that the message was not delivered. */
export async function giveUpMessage(services: WriteServices, job: Job, error: string, reason?: "address_stopped") {
  const actor = systemActor(job.organizationId ?? PLATFORM_ORGANIZATION_ID, job.id);
  const details = { kind: job.kind, ...(reason ? { reason } : {}) };
  const entry = { action: "job.given_up", entityId: job.id, details } as const;
  await runCommand(services, actor, {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, "failed", error)],
    audit: [entry],
  });
}
