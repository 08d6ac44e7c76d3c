import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { payeeLinks, verifications } from "@db/schema";
import { and, eq, lt } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import { formatDate } from "~/kernel/dates";
import { linkPaths } from "~/kernel/paths/links";
import { withQuery } from "~/kernel/paths/with-query";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { OutsideRefusal } from "~/modules/messages/notifications/outside-messages";
import { sendToOutsider } from "~/modules/messages/notifications/outside-messages.statements.server";
import type { Services } from "~/services";
import { PAYEE_LINK_TTL_MS, payeeLinkText } from "./payee-link";
import type { PayeeContact } from "./payee-link-contact.server";

type LinkTarget = {
  verificationId: string;
  accountNumber: string;
  payee: { id: string; name: string; contactChangedAt: number | null };
  organizationName: string;
  timeZone: string;
  contact: PayeeContact;
};

/** For the command that sends it: a refused condition is one of `outsideError`. */
export type NewPayeeLink = { conditions: readonly Condition<OutsideRefusal>[]; parts: readonly CommandPart[] };

/**
 * Makes a payee link and queues it for the payee. The links before it go on working, so that no two people can send links
 * that cancel each other; only those that went to a former email or phone end.
 *
 * `notificationSent` is set with the queued message: from then on the outbox delivers it or leaves an audit row saying that it
 * could not (`job.given_up`), so a person may rely on it.
 */
export async function newPayeeLink(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">,
  acting: { organizationId: string },
  target: LinkTarget,
): Promise<NewPayeeLink> {
  const { db, clock, ids, secrets, config } = services;
  const { verificationId, payee, organizationName, contact, accountNumber } = target;
  const now = clock.now();
  const token = ids.secret();
  const expiresAt = now + PAYEE_LINK_TTL_MS;
  const link = `${config.appOrigin}${withQuery(linkPaths.payeeLink(token), { vid: verificationId, pid: payee.id })}`;
  const shared = { organizationName, payeeName: payee.name, link, expiresOn: formatDate(expiresAt, target.timeZone) };
  const { conditions, part } = await sendToOutsider(services, acting.organizationId, {
    kind: "payee_link",
    to: contact.to,
    ...(contact.channel === "email"
      ? {
          channel: "email",
          email: { template: "payeeLink", data: { ...shared, maskedAccount: maskAccountNumber(accountNumber) } },
        }
      : { channel: "sms", body: payeeLinkText({ ...shared, accountNumber }) }),
  });
  const update = db
    .update(verifications)
    .set({
      verificationTokenExpiresAt: expiresAt,
      verificationChannel: contact.channel,
      notificationSent: true,
      notificationSentAt: now,
    })
    .where(and(eq(verifications.organizationId, acting.organizationId), eq(verifications.id, verificationId)));
  const insert = db.insert(payeeLinks).values({
    tokenHash: await secrets.hashToken(token),
    organizationId: acting.organizationId,
    verificationId,
    createdAt: now,
  });
  const sent: CommandPart = {
    statements: [...endFormerLinks(services, acting, target), insert, update],
    audit: [
      {
        action: "verification.link_sent",
        entityType: "verification",
        entityId: verificationId,
        details: { channel: contact.channel, to: contact.to },
      },
    ],
  };
  return { conditions, parts: [sent, part] };
}

/** The links that were sent before the payee's email or phone was changed: they lead a former mailbox to the details. */
function endFormerLinks(
  { db }: Pick<Services, "db">,
  { organizationId }: { organizationId: string },
  { verificationId, payee: { contactChangedAt } }: LinkTarget,
): Statement[] {
  if (contactChangedAt === null) return [];
  const isFormer = and(
    eq(payeeLinks.organizationId, organizationId),
    eq(payeeLinks.verificationId, verificationId),
    lt(payeeLinks.createdAt, contactChangedAt),
  );
  return [db.delete(payeeLinks).where(isFormer)];
}
