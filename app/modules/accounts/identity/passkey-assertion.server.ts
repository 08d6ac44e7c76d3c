import { type Condition, columnsOf, passkeys, rowIn, type Statement, usedPasskeyChallenges } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { formatDateTime, MINUTE_MS } from "~/kernel/dates";
import { fromBase64Url, toBase64Url } from "~/kernel/encodings";
import { appPaths } from "~/kernel/paths/app";
import { checkSignature } from "~/kernel/webauthn.server";
import type { NewJob } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Person, ReadServices, Services, WriteServices } from "~/services-and-actor";

/** Checks a device's answer to a challenge at sign-in. */

const base64Url = z.string().regex(/^[\w-]+$/);

/** A form field with the device's answer as JSON, which the browser's script filled in. */
export const asJson = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .max(20_000)
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        ctx.addIssue({ code: "custom", message: "Not readable" });
        return z.NEVER;
      }
    })
    .pipe(schema);

const assertionSchema = z.object({
  id: base64Url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64Url,
    authenticatorData: base64Url,
    signature: base64Url,
    userHandle: base64Url.optional(),
  }),
});

export type Assertion = z.infer<typeof assertionSchema>;

const assertionField = asJson(assertionSchema);

/** The same error for every passkey that does not work: unknown, removed, another person's, or wrong. */
export const invalidPasskey = () =>
  new AppError("INVALID_PASSKEY", "This passkey did not sign you in. Try again, or sign in with your password.");

/** @throws AppError 401 INVALID_PASSKEY for input that no browser sends */
export function readAssertion(text: string): Assertion {
  const read = assertionField.safeParse(text);
  if (!read.success) throw invalidPasskey();
  return read.data;
}

/** Names a key in the audit trail: SHA-256 of its COSE bytes, base64url, so an export shows whose key signed. */
export async function keyDigest(publicKey: string): Promise<string> {
  const bytes = fromBase64Url(publicKey);
  if (!bytes) throw new Error("a key that is not base64url");
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** The id under which devices know a person: not their address, which may change. */
export const userHandleOf = (userId: string) => new TextEncoder().encode(userId);

export type StoredPasskey = Pick<
  typeof passkeys.$inferSelect,
  "id" | "userId" | "publicKey" | "counter" | "kind" | "name" | "countsFrom"
>;

/** The stored passkey that a device's answer names. */
export async function findPasskey({ db }: ReadServices, credentialId: string): Promise<StoredPasskey | undefined> {
  const [row] = await db
    .select(columnsOf(passkeys, "id", "userId", "publicKey", "counter", "kind", "name", "countsFrom"))
    .from(passkeys)
    .where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** A valid passkey: the part that records its use, with conditions that fail if it was used or removed meanwhile. */
export type TakenPasskey = {
  conditions: Condition<"challenge_used" | "passkey_changed">[];
  statements: Statement[];
  countsFrom: number;
};

/** `counter`: the signature is valid, but the device reports fewer uses than we know of: perhaps a copy. */
export type CheckedAssertion = { taken: TakenPasskey } | { refused: "wrong" | "counter" };

/** Checks a device's answer against this browser's challenge, our address, and the stored key. */
export async function checkAssertion(
  services: Services,
  kept: PasskeyChallenge,
  passkey: StoredPasskey,
  response: Assertion,
): Promise<CheckedAssertion> {
  const { db, clock } = services;
  const { userHandle } = response.response;
  const ownHandle = toBase64Url(userHandleOf(passkey.userId));
  if (userHandle !== undefined && userHandle !== ownHandle) return { refused: "wrong" };
  const { id: rpId, origin } = relyingParty(services);
  const checked = await checkSignature(response, { challenge: kept.challenge, origin, rpId }, passkey.publicKey);
  if ("refused" in checked) {
    services.log.info("passkey.refused", { reason: checked.refused });
    return { refused: "wrong" };
  }
  const { counter, kind, isBackedUp } = checked.value;
  // A key cannot change from one that stays on its device to one that is copied (7.2, backup eligibility).
  if (kind !== passkey.kind) return { refused: "wrong" };
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) return { refused: "counter" };

  const challenge = await spendChallenge(services, kept);
  const same = and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter));
  const unchanged = rowIn(db, passkeys).where(same);
  return {
    taken: {
      countsFrom: passkey.countsFrom,
      conditions: [challenge.condition, { name: "passkey_changed", found: unchanged }],
      statements: [
        challenge.statement,
        db.update(passkeys).set({ counter, isBackedUp, lastUsedAt: clock.now() }).where(same),
      ],
    },
  };
}

