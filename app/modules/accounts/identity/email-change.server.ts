import { type Condition, columnsOf, emailChanges, rowIn, type Statement, users } from "@db/database";
import { countHit } from "@db/rate-counter";
import { and, eq, gt, isNotNull, isNull, ne, or } from "drizzle-orm";
import * as z from "zod";
import { AppError, invalidInput } from "~/kernel/app-error";
import { DAY_MS, formatDateTime, HOUR_MS } from "~/kernel/dates";
import { currentPasswordField, emailField } from "~/kernel/fields.schema.server";
import { linkPaths } from "~/kernel/paths/links";
import { displayName } from "~/kernel/text";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Origin, Person, Services, WriteServices } from "~/services-and-actor";
import { aboutUser, asAccountActor, closeAllSessions, findAccount } from "./account.server";
import { changedMeanwhile, requireOwnPasskey, requirePassword } from "./proof.server";

export const emailChangeSchema = z.object({ email: emailField, currentPassword: currentPasswordField });

/** A change of a person's email address, to which both mailboxes must agree. Pure. */

const EMAIL_CHANGE_TTL_MS = DAY_MS;

/** How many changes of address a person may request per hour: each sends an email to an address of their choice. */
const MAX_EMAIL_CHANGES = 5;

const ADDRESS_TAKEN = "Another account has this email address";

/** Which mailbox a link was sent to. */
type Mailbox = "old" | "new";

type EmailChangeState =
  /** This mailbox has not answered yet. */
  | "open"
  /** This mailbox has agreed; the other one has not. */
  | "waiting"
  | "expired"
  /** The change was made, stopped, or replaced by another. */
  | "ended";

type Change = Pick<typeof emailChanges.$inferSelect, "endedAt" | "expiresAt" | "oldConfirmedAt" | "newConfirmedAt">;

export function emailChangeState(change: Change, mailbox: Mailbox, now: number): EmailChangeState {
  if (change.endedAt !== null) return "ended";
  if (change.expiresAt <= now) return "expired";
  const answeredAt = mailbox === "old" ? change.oldConfirmedAt : change.newConfirmedAt;
  return answeredAt === null ? "open" : "waiting";
}

/** True if this mailbox's agreement is the last one needed. */
export function completes(change: Pick<Change, "oldConfirmedAt" | "newConfirmedAt">, mailbox: Mailbox): boolean {
  return mailbox === "old" ? change.newConfirmedAt !== null : change.oldConfirmedAt !== null;
}

/**
 * Requests a change of address. Both mailboxes get a link and both must agree, so that neither a stolen session nor a
 * mistyped address is enough; an old address that was never confirmed need not agree, but can still stop the change. A
 * new request replaces the earlier one.
 * @throws AppError 400 beside `currentPassword` or `email`, 403 PASSKEY_REQUIRED, 429, 409 CHANGED_MEANWHILE
 */
export async function askForEmailChange(
  services: Services,
  person: Person,
  input: { email: string; currentPassword: string },
): Promise<void> {
  const { db, clock, ids, secrets } = services;
  const { userId, email: oldEmail, emailVerified } = person;
  await requireOwnPasskey(services, person);
  const { conditions, statements } = await requirePassword(services, person, input.currentPassword);
  const newEmail = input.email;
  if (newEmail === oldEmail) throw invalidInput({ email: ["This is already your address"] });
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
  });
  if (!ok) throw changedMeanwhile();
}

async function queueLinks(
  services: WriteServices,
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

async function limitChanges({ db, clock }: WriteServices, userId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `email-changes:${userId}`, HOUR_MS, now);
  if (count <= MAX_EMAIL_CHANGES) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
  const sentence = "You have asked for several changes of address. Please try again in an hour.";
  throw new AppError("RATE_LIMITED", sentence, { retryAfterSeconds });
}

