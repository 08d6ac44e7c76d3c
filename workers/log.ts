import { AsyncLocalStorage } from "node:async_hooks";
import type { Log } from "~/services";

/** What runs: every line it logs bears its id, which is also the one that a person is shown. */
export type Running = {
  what: "request" | "job" | "queue" | "email" | "schedule";
  id: string;
  /** How often it waited for the database, and how many rows the database said it read or wrote. */
  waits: number;
  rows: number;
  /** Of a request that has not asked the database yet: `load.ts`. */
  begun?: { since: number } | undefined;
  /** A request that may not ask it: `load.ts`. */
  isRefused?: boolean;
};

const running = new AsyncLocalStorage<Running>();

/** Runs work under an id of its own. */
export function runAs<T>(what: Running["what"], id: string, work: (run: Running) => T): T {
  const run: Running = { what, id, waits: 0, rows: 0 };
  return running.run(run, () => work(run));
}

export const currentRun = (): Running | undefined => running.getStore();

// Bounded, so that a long text without an @ takes time in proportion to its length. 64 letters: RFC 5321, section 4.5.3.1.1.
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+/g;
const TOKEN = /[A-Za-z0-9_-]{40,}/g;
/** An account number as people and programs write it: in groups, with any blank or dash, or as an address or a text writes those. */
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

/** A value as the log may hold it: texts and numbers masked, before they become JSON, which spells blanks in its own way. */
function maskValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "bigint" || (typeof value === "number" && String(value).length > 4)) return mask(String(value));
  if (value instanceof Error) return mask(value.stack ?? value.message);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "…";
  if (Array.isArray(value)) return value.map((each) => maskValue(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), maskValue(each, depth + 1)]));
}

/** One JSON line per event on the console, with the version and the id of what runs. */
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

/** The one line of a request: the pattern of its route and never its address, which may hold a token or a name. */
export function logRequest(
  version: string,
  run: Running,
  said: { method: string; route: string; status: number; ms: number },
): void {
  const { id: request, waits, rows } = run;
  console.info(JSON.stringify({ level: "info", event: "request", version, request, ...said, waits, rows }));
}
