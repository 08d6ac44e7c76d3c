import { columnsOf, outbox, rowIn, tokens, users } from "@db/database";
import { countHit } from "@db/rate-counter";
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, invalidInput } from "~/kernel/app-error";
import { formatDateTime, HOUR_MS } from "~/kernel/dates";
import type { UserStatus } from "~/kernel/enums";
import { confirmationField, currentPasswordField, emailField, newPasswordField } from "~/kernel/fields.schema.server";
import { linkPaths } from "~/kernel/paths/links";
import { sitePaths } from "~/kernel/paths/site";
import { normalizeText } from "~/kernel/text";
import type { Job } from "~/modules/core/commands/job";
import { endJob, jobIsLeased, type NewJob, runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Origin, Person, Services, WriteServices } from "~/services-and-actor";
import { aboutUser, asAccountActor, endAllAccess, findAccount, linkIsOpen, voidResetLinks } from "./account.server";
import { changedMeanwhile, forgetFailures, passwordLock, requirePassword } from "./proof.server";
import { getSignedIn, replaceSessions, type SignedIn } from "./session.server";

/** Forms and API calls about a person's own account. */
export const forgotPasswordSchema = z.object({ email: emailField });

const token = z.string().min(1).max(200);

/** POST /api/reset-password. */
export const resetPasswordCallSchema = z.object({ token, password: newPasswordField });

const twice = (form: FormData) => ({
  password: newPasswordField,
  confirmPassword: confirmationField(form.get("password")),
});

export const newPasswordFormSchema = (form: FormData) => z.object(twice(form));

/** The password of the account that a link belongs to. */
export const accountPasswordSchema = z.object({ password: currentPasswordField });

export const changePasswordFormSchema = (form: FormData) =>
  z.object({ currentPassword: currentPasswordField, ...twice(form) });

export const passwordProofSchema = z.object({ currentPassword: currentPasswordField });

const RESET_TTL_MS = HOUR_MS;

/** How many links one account is sent per hour; more would only fill a stranger's mailbox. */
const MAX_RESET_EMAILS = 5;
const RESET_EMAILS_WINDOW_MS = HOUR_MS;

/** The state of a reset link; undefined: its address is no longer the account's, or the person is inactive. */
function resetState(
  link: { usedAt: number | null; expiresAt: number; email: string },
  person: { email: string; status: UserStatus },
  now: number,
): ("open" | "used" | "expired") | undefined {
  if (person.email !== link.email || person.status === "inactive") return undefined;
  if (link.usedAt !== null) return "used";
  return link.expiresAt <= now ? "expired" : "open";
}

const SAME = "Choose a password that differs from the current one";

/**
 * Changes a person's password. They stay signed in here, with a new session, and nowhere else; reset links for the old
 * password stop working; an email tells them.
 * @throws AppError 400 beside `currentPassword` or `password`, 429 SIGN_IN_LOCKED, 409 CHANGED_MEANWHILE
 */
export async function changePassword(
  services: Services,
  person: Person,
  input: { currentPassword: string; password: string },
): Promise<SignedIn> {
  const { userId, origin } = person;
  const proof = await requirePassword(services, person, input.currentPassword);
  if (input.password === input.currentPassword) throw invalidInput({ password: [SAME] }, SAME);
  await requireUnknownPassword(services, input.password);
  const password = await services.passwords.hash(input.password);
  const session = await replaceSessions(services, person);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: proof.conditions,
    statements: [
      ...proof.statements,
      services.db.update(users).set({ password, updatedAt: services.clock.now() }).where(eq(users.id, userId)),
      voidResetLinks(services, userId),
      ...session.statements,
    ],
    audit: [{ action: "user.password_changed", ...aboutUser(userId) }],
    jobs: await queuePasswordChanged(services, person, "changed"),
  });
  if (!ok) throw changedMeanwhile();
  return getSignedIn(services, origin, session);
}

type Asked = { email: string; origin: Origin };

/**
 * Queues a password reset for an address. The job looks up later whether the address has an account, so that the
 * answer, the work and the time here are the same for every address.
 */
export async function askForPasswordReset(services: Services, origin: Origin, { email }: { email: string }) {
  const { db, ids, secrets } = services;
  const id = ids.next();
  const asked: Asked = { email, origin };
  const sealedPayload = await secrets.seal(JSON.stringify(asked), id);
  const written = rowIn(db, outbox).where(eq(outbox.id, id));
  await runStep(services, {
    conditions: [{ name: "written_already", found: sql`SELECT 1 WHERE NOT EXISTS (${written.getSQL()})` }],
    jobs: [{ id, kind: "password_reset", organizationId: null, subjectId: null, sealedPayload }],
  });
}

