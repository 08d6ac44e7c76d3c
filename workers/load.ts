import { busy, errorAnswer, errorHeaders } from "~/http/responses.server";
import { folders, isAtPath, sitePaths } from "~/kernel/paths/site";
import { currentRun, type Running } from "./log";

/*
 * Answers 503 at once when there are more requests than this Worker can serve, instead of answering late or never.
 * It counts requests that wait for the database or have not reached it yet. A request that waits for a bank or for
 * a slow sender does not count, because it delays nobody.
 */

type Held = { since: number };

/** Oldest first. */
const waitingRequests = new Set<Held>();

/**
 * Longer than the timeout of a database call (`compose.ts`). A request that takes longer may never report its end: when
 * the visitor leaves or the time limit is reached, the platform drops the rest of the request, including its final
 * steps.
 */
const FORGOTTEN_AFTER_MS = 10_000;

function hold(): Held {
  const held = { since: Date.now() };
  waitingRequests.add(held);
  return held;
}

function countWaiting(): number {
  const before = Date.now() - FORGOTTEN_AFTER_MS;
  for (const held of waitingRequests) {
    if (held.since > before) break;
    waitingRequests.delete(held);
  }
  return waitingRequests.size;
}

/** How many requests may wait: at about ten milliseconds each, the last is answered within a second. */
export const MOST_WAITING = 64;
/** Sent forms get a higher limit than opened pages. */
const FORM_FACTOR = 2;

/** "without_database": the app itself answers that it is busy, in the format that browser scripts can read. */
type Admission = "in" | "json" | "page" | "without_database";

const isForPrograms = (pathname: string) =>
  (isAtPath(pathname, folders.api) && !isAtPath(pathname, sitePaths.apiDocs)) ||
  isAtPath(pathname, folders.webhooks) ||
  isAtPath(pathname, folders.scim);

/** Decides from the number of waiting requests whether to admit one, or how to refuse it. */
export function admit(waiting: number, { method, url }: Pick<Request, "method" | "url">): Admission {
  const { pathname } = new URL(url);
  if (waiting < MOST_WAITING || isAtPath(pathname, folders.health)) return "in";
  if (isForPrograms(pathname)) return "json";
  if (method === "POST" && waiting < MOST_WAITING * FORM_FACTOR) return "in";
  return pathname.endsWith(".data") ? "without_database" : "page";
}

/** Admits a request, or answers that the service is busy. An admitted request is never refused later. */
export function refuseWhenBusy(request: Request, run: Running, requestId: string): Response | undefined {
  const admission = admit(countWaiting(), request);
  if (admission === "json") return errorAnswer(busy(), requestId);
  if (admission === "page") return busyPage(request);
  run.isRefused = admission === "without_database";
  // A request with a body may arrive slowly.
  if (request.body === null) run.begun = hold();
  return undefined;
}

/** Called when a request has been answered. */
export function release(run: Running): void {
  if (run.begun) waitingRequests.delete(run.begun);
  run.begun = undefined;
}

/** Counts the database calls of the current request or job. */
export const databaseCounts = {
  /** @returns a function to call when the database has answered */
  waited(): () => void {
    const run = currentRun();
    if (run) {
      if (run.isRefused) throw new Error("overloaded: too much waits for the database");
      run.waits += 1;
      release(run);
    }
    const held = hold();
    return () => {
      waitingRequests.delete(held);
    };
  },
  moved(rows: number): void {
    const run = currentRun();
    if (run) run.rows += rows;
  },
};

/** Needs neither a rendered page nor any query. */
function busyPage({ method }: Request): Response {
  const error = busy();
  // Not "go back": browsers do not restore what was typed into a form with autocomplete="off", as all forms here have.
  const next =
    method === "POST"
      ? "Reload this page in a moment. Your browser asks whether to send the form again, with what you typed in it."
      : `<a href="">Try Again</a>`;
  const html = `<!DOCTYPE html><html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>We Are Busy | PayeeProof</title></head><body><main><h1>We Are Busy</h1><p>${error.message}</p><p>${next}</p></main></body></html>`;
  const headers = { ...errorHeaders(error), "Content-Type": "text/html; charset=utf-8" };
  return new Response(html, { status: error.status, headers });
}
