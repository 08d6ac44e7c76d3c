import { type Condition, outsideMessages, rowIn, type Statement } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import type { Email } from "~/emails/templates";
import { AppError, notFound } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import type { OutsideMessageKind } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import {
  type Origin,
  PLATFORM_ORGANIZATION_ID,
  type Services,
  type TimedServices,
  type WriteServices,
} from "~/services-and-actor";
import { queueEmail, queueSms } from "./notifications.server";
import { type OutsideRefusal, outsideError, reportableText, TEXTS_OFF } from "./outside-messages";
import {
  findOutsideRefusal,
  findReportedMessage,
  hashRecipient,
  limitsHold,
  outsideConditions,
  signReport,
} from "./outside-messages.queries.server";

/**
 * A message to a person outside the organisation: an email to an address, or a text message to a number (E.164). Change
 * notices are sent differently (`planChangeNotices`): a limit delays them but never drops them.
 */
export type ToOutsider = { kind: Exclude<OutsideMessageKind, "change_notice">; to: string } & (
  | { channel: "email"; email: Email }
  | { channel: "sms"; body: string }
);

type Sending = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">;

/**
 * The only way to send to a person outside the organisation: put the conditions into the command's `conditions`, and
 * the part into its `parts`. The limits are counted when the batch is written, so concurrent calls cannot exceed them
 * together. The message contains a link with which its reader can report it.
 *
 * A refused condition is shown to the person with `outsideError`.
 */
export async function sendToOutsider(services: Sending, organizationId: string, message: ToOutsider) {
  requireChannel(services, message.to);
  const recipientHash = await hashRecipient(services, message.to);
  return {
    conditions: await outsideConditions(services, organizationId, recipientHash),
    part: await toPart(services, organizationId, message, recipientHash),
  };
}

/**
 * Sends messages about something that must happen whether or not people can be told, e.g. a change of bank details.
 * Messages over the limits are left out, and noted in the audit trail. If the condition refuses a command, others were
 * sent meanwhile and the command tries again with fewer.
 */
export async function sendToOutsidersAsAllowed(
  services: Sending,
  organizationId: string,
  messages: readonly ToOutsider[],
): Promise<AllowedMessages> {
  const parts: CommandPart[] = [];
  const allowed: string[] = [];
  for (const message of messages) {
    const recipientHash = await hashRecipient(services, message.to);
    const refused = await findOutsideRefusal(services, organizationId, recipientHash, allowed.length);
    if (!refused) allowed.push(recipientHash);
    parts.push(
      refused
        ? withheld(organizationId, message, refused)
        : await toPart(services, organizationId, message, recipientHash),
    );
  }
  return { conditions: allowed.length > 0 ? [await limitsHold(services, organizationId, allowed)] : [], parts };
}

/** The parts for the command that sends them. */
export type AllowedMessages = { conditions: readonly Condition<"outside_limits">[]; parts: readonly CommandPart[] };

/** For a command that sends later: refuses now what would be refused then. @throws AppError 403, 429 */
export async function requireSendingAllowed(services: Sending, organizationId: string, to: string): Promise<void> {
  requireChannel(services, to);
  const refused = await findOutsideRefusal(services, organizationId, await hashRecipient(services, to));
  if (refused) throw outsideError(refused);
}

/** @throws AppError 409 TEXTS_OFF for a number, when no text messages can be sent */
function requireChannel({ config }: Pick<Services, "config">, to: string): void {
  if (config.hasTexts || to.includes("@")) return;
  throw new AppError("TEXTS_OFF", `${TEXTS_OFF} Add an email address to the payee, and the message is sent there.`);
}

/** Stores a message so that it counts towards its quota and can be reported. */
export const recordOutsideMessage = (
  { db, clock }: TimedServices,
  message: { id: string; organizationId: string; kind: OutsideMessageKind; recipientHash: string },
): Statement => db.insert(outsideMessages).values({ ...message, createdAt: clock.now() });

/** The link with which the reader of a message reports it. */
export const reportHrefOf = async (services: Pick<Services, "secrets" | "config">, messageId: string) =>
  `${services.config.appOrigin}${linkPaths.reportMessage(await signReport(services, messageId))}`;

async function toPart(services: Sending, organizationId: string, message: ToOutsider, recipientHash: string) {
  const id = services.ids.next();
  const sent = recordOutsideMessage(services, { id, organizationId, kind: message.kind, recipientHash });
  const reportHref = await reportHrefOf(services, id);
  const jobs =
    message.channel === "email"
      ? await queueEmail(services, organizationId, [message.to], { ...message.email, reportHref })
      : await queueSms(services, organizationId, { to: message.to, body: reportableText(message.body, reportHref) });
  return { statements: [sent], jobs };
}

function withheld(organizationId: string, { kind, channel }: ToOutsider, reason: OutsideRefusal): CommandPart {
  return {
    statements: [],
    audit: [
      {
        action: "message.withheld",
        entityType: "organization",
        entityId: organizationId,
        details: { kind, channel, reason },
        bySystem: true,
      },
    ],
  };
}

/**
 * Reports a message on behalf of its reader: the list of organisations shows it, and an email tells us. Reporting it
 * again changes nothing.
 * @throws AppError 404 for an invalid link
 */
export async function reportMessage(services: WriteServices, origin: Origin, { token }: { token: string }) {
  const message = await findReportedMessage(services, token);
  if (!message) throw notFound();
  const { id, organizationId, organizationName, kind } = message;
  if (message.reportedAt !== null) return { organizationName };
  const { db, clock, config } = services;
  const mine = and(
    eq(outsideMessages.organizationId, organizationId),
    eq(outsideMessages.id, id),
    isNull(outsideMessages.reportedAt),
  );
  const acting = { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin };
  await runCommand(services, acting, {
    conditions: [{ name: "already_reported", found: rowIn(db, outsideMessages).where(mine) }],
    statements: [db.update(outsideMessages).set({ reportedAt: clock.now() }).where(mine)],
    audit: [
      {
        action: "message.reported",
        entityType: "organization",
        entityId: organizationId,
        details: { kind, messageId: id },
      },
    ],
    jobs: await queueEmail(services, null, [config.contactInbox], {
      template: "messageReported",
      data: {
        organizationName,
        kind,
        sentOn: formatDateTime(message.createdAt),
        href: `${config.appOrigin}${appPaths.organizations}?reported=yes`,
      },
    }),
  });
  // Refused when a second click reported it at the same moment.
  return { organizationName };
}
