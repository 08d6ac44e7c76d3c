import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { usedPasskeyChallenges } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { MINUTE_MS } from "~/kernel/dates";
import type { Services } from "~/services";

/**
 * Challenges for passkeys: fresh random text that a device signs. The browser keeps its challenge in encrypted form, so
 * that viewing a page writes nothing; the database stores answered challenges, so that none is answered twice.
 */

/** How long an answer may take. */
export const CHALLENGE_TTL_MS = 10 * MINUTE_MS;

/** Longer for an approval, because its page is read first. */
const ttlOf = (purpose?: PasskeyChallenge["purpose"]): number =>
  purpose === "approve" ? 60 * MINUTE_MS : CHALLENGE_TTL_MS;

/** The challenge that a browser keeps. */
export const passkeyChallengeSchema = z.object({
  challenge: z.string(),
  purpose: z.enum(["add", "sign_in", "second_step", "step_up", "approve"]),
  /** The session, or the first sign-in step, that it belongs to; empty when neither exists yet. */
  boundTo: z.string(),
  issuedAt: z.number(),
});

export type PasskeyChallenge = z.infer<typeof passkeyChallengeSchema>;

/** A new random challenge. */
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
  const used = db
    .select({ one: sql`1` })
    .from(usedPasskeyChallenges)
    .where(eq(usedPasskeyChallenges.challengeHash, challengeHash));
  return {
    condition: { name: "challenge_used", found: sql`SELECT 1 WHERE NOT EXISTS (${used.getSQL()})` },
    statement: db
      .insert(usedPasskeyChallenges)
      .values({ challengeHash, expiresAt: issuedAt + ttlOf(purpose) })
      .onConflictDoNothing(),
  };
}

/**
 * The relying party for which devices create keys: our host, and only pages at our address. Browsers create no passkeys
 * for a numeric host.
 */
export function relyingParty({ config }: Pick<Services, "config">): {
  id: string;
  origin: string;
  isPossible: boolean;
} {
  const { hostname } = new URL(config.appOrigin);
  return { id: hostname, origin: config.appOrigin, isPossible: !/^[\d.]+$|^\[/.test(hostname) };
}
