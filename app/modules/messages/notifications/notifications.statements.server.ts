import { type Email, type EmailPurpose, PURPOSE_OF } from "~/emails/templates";
import type { JobKind } from "~/modules/core/commands/job";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import type { Services } from "~/services";

type Queueing = Pick<Services, "ids" | "secrets">;

/**
 * One job for each address, for the `jobs` of the command that causes the email. Links with tokens stay encrypted until
 * the email is sent, then they are wiped.
 * @param email an alert says itself what it is for, because its template serves every event
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

async function sealJob(
  { ids, secrets }: Queueing,
  kind: JobKind,
  organizationId: string | null,
  payload: object,
): Promise<NewJob> {
  const id = ids.next();
  return { id, kind, organizationId, subjectId: null, sealedPayload: await secrets.seal(JSON.stringify(payload), id) };
}