export const MAX_PASSKEYS = 20;

/** What browsers need to know about a person's passkeys: which devices to ask, and how to reach them. */
export function listCredentials({ db }: ReadServices, userId: string) {
  return db
    .select({ id: passkeys.credentialId, transports: passkeys.transports, countsFrom: passkeys.countsFrom })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .limit(MAX_PASSKEYS);
}

/** Queues the email that tells a person about a change to one of their passkeys. */
export function queuePasskeyEmail(
  services: WriteServices,
  { organizationId, email, firstName }: Pick<Person, "organizationId" | "email" | "firstName">,
  { change, name }: { change: "added" | "added_new" | "renamed" | "removed" | "counter"; name: string },
): Promise<NewJob[]> {
  const at = formatDateTime(services.clock.now());
  const href = `${services.config.appOrigin}${appPaths.passkeys}`;
  return queueEmail(services, organizationId, [email], {
    template: "passkeyChanged",
    data: { firstName, change, name, at, href },
  });
}

/**
 * Challenges for passkeys: fresh random text that a device signs. The browser keeps its challenge in encrypted form, so
 * that viewing a page writes nothing; the database stores answered challenges, so that none is answered twice.
 */

export const CHALLENGE_TTL_MS = 10 * MINUTE_MS;

/** Longer for an approval, because its page is read first. */
const ttlOf = (purpose?: PasskeyChallenge["purpose"]): number =>
  purpose === "approve" ? 60 * MINUTE_MS : CHALLENGE_TTL_MS;

export const passkeyChallengeSchema = z.object({
  challenge: z.string(),
  purpose: z.enum(["add", "sign_in", "second_step", "step_up", "approve"]),
  /** The session, or the first sign-in step, that it belongs to; empty when neither exists yet. */
  boundTo: z.string(),
  issuedAt: z.number(),
});

export type PasskeyChallenge = z.infer<typeof passkeyChallengeSchema>;

export const newChallenge = (
  { ids, clock }: Services,
  purpose: PasskeyChallenge["purpose"],
  boundTo: string,
): PasskeyChallenge => ({ challenge: ids.secret(), purpose, boundTo, issuedAt: clock.now() });

/** True if this challenge may still be answered for this purpose and by this session or sign-in. */
export const isOpen = (
  { clock }: Pick<Services, "clock">,
  kept: PasskeyChallenge,
  { purpose, boundTo }: Pick<PasskeyChallenge, "purpose" | "boundTo">,
): boolean => kept.purpose === purpose && kept.boundTo === boundTo && kept.issuedAt + ttlOf(purpose) > clock.now();

/** Marks a challenge as used, on condition that no other request was faster. */
export async function spendChallenge(
  services: Services,
  { challenge, purpose, issuedAt }: Pick<PasskeyChallenge, "challenge" | "issuedAt"> & Partial<PasskeyChallenge>,
): Promise<{ condition: Condition<"challenge_used">; statement: Statement }> {
  const { db, secrets } = services;
  const challengeHash = await secrets.hashToken(challenge);
  const used = rowIn(db, usedPasskeyChallenges).where(eq(usedPasskeyChallenges.challengeHash, challengeHash));
  return {
    condition: { name: "challenge_used", found: sql`SELECT 1 WHERE NOT EXISTS (${used.getSQL()})` },
    statement: db
      .insert(usedPasskeyChallenges)
      .values({ challengeHash, expiresAt: issuedAt + ttlOf(purpose) })
      .onConflictDoNothing(),
  };
}

/** The relying party for devices: our host, and only pages at our address. A numeric host has no passkeys. */
export function relyingParty({ config }: Pick<Services, "config">) {
  const { hostname } = new URL(config.appOrigin);
  return { id: hostname, origin: config.appOrigin, isPossible: !/^[\d.]+$|^\[/.test(hostname) };
}
