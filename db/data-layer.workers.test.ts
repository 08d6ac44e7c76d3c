import { env } from "cloudflare:workers";
import { ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { describeDataLayer } from "../tests/support/data-layer-suite";
import { openD1, users } from "./database";
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

test("rows of a join are the same, asked for alone and together with another read", async () => {
  const db = openD1(guardD1(binding, { timeoutMs: 5_000 }));
  const person = alias(users, "person");
  const read = () =>
    db
      .select({
        id: users.id,
        email: users.email,
        other: { id: person.id, email: person.email },
        one: sql`1`,
        two: sql`1`,
      })
      .from(users)
      .innerJoin(person, ne(person.id, users.id))
      .orderBy(users.id, person.id)
      .limit(5);
  const id = () => crypto.randomUUID();
  for (const one of [id(), id()]) {
    await db.insert(users).values({
      id: one,
      email: `${one}@a.example`,
      username: one,
      password: "x",
      firstName: "A",
      lastName: "B",
      createdAt: 1,
      updatedAt: 1,
    });
  }
  const alone = await read();
  expect(alone[0]?.id).not.toBe(alone[0]?.other.id);
  expect(await Promise.all([read(), read()])).toEqual([alone, alone]);
});
