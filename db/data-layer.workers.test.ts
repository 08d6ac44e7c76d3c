import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { describeDataLayer } from "../tests/support/data-layer-suite";
import { openD1 } from "./client";
import { guardD1 } from "./guarded-d1";

const binding = (env as unknown as { DB: D1Database }).DB;

describeDataLayer("data layer on D1", async () => openD1(guardD1(binding, { timeoutMs: 5_000 })));

/** D1 whose next batch is written or read, and whose answer is then lost. */
function losingNextBatch(): D1Database {
  let isLost = false;
  return new Proxy(binding, {
    get(target, name) {
      if (name !== "batch" || isLost) return Reflect.get(target, name).bind(target);
      return async (statements: D1PreparedStatement[]) => {
        isLost = true;
        await target.batch(statements);
        throw new Error("D1_ERROR: Network connection lost.");
      };
    },
  });
}

test("a batch of reads whose connection was lost is asked once more, one that writes is not", async () => {
  const reading = guardD1(losingNextBatch(), { timeoutMs: 5_000 });
  const [one] = await reading.batch([reading.prepare("select 1 as n"), reading.prepare("select 2 as n")]);
  expect(one?.results).toEqual([{ n: 1 }]);
  const writing = guardD1(losingNextBatch(), { timeoutMs: 5_000 });
  const statements = [writing.prepare("select 1"), writing.prepare("delete from leases where name = 'none'")];
  await expect(writing.batch(statements)).rejects.toThrow("Network connection lost");
});
