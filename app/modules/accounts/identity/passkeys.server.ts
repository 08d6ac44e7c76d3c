import { type Condition, columnsOf, organizationUsers, passkeys, rowIn, sessions, users } from "@db/database";
import { and, eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, invalidInput, notFound } from "~/kernel/app-error";
import { formatDate, formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import { toBase64Url } from "~/kernel/encodings";
import { currentPasswordField, idField, nameField } from "~/kernel/fields.schema.server";
import { displayName } from "~/kernel/text";
import { checkNewPasskey, PASSKEY_ALGORITHMS } from "~/kernel/webauthn.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import {
  type Person,
  type ReadServices,
  type Services,
  signedInWithPasskey,
  type TimedServices,
} from "~/services-and-actor";
import { aboutUser, asAccountActor } from "./account.server";
import {
  asJson,
  CHALLENGE_TTL_MS,
  isOpen,
  keyDigest,
  listCredentials,
  MAX_PASSKEYS,
  newChallenge,
  type PasskeyChallenge,
  queuePasskeyEmail,
  relyingParty,
  spendChallenge,
  userHandleOf,
} from "./passkey-assertion.server";
import { changedMeanwhile, NEW_FOR_MS, requireCode, requireOwnPasskey, requirePassword } from "./proof.server";
import { getSignedIn, replaceSessions, type SignedIn } from "./session.server";

/** A person's passkeys: adding one requires proving the account again; they can also be renamed and removed. */

const passkeyNameField = nameField(2, "Give the passkey a name of at least 2 characters", 60);

/** Only people with two-step sign-in have to enter the code. */
const proofFields = { currentPassword: currentPasswordField, code: z.string().trim().max(100).optional() };

export const beginPasskeySchema = z.object({ name: passkeyNameField, ...proofFields });

export const removePasskeySchema = z.object({ passkeyId: idField, ...proofFields });

export const renamePasskeySchema = z.object({ passkeyId: idField, name: passkeyNameField });

const base64Url = z.string().regex(/^[\w-]+$/);

const responseSchema = z.object({
  id: base64Url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64Url,
    attestationObject: base64Url,
    transports: z
      .array(z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]).catch("internal"))
      .max(10)
      .optional(),
  }),
});

export const addPasskeySchema = z.object({ name: passkeyNameField, passkey: asJson(responseSchema) });

export async function listPasskeys({ db, clock }: TimedServices, person: Person) {
  const now = clock.now();
  const rows = await db
    .select(columnsOf(passkeys, "id", "name", "kind", "isBackedUp", "createdAt", "lastUsedAt", "countsFrom"))
    .from(passkeys)
    .where(eq(passkeys.userId, person.userId))
    .orderBy(passkeys.id)
    .limit(MAX_PASSKEYS);
  return rows.map(({ createdAt, lastUsedAt, countsFrom, ...row }) => ({
    ...row,
    newUntil: countsFrom > now ? formatDateTime(countsFrom, person.timeZone) : null,
    added: formatDate(createdAt),
    lastUsed:
      lastUsedAt === null
        ? null
        : {
            dateTime: toIso(lastUsedAt),
            exact: formatDateTime(lastUsedAt),
            relative: formatRelative(lastUsedAt, now),
          },
  }));
}

export type PasskeyView = Awaited<ReturnType<typeof listPasskeys>>[number];

/** True if a person has at least one passkey. */
export async function hasPasskey({ db }: ReadServices, userId: string): Promise<boolean> {
  const rows = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1);
  return rows.length > 0;
}

type Typed = { currentPassword: string; code?: string };

/** Requires the password, and the code if the person has two-step sign-in, for changes to how they sign in. */
export async function requireProof(services: Services, person: Person, { currentPassword, code }: Typed) {
  const { account, ...password } = await requirePassword(services, person, currentPassword);
  // Only people with two-step sign-in have recovery codes, and the code is used up below.
  await requireOwnPasskey(services, person, account.twoStep ? (code ?? "") : undefined);
  if (!account.twoStep) return password;
  if (!code) throw invalidInput({ code: ["Enter the code"] });
  const second = await requireCode(services, person.userId, account.twoStep, code);
  return {
    conditions: [...password.conditions, ...second.conditions],
    statements: [...password.statements, ...second.statements],
  };
}

