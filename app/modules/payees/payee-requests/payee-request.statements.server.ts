import type { Condition } from "@db/precondition";
import { payeeRequests } from "@db/schema";
import { and, eq, gt, sql } from "drizzle-orm";
import { type Actor, displayName } from "~/kernel/actor";
import { formatDate } from "~/kernel/dates";
import { linkPaths } from "~/kernel/paths/links";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { OutsideRefusal } from "~/modules/messages/notifications/outside-messages";
import { sendToOutsider } from "~/modules/messages/notifications/outside-messages.statements.server";
import { requirePayeeContact } from "~/modules/payees/payee-links/payee-link-contact.server";
import type { NotifyServices, Services } from "~/services";
import { REQUEST_TTL_MS, requestText } from "./payee-request";

type Recipient = { name: string; email: string | null; phone: string | null };

type NewLink = {
  conditions: readonly Condition<OutsideRefusal>[];
  /** The message to the payee. */
  part: CommandPart;
  /** What the request's row keeps of it. */
  row: Pick<typeof payeeRequests.$inferInsert, "channel" | "tokenHash" | "sentAt" | "expiresAt"> & {
    channel: "email" | "sms";
  };
  to: string;
};

/** A new link to the payee's form, with the message that carries it; the link before it ends with the row it replaces. */
export async function newRequestLink(services: NotifyServices, actor: Actor, payee: Recipient): Promise<NewLink> {
  const { clock, ids, secrets, config } = services;
  const { channel, to } = requirePayeeContact(payee);
  const now = clock.now();
  const token = ids.secret();
  const expiresAt = now + REQUEST_TTL_MS;
  const data = {
    organizationName: actor.organizationName,
    payeeName: payee.name,
    link: `${config.appOrigin}${linkPaths.detailsRequest(token)}`,
    expiresOn: formatDate(expiresAt, actor.timeZone),
  };
  const { conditions, part } = await sendToOutsider(services, actor.organizationId, {
    kind: "payee_link",
    to,
    ...(channel === "email"
      ? { channel, email: { template: "detailsRequest", data: { ...data, askerName: displayName(actor) } } }
      : { channel, body: requestText(data) }),
  });
  return {
    conditions,
    part,
    row: { channel, tokenHash: await secrets.hashToken(token), sentAt: now, expiresAt },
    to,
  };
}

type Found = { id: string; organizationId: string; tokenHash: string };

/** Nobody has answered or cancelled the request, or sent another link since it was read. */
export function requestIsOpen({ db }: Pick<Services, "db">, found: Found, now?: number): Condition<"request_closed"> {
  return {
    name: "request_closed",
    found: db
      .select({ one: sql`1` })
      .from(payeeRequests)
      .where(
        and(
          isRequest(found),
          eq(payeeRequests.status, "open"),
          eq(payeeRequests.tokenHash, found.tokenHash),
          now === undefined ? undefined : gt(payeeRequests.expiresAt, now),
        ),
      ),
  };
}

export const isRequest = ({ id, organizationId }: Pick<Found, "id" | "organizationId">) =>
  and(eq(payeeRequests.organizationId, organizationId), eq(payeeRequests.id, id));

/** For the audit trail. */
export const entryOf = (id: string) => ({ entityType: "payee_request", entityId: id }) as const;
