import { countHit } from "@db/rate-counter";
import { alertContacts } from "@db/schema";
import { and, eq, gt, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError, invalidInput } from "~/kernel/app-error";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueSms } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices } from "~/services";
import { setContact } from "./alerts.server";

const CODE_VALID_MS = 10 * MINUTE_MS;
const MAX_TRIES = 5;
/** Codes a person can ask for in a day: each costs money, and a stranger's telephone could be the target. */
const MAX_CODES_A_DAY = 5;

/**
 * Sends a code to the number a person wants text messages at. The number is not used before the code comes back.
 * @throws AppError 429 RATE_LIMITED
 */
export async function sendPhoneCode(
  services: NotifyServices,
  actor: Actor,
  { phone }: { phone: string },
): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const { count } = await countHit(db, `phone-code:${actor.userId}`, DAY_MS, now);
  if (count > MAX_CODES_A_DAY) {
    throw new AppError("RATE_LIMITED", 429, "You have asked for several codes today. Try again tomorrow.", {
      retryAfterSeconds: DAY_MS / 1000,
    });
  }
  const code = newCode(services);
  const pending = {
    phone,
    phoneConfirmedAt: null,
    phoneCodeHash: await hashCode(services, actor.userId, code),
    phoneCodeExpiresAt: now + CODE_VALID_MS,
    updatedAt: now,
  };
  const body = `${code} is your PayeeProof code. No one from PayeeProof will ask you for it.`;
  await runCommand(services, actor, {
    statements: [setContact(services, actor.userId, pending)],
    audit: [{ action: "user.phone_code_sent", entityType: "user", entityId: actor.userId }],
    jobs: await queueSms(services, actor.organizationId, { to: phone, body }),
    answer: undefined,
  });
}

/**
 * Confirms the number with the code that was sent to it.
 * @throws AppError 400 INVALID_INPUT beside `code` when it is wrong, too old, or was tried too often
 */
export async function confirmPhone(services: NotifyServices, actor: Actor, { code }: { code: string }): Promise<void> {
  const { db, clock } = services;
  const { userId } = actor;
  const now = clock.now();
  const codeHash = await hashCode(services, userId, code);
  // Every try is counted before it is compared, so that many at once are still at most five.
  const { count } = await countHit(db, `phone-code-try:${userId}`, CODE_VALID_MS, now);
  if (count > MAX_TRIES) throw wrongCode();
  const matches = and(
    eq(alertContacts.userId, userId),
    eq(alertContacts.phoneCodeHash, codeHash),
    gt(alertContacts.phoneCodeExpiresAt, now),
  );
  const { ok } = await runCommand(services, actor, {
    conditions: [{ name: "wrong_code", found: db.select({ one: sql`1` }).from(alertContacts).where(matches) }],
    statements: [
      setContact(services, userId, {
        phoneConfirmedAt: now,
        phoneCodeHash: null,
        phoneCodeExpiresAt: null,
        updatedAt: now,
      }),
    ],
    audit: [{ action: "user.phone_confirmed", entityType: "user", entityId: userId }],
    answer: undefined,
  });
  if (!ok) throw wrongCode();
}

/** Sends no more text messages to the person. */
export async function removePhone(services: NotifyServices, actor: Actor): Promise<void> {
  const removed = { phone: null, phoneConfirmedAt: null, phoneCodeHash: null, updatedAt: services.clock.now() };
  await runCommand(services, actor, {
    statements: [setContact(services, actor.userId, removed)],
    audit: [{ action: "user.phone_removed", entityType: "user", entityId: actor.userId }],
    answer: undefined,
  });
}

const wrongCode = () =>
  invalidInput({ code: ["This is not the code we sent, or it has expired. Send a new one and try again."] });

/** Six digits out of fresh randomness. */
function newCode({ ids }: Pick<NotifyServices, "ids">): string {
  const bytes = new TextEncoder().encode(ids.secret());
  const number = bytes.reduce((sum, byte) => (sum * 257 + byte) % 1_000_000, 0);
  return String(number).padStart(6, "0");
}

/** Bound to the person: the same code sent to another person confirms nothing here. */
const hashCode = ({ secrets }: Pick<NotifyServices, "secrets">, userId: string, code: string) =>
  secrets.hashToken(`phone-code\n${userId}\n${code}`);