/**
 * Starts adding a passkey: checks the proof of the account, and returns the options for the device.
 * @throws AppError 400 beside `currentPassword` or `code`, 409 TOO_MANY_PASSKEYS, PASSKEYS_NOT_POSSIBLE
 */
export async function beginPasskey(services: Services, person: Person, input: Typed) {
  const { userId, email } = person;
  const party = relyingParty(services);
  if (!party.isPossible) {
    throw new AppError("PASSKEYS_NOT_POSSIBLE", "Browsers do not make passkeys for an address that is a number.");
  }
  const proof = await requireProof(services, person, input);
  const known = await listCredentials(services, userId);
  if (known.length >= MAX_PASSKEYS) throw tooMany();
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: proof.conditions,
    statements: proof.statements,
    audit: [{ action: "user.passkey_begun", ...aboutUser(userId) }],
  });
  if (!ok) throw changedMeanwhile();
  const kept = newChallenge(services, "add", person.sessionId);
  return {
    options: {
      rp: { id: party.id, name: "PayeeProof" },
      user: { id: toBase64Url(userHandleOf(userId)), name: email, displayName: displayName(person) || email },
      challenge: kept.challenge,
      pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ alg, type: "public-key" as const })),
      timeout: CHALLENGE_TTL_MS,
      attestation: "none",
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports, type: "public-key" as const })),
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
    },
    kept,
  };
}

const tooMany = () =>
  new AppError("TOO_MANY_PASSKEYS", `You already have ${MAX_PASSKEYS} passkeys. Remove those you no longer use.`);

const notMade = () =>
  new AppError("INVALID_PASSKEY", "The passkey could not be added. Start again, and confirm within ten minutes.", {
    status: 400,
  });

type Added = { name: string; response: z.infer<typeof responseSchema>; kept: PasskeyChallenge | null };

/**
 * Adds the passkey that the device created, for the session that started it. Every other session ends.
 * @throws AppError 400 INVALID_PASSKEY, 409 TOO_MANY_PASSKEYS
 */
export async function addPasskey(services: Services, person: Person, input: Added): Promise<SignedIn> {
  const { db, clock, ids } = services;
  const { userId, sessionId, origin } = person;
  const { name, kept, response } = input;
  if (!kept || !isOpen(services, kept, { purpose: "add", boundTo: sessionId })) throw notMade();
  const { id: rpId, origin: ourOrigin } = relyingParty(services);
  const checked = await checkNewPasskey(response, { challenge: kept.challenge, origin: ourOrigin, rpId });
  if ("refused" in checked) {
    services.log.info("passkey.refused", { reason: checked.refused });
    throw notMade();
  }
  const challenge = await spendChallenge(services, kept);
  const id = ids.next();
  const now = clock.now();
  const isVouchedFor = signedInWithPasskey(person, now);
  const countsFrom = isVouchedFor ? now : now + NEW_FOR_MS;
  // They have just used the passkey, in addition to proving the account.
  const provenAt = isVouchedFor ? now : person.provenAt;
  const shown = { signInMethod: "password_and_passkey", passkeyCountsFrom: countsFrom, provenAt } as const;
  const session = await replaceSessions(services, { ...person, ...shown });
  const entry = {
    action: "user.passkey_added",
    ...aboutUser(userId),
    details: { name, key: await keyDigest(checked.value.publicKey), ...(isVouchedFor ? {} : { countsFrom }) },
  } as const;
  const others = (await listPlaces(services, userId)).filter((id) => id !== person.organizationId);
  const result = await runCommand(services, asAccountActor(person), {
    conditions: [challenge.condition, isSignedIn(services, sessionId), hasRoom(services, userId)],
    uniques: { passkey_known: "passkeys.credentialId" },
    statements: [
      challenge.statement,
      db.insert(passkeys).values({
        id,
        userId,
        ...checked.value,
        transports: response.response.transports ?? [],
        name,
        createdAt: now,
        countsFrom,
      }),
      db.update(users).set({ passkeyOfferedAt: now }).where(eq(users.id, userId)),
      ...session.statements,
    ],
    // Tells all their organisations, not only the one that they, or a thief, chose to be in.
    audit: [entry, ...others.map((organizationId) => ({ ...entry, organizationId }))],
    jobs: await queuePasskeyEmail(services, person, { change: isVouchedFor ? "added" : "added_new", name }),
  });
  if (result.ok) return getSignedIn(services, origin, session);
  throw result.refused === "too_many" ? tooMany() : notMade();
}

