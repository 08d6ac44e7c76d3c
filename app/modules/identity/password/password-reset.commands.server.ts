import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { countHit } from "@db/rate-counter";
import { tokens, users } from "@db/schema";
import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Job } from "~/modules/commands/job";
import { endJob, enqueueJob, whileLeased } from "~/modules/commands/outbox.statements.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";
import { findAccount } from "../account.queries.server";
import { aboutThemself, actingAlone } from "../acting";
import { closeAllSessions } from "../sessions/session.statements.server";
import { forgetFailures, passwordLock } from "../sign-in/sign-in-lock.server";
import { requireUnknownPassword } from "./new-password.server";
import { MAX_RESET_MAILS, RESET_MAILS_WINDOW_MS, RESET_TTL_MS } from "./password-reset";
import { findPasswordReset, type PasswordReset } from "./password-reset.queries.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "config">;

type Asked = { email: string; origin: Origin };

/**
 * Notes that somebody wants to reset the password of an address. Whether the address is anybody's is looked up later, by
 * the job: answer, work and time here are the same for every address.
 */
export async function askForPasswordReset(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues">,
  origin: Origin,
  { email }: { email: string },
): Promise<void> {
  const id = services.ids.next();
  const asked: Asked = { email, origin };
  const sealedPayload = await services.secrets.seal(JSON.stringify(asked), id);
  const job = enqueueJob(services, {
    id,
    kind: "password_reset",
    organizationId: null,
    subjectId: null,
    sealedPayload,
  });
  await services.db.batch([job]);
  await services.queues.send("jobs", [id]);
}

/** The job's work: a link for the account, if there is one and it has not been sent too many. */
export async function sendPasswordReset(services: Needs, job: Job): Promise<void> {
  const { db, clock, ids, secrets, config } = services;
  if (!job.sealedPayload) throw new Error("a reset without its payload");
  const { email, origin } = JSON.parse(await secrets.open(job.sealedPayload, job.id)) as Asked;
  const account = await findAccount(services, email);
  if (!account || account.status === "inactive" || (await isTold(services, account.id))) {
    await db.batch([endJob(services, job, "done")]);
    return;
  }
  const token = ids.secret();
  const now = clock.now();
  const { id: userId, organizationId, firstName } = account;
  const mail = await queueEmail(services, organizationId, [account.email], {
    template: "passwordReset",
    data: { firstName, link: `${config.appOrigin}/reset-password/${token}` },
  });
  await db.batch([
    whileLeased(services, job),
    db.insert(tokens).values({
      id: ids.next(),
      kind: "password_reset",
      tokenHash: await secrets.hashToken(token),
      userId,
      email: account.email,
      createdAt: now,
      expiresAt: now + RESET_TTL_MS,
    }),
    ...jobStatements(services, mail),
    recordAudit(services, actingAlone({ userId, organizationId, origin }), {
      action: "user.password_reset_requested",
      ...aboutThemself(userId),
    }),
    endJob(services, job, "done"),
  ]);
  await services.queues.send("jobs", jobIds(mail));
}

async function isTold({ db, clock }: Needs, userId: string): Promise<boolean> {
  const { count } = await countHit(db, `reset-mails:${userId}`, RESET_MAILS_WINDOW_MS, clock.now());
  return count > MAX_RESET_MAILS;
}

/** A request that could not be worked on: the person asks again. */
export async function giveUpPasswordReset(
  services: Pick<Services, "db" | "clock">,
  job: Job,
  error: string,
): Promise<void> {
  await services.db.batch([endJob(services, job, "failed", error)]);
}

/**
 * Sets a new password by a link. Every session and every other link of the person is over, a locked account is open
 * again, and they are told by mail. Two-step sign-in stays as it is: the link does not take its place.
 * @throws AppError 404 NOT_FOUND, 410 LINK_USED, LINK_EXPIRED, 400 for a password everybody knows
 */
export async function resetPassword(
  services: Needs & Pick<Services, "passwords" | "breachedPasswords">,
  origin: Origin,
  input: { token: string; password: string },
): Promise<void> {
  const reset = await requireOpen(services, input.token);
  await requireUnknownPassword(services, input.password);
  const password = await services.passwords.hash(input.password);
  const { db, clock } = services;
  const { userId, organizationId, firstName, email } = reset;
  const now = clock.now();
  const mail = await queueEmail(services, organizationId, [email], {
    template: "passwordChanged",
    data: {
      firstName,
      at: formatDateTime(now),
      how: "reset",
      href: `${services.config.appOrigin}/auth/forgot`,
    },
  });
  try {
    await commit(
      db,
      [
        whileOpen(services, reset, now),
        db
          .update(tokens)
          .set({ usedAt: now })
          .where(and(eq(tokens.userId, userId), eq(tokens.kind, "password_reset"), isNull(tokens.usedAt))),
        db.update(users).set({ password, updatedAt: now }).where(eq(users.id, userId)),
        closeAllSessions(services, userId),
        forgetFailures(services, await passwordLock(services, email, userId)),
        ...jobStatements(services, mail),
        recordAudit(services, actingAlone({ userId, organizationId, origin }), {
          action: "user.password_reset",
          ...aboutThemself(userId),
        }),
      ],
      async () => (await storedPassword(services, userId)) === password,
    );
  } catch (error) {
    if (!isPreconditionError(error)) throw error;
    await requireOpen(services, input.token);
    throw used();
  }
  await services.queues.send("jobs", jobIds(mail));
}

async function storedPassword({ db }: Pick<Services, "db">, userId: string): Promise<string | undefined> {
  const [row] = await db.select({ password: users.password }).from(users).where(eq(users.id, userId));
  return row?.password;
}

const used = () => new AppError("LINK_USED", 410, "This link was used already. Ask for a new one if you need it.");

async function requireOpen(services: Needs, token: string): Promise<PasswordReset> {
  const reset = await findPasswordReset(services, token);
  if (!reset) throw new AppError("NOT_FOUND", 404, "This link is not known. Please use the newest one in your mail.");
  if (reset.state === "used") throw used();
  if (reset.state === "expired")
    throw new AppError("LINK_EXPIRED", 410, "This link has expired. It worked for one hour.");
  return reset;
}

function whileOpen({ db }: Needs, { tokenId, userId, email }: PasswordReset, now: number): Statement {
  return precondition(
    db,
    db
      .select({ one: sql`1` })
      .from(tokens)
      .innerJoin(users, eq(users.id, tokens.userId))
      .where(
        and(
          eq(tokens.id, tokenId),
          isNull(tokens.usedAt),
          gt(tokens.expiresAt, now),
          eq(users.id, userId),
          eq(users.email, email),
          ne(users.status, "inactive"),
        ),
      ),
  );
}
