import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { countHit } from "@db/rate-counter";
import { rateCounters } from "@db/schema";
import { and, eq, gt, gte, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import type { Services } from "~/services";
import { MAX_WRONG_CODES } from "../two-step/two-step";
import { FAILED_SIGN_INS_WINDOW_MS, MAX_FAILED_SIGN_INS } from "./sign-in";

type Counting = Pick<Services, "db" | "clock" | "secrets">;

/** Counts the failures of one account; after `max` of them it is locked until the window ends. */
export type Lock = { key: string; max: number };

/**
 * The lock on an account's password. What names no account is counted as if it did, so that the limit does not tell
 * which accounts exist; it is stored as a digest, because people type passwords into the wrong field.
 */
export async function passwordLock(services: Counting, login: string, userId: string | undefined): Promise<Lock> {
  return { key: `failed-sign-ins:${userId ?? (await services.secrets.hashToken(login))}`, max: MAX_FAILED_SIGN_INS };
}

/** The lock on an account's codes: behind the password, so that no other person can lock it. */
export const codeLock = (userId: string): Lock => ({ key: `wrong-codes:${userId}`, max: MAX_WRONG_CODES });

const isFull = (services: Counting, { key, max }: Lock) =>
  and(eq(rateCounters.key, key), gt(rateCounters.windowEndsAt, services.clock.now()), gte(rateCounters.count, max));

/** @throws AppError 429 SIGN_IN_LOCKED while the account is locked */
export async function requireUnlocked(services: Counting, lock: Lock): Promise<void> {
  const [row] = await services.db
    .select({ windowEndsAt: rateCounters.windowEndsAt })
    .from(rateCounters)
    .where(isFull(services, lock));
  if (row) throw locked(row.windowEndsAt - services.clock.now());
}

/** The account was not locked while the password was compared. */
export function accountIsUnlocked(services: Counting, lock: Lock): Condition<"account_locked"> {
  const full = services.db.select({ one: sql`1` }).from(rateCounters).where(isFull(services, lock));
  return { name: "account_locked", found: sql`SELECT 1 WHERE NOT EXISTS (${full.getSQL()})` };
}

/** A sign-in clears the count of the failures before it. */
export function forgetFailures(services: Counting, { key }: Lock): Statement {
  return services.db.delete(rateCounters).where(eq(rateCounters.key, key));
}

/** Counts a failure. @throws AppError 429 SIGN_IN_LOCKED when there were too many before it */
export async function countFailure(services: Counting, { key, max }: Lock): Promise<void> {
  const now = services.clock.now();
  const { count, windowEndsAt } = await countHit(services.db, key, FAILED_SIGN_INS_WINDOW_MS, now);
  if (count > max) throw locked(windowEndsAt - now);
}

function locked(remainingMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new AppError(
    "SIGN_IN_LOCKED",
    429,
    `Too many failed sign-ins for this account. Please try again in ${wait}.`,
    {
      retryAfterSeconds,
    },
  );
}
