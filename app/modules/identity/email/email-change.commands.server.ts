import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isPreconditionError, isUniqueError } from "@db/errors";
import { precondition } from "@db/precondition";
import { countHit } from "@db/rate-counter";
import { emailChanges, users } from "@db/schema";
import { and, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Origin, Person } from "~/kernel/actor";
import { AppError, invalidInput } from "~/kernel/app-error";
import { formatDateTime, HOUR_MS } from "~/kernel/dates";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";
import { findAccount } from "../account.queries.server";
import { aboutThemself, actingAlone } from "../acting";
import { changedMeanwhile, provePassword } from "../proof.server";
import { closeAllSessions } from "../sessions/session.statements.server";
import { completes, EMAIL_CHANGE_TTL_MS, MAX_EMAIL_CHANGES } from "./email-change";
import { type EmailChange, findEmailChange } from "./email-change.queries.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "config">;

const TAKEN = "Another account has this email address";
/** A yes from both mailboxes at the same moment: the slower one looks again. */
const TRIES = 3;

/**
 * Asks for a change of address. Both mailboxes get a link and both must say yes, so that neither a stolen session nor a
 * mistyped address is enough; an old address that was never confirmed need not agree, but may still stop the change.
 * Asking again replaces what was asked before.
 * @throws AppError 400 beside `currentPassword` or `email`, 429
 */
export async function askForEmailChange(
  services: Needs & Pick<Services, "passwords">,
  person: Person,
  input: { email: string; currentPassword: string },
): Promise<void> {
  const { db, clock, ids, secrets, config } = services;
  const { userId, email: oldEmail, firstName, emailVerified } = person;
  const proof = await provePassword(services, person, input.currentPassword);
  const newEmail = input.email;
  if (newEmail === oldEmail) throw invalidInput({ email: ["This is your address already"] });
  if (await findAccount(services, newEmail)) throw invalidInput({ email: [TAKEN] }, TAKEN);
  await limit(services, userId);
  const now = clock.now();
  const [oldToken, newToken, id] = [ids.secret(), ids.secret(), ids.next()];
  const linkOf = (token: string) => `${config.appOrigin}/email-change/${token}`;
  const toNew = await queueEmail(services, person.organizationId, [newEmail], {
    template: "emailChangeNew",
    data: { firstName, newEmail, link: linkOf(newToken) },
  });
  const toOld = await queueEmail(services, person.organizationId, [oldEmail], {
    template: "emailChangeOld",
    data: { firstName, newEmail, isAsked: emailVerified, link: linkOf(oldToken) },
  });
  const statements = [
    ...proof.statements,
    db
      .update(emailChanges)
      .set({ endedAt: now })
      .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt))),
    db.insert(emailChanges).values({
      id,
      userId,
      oldEmail,
      newEmail,
      oldTokenHash: await secrets.hashToken(oldToken),
      newTokenHash: await secrets.hashToken(newToken),
      oldConfirmedAt: emailVerified ? null : now,
      createdAt: now,
      expiresAt: now + EMAIL_CHANGE_TTL_MS,
    }),
    ...jobStatements(services, toNew),
    ...jobStatements(services, toOld),
    recordAudit(services, actingAlone(person), {
      action: "user.email_change_requested",
      ...aboutThemself(userId),
      details: { email: { from: oldEmail, to: newEmail } },
    }),
  ];
  try {
    await commit(db, statements, () => isThere(services, id));
  } catch (error) {
    throw isPreconditionError(error) ? changedMeanwhile() : error;
  }
  await services.queues.send("jobs", jobIds([...toNew, ...toOld]));
}

async function limit({ db, clock }: Needs, userId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `email-changes:${userId}`, HOUR_MS, now);
  if (count <= MAX_EMAIL_CHANGES) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
  const sentence = "You asked for several changes of address. Please try again in an hour.";
  throw new AppError("RATE_LIMITED", 429, sentence, { retryAfterSeconds });
}

async function isThere({ db }: Needs, id: string): Promise<boolean> {
  const rows = await db.select({ id: emailChanges.id }).from(emailChanges).where(eq(emailChanges.id, id));
  return rows.length > 0;
}

/**
 * A yes from the mailbox that the link was sent to. The second yes makes the change: the person signs in with the new
 * address, and every session of theirs is over.
 * @returns whether the address has changed now
 * @throws AppError 404 NOT_FOUND, 410 LINK_EXPIRED, LINK_USED, 409 EMAIL_EXISTS
 */
export async function confirmEmailChange(
  services: Needs,
  origin: Origin,
  token: string,
): Promise<{ isChanged: boolean; newEmail: string }> {
  for (let attempt = 1; ; attempt++) {
    const change = await requireOpen(services, token);
    const { newEmail } = change;
    try {
      return { isChanged: await sayYes(services, origin, change), newEmail };
    } catch (error) {
      if (isUniqueError(error, "users.email")) throw new AppError("EMAIL_EXISTS", 409, `${TAKEN}.`);
      if (!isPreconditionError(error) || attempt === TRIES) throw error;
    }
  }
}

