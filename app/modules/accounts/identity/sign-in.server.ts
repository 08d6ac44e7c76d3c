import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { emailDomain } from "~/kernel/email";
import { emailField, MIN_PASSWORD_LENGTH, optionalId, passwordLength } from "~/kernel/fields.schema.server";
import { INVALID_EMAIL, SHORT_PASSWORD, WRONG_CREDENTIALS } from "~/kernel/messages";
import { findProviderOf, providerRequired } from "~/modules/accounts/single-sign-on/provider-rule.server";
import type { Origin, Services } from "~/services-and-actor";
import { findAccount, findAccountById } from "./account.server";
import { codeLock, passwordLock, requireUnlocked, spendCode } from "./proof.server";
import type { SignedIn } from "./session.server";
import {
  type AllowedSignIn,
  type CheckedSignIn,
  findChoice,
  openTicket,
  runSignIn,
  type SignInTicket,
  signInExpired,
  standingAt,
  TotpRequired,
} from "./sign-in-steps.server";

/** Signs people in with a password, and a code after it. */

const wrongCode = () =>
  new AppError("INVALID_TOTP", "This code is not right, or was used before. Wait for the next one and try again.");

type Credentials = {
  /** An email address, or a username: usernames hold no `@`. */
  login: string;
  password: string;
  /** The organisation to work in; must be one of the person's own. */
  organizationId?: string;
  /** The code of two-step sign-in, from the app or a recovery code. */
  totp?: string;
};

const invalidCredentials = () => new AppError("INVALID_CREDENTIALS", WRONG_CREDENTIALS);

const passwordField = z
  .string({ error: SHORT_PASSWORD })
  .refine((password) => passwordLength(password) >= MIN_PASSWORD_LENGTH, { error: SHORT_PASSWORD });

export const loginFormSchema = z.object({
  email: emailField,
  password: passwordField,
  organisationId: optionalId,
  next: z.string().optional(),
});

/** POST /api/login: an email or a username, and both spellings of the organisation field. */
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
  /** `organizationId` is only a preference: a person who does not belong to it starts where they were last. */
  organizationIsHint?: boolean;
  /** The request's session; a sign-in ends it. */
  presentedSessionId?: string;
  /** The page can offer the person a passkey afterwards. */
  mayOfferPasskey?: boolean;
};

type SecondStep = {
  ticket: SignInTicket;
  totp: string;
  presentedSessionId?: string;
  mayOfferPasskey?: boolean;
};

/** An id that belongs to no account, so that look-ups happen whether or not the account exists. */
const NOBODY = "nobody";

/**
 * The first step. Does the same work whether the account does not exist, the password is wrong, the person is inactive,
 * or the organisation is not theirs. Only people who gave the correct password are asked for a code.
 * @throws AppError 429 SIGN_IN_LOCKED, TotpRequired
 */
async function checkPassword(services: Services, input: SignIn): Promise<CheckedSignIn> {
  const account = await findAccount(services, input.login);
  const lock = await passwordLock(services, input.login, account?.id);
  await requireUnlocked(services, lock);

  const { ok, needsRehash } = await services.passwords.verify(input.password, account?.password);
  const choice = await findChoice(services, input, account?.id ?? NOBODY);
  // The same for every address of a domain that uses single sign-on, whatever password was typed.
  const provider = await findProviderOf(services, emailDomain(input.login));
  const refusal = provider?.mode === "required" ? providerRequired(provider.name) : invalidCredentials();
  if (!account || !ok || account.status === "inactive" || !choice.isAllowed) {
    return { refused: { error: refusal, lock, account } };
  }
  if ((await standingAt(services, account, choice)) === "required") {
    return { refused: { error: refusal, lock, account, details: { step: "provider" } } };
  }

  const { totp, organizationId, organizationIsHint, presentedSessionId, mayOfferPasskey } = input;
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
    mayOfferPasskey,
    method: "password",
  });
}

/**
 * The second step: the code, for a ticket from the first step.
 * @throws AppError 401 SIGN_IN_EXPIRED when the ticket is too old or the password was changed, 429 SIGN_IN_LOCKED
 */
async function checkTicket(services: Services, input: SecondStep): Promise<CheckedSignIn> {
  const { ticket, totp, presentedSessionId, mayOfferPasskey } = input;
  const { account, current } = await openTicket(services, ticket);
  const locks = [await passwordLock(services, account.email, account.id)];
  const { vouchedBy } = ticket;
  const method = vouchedBy ? "provider" : "password";
  return checkCode(services, totp, { account, locks, current, presentedSessionId, mayOfferPasskey, method, vouchedBy });
}

/** True if the person of a ticket has two-step codes; somebody who is only asked for a passkey has none. */
export const asksForCode = async (services: Services, { userId }: SignInTicket): Promise<boolean> =>
  Boolean((await findAccountById(services, userId))?.twoStep);

/** Checks the code of a person with two-step sign-in. Other people have none. */
async function checkCode(services: Services, totp: string, allowed: AllowedSignIn): Promise<CheckedSignIn> {
  const { account } = allowed;
  if (!account.twoStep) return { allowed };
  const lock = codeLock(account.id);
  await requireUnlocked(services, lock);
  const code = await spendCode(services, account.id, account.twoStep, totp);
  if (!code) return { refused: { error: wrongCode(), lock, account, details: { step: "code" } } };
  const method = allowed.vouchedBy ? "provider_two_step" : "password_and_code";
  return { allowed: { ...allowed, locks: [...allowed.locks, lock], code, method } };
}

/**
 * Signs a person in: always with a new session, and the request's session ends.
 *
 * Gives the same answer, after the same work, whether the account does not exist, the password is wrong, the person is
 * inactive, or the organisation is not theirs.
 * @throws AppError 401 INVALID_CREDENTIALS, 429 SIGN_IN_LOCKED after 10 failures of this account in 15 minutes; with
 * two-step sign-in TotpRequired (401 TOTP_REQUIRED), 401 INVALID_TOTP, 429 after 5 wrong codes; 403 PROVIDER_REQUIRED
 * when the address belongs to an organisation with single sign-on
 */
export function signIn(services: Services, origin: Origin, input: SignIn): Promise<SignedIn> {
  return runSignIn(services, origin, () => checkPassword(services, input), invalidCredentials);
}

/**
 * The second step: the code, for a ticket from `signIn`.
 * @throws AppError 401 SIGN_IN_EXPIRED when the ticket is too old or the password was changed, 401 INVALID_TOTP, 429
 */
export function finishSignIn(services: Services, origin: Origin, input: SecondStep): Promise<SignedIn> {
  return runSignIn(services, origin, () => checkTicket(services, input), signInExpired);
}
