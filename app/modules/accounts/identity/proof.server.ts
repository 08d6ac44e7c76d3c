import {
  type Condition,
  organizationPolicies,
  organizationUsers,
  passkeys,
  rateCounters,
  recoveryCodes,
  rowIn,
  type Statement,
  twoSteps,
} from "@db/database";
import { countHit } from "@db/rate-counter";
import { and, eq, gt, gte, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { AppError, invalidInput } from "~/kernel/app-error";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { fromBase32, toBase32 } from "~/kernel/encodings";
import type { EncryptedColumn } from "~/modules/core/operations/reencrypt-columns.server";
import {
  type Person,
  type ReadServices,
  type Services,
  signedInWithPasskey,
  type TimedServices,
} from "~/services-and-actor";
import { type Account, accountIsUnchanged, findAccountById } from "./account.server";

/** How many wrong codes an account accepts in 15 minutes. Whoever enters them knows the password. */
const MAX_WRONG_CODES = 5;

/** After this many failed sign-ins, nobody can sign in to the account until the time window ends. */
const MAX_FAILED_SIGN_INS = 10;

const FAILED_SIGN_INS_WINDOW_MS = 15 * MINUTE_MS;

/** Asks for the password again before a sensitive action: a session shows only that the browser is the same. */

/** The conditions that a proof adds to the following command, which is refused if the account changes meanwhile. */
export type Proof = {
  conditions: Condition<"account_locked" | "account_changed" | "code_used">[];
  statements: Statement[];
};

/**
 * Checks the password of an account. Wrong passwords count towards the sign-in lock.
 * @param says the field beside which a wrong password is reported, and the sentence
 * @throws AppError 400 with the sentence, 429 SIGN_IN_LOCKED
 */
export async function requirePassword(
  services: Services,
  { userId, email }: Pick<Person, "userId" | "email">,
  password: string,
  says = { field: "currentPassword", wrong: "This is not your current password" },
): Promise<Proof & { account: Account }> {
  const lock = await passwordLock(services, email, userId);
  await requireUnlocked(services, lock);
  const account = await findAccountById(services, userId);
  const { ok } = await services.passwords.verify(password, account?.password);
  if (!account || !ok) {
    await countFailure(services, lock);
    throw invalidInput({ [says.field]: [says.wrong] }, says.wrong);
  }
  return {
    account,
    conditions: [accountIsUnlocked(services, lock), accountIsUnchanged(services, account)],
    statements: [forgetFailures(services, lock)],
  };
}

/** Checks a code of two-step sign-in. @throws AppError 400 beside `code`, 429 SIGN_IN_LOCKED */
export async function requireCode(services: Services, userId: string, twoStep: TwoStep, typed: string): Promise<Proof> {
  const lock = codeLock(userId);
  await requireUnlocked(services, lock);
  const code = await spendCode(services, userId, twoStep, typed);
  if (!code) {
    await countFailure(services, lock);
    const sentence = "This code is not right, or was used before";
    throw invalidInput({ code: [sentence] }, sentence);
  }
  return {
    conditions: [accountIsUnlocked(services, lock), ...code.conditions],
    statements: [forgetFailures(services, lock), ...code.statements],
  };
}

/**
 * Checks the password and code of a person with two-step sign-in.
 * @throws AppError as `requirePassword` and `requireCode`, and 409 TWO_STEP_OFF when the person has no two-step sign-in
 */
export async function requirePasswordAndCode(
  services: Services,
  person: Person,
  { currentPassword, code }: { currentPassword: string; code: string },
): Promise<Proof> {
  const { account, ...password } = await requirePassword(services, person, currentPassword);
  if (!account.twoStep) throw new AppError("TWO_STEP_OFF", "Two-step sign-in is not turned on.");
  const second = await requireCode(services, person.userId, account.twoStep, code);
  return {
    conditions: [...password.conditions, ...second.conditions],
    statements: [...password.statements, ...second.statements],
  };
}

/** The error when the account changed between reading and writing. */
export const changedMeanwhile = () =>
  new AppError("CHANGED_MEANWHILE", "Your account was changed in the meantime. Nothing was done; please try again.");

/** Counts the failures of one account; after `max`, it is locked until the time window ends. */
export type Lock = { key: string; max: number };

/**
 * The lock on an account's password. Unknown accounts are counted too, so that the limit does not reveal which accounts
 * exist; the name is stored as a digest, because people type passwords into the wrong field.
 */
export async function passwordLock(services: Services, login: string, userId: string | undefined): Promise<Lock> {
  return { key: `failed-sign-ins:${userId ?? (await services.secrets.hashToken(login))}`, max: MAX_FAILED_SIGN_INS };
}

/** The lock on an account's codes. It applies after the password, so that nobody else can lock it. */
export const codeLock = (userId: string): Lock => ({ key: `wrong-codes:${userId}`, max: MAX_WRONG_CODES });

/** The lock on an account's passkeys, separate from the password's: guessing the password must not block passkeys. */
export const passkeyLock = (userId: string): Lock => ({ key: `failed-passkeys:${userId}`, max: MAX_FAILED_SIGN_INS });

const isFull = (services: Services, { key, max }: Lock) =>
  and(eq(rateCounters.key, key), gt(rateCounters.windowEndsAt, services.clock.now()), gte(rateCounters.count, max));

/** @throws AppError 429 SIGN_IN_LOCKED while the account is locked */
export async function requireUnlocked(services: Services, lock: Lock): Promise<void> {
  const [row] = await services.db
    .select({ windowEndsAt: rateCounters.windowEndsAt })
    .from(rateCounters)
    .where(isFull(services, lock));
  if (row) throw locked(row.windowEndsAt - services.clock.now());
}

/** The condition that the account was not locked while the password was compared. */
export function accountIsUnlocked(services: Services, lock: Lock): Condition<"account_locked"> {
  const full = rowIn(services.db, rateCounters).where(isFull(services, lock));
  return { name: "account_locked", found: sql`SELECT 1 WHERE NOT EXISTS (${full.getSQL()})` };
}

/** A successful sign-in clears the failures before it. */
export function forgetFailures(services: Services, { key }: Lock): Statement {
  return services.db.delete(rateCounters).where(eq(rateCounters.key, key));
}

/** Counts a failure. @throws AppError 429 SIGN_IN_LOCKED when there were too many before it */
export async function countFailure(services: Services, { key, max }: Lock): Promise<void> {
  const now = services.clock.now();
  const { count, windowEndsAt } = await countHit(services.db, key, FAILED_SIGN_INS_WINDOW_MS, now);
  if (count > max) throw locked(windowEndsAt - now);
}

function locked(remainingMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new AppError("SIGN_IN_LOCKED", `Too many failed sign-ins for this account. Please try again in ${wait}.`, {
    retryAfterSeconds,
  });
}

/** A person's two-step sign-in as stored. */
export type TwoStep = { sealedSecret: string; lastStep: number | null };

const contextOf = (userId: string) => `two-step:${userId}`;

/** The stored secrets of authenticator apps, for re-encryption with a new key. */
export const encryptedTotpSecrets: EncryptedColumn = {
  table: twoSteps,
  column: twoSteps.sealedSecret,
  key: [twoSteps.userId],
  contextOf,
};

export const sealTotpSecret = ({ secrets }: Services, userId: string, secret: string): Promise<string> =>
  secrets.seal(secret, contextOf(userId));

export const openTotpSecret = ({ secrets }: Services, userId: string, sealedSecret: string): Promise<string> =>
  secrets.open(sealedSecret, contextOf(userId));

/** A valid code: the part that uses it up, which is refused if it was used meanwhile. */
export type TakenCode = { conditions: Condition<"code_used">[]; statements: Statement[] };

/** Checks a code from the app, or a recovery code. @returns undefined for a wrong or used code */
export async function spendCode(
  services: Services,
  userId: string,
  twoStep: TwoStep,
  typed: string,
): Promise<TakenCode | undefined> {
  const totp = parseTotp(typed);
  if (totp !== undefined) return takeTotp(services, userId, twoStep, totp);
  const recovery = parseRecoveryCode(typed);
  return recovery === undefined ? undefined : takeRecoveryCode(services, userId, recovery);
}

/** The key that sealed the app's secret is lost. */
const UNOPENED = "We cannot check the codes of your app any more. Use a recovery code, then set the app up again.";

async function takeTotp(
  services: Services,
  userId: string,
  { sealedSecret, lastStep }: TwoStep,
  code: string,
): Promise<TakenCode | undefined> {
  const { db, clock } = services;
  const secret = await openTotpSecret(services, userId, sealedSecret).catch((cause: unknown) => {
    services.log.error("two_step.unopened", { error: String(cause) });
    throw new AppError("INTERNAL", UNOPENED, { cause });
  });
  const step = await findTotpStep(secret, code, clock.now());
  if (step === undefined || (lastStep !== null && step <= lastStep)) return undefined;
  const unused = rowIn(db, twoSteps).where(
    and(
      eq(twoSteps.userId, userId),
      eq(twoSteps.sealedSecret, sealedSecret),
      or(isNull(twoSteps.lastStep), lt(twoSteps.lastStep, step)),
    ),
  );
  return {
    conditions: [{ name: "code_used", found: unused }],
    statements: [db.update(twoSteps).set({ lastStep: step }).where(eq(twoSteps.userId, userId))],
  };
}

async function takeRecoveryCode(services: Services, userId: string, code: string): Promise<TakenCode | undefined> {
  const { db, clock, secrets } = services;
  const one = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, await secrets.hashToken(code)));
  const unused = rowIn(db, recoveryCodes).where(and(one, isNull(recoveryCodes.usedAt)));
  if ((await unused).length === 0) return undefined;
  return {
    conditions: [{ name: "code_used", found: unused }],
    statements: [db.update(recoveryCodes).set({ usedAt: clock.now() }).where(one)],
  };
}