/** A change of address, as one of its links finds it. */
type EmailChange = {
  id: string;
  state: EmailChangeState;
  mailbox: Mailbox;
  userId: string;
  organizationId: string | null;
  firstName: string;
  /** The name of the account's owner, and when they requested it. */
  askedBy: string;
  askedAt: number;
  oldEmail: string;
  newEmail: string;
  oldConfirmedAt: number | null;
  newConfirmedAt: number | null;
};

/** The change that a link's token belongs to; undefined for an unknown token. */
export async function findEmailChange(services: Services, token: string): Promise<EmailChange | undefined> {
  const { db, clock, secrets } = services;
  const hash = await secrets.hashToken(token);
  const [row] = await db
    .select({
      ...columnsOf(emailChanges, "id", "userId"),
      ...columnsOf(users, "organizationId", "firstName", "lastName"),
      askedAt: emailChanges.createdAt,
      status: users.status,
      ...columnsOf(emailChanges, "oldEmail", "newEmail", "oldTokenHash", "oldConfirmedAt"),
      ...columnsOf(emailChanges, "newConfirmedAt", "expiresAt", "endedAt"),
    })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(or(eq(emailChanges.oldTokenHash, hash), eq(emailChanges.newTokenHash, hash)));
  if (!row || row.status === "inactive") return undefined;
  const { oldTokenHash, expiresAt, endedAt, status: _, lastName, ...change } = row;
  const mailbox = oldTokenHash === hash ? "old" : "new";
  const askedBy = displayName({ firstName: row.firstName, lastName });
  return {
    ...change,
    askedBy,
    mailbox,
    state: emailChangeState({ ...change, expiresAt, endedAt }, mailbox, clock.now()),
  };
}

/** A change that is neither made, stopped nor expired. @throws AppError 404 NOT_FOUND, 410 LINK_EXPIRED, LINK_USED */
async function getEmailChange(services: Services, token: string): Promise<EmailChange> {
  const change = await findEmailChange(services, token);
  if (!change)
    throw new AppError("NOT_FOUND", "We do not recognise this link. Please use the link in the newest email.");
  if (change.state === "ended" || change.state === "expired") throw emailChangeOver(change.state);
  return change;
}

/** The same, if this mailbox has not answered yet. @throws AppError also 409 ALREADY_CONFIRMED */
export async function getOpenEmailChange(services: Services, token: string): Promise<EmailChange> {
  const change = await getEmailChange(services, token);
  if (change.state === "waiting") {
    throw new AppError("ALREADY_CONFIRMED", "You have already agreed. The other mailbox has not.");
  }
  return change;
}

const emailChangeOver = (state: "ended" | "expired") =>
  state === "expired"
    ? new AppError("LINK_EXPIRED", "This link has expired. It worked for 24 hours.")
    : new AppError("LINK_USED", "This change of address was made or stopped, or another change replaced it.");

/** The new address of a person's open change, and which mailboxes still have to agree. */
export async function findOpenEmailChange({ db, clock }: Services, person: Person) {
  const [row] = await db
    .select(columnsOf(emailChanges, "newEmail", "oldConfirmedAt", "newConfirmedAt"))
    .from(emailChanges)
    .where(
      and(
        eq(emailChanges.userId, person.userId),
        isNull(emailChanges.endedAt),
        gt(emailChanges.expiresAt, clock.now()),
      ),
    );
  if (!row) return undefined;
  return {
    newEmail: row.newEmail,
    waitsForOld: row.oldConfirmedAt === null,
    waitsForNew: row.newConfirmedAt === null,
  };
}

/** The link proves the mailbox; a session or the password proves the account. */
export type EmailChangeProof = { by: "session"; userId: string } | { by: "password"; password: string };

/** Both mailboxes may agree at the same moment; the slower request then reads again. */
const TRIES = 3;

