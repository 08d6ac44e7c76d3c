import { sessions } from "@db/database";
import { eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { emailDomain } from "~/kernel/email";
import { findProviderOf, providerRequired } from "~/modules/accounts/single-sign-on/provider-rule.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Origin, Person, Services } from "~/services-and-actor";
import { aboutUser, asAccountActor, findAccountById } from "./account.server";
import {
  CHALLENGE_TTL_MS,
  checkAssertion,
  findPasskey,
  invalidPasskey,
  isOpen,
  listCredentials,
  newChallenge,
  type PasskeyChallenge,
  queuePasskeyEmail,
  readAssertion,
  relyingParty,
} from "./passkey-assertion.server";
import {
  changedMeanwhile,
  codeLock,
  forgetFailures,
  passkeyLock,
  passwordLock,
  requireCode,
  requireUnlocked,
} from "./proof.server";
import type { SignedIn } from "./session.server";
import {
  type CheckedSignIn,
  openTicket,
  type RefusedSignIn,
  refuseSignIn,
  runSignIn,
  type SignInTicket,
  standingAt,
} from "./sign-in-steps.server";

/** Signs people in with a passkey, alone or in place of the code, and repeats the second step of the signed-in. */

/** A device's answer as JSON, and the challenge that this browser kept; null: it had none. */
type PasskeyAnswer = { passkey: string; kept: PasskeyChallenge | null; presentedSessionId?: string };

/** Checks a passkey in place of password and code: one answer for unknown, removed, wrong, or an inactive person's. */
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

/** Checks a passkey of the ticket's own person, in place of the code. Wrong attempts count with wrong codes. */
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

/** Tells the person that a decreased counter means their key may have been copied. */
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
  new AppError("PASSKEY_EXPIRED", "This took too long. Choose your passkey again, or use your password.");

/** Identifies the first step of a sign-in, so that its challenge cannot be answered in another. */
const nameOfTicket = ({ secrets }: Services, { userId, passwordDigest, issuedAt }: SignInTicket): Promise<string> =>
  secrets.hashToken(`${userId}\n${passwordDigest}\n${issuedAt}`);

/** Who is asked: anybody, at a sign-in; the person of the first step; or the signed-in person. */
type Asked = { ticket?: SignInTicket | null; person?: Person };

/**
 * Asks for a passkey: any of this site's on the device, or one of the person's.
 * @throws AppError 401 SIGN_IN_EXPIRED for an expired ticket, 409 PASSKEYS_NOT_POSSIBLE
 */
export async function askForPasskey(services: Services, { ticket, person }: Asked) {
  const { id: rpId, isPossible } = relyingParty(services);
  if (!isPossible) {
    throw new AppError("PASSKEYS_NOT_POSSIBLE", "Browsers do not use passkeys at an address that is a number.");
  }
  const kept = person
    ? newChallenge(services, "step_up", person.sessionId)
    : ticket
      ? newChallenge(services, "second_step", await nameOfTicket(services, ticket))
      : newChallenge(services, "sign_in", "");
  const userId = person?.userId ?? (ticket && (await openTicket(services, ticket)).account.id);
  const known = userId ? await listCredentials(services, userId) : [];
  const now = services.clock.now();
  const allowCredentials = known
    .filter(({ countsFrom }) => !person || countsFrom <= now)
    .map(({ id, transports }) => ({ id, type: "public-key" as const, transports }));
  const { challenge } = kept;
  return {
    options: { challenge, rpId, allowCredentials, userVerification: "required", timeout: CHALLENGE_TTL_MS },
    kept,
  };
}

/**
 * Signs a person in with a passkey, which counts as both steps.
 * @throws AppError 401 INVALID_PASSKEY, PASSKEY_EXPIRED, 429 SIGN_IN_LOCKED after 10 failures in 15 minutes
 */
export function signInWithPasskey(services: Services, origin: Origin, input: PasskeyAnswer): Promise<SignedIn> {
  return runSignIn(services, origin, () => checkPasskey(services, input), invalidPasskey);
}

/** The second step with a passkey. @throws AppError as `finishSignIn`, and 401 INVALID_PASSKEY, PASSKEY_EXPIRED */
export function finishSignInWithPasskey(
  services: Services,
  origin: Origin,
  input: PasskeyAnswer & { ticket: SignInTicket },
): Promise<SignedIn> {
  return runSignIn(services, origin, () => checkTicketPasskey(services, input), invalidPasskey);
}

/** The second steps that a signed-in person can repeat; if all of them are new, when they will be accepted. */
export async function findSecondSteps(services: Services, person: Person) {
  const [account, known] = await Promise.all([
    findAccountById(services, person.userId),
    relyingParty(services).isPossible ? listCredentials(services, person.userId) : [],
  ]);
  const now = services.clock.now();
  const counts = ({ countsFrom }: { countsFrom: number }) => countsFrom <= now;
  const all = [...known, ...(account?.twoStep ? [account.twoStep] : [])];
  const asksCode = account?.twoStep ? counts(account.twoStep) : false;
  const isNew = all.length > 0 && !all.some(counts);
  return {
    asksCode,
    takesPasskey: known.some(counts),
    opensFrom: isNew ? formatDateTime(Math.min(...all.map(({ countsFrom }) => countsFrom)), person.timeZone) : null,
  };
}

/** Refuses a second step so new that somebody with only the password could have set it up. @throws AppError 403 */
function requireOld({ clock }: Services, { timeZone }: Person, { countsFrom }: { countsFrom: number }): void {
  if (countsFrom <= clock.now()) return;
  const message = `This second step is new: it is accepted from ${formatDateTime(countsFrom, timeZone)}.`;
  throw new AppError("STEP_UP_REQUIRED", message);
}

/** Records that the session has just passed a second step. */
const proved = ({ db, clock }: Services, { sessionId }: Person) =>
  db.update(sessions).set({ provenAt: clock.now() }).where(eq(sessions.id, sessionId));

/** A signed-in person enters a code. @throws AppError 400 beside `code`, 409 TWO_STEP_OFF, 429 SIGN_IN_LOCKED */
export async function stepUpWithCode(services: Services, person: Person, code: string): Promise<void> {
  const account = await findAccountById(services, person.userId);
  if (!account?.twoStep) throw new AppError("TWO_STEP_OFF", "Two-step sign-in is not turned on.");
  requireOld(services, person, account.twoStep);
  const proof = await requireCode(services, person.userId, account.twoStep, code);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: proof.conditions,
    statements: [...proof.statements, proved(services, person)],
    audit: [{ action: "session.stepped_up", ...aboutUser(person.userId) }],
  });
  if (!ok) throw changedMeanwhile();
}

