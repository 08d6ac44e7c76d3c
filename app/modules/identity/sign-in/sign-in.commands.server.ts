import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import { users } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Origin, Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { WRONG_CREDENTIALS } from "~/kernel/messages";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { NewJob } from "~/modules/commands/outbox.statements.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";
import { type Account, findAccount, findAccountById, findMembership, type Membership } from "../account.queries.server";
import { whileMayComeIn } from "../account.statements.server";
import { isOpen, type SignedIn, welcome } from "../sessions/session.queries.server";
import { closeSession, openSession } from "../sessions/session.statements.server";
import { type SignInTicket, TICKET_TTL_MS, TotpRequired, wrongCode } from "../two-step/two-step";
import { takeCode, whileTwoStep } from "../two-step/two-step.server";
import { describeDevice } from "./device";
import { isNewDevice, rememberDevice } from "./device.statements.server";
import type { Credentials } from "./sign-in";
import {
  codeLock,
  countFailure,
  forgetFailures,
  type Lock,
  passwordLock,
  requireUnlocked,
  whileUnlocked,
} from "./sign-in-lock.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "passwords" | "queues" | "config">;

type SignIn = Credentials & {
  /** Take `organizationId` as a wish: someone who does not belong to it lands where they were last. */
  organizationIsHint?: boolean;
  /** The session the request came with; a sign-in ends it. */
  presentedSessionId?: string;
};

/** Nobody's id, for look-ups that are made whether or not there is an account. */
const NOBODY = "nobody";

/**
 * Signs a person in: always a new session, and the one presented is gone.
 *
 * The same answer, after the same work, whether the account does not exist, the password is wrong, the person may not
 * come in, or the organisation is not theirs. Only who gave the right password is asked for a code.
 * @throws AppError 401 INVALID_CREDENTIALS, 429 SIGN_IN_LOCKED after 10 failures of this account in 15 minutes;
 * with two-step sign-in TotpRequired (401 TOTP_REQUIRED), 401 INVALID_TOTP, 429 after 5 wrong codes
 */
export async function signIn(services: Needs, origin: Origin, input: SignIn): Promise<SignedIn> {
  return twice(() => trySigningIn(services, origin, input), invalidCredentials);
}

/**
 * The second step: the code, for a ticket that `signIn` gave out.
 * @throws AppError 401 SIGN_IN_EXPIRED when the ticket is too old or the password was changed, 401 INVALID_TOTP, 429
 */
export async function finishSignIn(
  services: Needs,
  origin: Origin,
  input: { ticket: SignInTicket; totp: string; presentedSessionId?: string },
): Promise<SignedIn> {
  return twice(() => tryFinishing(services, origin, input), signInExpired);
}

/**
 * Something changed while the password was compared: a lock, a new password, a used code, or only a hash renewed by
 * another sign-in. What holds now decides.
 */
async function twice(attempt: () => Promise<SignedIn>, refusal: () => AppError): Promise<SignedIn> {
  try {
    return await attempt();
  } catch (error) {
    if (!isPreconditionError(error)) throw error;
  }
  try {
    return await attempt();
  } catch (error) {
    throw isPreconditionError(error) ? refusal() : error;
  }
}

async function trySigningIn(services: Needs, origin: Origin, input: SignIn): Promise<SignedIn> {
  const account = await findAccount(services, input.login);
  const lock = await passwordLock(services, input.login, account?.id);
  await requireUnlocked(services, lock);

  const { ok, needsRehash } = await services.passwords.verify(input.password, account?.password);
  const choice = await findChoice(services, input, account?.id ?? NOBODY);
  if (!account || !ok || account.status === "inactive" || !choice.isAllowed) {
    throw await refuse(services, origin, lock, account);
  }

  const { totp, organizationId, organizationIsHint } = input;
  if (account.twoStep && totp === undefined) {
    await requireUnlocked(services, lock);
    const passwordDigest = await services.secrets.hashToken(account.password);
    const issuedAt = services.clock.now();
    throw new TotpRequired({ userId: account.id, passwordDigest, organizationId, organizationIsHint, issuedAt });
  }
  const code = await checkCode(services, origin, account, totp ?? "");
  const rehashed = needsRehash ? await services.passwords.hash(input.password) : undefined;
  return enter(services, origin, account, {
    locks: [lock, ...code.locks],
    uses: code.uses,
    current: choice.current,
    rehashed,
    presented: input.presentedSessionId,
  });
}

async function tryFinishing(
  services: Needs,
  origin: Origin,
  { ticket, totp, presentedSessionId }: { ticket: SignInTicket; totp: string; presentedSessionId?: string },
): Promise<SignedIn> {
  const account = await findAccountById(services, ticket.userId);
  const isOver = ticket.issuedAt + TICKET_TTL_MS <= services.clock.now();
  if (!account || isOver || account.status === "inactive") throw signInExpired();
  if ((await services.secrets.hashToken(account.password)) !== ticket.passwordDigest) throw signInExpired();
  const choice = await findChoice(services, ticket, account.id);
  const code = await checkCode(services, origin, account, totp);
  const locks = [await passwordLock(services, account.email, account.id), ...code.locks];
  return enter(services, origin, account, {
    locks,
    uses: code.uses,
    current: choice.current,
    presented: presentedSessionId,
  });
}

