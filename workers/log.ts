import { AsyncLocalStorage } from "node:async_hooks";
import type { Log } from "~/services-and-actor";

/** The current request or job: its id is in every line it logs, and is also shown to the person. */
export type Running = {
  what: "request" | "job" | "queue" | "email" | "schedule";
  id: string;
  /** The number of waits for the database, and of rows that the database says it read or wrote. */
  waits: number;
  rows: number;
  /** Set by `load.ts` while a request has not called the database yet. */
  begun?: { since: number } | undefined;
  /** Set by `load.ts` for a request that may not call the database. */
  isRefused?: boolean;
};

const running = new AsyncLocalStorage<Running>();

/** Runs work with its own id. */
export function runAs<T>(what: Running["what"], id: string, work: (run: Running) => T): T {
  const run: Running = { what, id, waits: 0, rows: 0 };
  return running.run(run, () => work(run));
}

export const currentRun = (): Running | undefined => running.getStore();

// Bounded, so that a long text without an @ takes linear time. 64 characters: RFC 5321, section 4.5.3.1.1.
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+/g;
const TOKEN = /[A-Za-z0-9_-]{40,}/g;
/** An account number as people and programs write it: in groups, with any space or dash, or URL-encoded or escaped. */
const LONG_DIGITS = /\d(?:(?:[\s.\-+\u2010-\u2015_/]|%20|\\[tnr]|\\u00a0){0,3}\d){4,}/g;
/** Ids of rows, and places in a file. */
const KEPT = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\.[cm]?[jt]sx?:\d+:\d+/gi;
const SHOWN_DIGITS = 3;

const maskPart = (text: string): string =>
  text
    .replace(EMAIL, (email) => `${email[0]}…@${email.split("@")[1]}`)
    .replace(TOKEN, "…token…")
    .replace(LONG_DIGITS, (digits) => `…${digits.replace(/\D/g, "").slice(-SHOWN_DIGITS)}`);

/** Bank numbers, email addresses and tokens never reach the log; ids of rows stay. */
export function mask(text: string): string {
  let masked = "";
  let from = 0;
  for (const { 0: kept, index } of text.matchAll(KEPT)) {
    masked += maskPart(text.slice(from, index)) + kept;
    from = index + kept.length;
  }
  return masked + maskPart(text.slice(from));
}

const DEEPEST = 6;

/** Masks texts and numbers in a value before it becomes JSON, which escapes blanks. */
function maskValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "bigint" || (typeof value === "number" && String(value).length > 4)) return mask(String(value));
  if (value instanceof Error) return mask(value.stack ?? value.message);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "…";
  if (Array.isArray(value)) return value.map((each) => maskValue(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), maskValue(each, depth + 1)]));
}

/** One JSON line per event on the console, with the version and the id of the current request or job. */
export function createLog(version: string): Log {
  const write =
    (level: "info" | "warn" | "error") =>
    (event: string, fields: Record<string, unknown> = {}) => {
      const run = running.getStore();
      const masked = maskValue(fields) as Record<string, unknown>;
      console[level](JSON.stringify({ ...masked, level, event, version, ...(run ? { [run.what]: run.id } : {}) }));
    };
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

/** The single log line of a request: its route's pattern, never its address, which may contain a token or a name. */
export function logRequest(
  version: string,
  run: Running,
  said: { method: string; route: string; status: number; ms: number },
): void {
  const { id: request, waits, rows } = run;
  console.info(JSON.stringify({ level: "info", event: "request", version, request, ...said, waits, rows }));
}
