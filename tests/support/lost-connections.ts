import type { Db } from "@db/database";

/**
 * A database whose connection is lost during a batch: before it was written, or after, so that the answer is lost. The
 * first `times` batches are affected.
 */
export function losingConnection(db: Db, when: "before" | "after", times = 1): Db {
  let left = times;
  const batch = async (statements: Parameters<Db["batch"]>[0]) => {
    const isHit = left-- > 0;
    if (isHit && when === "before") throw new Error("D1_ERROR: Network connection lost.");
    const results = await db.batch(statements);
    if (isHit) throw new Error("D1_ERROR: Network connection lost.");
    return results;
  };
  return new Proxy(db, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name, target)),
  });
}

/**
 * A database whose process is killed at a batch (counted from 1), before or after that batch is written. This batch and
 * the following ones fail: `times` in all, or every one by default.
 */
export function dyingConnection(db: Db, death: { when: "before" | "after"; batch: number; times?: number }): Db {
  const last = death.batch + (death.times ?? Number.POSITIVE_INFINITY) - 1;
  let count = 0;
  const batch = async (statements: Parameters<Db["batch"]>[0]) => {
    count++;
    if (count < death.batch || count > last) return db.batch(statements);
    if (count === death.batch && death.when === "after") await db.batch(statements);
    throw new Error("killed");
  };
  return new Proxy(db, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name, target)),
  });
}
