import type { Db } from "@db/client";

/**
 * The database as it looks when the connection is lost during a batch: before it was written, or after, with the
 * acknowledgement lost. The first `times` batches are hit.
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
