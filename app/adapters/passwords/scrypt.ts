import { randomBytes, scrypt as scryptCallback, timingSafeEqual } from "node:crypto";
import { AppError } from "~/kernel/app-error";
import { normalizeText } from "~/kernel/text";
import type { Passwords } from "~/services-and-actor";

/** About six seconds of work. Later requests are told to try again, because few people wait longer for a page. */
export const MAX_WAITING = 64;
/** How often a waiting request checks whether its turn has come. */
const LOOK_EVERY_MS = 20;
/** A cancelled request stops checking but keeps its place, so it is skipped after this time. */
export const PASSED_OVER_AFTER_MS = 1_000;
const BUSY = "Too many people are signing in right now. Please try again in a moment.";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Keeps a flood of sign-ins from blocking the Worker. Hashing takes a tenth of a second in which nothing else runs, so
 * many in a row would leave new connections unread until they break. One hash runs at a time, first come first served,
 * and the event loop runs before each one. Each request waits on its own timer: in a Worker a request must not
 * wait for the promise of another one.
 * @throws AppError 503 BUSY when too many wait
 */
export function createHashQueue() {
  /** Places in order of arrival, with the time of each request's last check. */
  const waiting = new Map<object, number>();
  const passOver = (now: number) => {
    for (const [place, since] of waiting) if (now - since > PASSED_OVER_AFTER_MS) waiting.delete(place);
  };
  const isFirst = (place: object) => {
    const now = Date.now();
    waiting.set(place, now);
    passOver(now);
    return waiting.keys().next().value === place;
  };
  return async <T>(work: () => Promise<T>): Promise<T> => {
    passOver(Date.now());
    if (waiting.size >= MAX_WAITING) throw new AppError("BUSY", BUSY);
    const place = {};
    waiting.set(place, Date.now());
    try {
      while (!isFirst(place)) await sleep(LOOK_EVERY_MS);
      await sleep(0);
      return await work();
    } finally {
      waiting.delete(place);
    }
  };
}

type Cost = { N: number; r: number; p: number };

/** OWASP Password Storage Cheat Sheet: scrypt with N = 2^14, r = 8, p = 5 (16 MiB, which fits a Worker). */
const COST: Cost = { N: 2 ** 14, r: 8, p: 5 };

/** For tests, which sign in hundreds of times; gives no protection. */
const TEST_COST: Cost = { N: 2, r: 1, p: 1 };

/** No real address ends in .test (RFC 6761), and loopback is this machine: no deployed app uses the cheap hashes. */
const TEST_ADDRESS = /\.test$|^127\.0\.0\.1$|^localhost$/;

export const costFor = ({ APP_ENV, APP_ORIGIN }: { APP_ENV: string; APP_ORIGIN: string }): Cost =>
  APP_ENV === "test" && TEST_ADDRESS.test(new URL(APP_ORIGIN).hostname) ? TEST_COST : COST;

const KEY_BYTES = 32;
const SALT_BYTES = 16;

const derive = (password: string, salt: Buffer, cost: Cost) =>
  new Promise<Buffer>((resolve, reject) => {
    scryptCallback(normalizeText(password, "NFKC"), salt, KEY_BYTES, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

const write = (salt: Buffer, key: Buffer, { N, r, p }: Cost) =>
  `scrypt$${N}$${r}$${p}$${salt.toString("base64url")}$${key.toString("base64url")}`;

function read(stored: string): { cost: Cost; salt: Buffer; key: Buffer } | undefined {
  const [scheme, N, r, p, salt, key] = stored.split("$");
  if (scheme !== "scrypt" || !salt || !key) return undefined;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, "base64url"), key: Buffer.from(key, "base64url") };
}

/**
 * Password hashes `scrypt$N$r$p$salt$key`, the parameters beside the hash so that they can be raised: a hash made with
 * others still verifies and asks for a rehash. Both functions throw AppError 503 BUSY when too many hashes wait.
 */
export function createScryptPasswords(cost: Cost = COST): Passwords {
  const inQueue = createHashQueue();
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return write(salt, await inQueue(() => derive(password, salt, cost)), cost);
    },
    async verify(password, stored) {
      const known = stored === undefined ? undefined : read(stored);
      // Without a hash the same work is done, so that the response time does not reveal whether an account exists.
      if (!known) {
        await inQueue(() => derive(password, Buffer.alloc(SALT_BYTES), cost));
        return { ok: false, needsRehash: false };
      }
      const key = await inQueue(() => derive(password, known.salt, known.cost));
      const ok = key.length === known.key.length && timingSafeEqual(key, known.key);
      const needsRehash = known.cost.N !== cost.N || known.cost.r !== cost.r || known.cost.p !== cost.p;
      return { ok, needsRehash: ok && needsRehash };
    },
  };
}
