import { type Condition, rowIn, singleSignOn, users } from "@db/database";
import { and, eq, ne } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import type { SignInMethod } from "~/kernel/enums";
import { standingAtProvider } from "~/modules/accounts/single-sign-on/provider-rule.server";
import { type CommandPart, type NewJob, runCommand } from "~/modules/core/commands/run-command.server";
import {
  isByPasskey,
  type Origin,
  PLATFORM_ORGANIZATION_ID,
  type Services,
  type SessionOrigin,
  type Vouched,
} from "~/services-and-actor";
import {
  type Account,
  aboutUser,
  accountIsUnchanged,
  asAccountActor,
  findAccountById,
  findMembership,
  type Membership,
} from "./account.server";
import { type PasskeyChallenge, relyingParty, spendChallenge, type TakenPasskey } from "./passkey-assertion.server";
import {
  accountIsUnlocked,
  countFailure,
  forgetFailures,
  isAskedForPasskey,
  type Lock,
  type TakenCode,
  twoStepIs,
} from "./proof.server";
import {
  closeSession,
  getSignedIn,
  openSession,
  queueNewDeviceEmail,
  rememberDevice,
  type SignedIn,
} from "./session.server";

/** What all ways to sign in share: the ticket between two steps, and writing the sign-in or its refusal. */

/** How long a person may take to enter the code after the correct password. */
export const TICKET_TTL_MS = 10 * MINUTE_MS;

/** Proves, between the two steps, that the password was correct. The browser keeps it, encrypted. */
export type SignInTicket = {
  userId: string;
  /** In place of the password: the organisation's provider vouched for the person. */
  vouchedBy?: Vouched;
  /** A digest of the stored hash, so that changing the password invalidates the ticket. */
  passwordDigest: string;
  organizationId?: string;
  organizationIsHint?: boolean;
  issuedAt: number;
};

/** The password was correct, and the account requires a code. */
export class TotpRequired extends AppError {
  constructor(readonly ticket: SignInTicket) {
    super("TOTP_REQUIRED", "Enter the code from your authenticator app.");
  }
}

export const signInExpired = () =>
  new AppError("SIGN_IN_EXPIRED", "This took too long, or your password was changed. Please sign in again.");

/** A sign-in that may proceed, and what must hold when it is written. */
export type AllowedSignIn = {
  account: Account;
  locks: Lock[];
  code?: TakenCode;
  passkey?: TakenPasskey;
  method: SignInMethod;
  /** From when a passkey that was used in an earlier session counts. */
  passkeyCountsFrom?: number | undefined;
  /** When a second step was passed in an earlier session; absent: now, if there was one. */
  provenAt?: number | undefined;
  mayOfferPasskey?: boolean;
  current?: Membership & { id: string };
  /** The provider that vouched for the person. */
  vouchedBy?: Vouched;
  /** Further parts to write, with their conditions. */
  part?: CommandPart & { conditions: readonly Condition[] };
  /** The password hashed again, if its hash used older parameters. */
  rehashed?: string;
  presentedSessionId?: string;
};

/** A failed sign-in: it counts towards the lock and leaves an audit entry. */
export type RefusedSignIn = {
  error: AppError;
  lock: Lock;
  account?: Account;
  details?: { step: "code" | "passkey" | "passkey_counter" | "provider" };
  jobs?: NewJob[];
  /** A challenge that was answered wrongly cannot be answered again. */
  kept?: PasskeyChallenge;
};

export type CheckedSignIn = { allowed: AllowedSignIn } | { refused: RefusedSignIn };

/** The sign-in requirements of the organisation that a person is going to. */
export async function standingAt(services: Services, account: Account, { current }: Pick<Choice, "current">) {
  const organizationId = current?.id ?? account.organizationId;
  return organizationId === null ? undefined : standingAtProvider(services, account.id, organizationId);
}

/** The ticket's account, and the organisation they are going to. @throws AppError 401 SIGN_IN_EXPIRED */
export async function openTicket(services: Services, ticket: SignInTicket) {
  const account = await findAccountById(services, ticket.userId);
  const isOver = ticket.issuedAt + TICKET_TTL_MS <= services.clock.now();
  if (!account || isOver || account.status === "inactive") throw signInExpired();
  if ((await services.secrets.hashToken(account.password)) !== ticket.passwordDigest) throw signInExpired();
  const { current } = await findChoice(services, ticket, account.id);
  return { account, current };
}

type Choice = { isAllowed: boolean; current?: Membership & { id: string } };

export async function findChoice(
  services: Services,
  { organizationId, organizationIsHint }: Pick<SignInTicket, "organizationId" | "organizationIsHint">,
  userId: string,
): Promise<Choice> {
  if (!organizationId) return { isAllowed: true };
  const membership = await findMembership(services, organizationId, userId);
  return membership
    ? { isAllowed: true, current: { id: organizationId, ...membership } }
    : { isAllowed: organizationIsHint === true };
}

