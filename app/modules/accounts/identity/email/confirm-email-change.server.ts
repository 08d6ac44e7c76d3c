import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { emailChanges, users } from "@db/schema";
import { and, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, Services } from "~/services";
import { aboutUser, asAccountActor } from "../account-actor";
import { changedMeanwhile, requirePassword } from "../reauthenticate.server";
import { closeAllSessions } from "../sessions/session.server";
import { ADDRESS_TAKEN, completes } from "./email-change";
import { type EmailChange, getOpenEmailChange } from "./email-change.server";

type Confirming = NotifyServices & Pick<Services, "passwords">;

/** The link proves the mailbox; a session or the password proves the account. */
export type EmailChangeProof = { by: "session"; userId: string } | { by: "password"; password: string };

type Confirm = { token: string; proof: EmailChangeProof };

/** Both mailboxes may agree at the same moment: the slower request reads again. */
const TRIES = 3;

/**
 * Agrees to a change of address, from the mailbox that the link was sent to, for a person who holds the account too. The
 * second agreement makes the change: the person signs in with the new address, and every session of theirs ends.
 * @returns whether the address has changed now
 * @throws AppError 404 NOT_FOUND, 410 LINK_EXPIRED, LINK_USED, 409 ALREADY_CONFIRMED, EMAIL_EXISTS, CHANGED_MEANWHILE,
 * 403 ACCOUNT_NOT_PROVED, 400 beside `password`, 429 SIGN_IN_LOCKED
 */
export async function confirmEmailChange(
  services: Confirming,
  origin: Origin,
  { token, proof }: Confirm,
): Promise<{ isChanged: boolean; newEmail: string }> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const change = await getOpenEmailChange(services, token);
    const agreed = await tryAgreeing(services, origin, change, proof);
    if (agreed) return { ...agreed, newEmail: change.newEmail };
  }
  throw changedMeanwhile();
}

/** Undefined when something changed between reading and writing. */
async function tryAgreeing(services: Confirming, origin: Origin, change: EmailChange, proof: EmailChangeProof) {
  const { userId, mailbox, oldEmail, newEmail } = change;
  const proved = await proveAccount(services, change, proof);
  const isChanged = completes(change, mailbox);

  const result = await runCommand(services, asAccountActor({ ...change, origin }), {
    conditions: [changeIsAsRead(services, change), ...proved.conditions],
    uniques: { address_taken: "users.email" },
    statements: [...proved.statements, ...agreement(services, change, isChanged)],
    audit: [
      {
        action: isChanged ? "user.email_changed" : "user.email_change_confirmed",
        ...aboutUser(userId),
        details: isChanged ? { email: { from: oldEmail, to: newEmail } } : { mailbox },
      },
    ],
    jobs: isChanged ? await queueNotices(services, change) : [],
    answer: { isChanged },
  });
  if (result.ok) return result.answer;
  if (result.refused === "address_taken") throw new AppError("EMAIL_EXISTS", 409, `${ADDRESS_TAKEN}.`);
  return undefined;
}

async function proveAccount(services: Confirming, change: EmailChange, proof: EmailChangeProof) {
  if (proof.by === "password") {
    const says = { field: "password", wrong: "This is not the password of this account" };
    return requirePassword(services, { ...change, email: change.oldEmail }, proof.password, says);
  }
  if (proof.userId === change.userId) return { conditions: [], statements: [] };
  throw new AppError("ACCOUNT_NOT_PROVED", 403, "Enter the password of this account to change its address.");
}

function agreement(services: NotifyServices, { id, userId, mailbox, newEmail }: EmailChange, isLast: boolean) {
  const { db, clock } = services;
  const now = clock.now();
  const agreed = mailbox === "old" ? { oldConfirmedAt: now } : { newConfirmedAt: now };
  const statements: Statement[] = [
    db
      .update(emailChanges)
      .set({ ...agreed, ...(isLast ? { endedAt: now } : {}) })
      .where(eq(emailChanges.id, id)),
  ];
  if (!isLast) return statements;
  return [
    ...statements,
    db.update(users).set({ email: newEmail, emailVerifiedAt: now, updatedAt: now }).where(eq(users.id, userId)),
    closeAllSessions(services, userId),
  ];
}

function queueNotices(services: NotifyServices, { organizationId, firstName, oldEmail, newEmail }: EmailChange) {
  const data = { firstName, oldEmail, newEmail, at: formatDateTime(services.clock.now()) };
  return queueEmail(services, organizationId, [oldEmail, newEmail], { template: "emailChanged", data });
}

/** The change stands as it was read, and the person's address is what it was when they asked. */
function changeIsAsRead({ db, clock }: NotifyServices, change: EmailChange): Condition<"change_moved_on"> {
  const { oldConfirmedAt, newConfirmedAt } = emailChanges;
  const found = db
    .select({ one: sql`1` })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(
      and(
        eq(emailChanges.id, change.id),
        isNull(emailChanges.endedAt),
        gt(emailChanges.expiresAt, clock.now()),
        change.oldConfirmedAt === null ? isNull(oldConfirmedAt) : isNotNull(oldConfirmedAt),
        change.newConfirmedAt === null ? isNull(newConfirmedAt) : isNotNull(newConfirmedAt),
        eq(users.email, change.oldEmail),
        ne(users.status, "inactive"),
      ),
    );
  return { name: "change_moved_on", found };
}