/** The job: sends a link to the account, if there is one and it has not been sent too many. */
export async function sendPasswordReset(services: WriteServices, job: Job): Promise<void> {
  const { db, clock, ids, secrets, config } = services;
  if (!job.sealedPayload) throw new Error("a reset without its payload");
  const { email, origin } = JSON.parse(await secrets.open(job.sealedPayload, job.id)) as Asked;
  const account = await findAccount(services, email);
  if (!account || account.status === "inactive" || (await wasSentTooMany(services, account.id))) {
    await endReset(services, job, "done");
    return;
  }
  const token = ids.secret();
  const now = clock.now();
  const { id: userId, organizationId, firstName } = account;
  const link = `${config.appOrigin}${linkPaths.resetPassword(token)}`;
  await runCommand(services, asAccountActor({ userId, organizationId, origin }), {
    conditions: [jobIsLeased(services, job)],
    statements: [
      db.insert(tokens).values({
        id: ids.next(),
        kind: "password_reset",
        tokenHash: await secrets.hashToken(token),
        userId,
        email: account.email,
        createdAt: now,
        expiresAt: now + RESET_TTL_MS,
      }),
      endJob(services, job, "done"),
    ],
    audit: [{ action: "user.password_reset_requested", ...aboutUser(userId) }],
    jobs: await queueEmail(services, organizationId, [account.email], {
      template: "passwordReset",
      data: { firstName, link },
    }),
  });
}

async function wasSentTooMany({ db, clock }: WriteServices, userId: string): Promise<boolean> {
  const { count } = await countHit(db, `reset-mails:${userId}`, RESET_EMAILS_WINDOW_MS, clock.now());
  return count > MAX_RESET_EMAILS;
}

/** After the last attempt failed: the person has to request it again. */
export async function giveUpPasswordReset(services: WriteServices, job: Job, error: string): Promise<void> {
  await endReset(services, job, "failed", error);
}

async function endReset(services: WriteServices, job: Job, status: "done" | "failed", error?: string): Promise<void> {
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, status, error)],
  });
}

/** The reset that a token belongs to; undefined for an unknown token, or one that is no longer this person's. */
export async function findPasswordReset(services: Services, token: string) {
  const { db, clock, secrets } = services;
  const [row] = await db
    .select({
      tokenId: tokens.id,
      ...columnsOf(tokens, "usedAt", "expiresAt"),
      sentTo: tokens.email,
      userId: users.id,
      ...columnsOf(users, "email", "firstName", "status", "organizationId"),
    })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(and(eq(tokens.tokenHash, await secrets.hashToken(token)), eq(tokens.kind, "password_reset")));
  if (!row) return undefined;
  const { usedAt, expiresAt, sentTo, status, ...reset } = row;
  const state = resetState({ usedAt, expiresAt, email: sentTo }, { email: row.email, status }, clock.now());
  return state && { ...reset, state };
}

/**
 * Sets a new password with a link. The person's sessions, API tokens, other links and pending change of address end, a
 * locked account is unlocked, and an email tells them. Two-step sign-in stays on, and so do passkeys except those added
 * in the last day: a mailbox cannot replace them.
 * @throws AppError 404 NOT_FOUND, 410 LINK_USED, LINK_EXPIRED, 400 for a common or breached password
 */
export async function resetPassword(services: Services, origin: Origin, input: { token: string; password: string }) {
  const reset = await getOpenReset(services, input.token);
  await requireUnknownPassword(services, input.password);
  const password = await services.passwords.hash(input.password);
  const { userId, email } = reset;
  const { ok } = await runCommand(services, asAccountActor({ ...reset, origin }), {
    conditions: [linkIsOpen(services, reset)],
    statements: [
      services.db.update(users).set({ password, updatedAt: services.clock.now() }).where(eq(users.id, userId)),
      ...endAllAccess(services, userId, "passkeys_that_count"),
      forgetFailures(services, await passwordLock(services, email, userId)),
    ],
    audit: [{ action: "user.password_reset", ...aboutUser(userId) }],
    jobs: await queuePasswordChanged(services, reset, "reset"),
  });
  if (ok) return;
  await getOpenReset(services, input.token);
  throw linkUsed();
}

const linkUsed = () => new AppError("LINK_USED", "This link has already been used. Ask for a new one if you need it.");

async function getOpenReset(services: Services, token: string) {
  const reset = await findPasswordReset(services, token);
  if (!reset)
    throw new AppError("NOT_FOUND", "We do not recognise this link. Please use the link in the newest email.");
  if (reset.state === "used") throw linkUsed();
  if (reset.state === "expired") {
    throw new AppError("LINK_EXPIRED", "This link has expired. It worked for one hour.");
  }
  return reset;
}

/**
 * Passwords that attackers try first. Pure.
 *
 * A list of exact passwords would miss each new year and ending. Instead this keeps the base words and removes what
 * people add to satisfy password rules: capitals, look-alike characters, and a few digits and symbols at either end.
 */