type Choice = { isAllowed: boolean; current?: Membership & { id: string } };

async function findChoice(
  services: Needs,
  { organizationId, organizationIsHint }: Pick<SignIn, "organizationId" | "organizationIsHint">,
  userId: string,
): Promise<Choice> {
  if (!organizationId) return { isAllowed: true };
  const membership = await findMembership(services, organizationId, userId);
  return membership
    ? { isAllowed: true, current: { id: organizationId, ...membership } }
    : { isAllowed: organizationIsHint === true };
}

/** The code of a person with two-step sign-in, checked; nothing to do for anybody else. */
async function checkCode(
  services: Needs,
  origin: Origin,
  account: Account,
  totp: string,
): Promise<{ locks: Lock[]; uses: Statement[] }> {
  if (!account.twoStep) return { locks: [], uses: [] };
  const lock = codeLock(account.id);
  await requireUnlocked(services, lock);
  const uses = await takeCode(services, account.id, account.twoStep, totp);
  if (!uses) {
    await recordRefusal(services, origin, account, { step: "code" });
    await countFailure(services, lock);
    throw wrongCode();
  }
  return { locks: [lock], uses };
}

type Entry = {
  locks: Lock[];
  uses: Statement[];
  current?: Membership & { id: string };
  rehashed?: string;
  presented?: string;
};

async function enter(services: Needs, origin: Origin, account: Account, entry: Entry): Promise<SignedIn> {
  const { db, clock } = services;
  const { id: userId, role } = account;
  const session = await openSession(services, userId, origin);
  const organizationId = entry.current?.id ?? account.organizationId ?? PLATFORM_ORGANIZATION_ID;
  const mirrored = entry.current && role !== "super_admin" ? entry.current.role : role;
  const notice = await tellOfNewDevice(services, origin, account);
  const device = await rememberDevice(services, userId, origin);
  await commit(
    db,
    [
      ...entry.locks.map((lock) => whileUnlocked(services, lock)),
      whileMayComeIn(services, account),
      ...(account.twoStep ? entry.uses : [whileTwoStep(services, userId, false)]),
      session.statement,
      ...(entry.presented ? [closeSession(services, entry.presented)] : []),
      db
        .update(users)
        .set({
          lastLoginAt: clock.now(),
          ...(entry.current ? { organizationId: entry.current.id, role: mirrored, status: entry.current.status } : {}),
          ...(entry.rehashed ? { password: entry.rehashed } : {}),
        })
        .where(eq(users.id, userId)),
      ...entry.locks.map((lock) => forgetFailures(services, lock)),
      device.statement,
      ...jobStatements(services, notice),
      recordAudit(
        services,
        { userId, organizationId, origin },
        { action: "session.started", entityType: "user", entityId: userId },
      ),
    ],
    () => isOpen(services, session.sessionId),
  );
  await services.queues.send("jobs", jobIds(notice));
  return welcome(services, origin, session);
}

async function tellOfNewDevice(services: Needs, origin: Origin, account: Account): Promise<NewJob[]> {
  if (!(await isNewDevice(services, account.id, origin))) return [];
  return queueEmail(services, account.organizationId, [account.email], {
    template: "newDeviceSignIn",
    data: {
      firstName: account.firstName,
      device: describeDevice(origin.userAgent),
      place: origin.place ?? null,
      ipAddress: origin.ipAddress,
      at: formatDateTime(services.clock.now()),
      href: `${services.config.appOrigin}/profile/sessions`,
    },
  });
}

async function refuse(services: Needs, origin: Origin, lock: Lock, account: Account | undefined): Promise<AppError> {
  await recordRefusal(services, origin, account);
  await countFailure(services, lock);
  return invalidCredentials();
}

async function recordRefusal(
  services: Needs,
  origin: Origin,
  account: Account | undefined,
  details?: Record<string, unknown>,
): Promise<void> {
  const acting = { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin };
  const entityId = account?.id ?? "unknown";
  await services.db.batch([
    recordAudit(services, acting, { action: "session.refused", entityType: "user", entityId, details }),
  ]);
}

const invalidCredentials = () => new AppError("INVALID_CREDENTIALS", 401, WRONG_CREDENTIALS);

const signInExpired = () =>
  new AppError("SIGN_IN_EXPIRED", 401, "This took too long, or your password was changed. Please sign in again.");

/** Signs a person out of this session. Signing out of a session that is over already changes nothing. */
export async function signOut(services: Pick<Services, "db" | "clock" | "ids">, person: Person): Promise<void> {
  const { userId, sessionId, origin } = person;
  const organizationId = person.organizationId ?? PLATFORM_ORGANIZATION_ID;
  await services.db.batch([
    closeSession(services, sessionId),
    recordAudit(
      services,
      { userId, organizationId, origin },
      { action: "session.ended", entityType: "user", entityId: userId },
    ),
  ]);
}
