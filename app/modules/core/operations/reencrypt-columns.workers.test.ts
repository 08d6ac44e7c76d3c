import { env } from "cloudflare:workers";
import { keysInUse, outbox, twoSteps, walkCursors } from "@db/database";
import { ENVELOPES, forgetDigestSql, keysInUseSql } from "@db/seed/keys-in-use.mjs";
import { eq, getTableName, inArray, like } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createSecrets, parseKeys } from "~/adapters/secrets/web-crypto";
import { DAY_MS } from "~/kernel/dates";
import { runStatement } from "~/modules/core/commands/run-command.server";
import { peek } from "../../../../tests/support/payees";
import { aPerson } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { ENCRYPTED_COLUMNS } from "../../../../workers/schedules";
import { noteCurrentKeys, reencryptColumns } from "./reencrypt-columns.server";
import { checkHealth } from "./watch.server";

const { ENCRYPTION_KEYS, FINGERPRINT_KEYS } = env as unknown as Record<string, string>;
const NEW_KEY = "e2:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

/** The services of a deployment with these encryption keys. */
function withKeys(services: TestServices, list: string): TestServices {
  const encryption = parseKeys("", list);
  const secrets = createSecrets({ fingerprint: parseKeys("", FINGERPRINT_KEYS ?? ""), encryption });
  const keys = { ...services.config.keys, ENCRYPTION_KEYS: encryption };
  return { ...services, secrets, config: { ...services.config, keys } };
}

/** Tests share the database, and other files leave values that cannot be decrypted. */
const COLUMNS = ENCRYPTED_COLUMNS.filter(({ table }) => table === outbox || table === twoSteps);

/** Encrypted payloads of more than one page of jobs, and a person's secret. */
async function sealed(services: TestServices, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => services.ids.next());
  const rows = await Promise.all(
    ids.map(async (id) => ({
      id,
      queue: "jobs" as const,
      kind: "email",
      status: "failed" as const,
      sealedPayload: await services.secrets.seal(`content of ${id}`, id),
      dueAt: 1,
      createdAt: 1,
      finishedAt: services.clock.now(),
    })),
  );
  for (let at = 0; at < rows.length; at += 6) await peek.insert(outbox).values(rows.slice(at, at + 6));
  return ids;
}

/** Tests share the database, so other tests' encrypted values are removed. */
beforeEach(async () => {
  await peek.update(outbox).set({ sealedPayload: null });
  await peek.delete(twoSteps);
  await peek.delete(keysInUse);
  await peek.delete(walkCursors).where(like(walkCursors.name, "sealed anew%"));
});

test("the list of sealed columns is the one that the command counts by", () => {
  const names = ENCRYPTED_COLUMNS.map(({ table, column }) => [getTableName(table), column.name]);
  expect(names.sort()).toEqual([...ENVELOPES].sort());
});

test("D1 answers what that command asks", async () => {
  const services = testServices();
  await sealed(services, 2);
  await runStatement(services, noteCurrentKeys(services));
  const { results } = await (env as unknown as { DB: D1Database }).DB.prepare(keysInUseSql).all();
  const of = (where: string) => results.filter((row) => row.variable === "ENCRYPTION_KEYS" && row.where === where);
  expect(of("outbox.sealedPayload")).toMatchObject([{ key: "e1", rows: 2 }]);
  expect(of("keys_in_use")).toMatchObject([{ key: "e1", rows: 1 }]);
});

