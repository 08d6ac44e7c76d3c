import type { Statement } from "@db/client";
import type { Mail } from "~/emails/templates";
import { enqueueJob } from "~/modules/commands/outbox.statements.server";
import type { Services } from "~/services";

/** Promised messages: their statements go into the acting batch, their ids to the queue after the commit. */
export type Promised = { jobIds: string[]; statements: Statement[] };

type Promising = Pick<Services, "db" | "clock" | "ids" | "secrets">;

/** Promises one mail to each address. Links with tokens stay encrypted until sent, then they are wiped. */
export async function promiseMail(
  services: Promising,
  organizationId: string | null,
  to: readonly string[],
  mail: Mail,
): Promise<Promised> {
  const jobs = await Promise.all(
    to.map(async (address) => {
      const id = services.ids.next();
      const sealedPayload = await services.secrets.seal(JSON.stringify({ to: address, ...mail }), id);
      return {
        id,
        statement: enqueueJob(services, { id, kind: "mail", organizationId, subjectId: null, sealedPayload }),
      };
    }),
  );
  return { jobIds: jobs.map((job) => job.id), statements: jobs.map((job) => job.statement) };
}

/** Promises one text message. */
export async function promiseSms(
  services: Promising,
  organizationId: string | null,
  message: { to: string; body: string },
): Promise<Promised> {
  const id = services.ids.next();
  const sealedPayload = await services.secrets.seal(JSON.stringify(message), id);
  const statement = enqueueJob(services, { id, kind: "sms", organizationId, subjectId: null, sealedPayload });
  return { jobIds: [id], statements: [statement] };
}
