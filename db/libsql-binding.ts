import type { Read } from "./read-together";

/*
 * D1's interface to a libSQL server, over its HTTP protocol (Hrana 2). The code that guards, measures and joins calls to
 * D1 works unchanged on it. Numbers are bound as reals, as D1 binds them. The official client is not used: it opens a
 * stream for every call, and it starts a queued call on behalf of the request whose call just ended, so a Worker cancels
 * it when that request ends.
 */

/** Opening a database costs the server five queries: the next call reuses the stream of the last one. */
type Stream = { baton: string; base: string; usedAt: number };

/** The server closes a stream that was idle for ten seconds, and has 128 of them open at most. */
const IDLE_MS = 10_000;
const KEPT_MS = 5_000;
const MOST_KEPT = 32;

/** The delays before each retry of a call that a busy server refused; after the last we answer that we are busy. */
const WAITS_MS = [20, 50, 100, 200, 400, 800];
const TURNED_AWAY = 429;
const NOT_KNOWN = [400, 404];

const READ = /^\s*select\b/i;

type Value = { type: "null" } | { type: "text" | "integer"; value: string } | { type: "float"; value: number };
type Answer = {
  cols: { name: string | null }[];
  rows: Value[][];
  affected_row_count: number;
  rows_read?: number;
  rows_written?: number;
};
type Failure = { message: string; code?: string | null };
type Batch = { step_results: (Answer | null)[]; step_errors: (Failure | null)[] };
type Said = {
  baton: string | null;
  base_url: string | null;
  results: ({ type: "ok"; response: { result: Answer | Batch } } | { type: "error"; error: Failure })[];
};

type Reached = { authToken?: string; fetch?: (request: Request) => Promise<Response> };

export function bindLibsql(url: string, reached: Reached = {}): D1Database {
  const ask = createStreams(url.replace(/^libsql:/, "https:").replace(/\/$/, ""), reached);
  const execute = (read: Read) => ask<Answer>({ type: "execute", stmt: toStatement(read) });
  const prepare = (read: Read) => ({
    ...read,
    bind: (...values: unknown[]) => prepare({ sql: read.sql, values }),
    all: async () => toResult(await execute(read)),
    run: async () => toResult(await execute(read)),
    first: async () => toResult(await execute(read)).results[0] ?? null,
    raw: async (options?: { columnNames: boolean }) => {
      const { cols, rows } = await execute(read);
      return [...(options?.columnNames ? [cols.map(({ name }) => name)] : []), ...rows.map((row) => row.map(toJs))];
    },
  });
  return {
    prepare: (sql: string) => prepare({ sql, values: [] }),
    async batch(statements: Read[]) {
      const done = await ask<Batch>({ type: "batch", batch: { steps: inOneTransaction(statements) } });
      const failure = done.step_errors.find((error) => error !== null);
      if (failure) throw failed(failure);
      return statements.map((_, at) => {
        const answer = done.step_results[at + 1];
        if (!answer) throw new Error("libSQL answered fewer statements than it was asked");
        return toResult(answer);
      });
    },
  } as unknown as D1Database;
}

type Asked = { type: "execute" | "batch" | "close"; stmt?: object; batch?: object };
const CLOSE: Asked = { type: "close" };

