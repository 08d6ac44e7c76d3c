import { tokens } from "@db/schema";
import { displayName } from "~/kernel/actor";
import { linkPaths } from "~/kernel/paths/links";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.statements.server";
import type { NotifyServices } from "~/services";
import { CONFIRMATION_TTL_MS } from "../registration/registration";

type Addressee = {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  organizationName: string | null;
  /** The organisation this person created, which confirming the address gives its domain to. */
  createdOrganizationId: string | null;
};

/** A fresh confirmation link and the email that brings it. */
export async function queueConfirmation(services: NotifyServices, addressee: Addressee): Promise<CommandPart> {
  const { db, clock, ids, secrets, config } = services;
  const { userId, email, firstName, organizationName, createdOrganizationId } = addressee;
  const token = ids.secret();
  const now = clock.now();
  const row = db.insert(tokens).values({
    id: ids.next(),
    kind: "email_confirmation",
    tokenHash: await secrets.hashToken(token),
    userId,
    organizationId: createdOrganizationId,
    email,
    createdAt: now,
    expiresAt: now + CONFIRMATION_TTL_MS,
  });
  const jobs = await queueEmail(services, createdOrganizationId, [email], {
    template: "emailConfirmation",
    data: {
      firstName,
      registeredBy: displayName(addressee),
      organizationName,
      link: `${config.appOrigin}${linkPaths.confirmEmail(token)}`,
    },
  });
  return { statements: [row], jobs };
}
