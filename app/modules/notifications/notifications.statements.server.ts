import type { Email } from "~/emails/templates";
import type { NewJob } from "~/modules/commands/outbox.statements.server";
import type { Services } from "~/services";

type Queueing = Pick<Services, "ids" | "secrets">;

/**
 * One job for each address, for the `jobs` of the command that causes the email. Links with tokens stay encrypted until
 * the email is sent, then they are wiped.
 */
export async function queueEmail(
  services: Queueing,
  organizationId: string | null,
  to: readonly string[],
  email: Email,
): Promise<NewJob[]> {
  return Promise.all(to.map((address) => sealJob(services, "email", organizationId, { to: address, ...email })));
}

/** The job of one text message, for the `jobs` of the command that causes it. */
export async function queueSms(
  services: Queueing,
  organizationId: string | null,
  message: { to: string; body: string },
): Promise<NewJob[]> {
  return [await sealJob(services, "sms", organizationId, message)];
}

async function sealJob(
  { ids, secrets }: Queueing,
  kind: "email" | "sms",
  organizationId: string | null,
  payload: object,
): Promise<NewJob> {
  const id = ids.next();
  return { id, kind, organizationId, subjectId: null, sealedPayload: await secrets.seal(JSON.stringify(payload), id) };
}