type VouchedSignIn = {
  account: Account;
  vouchedBy: Vouched;
  current: Membership & { id: string };
  /** The provider asked for two factors, or the person has just passed a second step here. */
  hasTakenTwoSteps: boolean;
  /** The provider was asked silently about a person with a running session. */
  isRenewal?: boolean;
  /** The earlier session that this one continues, whose second step still counts. */
  carriedOn?: SessionOrigin | undefined;
  part: CommandPart & { conditions: readonly Condition[] };
  presentedSessionId?: string;
};

/**
 * Signs in a person for whom their organisation's provider vouches. Their own second step here is required if the
 * provider did not report two factors; a passkey is always required if their organisation requires passkeys, because a
 * provider's statement does not replace one.
 * @throws AppError 401 SIGN_IN_EXPIRED when something changed meanwhile; TotpRequired
 */
export async function signInVouched(services: Services, origin: Origin, input: VouchedSignIn): Promise<SignedIn> {
  const { account, vouchedBy, current, hasTakenTwoSteps, isRenewal, carriedOn, part, presentedSessionId } = input;
  const before = carriedOn?.signInMethod;
  const asksPasskey = !isByPasskey(before) && (await isAskedForPasskey(services, account.id, "always"));
  const isKept = isByPasskey(before) || before === "provider_two_step";
  if (asksPasskey || (account.twoStep && !hasTakenTwoSteps && !isKept)) {
    const passwordDigest = await services.secrets.hashToken(account.password);
    const issuedAt = services.clock.now();
    throw new TotpRequired({ userId: account.id, passwordDigest, organizationId: current.id, vouchedBy, issuedAt });
  }
  const method = isKept && before ? before : hasTakenTwoSteps ? "provider_two_step" : "provider";
  const provenAt = hasTakenTwoSteps && !isRenewal ? services.clock.now() : carriedOn?.provenAt;
  const came = { method, provenAt, passkeyCountsFrom: carriedOn?.passkeyCountsFrom, vouchedBy } as const;
  const allowed = { account, ...came, current, presentedSessionId, part } as const;
  const signedIn = await writeSignIn(services, origin, { ...allowed, locks: [] });
  if (!signedIn) throw signInExpired();
  return signedIn;
}

/** A lock, a new password or a used code may intervene while the password is compared; it is checked again. */
const TRIES = 2;

/** Checks a sign-in and writes it, or its refusal. @param outrun the error when something changed on every attempt */
export async function runSignIn(
  services: Services,
  origin: Origin,
  check: () => Promise<CheckedSignIn>,
  outrun: () => AppError,
): Promise<SignedIn> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const checked = await check();
    if ("refused" in checked) throw await refuseSignIn(services, origin, checked.refused);
    const signedIn = await writeSignIn(services, origin, checked.allowed);
    if (signedIn) return signedIn;
  }
  throw outrun();
}

/** Undefined when something changed since the check. */
async function writeSignIn(services: Services, origin: Origin, allowed: AllowedSignIn): Promise<SignedIn | undefined> {
  const { account, locks, code, passkey, current, rehashed, presentedSessionId, method, vouchedBy, part } = allowed;
  const { id: userId, role } = account;
  const isOffer =
    allowed.mayOfferPasskey === true && account.passkeyOfferedAt === null && relyingParty(services).isPossible;
  const session = await openSession(services, userId, origin, {
    signInMethod: method,
    passkeyCountsFrom: passkey?.countsFrom ?? allowed.passkeyCountsFrom,
    provenAt: provenBy(allowed, services.clock.now()),
    vouchedBy,
  });
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
    evenOnHold: true,
  });
  if (!ok) return undefined;
  const signedIn = await getSignedIn(services, origin, session);
  return isOffer ? { ...signedIn, offersPasskey: true } : signedIn;
}

/** When the person passed a second step that is no longer new. A new one does not count where one is required. */
function provenBy({ account, code, passkey, provenAt }: AllowedSignIn, now: number): number | undefined {
  const countsFrom = passkey?.countsFrom ?? (code && account.twoStep?.countsFrom);
  return countsFrom === undefined ? provenAt : countsFrom <= now ? now : undefined;
}

/** The condition that the organisation still allows its provider: the second step may come minutes later. */
function takesProvider({ db }: Services, { organizationId }: Vouched): Condition<"settings_changed"> {
  const isOn = and(eq(singleSignOn.organizationId, organizationId), ne(singleSignOn.mode, "off"));
  return { name: "settings_changed", found: rowIn(db, singleSignOn).where(isOn) };
}

function startedWith({ passkey, vouchedBy }: AllowedSignIn) {
  if (vouchedBy) return { with: "provider" as const };
  return passkey ? { with: "passkey" as const } : undefined;
}

/** @returns what to throw: the error, or 429 when the account has had too many failures */
export async function refuseSignIn(
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
      evenOnHold: true,
    },
  );
  await countFailure(services, lock);
  return error;
}
