import { errorAnswer } from "~/http/api.server";
import { busy, errorHeaders } from "~/http/errors.server";
import { folders, isAtPath, sitePaths } from "~/kernel/paths/site";
import { currentRun, type Running } from "./log";

/*
 * Beyond what this Worker can carry, a request is answered 503 at once, in place of later or never. What counts is what waits
 * for the database, and what has not come so far: a request that waits for a bank, or for a slow sender, holds up nobody.
 */

type Held = { since: number };

/** The oldest first. */
const atHand = new Set<Held>();

/**
 * Longer than a call of the database may take (`compose.ts`). Of what takes longer nobody says that it ended: when a visitor
 * leaves, or time is up, the platform drops the rest of a request, also what it does at its end.
 */
const FORGOTTEN_AFTER_MS = 10_000;

function hold(): Held {
  const held = { since: Date.now() };
  atHand.add(held);
  return held;
}

function countAtHand(): number {
  const before = Date.now() - FORGOTTEN_AFTER_MS;
  for (const held of atHand) {
    if (held.since > before) break;
    atHand.delete(held);
  }
  return atHand.size;
}

/** So much may wait: at about ten milliseconds each, the last is answered within a second. */
export const MOST_WAITING = 64;
/** A person who has filled in a form is let in for longer than one who opens a page. */
const FORMS_TIMES = 2;

/** "without_database": the app says itself that it is busy, in the form in which the browser's scripts can read it. */
type Admission = "in" | "json" | "page" | "without_database";

const isForPrograms = (pathname: string) =>
  (isAtPath(pathname, folders.api) && !isAtPath(pathname, sitePaths.apiDocs)) ||
  isAtPath(pathname, folders.webhooks) ||
  isAtPath(pathname, folders.scim);

/** Whether a request is taken in while so much waits, or how it is refused. */
export function admit(waiting: number, { method, url }: Pick<Request, "method" | "url">): Admission {
  const { pathname } = new URL(url);
  if (waiting < MOST_WAITING || isAtPath(pathname, folders.health)) return "in";
  if (isForPrograms(pathname)) return "json";
  if (method === "POST" && waiting < MOST_WAITING * FORMS_TIMES) return "in";
  return pathname.endsWith(".data") ? "without_database" : "page";
}

/** Takes a request in, or answers that we are busy. What was taken in is never refused later. */
export function refuseWhenBusy(request: Request, run: Running, requestId: string): Response | undefined {
  const admission = admit(countAtHand(), request);
  if (admission === "json") return errorAnswer(busy(), requestId);
  if (admission === "page") return busyPage(request);
  run.isRefused = admission === "without_database";
  // What comes with a body may take its time to arrive.
  if (request.body === null) run.begun = hold();
  return undefined;
}

/** A request is answered. */
export function letGo(run: Running): void {
  if (run.begun) atHand.delete(run.begun);
  run.begun = undefined;
}

/** Counts what the database is asked by whatever runs. */
export const databaseCounts = {
  /** @returns what to call when the database has answered */
  waited(): () => void {
    const run = currentRun();
    if (run) {
      if (run.isRefused) throw new Error("overloaded: too much waits for the database");
      run.waits += 1;
      letGo(run);
    }
    const held = hold();
    return () => {
      atHand.delete(held);
    };
  },
  moved(rows: number): void {
    const run = currentRun();
    if (run) run.rows += rows;
  },
};

/** Without anything that would have to be drawn or asked for. */
function busyPage({ method }: Request): Response {
  const error = busy();
  // Going back would show the form without what was typed: browsers keep nothing of a form that they are not to fill in.
  const next =
    method === "POST"
      ? "Reload this page in a moment. Your browser asks whether to send the form again, with what you typed in it."
      : `<a href="">Try Again</a>`;
  const html = `<!DOCTYPE html><html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>We Are Busy | PayeeProof</title></head><body><main><h1>We Are Busy</h1><p>${error.message}</p><p>${next}</p></main></body></html>`;
  const headers = { ...errorHeaders(error), "Content-Type": "text/html; charset=utf-8" };
  return new Response(html, { status: error.status, headers });
}