async function sayYes(services: Needs, origin: Origin, change: EmailChange): Promise<boolean> {
  const { db, clock } = services;
  const { id, userId, mailbox, oldEmail, newEmail } = change;
  const now = clock.now();
  const isLast = completes(change, mailbox);
  const answered = mailbox === "old" ? { oldConfirmedAt: now } : { newConfirmedAt: now };
  const acting = actingAlone({ ...change, origin });
  const mails = isLast ? await tellBoth(services, change, now) : [];
  await commit(
    db,
    [
      whileAsRead(services, change, now),
      db
        .update(emailChanges)
        .set({ ...answered, ...(isLast ? { endedAt: now } : {}) })
        .where(eq(emailChanges.id, id)),
      ...(isLast
        ? [
            db.update(users).set({ email: newEmail, emailVerifiedAt: now, updatedAt: now }).where(eq(users.id, userId)),
            closeAllSessions(services, userId),
          ]
        : []),
      ...jobStatements(services, mails),
      recordAudit(services, acting, {
        action: isLast ? "user.email_changed" : "user.email_change_confirmed",
        ...aboutThemself(userId),
        details: isLast ? { email: { from: oldEmail, to: newEmail } } : { mailbox },
      }),
    ],
    async () => isAnswered(services, change),
  );
  await services.queues.send("jobs", jobIds(mails));
  return isLast;
}

async function tellBoth(services: Needs, { organizationId, firstName, oldEmail, newEmail }: EmailChange, now: number) {
  const data = { firstName, oldEmail, newEmail, at: formatDateTime(now) };
  return queueEmail(services, organizationId, [oldEmail, newEmail], { template: "emailChanged", data });
}

async function isAnswered({ db }: Needs, { id, mailbox }: EmailChange): Promise<boolean> {
  const answeredAt = mailbox === "old" ? emailChanges.oldConfirmedAt : emailChanges.newConfirmedAt;
  const rows = await db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(and(eq(emailChanges.id, id), isNotNull(answeredAt)));
  return rows.length > 0;
}

/** The change stands as it was read, and the person is who they were when it was asked for. */
function whileAsRead({ db }: Needs, change: EmailChange, now: number): Statement {
  const { oldConfirmedAt, newConfirmedAt } = emailChanges;
  return precondition(
    db,
    db
      .select({ one: sql`1` })
      .from(emailChanges)
      .innerJoin(users, eq(users.id, emailChanges.userId))
      .where(
        and(
          eq(emailChanges.id, change.id),
          isNull(emailChanges.endedAt),
          gt(emailChanges.expiresAt, now),
          change.oldConfirmedAt === null ? isNull(oldConfirmedAt) : isNotNull(oldConfirmedAt),
          change.newConfirmedAt === null ? isNull(newConfirmedAt) : isNotNull(newConfirmedAt),
          eq(users.email, change.oldEmail),
          ne(users.status, "inactive"),
        ),
      ),
  );
}

/**
 * A no from either mailbox, at any time before the change is made.
 * @throws AppError 404 NOT_FOUND, 410 LINK_EXPIRED, LINK_USED
 */
export async function stopEmailChange(services: Needs, origin: Origin, token: string): Promise<void> {
  const { db, clock } = services;
  const change = await findEmailChange(services, token);
  if (!change) throw unknownLink();
  if (change.state === "ended" || change.state === "expired") throw over(change.state);
  const open = and(eq(emailChanges.id, change.id), isNull(emailChanges.endedAt));
  try {
    await db.batch([
      precondition(db, db.select({ one: sql`1` }).from(emailChanges).where(open)),
      db.update(emailChanges).set({ endedAt: clock.now() }).where(open),
      recordAudit(services, actingAlone({ ...change, origin }), {
        action: "user.email_change_stopped",
        ...aboutThemself(change.userId),
        details: { mailbox: change.mailbox },
      }),
    ]);
  } catch (error) {
    throw isPreconditionError(error) ? over("ended") : error;
  }
}

const unknownLink = () =>
  new AppError("NOT_FOUND", 404, "This link is not known. Please use the newest one in your mail.");

const over = (state: "ended" | "expired") =>
  state === "expired"
    ? new AppError("LINK_EXPIRED", 410, "This link has expired. It worked for 24 hours.")
    : new AppError("LINK_USED", 410, "This change of address was made, stopped, or replaced by another.");

async function requireOpen(services: Needs, token: string): Promise<EmailChange> {
  const change = await findEmailChange(services, token);
  if (!change) throw unknownLink();
  if (change.state === "ended" || change.state === "expired") throw over(change.state);
  if (change.state === "waiting") {
    throw new AppError("ALREADY_CONFIRMED", 409, "You have said yes already. The other mailbox has not.");
  }
  return change;
}
