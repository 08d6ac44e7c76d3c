import { users } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import type { AppError } from "~/kernel/app-error";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices, Services } from "~/services";
import { accountIsUnchanged } from "../account.server";
import { aboutUser, asAccountActor } from "../account-actor";
import { closeSession, openSession } from "../sessions/session.server";
import { getSignedIn, type SignedIn } from "../sessions/signed-in.server";
import { twoStepIs } from "../two-step/two-step.server";
import { queueNewDeviceEmail, rememberDevice } from "./device.server";
import { invalidCredentials, signInExpired } from "./sign-in";
import {
  type AllowedSignIn,
  type CheckedSignIn,
  checkPassword,
  checkTicket,
  type RefusedSignIn,
  type SecondStep,
  type SignIn,
} from "./sign-in-check.server";
import { accountIsUnlocked, countFailure, forgetFailures } from "./sign-in-lock.server";

type SigningIn = NotifyServices & Pick<Services, "passwords">;

/** Something may change while a password is compared: a lock, a new password, a used code, or only a renewed hash. */
const TRIES = 2;

/**
 * Signs a person in: always a new session, and the one presented is gone.
 *
 * The same answer, after the same work, whether the account does not exist, the password is wrong, the person is
 * inactive, or the organisation is not theirs.
 * @throws AppError 401 INVALID_CREDENTIALS, 429 SIGN_IN_LOCKED after 10 failures of this account in 15 minutes;
 * with two-step sign-in TotpRequired (401 TOTP_REQUIRED), 401 INVALID_TOTP, 429 after 5 wrong codes
 */
export function signIn(services: SigningIn, origin: Origin, input: SignIn): Promise<SignedIn> {
  return finish(services, origin, () => checkPassword(services, input), invalidCredentials);
}

/**
 * The second step: the code, for a ticket that `signIn` gave out.
 * @throws AppError 401 SIGN_IN_EXPIRED when the ticket is too old or the password was changed, 401 INVALID_TOTP, 429
 */
export function finishSignIn(services: SigningIn, origin: Origin, input: SecondStep): Promise<SignedIn> {
  return finish(services, origin, () => checkTicket(services, input), signInExpired);
}

async function finish(
  services: SigningIn,
  origin: Origin,
  check: () => Promise<CheckedSignIn>,
  outrun: () => AppError,
): Promise<SignedIn> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const checked = await check();
    if ("refused" in checked) throw await writeRefusal(services, origin, checked.refused);
    const signedIn = await writeSignIn(services, origin, checked.allowed);
    if (signedIn) return signedIn;
  }
  throw outrun();
}

/** Undefined when something changed since it was checked. */
async function writeSignIn(services: SigningIn, origin: Origin, allowed: AllowedSignIn): Promise<SignedIn | undefined> {
  const { account, locks, code, current, rehashed, presentedSessionId } = allowed;
  const { id: userId, role } = account;
  const session = await openSession(services, userId, origin);
  const device = await rememberDevice(services, userId, origin);
  const acting = asAccountActor({ userId, organizationId: current?.id ?? account.organizationId, origin });
  const moved = current && {
    organizationId: current.id,
    role: role === "super_admin" ? role : current.role,
    status: current.status,
  };
  const { ok } = await runCommand(services, acting, {
    conditions: [
      ...locks.map((lock) => accountIsUnlocked(services, lock)),
      accountIsUnchanged(services, account),
      ...(code ? code.conditions : [twoStepIs(services, userId, "off")]),
    ],
    statements: [
      ...(code?.statements ?? []),
      session.statement,
      ...(presentedSessionId ? [closeSession(services, presentedSessionId)] : []),
      services.db
        .update(users)
        .set({ lastLoginAt: services.clock.now(), ...moved, ...(rehashed ? { password: rehashed } : {}) })
        .where(eq(users.id, userId)),
      ...locks.map((lock) => forgetFailures(services, lock)),
      device.statement,
    ],
    audit: [{ action: "session.started", ...aboutUser(userId) }],
    jobs: await queueNewDeviceEmail(services, origin, account),
    answer: undefined,
  });
  return ok ? getSignedIn(services, origin, session) : undefined;
}

/** @returns what to throw: the error, or 429 when the account has had too many failures */
async function writeRefusal(
  services: SigningIn,
  origin: Origin,
  { error, lock, account, details }: RefusedSignIn,
): Promise<AppError> {
  await runCommand(
    services,
    { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin },
    {
      audit: [{ action: "session.refused", ...aboutUser(account?.id ?? "unknown"), details }],
      answer: undefined,
    },
  );
  await countFailure(services, lock);
  return error;
}