/** The condition that a person's two-step sign-in is on, or off. */
export function twoStepIs({ db }: ReadServices, userId: string, state: "on" | "off"): Condition<"two_step_changed"> {
  const on = rowIn(db, twoSteps).where(and(eq(twoSteps.userId, userId), isNotNull(twoSteps.enabledAt)));
  return { name: "two_step_changed", found: state === "on" ? on : sql`SELECT 1 WHERE NOT EXISTS (${on.getSQL()})` };
}

/**
 * Codes of an authenticator app: RFC 6238 over RFC 4226, HMAC-SHA-1, six digits, thirty seconds.
 *
 * Implemented here because the exact step must be known, so that a code works only once, and because the clock is
 * passed in.
 */

const ISSUER = "PayeeProof";
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226, section 4 (R6) recommends 160 bits. */
const SECRET_BYTES = 20;
/** The codes before and after are accepted too: clocks differ, and people need time to type. */
const WINDOW = 1;

/** A new secret in base32, as apps expect it. */
export function newTotpSecret(): string {
  return toBase32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The address that an app reads from the QR code: github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(secret: string, accountName: string): string {
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(accountName)}`;
  const [digits, period] = [String(DIGITS), String(PERIOD_SECONDS)];
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer: ISSUER, algorithm: "SHA1", digits, period })}`;
}

