import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { usedPasskeyChallenges } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { MINUTE_MS } from "~/kernel/dates";
import type { Services } from "~/services";

/**
 * Challenges of passkeys: fresh random text that a device signs. The browser keeps what it was asked, sealed, so that
 * looking at a page writes nothing; the database keeps what was answered, so that nothing is answered twice.
 */

/** How long an answer may take. */
export const CHALLENGE_TTL_MS = 10 * MINUTE_MS;

/** Longer for an approval: its page is read first. */
const ttlOf = (purpose?: PasskeyChallenge["purpose"]): number =>
  purpose === "approve" ? 60 * MINUTE_MS : CHALLENGE_TTL_MS;

/** What a browser was asked. */
export const passkeyChallengeSchema = z.object({
  challenge: z.string(),
  purpose: z.enum(["add", "sign_in", "second_step", "step_up", "approve"]),
  /** The session, or the first step of a sign-in, that it belongs to; empty before anything is known. */
  boundTo: z.string(),
  issuedAt: z.number(),
});

export type PasskeyChallenge = z.infer<typeof passkeyChallengeSchema>;

/** A challenge nobody has seen. */
export const newChallenge = (
  { ids, clock }: Services,
  purpose: PasskeyChallenge["purpose"],
  boundTo: string,
): PasskeyChallenge => ({ challenge: ids.secret(), purpose, boundTo, issuedAt: clock.now() });

/** Whether an answer to this challenge may still be given, for this purpose and by whom it was made for. */
export const isOpen = (
  { clock }: Pick<Services, "clock">,
  kept: PasskeyChallenge,
  { purpose, boundTo }: Pick<PasskeyChallenge, "purpose" | "boundTo">,
): boolean => kept.purpose === purpose && kept.boundTo === boundTo && kept.issuedAt + ttlOf(purpose) > clock.now();

/** Uses a challenge up: the condition is that no request was faster. */
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
 * Whom devices make keys for: the host of our own address, and pages of that address only. Browsers make no passkeys for
 * a host that is a number.
 */
export function relyingParty({ config }: Pick<Services, "config">): {
  id: string;
  origin: string;
  isPossible: boolean;
} {
  const { hostname } = new URL(config.appOrigin);
  return { id: hostname, origin: config.appOrigin, isPossible: !/^[\d.]+$|^\[/.test(hostname) };
}
