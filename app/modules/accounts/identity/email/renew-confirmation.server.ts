import { countHit } from "@db/rate-counter";
import { tokens } from "@db/schema";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { HOUR_MS } from "~/kernel/dates";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices } from "~/services";
import { aboutUser, asAccountActor } from "../account-actor";
import { getUnusedConfirmation, queueConfirmation } from "./confirmation.server";

/** Confirmation emails that a person may ask for in an hour. */
const MAX_CONFIRMATION_EMAILS = 3;

/**
 * Sends a new link in place of an expired one, to the same address. A person who holds the old link has read that mailbox, so
 * nothing more is asked. The old link is deleted, so that each brings one email at most.
 * @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED, 409 LINK_STILL_WORKS
 */
export async function renewConfirmation(services: NotifyServices, token: string): Promise<void> {
  const { db } = services;
  const old = await getUnusedConfirmation(services, token);
  if (old.state === "open") throw new AppError("LINK_STILL_WORKS", 409, "This link still works.");
  const mine = eq(tokens.id, old.tokenId);
  const organizationId = old.organizationId ?? PLATFORM_ORGANIZATION_ID;
  const origin = { ipAddress: null, userAgent: null, requestId: old.tokenId };
  const email = await queueConfirmation(services, old);
  // Refused: the button was pressed twice, and the other request has sent the email.
  await runCommand(
    services,
    { userId: null, organizationId, origin },
    {
      conditions: [
        {
          name: "link_gone",
          found: db.select({ one: sql`1` }).from(tokens).where(mine),
        },
      ],
      statements: [db.delete(tokens).where(mine)],
      audit: [{ action: "user.confirmation_resent", ...aboutUser(old.userId) }],
      parts: [email],
      answer: undefined,
    },
  );
}

/**
 * Sends a signed-in person the link that confirms their address once more.
 * @throws AppError 409 ALREADY_CONFIRMED, 429 RATE_LIMITED
 */
export async function resendConfirmation(services: NotifyServices, person: Person): Promise<void> {
  const { db } = services;
  const { userId, emailVerified } = person;
  if (emailVerified) throw new AppError("ALREADY_CONFIRMED", 409, "This address has already been confirmed.");
  await limitEmails(services, userId);
  const [earlier] = await db
    .select({ createdOrganizationId: tokens.organizationId })
    .from(tokens)
    .where(and(eq(tokens.userId, userId), eq(tokens.kind, "email_confirmation")))
    .orderBy(desc(tokens.id))
    .limit(1);
  const createdOrganizationId = earlier?.createdOrganizationId ?? null;
  const email = await queueConfirmation(services, { ...person, createdOrganizationId });
  await runCommand(services, asAccountActor(person), {
    audit: [{ action: "user.confirmation_resent", ...aboutUser(userId) }],
    parts: [email],
    answer: undefined,
  });
}

async function limitEmails({ db, clock }: NotifyServices, userId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `confirmation-mails:${userId}`, HOUR_MS, now);
  if (count <= MAX_CONFIRMATION_EMAILS) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
  const sentence = "We have already sent you several links. Look for them in your mailbox, or try again in an hour.";
  throw new AppError("RATE_LIMITED", 429, sentence, { retryAfterSeconds });
}
