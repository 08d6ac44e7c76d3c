import type { Condition } from "@db/precondition";
import { singleSignOn, users } from "@db/schema/index";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { and, eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { isByPasskey, type Origin, type Vouched } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import { emailDomain } from "~/kernel/email";
import type { SignInMethod } from "~/kernel/enums";
import { emailField, optionalId } from "~/kernel/fields.schema.server";
import { INVALID_EMAIL, SHORT_PASSWORD, WRONG_CREDENTIALS } from "~/kernel/messages";
import { MIN_PASSWORD_LENGTH, passwordLength } from "~/kernel/password-rules";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import {
  findProviderOf,
  providerRequired,
  standingAtProvider,
} from "~/modules/accounts/single-sign-on/provider-rule.server";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
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
  checkAssertion,
  findPasskey,
  invalidPasskey,
  listCredentials,
  queuePasskeyEmail,
  readAssertion,
  type TakenPasskey,
} from "./passkey-assertion.server";
import {
  CHALLENGE_TTL_MS,
  isOpen,
  newChallenge,
  type PasskeyChallenge,
  relyingParty,
  spendChallenge,
} from "./passkey-challenge.server";
import {
  accountIsUnlocked,
  codeLock,
  countFailure,
  forgetFailures,
  type Lock,
  passkeyLock,
  passwordLock,
  requireUnlocked,
  spendCode,
  type TakenCode,
  twoStepIs,
} from "./proof.server";
import { closeSession, getSignedIn, isAskedForPasskey, openSession, type SignedIn } from "./session.server";

/** Two-step sign-in: a code after the password. Pure. */

/** How long a person who gave the right password may take to give the code. */
export const TICKET_TTL_MS = 10 * MINUTE_MS;

/** What remembers, between the two steps, that the password was right. Kept by the browser, sealed. */
export type SignInTicket = {
  userId: string;
  /** In place of the password: the word of an organisation's provider. */
  vouchedBy?: Vouched;
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

export const signInExpired = () =>
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
  /** The person is at a page that can offer them a passkey afterwards. */
  mayOfferPasskey?: boolean;
};

type SecondStep = {
  ticket: SignInTicket;
  totp: string;
  presentedSessionId?: string;
  mayOfferPasskey?: boolean;
};

/** What a device answered, as JSON, and what this browser was asked; null when it was asked nothing. */
type PasskeyAnswer = { passkey: string; kept: PasskeyChallenge | null; presentedSessionId?: string };

/** A sign-in that may go on, and what has to hold when it is written. */
type AllowedSignIn = {
  account: Account;
  locks: Lock[];
  code?: TakenCode;
  passkey?: TakenPasskey;
  method: SignInMethod;
  mayOfferPasskey?: boolean;
  current?: Membership & { id: string };
  /** The person came from their organisation's provider. */
  vouchedBy?: Vouched;
  /** What is written besides, if it still holds. */
  part?: CommandPart & { conditions: readonly Condition[] };
  /** The password hashed anew, where its hash was made with older parameters. */
  rehashed?: string;
  presentedSessionId?: string;
};

/** A sign-in that failed: it counts towards the lock, and leaves an audit entry. */
type RefusedSignIn = {
  error: AppError;
  lock: Lock;
  account?: Account;
  details?: { step: "code" | "passkey" | "passkey_counter" | "provider" };
  jobs?: NewJob[];
  /** A challenge that was answered wrongly is not answered again. */
  kept?: PasskeyChallenge;
};

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
  // The same for every address of a domain whose people sign in with their company, whatever was typed beside it.
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

/** What the organisation that a person is going to asks of them. */
async function standingAt(services: Services, account: Account, { current }: Pick<Choice, "current">) {
  const organizationId = current?.id ?? account.organizationId;
  return organizationId === null ? undefined : standingAtProvider(services, account.id, organizationId);
}

