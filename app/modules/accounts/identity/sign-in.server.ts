import { users } from "@db/schema/index";
import { eq } from "drizzle-orm";
import * as z from "zod";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import { emailField, optionalId } from "~/kernel/fields.schema.server";
import { INVALID_EMAIL, SHORT_PASSWORD, WRONG_CREDENTIALS } from "~/kernel/messages";
import { MIN_PASSWORD_LENGTH, passwordLength } from "~/kernel/password-rules";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Services } from "~/services";
import {
  type Account,
  aboutUser,
  accountIsUnchanged,
  asAccountActor,
  findAccount,
  findAccountById,
  findMembership,
  type Membership,
} from "./account.server";
import { queueNewDeviceEmail, rememberDevice } from "./device.server";
import {
  accountIsUnlocked,
  codeLock,
  countFailure,
  forgetFailures,
  type Lock,
  passwordLock,
  requireUnlocked,
  spendCode,
  type TakenCode,
  twoStepIs,
} from "./proof.server";
import { closeSession, getSignedIn, openSession, type SignedIn } from "./session.server";

/** Two-step sign-in: a code after the password. Pure. */

/** How long a person who gave the right password may take to give the code. */
export const TICKET_TTL_MS = 10 * MINUTE_MS;

/** What remembers, between the two steps, that the password was right. Kept by the browser, sealed. */
export type SignInTicket = {
  userId: string;
  /** Of the stored hash: a password changed in between ends the ticket. */
  passwordDigest: string;
  organizationId?: string;
  organizationIsHint?: boolean;
  issuedAt: number;
};

/** The password was right, and the account asks for a code. */
export class TotpRequired extends AppError {
  constructor(readonly ticket: SignInTicket) {
    super("TOTP_REQUIRED", 401, "Enter the code from your authenticator app.");
  }
}

const wrongCode = () =>
  new AppError("INVALID_TOTP", 401, "This code is not right, or was used before. Wait for the next one and try again.");

/** What a person signs in with. */
type Credentials = {
  /** An email address, or a username: usernames hold no `@`. */
  login: string;
  password: string;
  /** The organisation to work in; must be one of the person's own. */
  organizationId?: string;
  /** The code of two-step sign-in, from the app or a recovery code. */
  totp?: string;
};

const invalidCredentials = () => new AppError("INVALID_CREDENTIALS", 401, WRONG_CREDENTIALS);

const signInExpired = () =>
  new AppError("SIGN_IN_EXPIRED", 401, "This took too long, or your password was changed. Please sign in again.");

const passwordField = z
  .string({ error: SHORT_PASSWORD })
  .refine((password) => passwordLength(password) >= MIN_PASSWORD_LENGTH, { error: SHORT_PASSWORD });

/** The sign-in form. */
export const loginFormSchema = z.object({
  email: emailField,
  password: passwordField,
  organisationId: optionalId,
  next: z.string().optional(),
});

/** POST /api/login: an email or a username, and both spellings of the organisation. */
export const loginCallSchema: z.ZodType<Credentials> = z
  .object({
    email: emailField.optional(),
    username: z
      .string({ error: "Enter the username as text" })
      .max(254, { error: "This username is too long" })
      .optional(),
    password: passwordField,
    organisationId: optionalId,
    organizationId: optionalId,
    totp: z.string({ error: "Enter the code as text" }).max(100, { error: "This code is too long" }).nullish(),
  })
  .refine(({ email, username }) => Boolean(email ?? username), { path: ["email"], error: INVALID_EMAIL })
  .transform(({ email, username, password, organisationId, organizationId, totp }) => ({
    login: email ?? username ?? "",
    password,
    organizationId: organisationId ?? organizationId,
    totp: totp || undefined,
  }));

type SignIn = Credentials & {
  /** `organizationId` is a wish: a person who does not belong to it starts where they were last. */
  organizationIsHint?: boolean;
  /** The session the request came with; a sign-in ends it. */
  presentedSessionId?: string;
};

type SecondStep = { ticket: SignInTicket; totp: string; presentedSessionId?: string };

/** A sign-in that may go on, and what has to hold when it is written. */
type AllowedSignIn = {
  account: Account;
  locks: Lock[];
  code?: TakenCode;
  current?: Membership & { id: string };
  /** The password hashed anew, where its hash was made with older parameters. */
  rehashed?: string;
  presentedSessionId?: string;
};

/** A sign-in that failed: it counts towards the lock, and leaves an audit entry. */
type RefusedSignIn = { error: AppError; lock: Lock; account?: Account; details?: { step: "code" } };

type CheckedSignIn = { allowed: AllowedSignIn } | { refused: RefusedSignIn };

/** The id of no account, for look-ups that are made whether or not there is an account. */
const NOBODY = "nobody";

