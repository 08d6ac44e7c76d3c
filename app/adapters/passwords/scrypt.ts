import { randomBytes, scrypt as scryptCallback, timingSafeEqual } from "node:crypto";
import { normalizeText } from "~/kernel/normalize";
import type { Passwords } from "~/services";
import { createHashQueue } from "./hash-queue";

type Cost = { N: number; r: number; p: number };

/** OWASP Password Storage Cheat Sheet: scrypt with N = 2^14, r = 8, p = 5 (16 MiB, which fits a Worker). */
const COST: Cost = { N: 2 ** 14, r: 8, p: 5 };

/** For tests, which sign in hundreds of times: protects nothing. */
export const TEST_COST: Cost = { N: 2, r: 1, p: 1 };

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
      // Without a hash the same work is done, so that the time taken does not tell whether an account exists.
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
