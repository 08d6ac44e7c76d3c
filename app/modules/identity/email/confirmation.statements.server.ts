import { tokens } from "@db/schema";
import {
  jobIds,
  jobStatements,
  type Promised,
  queueEmail,
} from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";
import { CONFIRMATION_TTL_MS } from "../registration/registration";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">;

type Confirmation = {
  userId: string;
  email: string;
  firstName: string;
  organizationName: string | null;
  /** The organisation this person created, which confirming the address gives its domain to. */
  createdOrganizationId: string | null;
};

/** Promises the mail that asks a person to prove their address, with a fresh link. */
export async function promiseConfirmation(services: Needs, confirmation: Confirmation): Promise<Promised> {
  const { db, clock, ids, secrets, config } = services;
  const { userId, email, firstName, organizationName, createdOrganizationId } = confirmation;
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
  const mail = await queueEmail(services, createdOrganizationId, [email], {
    template: "emailConfirmation",
    data: { firstName, organizationName, link: `${config.appOrigin}/confirm-email/${token}` },
  });
  return { jobIds: jobIds(mail), statements: [row, ...jobStatements(services, mail)] };
}