/** The number of the thirty-second step that contains an instant. @param now epoch milliseconds */
export const totpStep = (now: number): number => Math.floor(now / 1000 / PERIOD_SECONDS);

export async function totpCode(secret: string, step: number): Promise<string> {
  const bytes = fromBase32(secret);
  if (!bytes) throw new Error("a secret that is not base32");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const digest = new DataView(await crypto.subtle.sign("HMAC", key, counter));
  const offset = digest.getUint8(digest.byteLength - 1) & 0xf;
  const number = digest.getUint32(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * The time step whose code this is, out of those close to now. All are computed every time, so that the time taken
 * reveals nothing.
 * @param now epoch milliseconds
 * @returns undefined for a wrong code
 */
export async function findTotpStep(secret: string, code: string, now: number): Promise<number | undefined> {
  const current = totpStep(now);
  let found: number | undefined;
  for (let step = current - WINDOW; step <= current + WINDOW; step++) {
    if ((await totpCode(secret, step)) === code) found = step;
  }
  return found;
}

/** Recovery codes, which a person without their device types instead. Pure. */

export const RECOVERY_CODE_COUNT = 10;

const GROUP = 4;
const LENGTH = 16;
/** Base32 letters: no 0, 1, 8 or 9 that could be mistaken for letters. 16 letters carry 80 bits. */
const CODE = /^[A-Z2-7]{16}$/;

/** Formatted for people: `ABCD-EFGH-IJKL-MNOP`. @param base32 at least 16 random letters */
export function formatRecoveryCode(base32: string): string {
  return (
    base32
      .slice(0, LENGTH)
      .match(new RegExp(`.{${GROUP}}`, "g"))
      ?.join("-") ?? ""
  );
}

/** Parses a typed recovery code into the form that is hashed; undefined when it cannot be one. */
export function parseRecoveryCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  return CODE.test(code) ? code : undefined;
}

/** Parses a typed six-digit code of an app; undefined when it cannot be one. */
export function parseTotp(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "");
  return /^\d{6}$/.test(code) ? code : undefined;
}

