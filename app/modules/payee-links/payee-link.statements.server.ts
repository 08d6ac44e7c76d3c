import { verifications } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Origin } from "~/kernel/actor";
import { formatDate } from "~/kernel/dates";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { jobIds, jobStatements, type Promised } from "~/modules/notifications/notifications.statements.server";
import { requireOutsider, sendToOutsider } from "~/modules/notifications/outside-messages.statements.server";
import type { Services } from "~/services";
import { PAYEE_LINK_TTL_MS, payeeLinkText } from "./payee-link";
import type { PayeeContact } from "./payee-link-contact.server";

type Acting = { userId: string | null; organizationId: string; origin: Origin };

type LinkTarget = {
  verificationId: string;
  accountNumber: string;
  payee: { id: string; name: string };
  organizationName: string;
  timeZone: string;
  contact: PayeeContact;
};

/**
 * Makes a new payee link, which ends the one before it, and promises it to the payee.
 *
 * `notificationSent` is set with the promise: from then on the outbox delivers it or leaves an audit row saying that it
 * could not (`job.given_up`), so the promise is what a person may rely on.
 */
export async function sendNewLink(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">,
  acting: Acting,
  target: LinkTarget,
): Promise<Promised> {
  const { db, clock, ids, secrets, config } = services;
  const { verificationId, payee, organizationName, contact, accountNumber } = target;
  const now = clock.now();
  const token = ids.secret();
  const expiresAt = now + PAYEE_LINK_TTL_MS;
  const link = `${config.appOrigin}/verify/${token}?vid=${verificationId}&pid=${payee.id}`;
  const shared = { organizationName, payeeName: payee.name, link, expiresOn: formatDate(expiresAt, target.timeZone) };
  await requireOutsider(services, acting.organizationId, contact.to);
  const { part } = await sendToOutsider(services, acting.organizationId, {
    kind: "payee_link",
    to: contact.to,
    ...(contact.channel === "email"
      ? {
          channel: "email",
          email: { template: "payeeLink", data: { ...shared, maskedAccount: maskAccountNumber(accountNumber) } },
        }
      : { channel: "sms", body: payeeLinkText({ ...shared, accountNumber }) }),
  });
  const jobs = part.jobs ?? [];
  const update = db
    .update(verifications)
    .set({
      verificationToken: await secrets.hashToken(token),
      verificationTokenExpiresAt: expiresAt,
      verificationChannel: contact.channel,
      notificationSent: true,
      notificationSentAt: now,
    })
    .where(and(eq(verifications.organizationId, acting.organizationId), eq(verifications.id, verificationId)));
  const audit = recordAudit(services, acting, {
    action: "verification.link_sent",
    entityType: "verification",
    entityId: verificationId,
    details: { channel: contact.channel, to: contact.to },
  });
  return { jobIds: jobIds(jobs), statements: [update, ...part.statements, ...jobStatements(services, jobs), audit] };
}