/**
 * The second step: the code, for a ticket that the first step gave out.
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

/** Whether the person of a ticket has a code to give: who is asked for a passkey only has none. */
export const asksForCode = async (services: Services, { userId }: SignInTicket): Promise<boolean> =>
  Boolean((await findAccountById(services, userId))?.twoStep);

/** Whose ticket it is, and where they are going. @throws AppError 401 SIGN_IN_EXPIRED */
async function openTicket(services: Services, ticket: SignInTicket) {
  const account = await findAccountById(services, ticket.userId);
  const isOver = ticket.issuedAt + TICKET_TTL_MS <= services.clock.now();
  if (!account || isOver || account.status === "inactive") throw signInExpired();
  if ((await services.secrets.hashToken(account.password)) !== ticket.passwordDigest) throw signInExpired();
  const { current } = await findChoice(services, ticket, account.id);
  return { account, current };
}

/** The code of a person with two-step sign-in. Other people are not asked for one. */
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
 * A passkey in place of password and code. The same answer for a passkey that is not known, was removed, is wrong, or is of
 * an inactive person.
 */
async function checkPasskey(services: Services, input: PasskeyAnswer): Promise<CheckedSignIn> {
  const { kept, presentedSessionId } = input;
  if (!kept || !isOpen(services, kept, { purpose: "sign_in", boundTo: "" })) throw passkeyExpired();
  const response = readAssertion(input.passkey);
  const passkey = await findPasskey(services, response.id);
  const lock = passkeyLock(passkey?.userId ?? (await services.secrets.hashToken(response.id)));
  await requireUnlocked(services, lock);
  const account = passkey && (await findAccountById(services, passkey.userId));
  const refused = { error: invalidPasskey(), lock, account, details: { step: "passkey" as const }, kept };
  if (!account || account.status === "inactive") return { refused };
  const checked = await checkAssertion(services, kept, passkey, response);
  if ("refused" in checked) return { refused: await tellOfCopy(services, refused, checked.refused, passkey.name) };
  if ((await standingAt(services, account, {})) === "required") {
    const provider = await findProviderOf(services, emailDomain(account.email));
    return { refused: { ...refused, error: provider ? providerRequired(provider.name) : invalidPasskey() } };
  }
  return { allowed: { account, locks: [lock], passkey: checked.taken, method: "passkey", presentedSessionId } };
}

/** A passkey of the ticket's own person, in place of the code. Wrong ones count with wrong codes. */
async function checkTicketPasskey(
  services: Services,
  input: PasskeyAnswer & { ticket: SignInTicket },
): Promise<CheckedSignIn> {
  const { ticket, kept, presentedSessionId } = input;
  const { account, current } = await openTicket(services, ticket);
  const boundTo = await nameOfTicket(services, ticket);
  if (!kept || !isOpen(services, kept, { purpose: "second_step", boundTo })) throw passkeyExpired();
  const lock = codeLock(account.id);
  await requireUnlocked(services, lock);
  const response = readAssertion(input.passkey);
  const passkey = await findPasskey(services, response.id);
  const refused = { error: invalidPasskey(), lock, account, details: { step: "passkey" as const }, kept };
  if (passkey?.userId !== account.id) return { refused };
  const checked = await checkAssertion(services, kept, passkey, response);
  if ("refused" in checked) return { refused: await tellOfCopy(services, refused, checked.refused, passkey.name) };
  const locks = [await passwordLock(services, account.email, account.id), lock];
  const { vouchedBy } = ticket;
  const method = vouchedBy ? "passkey" : "password_and_passkey";
  return { allowed: { account, locks, passkey: checked.taken, method, current, presentedSessionId, vouchedBy } };
}

/** A counter that went back means that the key may have been copied: the person is told. */
async function tellOfCopy(
  services: Services,
  refused: RefusedSignIn,
  why: "wrong" | "counter",
  name: string,
): Promise<RefusedSignIn> {
  if (why === "wrong" || !refused.account) return refused;
  const jobs = await queuePasskeyEmail(services, refused.account, { change: "counter", name });
  return { ...refused, details: { step: "passkey_counter" }, jobs };
}