function createStreams(url: string, { authToken, fetch = (request) => globalThis.fetch(request) }: Reached) {
  const headers = { "Content-Type": "application/json", ...(authToken && { Authorization: `Bearer ${authToken}` }) };
  let kept: Stream[] = [];
  let opened: number[] = [];

  function take(): Stream | undefined {
    const stream = kept.pop();
    if (stream && Date.now() - stream.usedAt < KEPT_MS) return stream;
    kept = [];
    return undefined;
  }

  /** With many calls at once, others close the streams they open: otherwise the server keeps them and calls wait. */
  function mayLeaveOpen(): boolean {
    const now = Date.now();
    opened = opened.filter((at) => now - at < IDLE_MS);
    if (opened.length >= MOST_KEPT) return false;
    opened.push(now);
    return true;
  }

  async function post(stream: Stream | undefined, requests: readonly Asked[]): Promise<Response> {
    const body = JSON.stringify({ baton: stream?.baton ?? null, requests });
    const to = `${stream?.base ?? url}/v2/pipeline`;
    for (const waitMs of WAITS_MS) {
      const response = await fetch(new Request(to, { method: "POST", headers, body }));
      if (response.status !== TURNED_AWAY) return response;
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    return fetch(new Request(to, { method: "POST", headers, body }));
  }

  return async <T extends Answer | Batch>(request: Asked): Promise<T> => {
    const open = () => post(undefined, mayLeaveOpen() ? [request] : [request, CLOSE]);
    const stream = take();
    let response = await (stream ? post(stream, [request]) : open());
    let text = await response.text();
    if (stream && NOT_KNOWN.includes(response.status) && /baton|stream/i.test(text)) {
      // The server was restarted, or was slow: it ran nothing on a stream that it does not know.
      kept = [];
      response = await open();
      text = await response.text();
    }
    if (!response.ok) throw new Error(`Server returned HTTP status ${response.status}: ${text.slice(0, 200)}`);
    const { baton, base_url: base, results }: Said = JSON.parse(text);
    const [result] = results;
    const next = baton === null ? undefined : { baton, base: base ?? stream?.base ?? url, usedAt: Date.now() };
    if (next && mayBeInTransaction(request, result)) {
      // If this call is lost, the server closes the stream once it has been idle for long enough.
      const closed = await post(next, [CLOSE]).catch(() => undefined);
      await closed?.body?.cancel();
    } else if (next && kept.length < MOST_KEPT) kept.push(next);
    if (result?.type !== "ok") throw failed(result?.error ?? { message: "libSQL answered nothing" });
    return result.response.result as T;
  };
}

/** A batch that the server gave up in the middle, for example because its answer is too large, is not rolled back. */
function mayBeInTransaction({ type }: Asked, result: Said["results"][number] | undefined): boolean {
  if (result?.type !== "ok") return type === "batch";
  const done = result.response.result;
  return "step_errors" in done && done.step_results[0] !== null && (done.step_errors.at(-1) ?? null) !== null;
}

const failed = ({ message, code }: Failure) => new Error(code ? `${code}: ${message}` : message);

const toStatement = ({ sql, values }: Read) => ({ sql, args: values.map(toValue), want_rows: true });
const toStep = (read: Read) => ({ stmt: toStatement(read) });

/** Reads that are sent together see the same state of the database, as they do on D1, and keep no writer waiting. */
const BEGIN_READING: Read = { sql: "BEGIN", values: [] };
const BEGIN: Read = { sql: "BEGIN IMMEDIATE", values: [] };
const COMMIT: Read = { sql: "COMMIT", values: [] };
const ROLLBACK: Read = { sql: "ROLLBACK", values: [] };

/** Each step runs only if the one before it succeeded, and everything is rolled back unless the last step ran. */
function inOneTransaction(statements: readonly Read[]) {
  const begin = statements.every(({ sql }) => READ.test(sql)) ? BEGIN_READING : BEGIN;
  const steps = [begin, ...statements, COMMIT].map((read, at) => ({
    ...toStep(read),
    ...(at > 0 && { condition: { type: "ok", step: at - 1 } }),
  }));
  const undone = { type: "not", cond: { type: "ok", step: steps.length - 1 } };
  return [...steps, { ...toStep(ROLLBACK), condition: undone }];
}

function toValue(value: unknown): Value {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "text", value };
  if (typeof value === "boolean") return { type: "integer", value: value ? "1" : "0" };
  if (typeof value === "number" && Number.isFinite(value)) return { type: "float", value };
  throw new TypeError(`a ${typeof value} cannot be bound`);
}

function toJs(value: Value): string | number | null {
  if (value.type === "null") return null;
  if (value.type === "text" || value.type === "float") return value.value;
  const number = Number(value.value);
  if (value.type !== "integer" || !Number.isSafeInteger(number)) throw new Error(`a ${value.type} cannot be read`);
  return number;
}

function toResult({ cols, rows, affected_row_count: changes, rows_read, rows_written }: Answer) {
  const names = cols.map(({ name }) => name ?? "");
  return {
    success: true,
    results: rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], toJs(value)]))),
    meta: { changes, rows_read, rows_written },
  };
}