/**
 * Agrees to a change of address from the mailbox that got the link, if the person also controls the account. The second
 * agreement makes the change: the person signs in with the new address, and all their sessions end.
 * @returns whether the address has changed now
 * @throws AppError 404 NOT_FOUND, 410 LINK_EXPIRED, LINK_USED, 409 ALREADY_CONFIRMED, EMAIL_EXISTS, CHANGED_MEANWHILE,
 * 403 ACCOUNT_NOT_PROVED, 400 beside `password`, 429 SIGN_IN_LOCKED
 */
export async function confirmEmailChange(
  services: Services,
  origin: Origin,
  { token, proof }: { token: string; proof: EmailChangeProof },
): Promise<{ isChanged: boolean; newEmail: string }> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const change = await getOpenEmailChange(services, token);
    const agreed = await tryAgreeing(services, origin, change, proof);
    if (agreed) return { ...agreed, newEmail: change.newEmail };
  }
  throw changedMeanwhile();
}

/** Undefined when something changed between reading and writing. */
async function tryAgreeing(services: Services, origin: Origin, change: EmailChange, proof: EmailChangeProof) {
  const { userId, mailbox, oldEmail, newEmail } = change;
  const proved = await proveAccount(services, change, proof);
  const isChanged = completes(change, mailbox);

  const result = await runCommand(services, asAccountActor({ ...change, origin }), {
    conditions: [changeIsAsRead(services, change), ...proved.conditions],
    uniques: { address_taken: "users.email" },
    statements: [...proved.statements, ...agreement(services, change, isChanged)],
    audit: [
      isChanged
        ? { action: "user.email_changed", ...aboutUser(userId), details: { email: { from: oldEmail, to: newEmail } } }
        : { action: "user.email_change_confirmed", ...aboutUser(userId), details: { mailbox } },
    ],
    jobs: isChanged ? await queueNotices(services, change) : [],
    answer: { isChanged },
  });
  if (result.ok) return result.answer;
  if (result.refused === "address_taken") throw new AppError("EMAIL_EXISTS", `${ADDRESS_TAKEN}.`);
  return undefined;
}

async function proveAccount(services: Services, change: EmailChange, proof: EmailChangeProof) {
  if (proof.by === "password") {
    const says = { field: "password", wrong: "This is not the password of this account" };
    return requirePassword(services, { ...change, email: change.oldEmail }, proof.password, says);
  }
  if (proof.userId === change.userId) return { conditions: [], statements: [] };
  throw new AppError("ACCOUNT_NOT_PROVED", "Enter the password of this account to change its address.");
}

function agreement(services: WriteServices, { id, userId, mailbox, newEmail }: EmailChange, isLast: boolean) {
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

function queueNotices(services: WriteServices, { organizationId, firstName, oldEmail, newEmail }: EmailChange) {
  const data = { firstName, oldEmail, newEmail, at: formatDateTime(services.clock.now()) };
  return queueEmail(services, organizationId, [oldEmail, newEmail], { template: "emailChanged", data });
}

/** The condition that the change is as it was read, and the person's address is the one they had when requesting it. */
function changeIsAsRead({ db, clock }: WriteServices, change: EmailChange): Condition<"change_moved_on"> {
  const { oldConfirmedAt, newConfirmedAt } = emailChanges;
  const found = rowIn(db, emailChanges)
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

/** Stops a change of address from either mailbox before it is made; no sign-in needed. @throws AppError 404, 410 */
export async function stopEmailChange(services: Services, origin: Origin, token: string): Promise<void> {
  const { db, clock } = services;
  const change = await getEmailChange(services, token);
  const open = and(eq(emailChanges.id, change.id), isNull(emailChanges.endedAt));
  const found = rowIn(db, emailChanges).where(open);
  const { ok } = await runCommand(services, asAccountActor({ ...change, origin }), {
    conditions: [{ name: "change_over", found }],
    statements: [db.update(emailChanges).set({ endedAt: clock.now() }).where(open)],
    audit: [
      {
        action: "user.email_change_stopped",
        ...aboutUser(change.userId),
        details: { mailbox: change.mailbox },
      },
    ],
  });
  if (!ok) throw emailChangeOver("ended");
}
