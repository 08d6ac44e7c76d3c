import { countHit } from "@db/rate-counter";
import { emailChanges } from "@db/schema";
import { and, eq, isNull } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { AppError, invalidInput } from "~/kernel/app-error";
import { HOUR_MS } from "~/kernel/dates";
import { linkPaths } from "~/kernel/paths/links";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, Services } from "~/services";
import { findAccount } from "../account.server";
import { aboutUser, asAccountActor } from "../account-actor";
import { changedMeanwhile, requirePassword } from "../reauthenticate.server";
import { ADDRESS_TAKEN, EMAIL_CHANGE_TTL_MS, MAX_EMAIL_CHANGES } from "./email-change";

/**
 * Asks for a change of address. Both mailboxes get a link and both must agree, so that neither a stolen session nor a
 * mistyped address is enough; an old address that was never confirmed need not agree, but can still stop the change.
 * Asking again replaces what was asked before.
 * @throws AppError 400 beside `currentPassword` or `email`, 429, 409 CHANGED_MEANWHILE
 */
export async function askForEmailChange(
  services: NotifyServices & Pick<Services, "passwords">,
  person: Person,
  input: { email: string; currentPassword: string },
): Promise<void> {
  const { db, clock, ids, secrets } = services;
  const { userId, email: oldEmail, emailVerified } = person;
  const { conditions, statements } = await requirePassword(services, person, input.currentPassword);
  const newEmail = input.email;
  if (newEmail === oldEmail) throw invalidInput({ email: ["This is your address already"] });
  if (await findAccount(services, newEmail)) throw invalidInput({ email: [ADDRESS_TAKEN] }, ADDRESS_TAKEN);
  await limitChanges(services, userId);
  const now = clock.now();
  const [oldToken, newToken] = [ids.secret(), ids.secret()];
  const jobs = await queueLinks(services, person, { newEmail, oldToken, newToken });
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions,
    statements: [
      ...statements,
      db
        .update(emailChanges)
        .set({ endedAt: now })
        .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt))),
      db.insert(emailChanges).values({
        id: ids.next(),
        userId,
        oldEmail,
        newEmail,
        oldTokenHash: await secrets.hashToken(oldToken),
        newTokenHash: await secrets.hashToken(newToken),
        oldConfirmedAt: emailVerified ? null : now,
        createdAt: now,
        expiresAt: now + EMAIL_CHANGE_TTL_MS,
      }),
    ],
    audit: [
      {
        action: "user.email_change_requested",
        ...aboutUser(userId),
        details: { email: { from: oldEmail, to: newEmail } },
      },
    ],
    jobs,
    answer: undefined,
  });
  if (!ok) throw changedMeanwhile();
}

async function queueLinks(
  services: NotifyServices,
  person: Person,
  { newEmail, oldToken, newToken }: { newEmail: string; oldToken: string; newToken: string },
) {
  const { organizationId, firstName, email: oldEmail, emailVerified } = person;
  const linkOf = (token: string) => `${services.config.appOrigin}${linkPaths.emailChange(token)}`;
  const toNew = await queueEmail(services, organizationId, [newEmail], {
    template: "emailChangeNew",
    data: { firstName, oldEmail, newEmail, link: linkOf(newToken) },
  });
  const toOld = await queueEmail(services, organizationId, [oldEmail], {
    template: "emailChangeOld",
    data: { firstName, newEmail, isAsked: emailVerified, link: linkOf(oldToken) },
  });
  return [...toNew, ...toOld];
}

async function limitChanges({ db, clock }: NotifyServices, userId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `email-changes:${userId}`, HOUR_MS, now);
  if (count <= MAX_EMAIL_CHANGES) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
  const sentence = "You have asked for several changes of address. Please try again in an hour.";
  throw new AppError("RATE_LIMITED", 429, sentence, { retryAfterSeconds });
}
