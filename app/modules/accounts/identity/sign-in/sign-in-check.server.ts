import type { AppError } from "~/kernel/app-error";
import type { Services } from "~/services";
import { type Account, findAccount, findAccountById, findMembership, type Membership } from "../account.server";
import { type SignInTicket, TICKET_TTL_MS, TotpRequired, wrongCode } from "../two-step/two-step";
import { spendCode, type TakenCode } from "../two-step/two-step.server";
import { type Credentials, invalidCredentials, signInExpired } from "./sign-in";
import { codeLock, type Lock, passwordLock, requireUnlocked } from "./sign-in-lock.server";

type Checking = Pick<Services, "db" | "clock" | "secrets" | "passwords">;

export type SignIn = Credentials & {
  /** `organizationId` is a wish: a person who does not belong to it starts where they were last. */
  organizationIsHint?: boolean;
  /** The session the request came with; a sign-in ends it. */
  presentedSessionId?: string;
};

export type SecondStep = { ticket: SignInTicket; totp: string; presentedSessionId?: string };

/** A sign-in that may go on, and what has to hold when it is written. */
export type AllowedSignIn = {
  account: Account;
  locks: Lock[];
  code?: TakenCode;
  current?: Membership & { id: string };
  /** The password hashed anew, where its hash was made with older parameters. */
  rehashed?: string;
  presentedSessionId?: string;
};

/** A sign-in that failed: it counts towards the lock, and leaves an audit entry. */
export type RefusedSignIn = { error: AppError; lock: Lock; account?: Account; details?: Record<string, unknown> };

export type CheckedSignIn = { allowed: AllowedSignIn } | { refused: RefusedSignIn };

/** The id of no account, for look-ups that are made whether or not there is an account. */
const NOBODY = "nobody";

/**
 * The first step. The same work whether the account does not exist, the password is wrong, the person is inactive, or the
 * organisation is not theirs. Only people who gave the right password are asked for a code.
 * @throws AppError 429 SIGN_IN_LOCKED, TotpRequired
 */
export async function checkPassword(services: Checking, input: SignIn): Promise<CheckedSignIn> {
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
export async function checkTicket(services: Checking, input: SecondStep): Promise<CheckedSignIn> {
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
async function checkCode(services: Checking, totp: string, allowed: AllowedSignIn): Promise<CheckedSignIn> {
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
  services: Checking,
  { organizationId, organizationIsHint }: Pick<SignIn, "organizationId" | "organizationIsHint">,
  userId: string,
): Promise<Choice> {
  if (!organizationId) return { isAllowed: true };
  const membership = await findMembership(services, organizationId, userId);
  return membership
    ? { isAllowed: true, current: { id: organizationId, ...membership } }
    : { isAllowed: organizationIsHint === true };
}
