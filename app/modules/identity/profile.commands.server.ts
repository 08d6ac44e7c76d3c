import { countHit } from "@db/rate-counter";
import { tokens, users } from "@db/schema";
import { and, desc, eq } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { HOUR_MS } from "~/kernel/dates";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Services } from "~/services";
import { aboutThemself, actingAlone } from "./acting";
import { promiseConfirmation } from "./email/confirmation.statements.server";

/** Confirmation mails that a person may ask for in an hour. */
const MAX_CONFIRMATION_MAILS = 3;

/** Changes a person's name. */
export async function changeNames(
  services: Pick<Services, "db" | "clock" | "ids">,
  person: Person,
  names: { firstName: string; lastName: string },
): Promise<void> {
  const { db, clock } = services;
  const { userId, firstName, lastName } = person;
  if (firstName === names.firstName && lastName === names.lastName) return;
  await db.batch([
    db
      .update(users)
      .set({ ...names, updatedAt: clock.now() })
      .where(eq(users.id, userId)),
    recordAudit(services, actingAlone(person), {
      action: "user.names_changed",
      ...aboutThemself(userId),
      details: {
        firstName: { from: firstName, to: names.firstName },
        lastName: { from: lastName, to: names.lastName },
      },
    }),
  ]);
}

/**
 * Sends the link that confirms the person's address once more.
 * @throws AppError 409 ALREADY_CONFIRMED, 429 RATE_LIMITED
 */
export async function resendConfirmation(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "config">,
  person: Person,
): Promise<void> {
  const { db, clock } = services;
  const { userId, email, firstName, organizationName, emailVerified } = person;
  if (emailVerified) throw new AppError("ALREADY_CONFIRMED", 409, "This address has already been confirmed.");
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `confirmation-mails:${userId}`, HOUR_MS, now);
  if (count > MAX_CONFIRMATION_MAILS) {
    const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
    const sentence = "We sent you several links already. Please look into your mailbox, or try again in an hour.";
    throw new AppError("RATE_LIMITED", 429, sentence, { retryAfterSeconds });
  }
  const [earlier] = await db
    .select({ createdOrganizationId: tokens.organizationId })
    .from(tokens)
    .where(and(eq(tokens.userId, userId), eq(tokens.kind, "email_confirmation")))
    .orderBy(desc(tokens.id))
    .limit(1);
  const mail = await promiseConfirmation(services, {
    userId,
    email,
    firstName,
    organizationName,
    createdOrganizationId: earlier?.createdOrganizationId ?? null,
  });
  const entry = recordAudit(services, actingAlone(person), {
    action: "user.confirmation_resent",
    ...aboutThemself(userId),
  });
  await db.batch([entry, ...mail.statements]);
  await services.queues.send("jobs", mail.jobIds);
}