const WORDS = new Set(
  (
    "password passwort passcode pass passwd mypassword thepassword newpassword changeme changeit letmein welcome hello login admin " +
    "administrator root superuser user guest master manager default temp temporary system server oracle cisco " +
    "qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc qwe qaz abc abcd abcdef " +
    "iloveyou loveyou lovely love princess prince sunshine monkey dragon tiger lion eagle falcon phoenix shadow " +
    "superman batman spiderman starwars pokemon pikachu naruto matrix hunter killer ninja warrior thunder " +
    "football soccer baseball basketball hockey cricket rugby liverpool arsenal chelsea everton barcelona juventus " +
    "collingwood essendon hawthorn richmond carlton geelong fremantle broncos rabbitohs roosters wallabies " +
    "michael jordan daniel thomas robert andrew joshua matthew anthony william charlie george harley taylor ashley " +
    "jessica jennifer michelle amanda nicole samantha hannah sophie charlotte olivia maggie ginger pepper " +
    "summer winter autumn spring january february march april june july august september october november december " +
    "monday tuesday wednesday thursday friday saturday sunday christmas easter holiday birthday " +
    "australia aussie sydney melbourne brisbane perth adelaide canberra hobart darwin queensland tasmania victoria " +
    "america canada england london london paris berlin company office business internet computer google facebook " +
    "microsoft windows apple samsung iphone android yamaha ferrari porsche mercedes toyota holden commodore mustang corvette " +
    "freedom whatever trustno jesus heaven angel angels family forever friends happy lucky magic music guitar flower " +
    "butterfly chocolate cookie cheese coffee banana orange purple yellow silver golden diamond money dollar access " +
    "merlin maverick ranger cowboy biteme bailey buster jackson spring snoopy mickey donald tigger scooby payeeproof"
  ).split(" "),
);

const LOOKALIKES: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "€": "e",
  "1": "i",
  "!": "i",
  "|": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
  "+": "t",
};

/** The symbols on the digit keys. */
const SHIFTED: Readonly<Record<string, string>> = { "!": "1", "@": "2", "#": "3", $: "4", "%": "5" };

const AROUND = 6;
const EDGES = new RegExp(`^[^\\p{L}]{0,${AROUND}}|[^\\p{L}]{0,${AROUND}}$`, "gu");
const KEYBOARD = /^(?:1q2w3e4r5?t?6?y?|1qaz2wsx(?:3edc)?|qwer1234|abcd1234|1234qwer|a1b2c3d4e?5?)$/;

const plain = (text: string) => [...text].map((character) => LOOKALIKES[character] ?? character).join("");

/** True for a common word or keyboard run in any case, with look-alikes and up to six digits or signs around it. */
export function isCommonPassword(password: string): boolean {
  const lower = normalizeText(password, "NFKC").toLowerCase();
  // Look-alike characters may be at either end, as in "Pa$$w0rd!" or "5ummer", so both readings are tried.
  const readings = [lower, lower.replace(EDGES, ""), lower.replace(/[^\p{L}]{0,6}$/u, "")];
  const words = readings.flatMap((text) => [text, plain(text), plain(text.replace(EDGES, ""))]);
  const isWord = words.some((word) => WORDS.has(word) || isTwice(word) || isOneCharacter(word));
  const keys = [...lower].map((character) => SHIFTED[character] ?? character).join("");
  return isWord || [lower, keys].some((text) => KEYBOARD.test(text.replace(/[^a-z0-9]/g, "")));
}

const isTwice = (word: string) =>
  word.length >= 6 &&
  word.length % 2 === 0 &&
  word === word.slice(word.length / 2).repeat(2) &&
  WORDS.has(word.slice(word.length / 2));

const isOneCharacter = (word: string) => word.length > 2 && new Set(word).size === 1;

const COMMON = "This password is one of those that attackers try first. Please choose another one";
const BREACHED = "This password is known from a data breach. Please choose another one";

/**
 * Refuses a common or breached password wherever one is set, after the specification's own rules.
 * @throws AppError 400 with the sentence beside the field
 */
export async function requireUnknownPassword({ breachedPasswords }: Services, password: string): Promise<void> {
  if (isCommonPassword(password)) throw invalidInput({ password: [COMMON] }, COMMON);
  if (await breachedPasswords.isBreached(password)) throw invalidInput({ password: [BREACHED] }, BREACHED);
}

/** Queues the email that tells a person about their new password. */
function queuePasswordChanged(
  services: WriteServices,
  { organizationId, firstName, email }: Pick<Person, "organizationId" | "firstName" | "email">,
  how: "reset" | "changed",
): Promise<NewJob[]> {
  const at = formatDateTime(services.clock.now());
  return queueEmail(services, organizationId, [email], {
    template: "passwordChanged",
    data: { firstName, at, how, href: `${services.config.appOrigin}${sitePaths.forgotPassword}` },
  });
}