/** More organisations than one person works in. */
const MAX_PLACES = 50;

async function listPlaces({ db }: ReadServices, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: organizationUsers.organizationId })
    .from(organizationUsers)
    .where(and(eq(organizationUsers.userId, userId), ne(organizationUsers.status, "inactive")))
    .limit(MAX_PLACES);
  return rows.map(({ id }) => id);
}

function isSignedIn({ db }: ReadServices, sessionId: string): Condition<"session_over"> {
  const found = rowIn(db, sessions).where(eq(sessions.id, sessionId));
  return { name: "session_over", found };
}

function hasRoom({ db }: ReadServices, userId: string): Condition<"too_many"> {
  const last = db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .limit(1)
    .offset(MAX_PASSKEYS - 1);
  return { name: "too_many", found: sql`SELECT 1 WHERE NOT EXISTS (${last.getSQL()})` };
}

const mine = (person: Person, passkeyId: string) => and(eq(passkeys.id, passkeyId), eq(passkeys.userId, person.userId));

/** @throws AppError 404 for a passkey that is not the person's own */
async function getOwn({ db }: ReadServices, person: Person, passkeyId: string): Promise<{ name: string }> {
  const [row] = await db.select({ name: passkeys.name }).from(passkeys).where(mine(person, passkeyId));
  if (!row) throw notFound();
  return row;
}

const stillThere = ({ db }: ReadServices, person: Person, passkeyId: string): Condition<"passkey_gone"> => ({
  name: "passkey_gone",
  found: rowIn(db, passkeys).where(mine(person, passkeyId)),
});

/** Renames one of the person's own passkeys. @throws AppError 404 */
export async function renamePasskey(
  services: Services,
  person: Person,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<void> {
  const { name: before } = await getOwn(services, person, passkeyId);
  if (before === name) return;
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: [stillThere(services, person, passkeyId)],
    statements: [services.db.update(passkeys).set({ name }).where(mine(person, passkeyId))],
    audit: [
      { action: "user.passkey_renamed", ...aboutUser(person.userId), details: { name: { from: before, to: name } } },
    ],
    jobs: await queuePasskeyEmail(services, person, { change: "renamed", name }),
  });
  if (!ok) throw notFound();
}

/**
 * Removes one of the person's own passkeys, which stops working at once; every other session ends.
 * @throws AppError 400 beside `currentPassword` or `code`, 404, 409 CHANGED_MEANWHILE
 */
export async function removePasskey(services: Services, person: Person, input: Typed & { passkeyId: string }) {
  const { passkeyId } = input;
  const { name } = await getOwn(services, person, passkeyId);
  const proof = await requireProof(services, person, input);
  const session = await replaceSessions(services, person);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: [...proof.conditions, stillThere(services, person, passkeyId)],
    statements: [
      ...proof.statements,
      services.db.delete(passkeys).where(mine(person, passkeyId)),
      ...session.statements,
    ],
    audit: [{ action: "user.passkey_removed", ...aboutUser(person.userId), details: { name } }],
    jobs: await queuePasskeyEmail(services, person, { change: "removed", name }),
  });
  if (!ok) throw changedMeanwhile();
  return getSignedIn(services, person.origin, session);
}