/**
 * The first step. The same work whether the account does not exist, the password is wrong, the person is inactive, or the
 * organisation is not theirs. Only people who gave the right password are asked for a code.
 * @throws AppError 429 SIGN_IN_LOCKED, TotpRequired
 */
async function checkPassword(services: Services, input: SignIn): Promise<CheckedSignIn> {
  const account = await findAccount(services, input.login);
  const lock = await passwordLock(services, input.login, account?.id);
  await requireUnlocked(services, lock);

  const { ok, needsRehash } = await services.passwords.verify(input.password, account?.password);
  const choice = await findChoice(services, input, account?.id ?? NOBODY);
  if (!account || !ok || account.status === "inactive" || !choice.isAllowed) {
    return { refused: { error: invalidCredentials(), lock, account } };
  }

  const { totp, organizationId, organizationIsHint, presentedSessionId } = input;
  if (account.twoStep && totp === undefined) {
    const passwordDigest = await services.secrets.hashToken(account.password);
    const issuedAt = services.clock.now();
    throw new TotpRequired({ userId: account.id, passwordDigest, organizationId, organizationIsHint, issuedAt });
  }
  const rehashed = needsRehash ? await services.passwords.hash(input.password) : undefined;
  return checkCode(services, totp ?? "", {
    account,
    locks: [lock],
    current: choice.current,
    rehashed,
    presentedSessionId,
  });
}

/**
 * The second step: the code, for a ticket that the first step gave out.
 * @throws AppError 401 SIGN_IN_EXPIRED when the ticket is too old or the password was changed, 429 SIGN_IN_LOCKED
 */
async function checkTicket(services: Services, input: SecondStep): Promise<CheckedSignIn> {
  const { ticket, totp, presentedSessionId } = input;
  const account = await findAccountById(services, ticket.userId);
  const isOver = ticket.issuedAt + TICKET_TTL_MS <= services.clock.now();
  if (!account || isOver || account.status === "inactive") throw signInExpired();
  if ((await services.secrets.hashToken(account.password)) !== ticket.passwordDigest) throw signInExpired();
  const { current } = await findChoice(services, ticket, account.id);
  const locks = [await passwordLock(services, account.email, account.id)];
  return checkCode(services, totp, { account, locks, current, presentedSessionId });
}

/** The code of a person with two-step sign-in. Other people are not asked for one. */
async function checkCode(services: Services, totp: string, allowed: AllowedSignIn): Promise<CheckedSignIn> {
  const { account } = allowed;
  if (!account.twoStep) return { allowed };
  const lock = codeLock(account.id);
  await requireUnlocked(services, lock);
  const code = await spendCode(services, account.id, account.twoStep, totp);
  if (!code) return { refused: { error: wrongCode(), lock, account, details: { step: "code" } } };
  return { allowed: { ...allowed, locks: [...allowed.locks, lock], code } };
}

type Choice = { isAllowed: boolean; current?: Membership & { id: string } };

async function findChoice(
  services: Services,
  { organizationId, organizationIsHint }: Pick<SignIn, "organizationId" | "organizationIsHint">,
  userId: string,
): Promise<Choice> {
  if (!organizationId) return { isAllowed: true };
  const membership = await findMembership(services, organizationId, userId);
  return membership
    ? { isAllowed: true, current: { id: organizationId, ...membership } }
    : { isAllowed: organizationIsHint === true };
}

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
export function signIn(services: Services, origin: Origin, input: SignIn): Promise<SignedIn> {
  return finish(services, origin, () => checkPassword(services, input), invalidCredentials);
}

/**
 * The second step: the code, for a ticket that `signIn` gave out.
 * @throws AppError 401 SIGN_IN_EXPIRED when the ticket is too old or the password was changed, 401 INVALID_TOTP, 429
 */
export function finishSignIn(services: Services, origin: Origin, input: SecondStep): Promise<SignedIn> {
  return finish(services, origin, () => checkTicket(services, input), signInExpired);
}

async function finish(
  services: Services,
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
async function writeSignIn(services: Services, origin: Origin, allowed: AllowedSignIn): Promise<SignedIn | undefined> {
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
    evenOnHold: true,
  });
  return ok ? getSignedIn(services, origin, session) : undefined;
}

/** @returns what to throw: the error, or 429 when the account has had too many failures */
async function writeRefusal(
  services: Services,
  origin: Origin,
  { error, lock, account, details }: RefusedSignIn,
): Promise<AppError> {
  await runCommand(
    services,
    { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin },
    {
      audit: [{ action: "session.refused", ...aboutUser(account?.id ?? "unknown"), details }],
      answer: undefined,
      evenOnHold: true,
    },
  );
  await countFailure(services, lock);
  return error;
}
