import { isOverloadError } from "@db/errors";
import { afterEach, expect, test, vi } from "vitest";
import { admit, databaseCounts, MOST_WAITING, refuseWhenBusy, release } from "./load";
import { runAs } from "./log";

const asked = (path: string, method = "GET") => ({ method, url: `https://app.example${path}` });
const KINDS = ["/dashboard", "/payees.data", "/api/payees", "/webhooks/stripe", "/scim/v2/Users"];

test("everything is taken in while little waits", () => {
  for (const path of KINDS) expect([path, admit(MOST_WAITING - 1, asked(path))]).toEqual([path, "in"]);
});

test("beyond that each is refused in its own form", () => {
  const refused = KINDS.map((path) => admit(MOST_WAITING, asked(path)));
  expect(refused).toEqual(["page", "without_database", "json", "json", "json"]);
  expect(admit(MOST_WAITING, asked("/api/payments", "POST"))).toBe("json");
  expect(admit(MOST_WAITING, asked("/webhooks/basiq", "POST"))).toBe("json");
  expect(admit(MOST_WAITING, asked("/api/docs"))).toBe("page");
});

test("a form that a person filled in is taken in for longer, and not for ever", () => {
  for (const [path, form] of [
    ["/payees/verify", "page"],
    ["/payees/verify.data", "without_database"],
  ] as const) {
    expect(admit(MOST_WAITING, asked(path, "POST"))).toBe("in");
    expect(admit(MOST_WAITING * 2 - 1, asked(path, "POST"))).toBe("in");
    expect(admit(MOST_WAITING * 2, asked(path, "POST"))).toBe(form);
  }
});

test("the health check is always answered", () => {
  for (const path of ["/healthz", "/healthz/status"])
    expect([path, admit(1_000_000, asked(path))]).toEqual([path, "in"]);
});

test("what waits for the database refuses the next, and its answers let the next in", async () => {
  const ends = Array.from({ length: MOST_WAITING }, () => databaseCounts.waited());
  const ask = (path: string, init?: RequestInit) =>
    runAs("request", "r", (run) => {
      const refused = refuseWhenBusy(new Request(`https://app.example${path}`, init), run, "r");
      release(run);
      return { refused };
    });
  const { refused: call } = ask("/api/payments", { method: "POST", body: "{}" });
  expect([call?.status, call?.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await call?.json()).toMatchObject({ code: "BUSY", requestId: "r" });
  const { refused: opened } = ask("/dashboard");
  expect([opened?.status, opened?.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await opened?.text()).toMatch(/Nothing was changed; please try again.*Try Again/);
  for (let count = MOST_WAITING; count < MOST_WAITING * 2; count++) ends.push(databaseCounts.waited());
  const { refused: posted } = ask("/payees/verify", { method: "POST", body: "name=Wattle" });
  expect(await posted?.text()).toMatch(/Nothing was changed.*Reload this page.*what you typed/);
  expect(ask("/healthz").refused).toBeUndefined();

  // The app itself tells a browser script that it is busy, without access to the database.
  expect(
    isOverloadError(
      runAs("request", "r", (run) =>
        errorOf(() => {
          refuseWhenBusy(new Request("https://app.example/payees.data"), run, "r");
          release(run);
          return databaseCounts.waited();
        }),
      ),
    ),
  ).toBe(true);

  for (const end of ends) end();
  expect(ask("/dashboard").refused).toBeUndefined();
});

test("requests that have just come count until they ask the database, and one with a body only from then on", () => {
  const come = (init?: RequestInit) =>
    runAs("request", "r", (run) => {
      const refused = refuseWhenBusy(new Request("https://app.example/api/payees", init), run, "r");
      return { run, refused };
    });
  for (let count = 0; count < MOST_WAITING * 2; count++)
    expect(come({ method: "POST", body: "{}" }).refused).toBeUndefined();
  const taken = [];
  for (let next = come(); !next.refused; next = come()) taken.push(next.run);
  expect(taken.length).toBeLessThanOrEqual(MOST_WAITING);
  // Releasing a request twice counts once.
  for (const run of [...taken, ...taken]) release(run);
  expect(come().refused).toBeUndefined();
});

test("what is cut off and never says that it ended is forgotten, and what still waits is not", () => {
  vi.useFakeTimers();
  const come = () =>
    runAs("request", "r", (run) => ({
      run,
      refused: refuseWhenBusy(new Request("https://app.example/payees"), run, "r"),
    }));
  const cutOff = Array.from({ length: MOST_WAITING / 2 }, () => databaseCounts.waited());
  while (!come().refused) cutOff.push(() => {});
  vi.advanceTimersByTime(9_000);
  expect(come().refused?.status).toBe(503);
  const ends = Array.from({ length: MOST_WAITING }, () => databaseCounts.waited());
  vi.advanceTimersByTime(2_000);
  expect(come().refused?.status).toBe(503);
  for (const end of [...cutOff, ...ends]) end();
  expect(come().refused).toBeUndefined();
  for (let count = 0; count < MOST_WAITING; count++) databaseCounts.waited();
  vi.advanceTimersByTime(11_000);
  expect(come().refused).toBeUndefined();
});

afterEach(() => void vi.useRealTimers());

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