const passkeyExpired = () =>
  new AppError("PASSKEY_EXPIRED", 401, "This took too long. Choose your passkey again, or use your password.");

/** Names the first step of a sign-in: what was asked for one is not answered in another. */
const nameOfTicket = ({ secrets }: Services, { userId, passwordDigest, issuedAt }: SignInTicket): Promise<string> =>
  secrets.hashToken(`${userId}\n${passwordDigest}\n${issuedAt}`);

/** What a browser asks a device for, and what it keeps until the device answers. */
type AskedPasskey = { options: PublicKeyCredentialRequestOptionsJSON; kept: PasskeyChallenge };

/**
 * Asks for a passkey: any that the person has here, or, after the password, one of the ticket's person.
 * @throws AppError 401 SIGN_IN_EXPIRED for a ticket that is over, 409 PASSKEYS_NOT_POSSIBLE
 */
export async function askForPasskey(services: Services, ticket: SignInTicket | null): Promise<AskedPasskey> {
  const { id: rpId, isPossible } = relyingParty(services);
  if (!isPossible) {
    throw new AppError("PASSKEYS_NOT_POSSIBLE", 409, "Browsers use no passkeys at an address that is a number.");
  }
  const kept = ticket
    ? newChallenge(services, "second_step", await nameOfTicket(services, ticket))
    : newChallenge(services, "sign_in", "");
  const known = ticket ? await listCredentials(services, (await openTicket(services, ticket)).account.id) : [];
  const allowCredentials = known.map(({ id, transports }) => ({ id, type: "public-key" as const, transports }));
  const { challenge } = kept;
  return {
    options: { challenge, rpId, allowCredentials, userVerification: "required", timeout: CHALLENGE_TTL_MS },
    kept,
  };
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
 * with two-step sign-in TotpRequired (401 TOTP_REQUIRED), 401 INVALID_TOTP, 429 after 5 wrong codes; 403 PROVIDER_REQUIRED
 * where the address belongs to an organisation whose people sign in with their company
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

/**
 * Signs a person in with a passkey, which counts as both steps.
 * @throws AppError 401 INVALID_PASSKEY, PASSKEY_EXPIRED, 429 SIGN_IN_LOCKED after 10 failures in 15 minutes
 */
export function signInWithPasskey(services: Services, origin: Origin, input: PasskeyAnswer): Promise<SignedIn> {
  return finish(services, origin, () => checkPasskey(services, input), invalidPasskey);
}

/** The second step with a passkey. @throws AppError as `finishSignIn`, and 401 INVALID_PASSKEY, PASSKEY_EXPIRED */
export function finishSignInWithPasskey(
  services: Services,
  origin: Origin,
  input: PasskeyAnswer & { ticket: SignInTicket },
): Promise<SignedIn> {
  return finish(services, origin, () => checkTicketPasskey(services, input), invalidPasskey);
}

type VouchedSignIn = {
  account: Account;
  vouchedBy: Vouched;
  current: Membership & { id: string };
  /** The provider asked for two factors, or the person gave the second here just now. */
  hasTakenTwoSteps: boolean;
  /** How the session began that this one follows, while its person is at work: a second step given there counts on. */
  carriedOn?: SignInMethod | null;
  part: CommandPart & { conditions: readonly Condition[] };
  presentedSessionId?: string;
};

/**
 * Signs in a person whom their organisation's provider vouched for. What a person has set up here as a second step is asked
 * for where the provider did not say that it asked for two; a passkey in any case where their organisation asks for passkeys, for
 * a provider's word is none.
 * @throws AppError 401 SIGN_IN_EXPIRED when something changed meanwhile; TotpRequired
 */
export async function signInVouched(services: Services, origin: Origin, input: VouchedSignIn): Promise<SignedIn> {
  const { account, vouchedBy, current, hasTakenTwoSteps, carriedOn, part, presentedSessionId } = input;
  const isKept = isByPasskey(carriedOn) || carriedOn === "provider_two_step";
  const asksPasskey = !isByPasskey(carriedOn) && (await isAskedForPasskey(services, account.id));
  if (asksPasskey || (account.twoStep && !hasTakenTwoSteps && !isKept)) {
    const passwordDigest = await services.secrets.hashToken(account.password);
    const issuedAt = services.clock.now();
    throw new TotpRequired({ userId: account.id, passwordDigest, organizationId: current.id, vouchedBy, issuedAt });
  }
  const method = isKept && carriedOn ? carriedOn : hasTakenTwoSteps ? "provider_two_step" : "provider";
  const allowed = { account, locks: [], method, current, presentedSessionId, vouchedBy, part } as const;
  const signedIn = await writeSignIn(services, origin, { ...allowed, locks: [] });
  if (!signedIn) throw signInExpired();
  return signedIn;
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
  const { account, locks, code, passkey, current, rehashed, presentedSessionId, method, vouchedBy, part } = allowed;
  const { id: userId, role } = account;
  const isOffer =
    allowed.mayOfferPasskey === true && account.passkeyOfferedAt === null && relyingParty(services).isPossible;
  const session = await openSession(services, userId, origin, method, vouchedBy);
  const isPastProvider = !vouchedBy && (await standingAt(services, account, { current })) === "way_in";
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
      ...((passkey ?? code)?.conditions ??
        (vouchedBy && method !== "provider" ? [] : [twoStepIs(services, userId, "off")])),
      ...(vouchedBy ? [takesProvider(services, vouchedBy)] : []),
      ...(part?.conditions ?? []),
    ],
    uniques: { linked_to_another: "provider_people" },
    statements: [
      ...((passkey ?? code)?.statements ?? []),
      session.statement,
      ...(presentedSessionId ? [closeSession(services, presentedSessionId)] : []),
      services.db
        .update(users)
        .set({
          lastLoginAt: services.clock.now(),
          ...moved,
          ...(rehashed ? { password: rehashed } : {}),
          ...(isOffer ? { passkeyOfferedAt: services.clock.now() } : {}),
        })
        .where(eq(users.id, userId)),
      ...locks.map((lock) => forgetFailures(services, lock)),
      device.statement,
    ],
    audit: [
      { action: "session.started", ...aboutUser(userId), details: startedWith(allowed) },
      ...(isPastProvider ? [{ action: "session.past_provider" as const, ...aboutUser(userId) }] : []),
    ],
    parts: part ? [part] : [],
    jobs: await queueNewDeviceEmail(services, origin, account),
    answer: undefined,
    evenOnHold: true,
  });
  if (!ok) return undefined;
  const signedIn = await getSignedIn(services, origin, session);
  return isOffer ? { ...signedIn, offersPasskey: true } : signedIn;
}

/** The organisation still lets its provider's people in: a second step may come minutes after the first. */
function takesProvider({ db }: Services, { organizationId }: Vouched): Condition<"settings_changed"> {
  const isOn = and(eq(singleSignOn.organizationId, organizationId), ne(singleSignOn.mode, "off"));
  return { name: "settings_changed", found: db.select({ one: sql`1` }).from(singleSignOn).where(isOn) };
}

function startedWith({ passkey, vouchedBy }: AllowedSignIn) {
  if (vouchedBy) return { with: "provider" as const };
  return passkey ? { with: "passkey" as const } : undefined;
}

/** @returns what to throw: the error, or 429 when the account has had too many failures */
async function writeRefusal(
  services: Services,
  origin: Origin,
  { error, lock, account, details, jobs, kept }: RefusedSignIn,
): Promise<AppError> {
  const statements = kept ? [(await spendChallenge(services, kept)).statement] : [];
  await runCommand(
    services,
    { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin },
    {
      audit: [{ action: "session.refused", ...aboutUser(account?.id ?? "unknown"), details }],
      jobs,
      statements,
      answer: undefined,
      evenOnHold: true,
    },
  );
  await countFailure(services, lock);
  return error;
}