/** A signed-in person uses one of their passkeys. @throws AppError 401 INVALID_PASSKEY, PASSKEY_EXPIRED, 429 */
export async function stepUpWithPasskey(
  services: Services,
  person: Person,
  { passkey: answer, kept }: Pick<PasskeyAnswer, "passkey" | "kept">,
): Promise<void> {
  if (!kept || !isOpen(services, kept, { purpose: "step_up", boundTo: person.sessionId })) throw passkeyExpired();
  const lock = passkeyLock(person.userId);
  await requireUnlocked(services, lock);
  const response = readAssertion(answer);
  const passkey = await findPasskey(services, response.id);
  const account = await findAccountById(services, person.userId);
  const refused = { error: invalidPasskey(), lock, account, details: { step: "passkey" as const }, kept };
  if (passkey?.userId !== person.userId) throw await refuseSignIn(services, person.origin, refused);
  requireOld(services, person, passkey);
  const checked = await checkAssertion(services, kept, passkey, response);
  if ("refused" in checked) {
    const told = await tellOfCopy(services, refused, checked.refused, passkey.name);
    throw await refuseSignIn(services, person.origin, told);
  }
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: checked.taken.conditions,
    statements: [...checked.taken.statements, forgetFailures(services, lock), proved(services, person)],
    audit: [{ action: "session.stepped_up", ...aboutUser(person.userId) }],
  });
  if (!ok) throw invalidPasskey();
}