test("a key is changed: everything is sealed anew in pages, and only then is the former key out of use", async () => {
  const before = testServices();
  await runStatement(before, noteCurrentKeys(before));
  const ids = await sealed(before, 430);
  const person = await aPerson(before);
  const secret = await before.secrets.seal("totp", `two-step:${person.id}`);
  await peek.insert(twoSteps).values({ userId: person.id, sealedSecret: secret, createdAt: 1, updatedAt: 1 } as never);

  const after = withKeys(before, `${NEW_KEY},${ENCRYPTION_KEYS}`);
  await runStatement(after, noteCurrentKeys(after));
  const runs = [await reencryptColumns(after, COLUMNS)];
  // An old instance is still running, and encrypts with the former key behind the walk.
  const [late = ""] = await sealed(before, 1);
  while (runs.length < 8) runs.push(await reencryptColumns(after, COLUMNS));
  expect(runs[0]).toBeLessThan(432);
  expect(runs.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(432);

  const rows = await peek
    .select()
    .from(outbox)
    .where(inArray(outbox.id, [...ids.slice(0, 50), late]));
  expect(rows.every(({ sealedPayload }) => sealedPayload?.startsWith("e2."))).toBe(true);
  expect(await after.secrets.open(rows[0]?.sealedPayload ?? "", rows[0]?.id ?? "")).toBe(`content of ${rows[0]?.id}`);
  const [step] = await peek.select().from(twoSteps).where(eq(twoSteps.userId, person.id));
  expect(await after.secrets.open(step?.sealedSecret ?? "", `two-step:${person.id}`)).toBe("totp");
  expect(
    (await peek.select({ key: keysInUse.key }).from(keysInUse).where(eq(keysInUse.variable, "ENCRYPTION_KEYS"))).map(
      ({ key }) => key,
    ),
  ).toEqual(["e2"]);

  const without = withKeys(before, NEW_KEY);
  expect(await checkHealth(without)).toMatchObject({ ok: true });
  expect(await reencryptColumns(without, COLUMNS)).toBe(0);
});

test("a key that is in use and not listed any more: the health check fails and names it", async () => {
  const before = testServices();
  await runStatement(before, noteCurrentKeys(before));
  const after = withKeys(before, NEW_KEY);
  expect(await checkHealth(after)).toMatchObject({ ok: false, unlistedKeys: ["ENCRYPTION_KEYS e1"] });
});

test("a key with the name of the one in use and other bytes: the health check fails, until that is said to be lost", async () => {
  const before = testServices();
  const note = (services: TestServices) => runStatement(services, noteCurrentKeys(services));
  const digests = async () => (await peek.select().from(keysInUse)).map(({ key, digest }) => [key, digest]);
  // A release that noted names only.
  for (const [variable, [current]] of Object.entries(before.config.keys))
    await peek.insert(keysInUse).values({ variable, key: current?.id ?? "", firstUsedAt: 1 });
  expect(await checkHealth(before)).toMatchObject({ ok: true });
  await note(before);
  const noted = await digests();
  expect(noted).toEqual(
    expect.arrayContaining(Object.values(before.config.keys).map(([key]) => [key?.id, key?.digest])),
  );

  const other = withKeys(before, `${NEW_KEY},${NEW_KEY.replace("e2:AA", "e1:BB")}`);
  const problem = "ENCRYPTION_KEYS e1 is not the key that sealed what is stored";
  expect(await checkHealth(other)).toMatchObject({ ok: false, problem, changedKeys: ["ENCRYPTION_KEYS e1"] });
  await note(other);
  expect(await digests()).toEqual(expect.arrayContaining(noted));
  expect(await checkHealth(other)).toMatchObject({ ok: false, problem });

  await (env as unknown as { DB: D1Database }).DB.prepare(forgetDigestSql("e1")).run();
  await note(other);
  expect(await checkHealth(other)).toMatchObject({ ok: true });
});

test("what cannot be opened is left as it is, said in the log, and keeps its key in use", async () => {
  const before = testServices();
  await runStatement(before, noteCurrentKeys(before));
  const [id = ""] = await sealed(before, 1);
  const after = withKeys(before, `${NEW_KEY},${ENCRYPTION_KEYS}`);
  await peek.update(outbox).set({ sealedPayload: "e1.AAAA.AAAA" }).where(eq(outbox.id, id));
  for (let run = 0; run < 4; run++) expect(await reencryptColumns(after, COLUMNS)).toBe(0);
  after.clock.advance(8 * DAY_MS);
  await reencryptColumns(after, COLUMNS);
  expect(before.log.lines.filter(({ event }) => event === "seal_anew.unopened").length).toBeGreaterThan(0);
  expect((await peek.select().from(keysInUse)).map(({ key }) => key)).toContain("e1");
});