/**
 * A passkey added without an earlier one counts only after this time, and so does a code set up in a session without a
 * second step: somebody who has phished a password, or controls the mailbox, could add one too, and this gives its
 * owner time to react.
 */
export const NEW_FOR_MS = DAY_MS;

/** The policies that require passkeys: for every decision, or only for certain ones. */
const ASKS = {
  always: eq(organizationPolicies.passkeysRequired, true),
  somewhere: or(
    eq(organizationPolicies.passkeysRequired, true),
    eq(organizationPolicies.passkeyForApprovals, true),
    eq(organizationPolicies.passkeyForFiles, true),
    eq(organizationPolicies.passkeyForPolicies, true),
    eq(organizationPolicies.passkeyForPeople, true),
  ),
};

/**
 * If an organisation of theirs requires passkeys for any decision, people who have one must have used it in this
 * session to change how they sign in, so that a phished password and code cannot add the thief's key. A recovery code
 * replaces lost passkeys. A passkey that is still new is not required: it may be the thief's, and the owner must be
 * able to remove it.
 * @throws AppError 403 PASSKEY_REQUIRED
 */
export async function requireOwnPasskey(
  services: TimedServices,
  { userId, passkeyCountsFrom }: Pick<Person, "userId" | "passkeyCountsFrom">,
  typed?: string,
): Promise<void> {
  if (signedInWithPasskey({ passkeyCountsFrom }, services.clock.now())) return;
  if (typed !== undefined && parseRecoveryCode(typed) !== undefined) return;
  if (!(await isAskedForPasskey(services, userId, "somewhere"))) return;
  const way = typed === undefined ? "" : " If you lost them all, enter one of your recovery codes.";
  throw new AppError(
    "PASSKEY_REQUIRED",
    `Your organisation requires passkeys, and you have one: sign in with it before you change this.${way}`,
  );
}

/** True if an organisation of theirs requires passkeys and they have one that counts. */
export async function isAskedForPasskey({ db, clock }: TimedServices, userId: string, how: keyof typeof ASKS) {
  const asking = await rowIn(db, passkeys)
    .innerJoin(organizationUsers, eq(organizationUsers.userId, passkeys.userId))
    .innerJoin(organizationPolicies, eq(organizationPolicies.organizationId, organizationUsers.organizationId))
    .where(and(eq(passkeys.userId, userId), lte(passkeys.countsFrom, clock.now()), ASKS[how]))
    .limit(1);
  return asking.length > 0;
}
