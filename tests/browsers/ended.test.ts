import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findWebKit } from "../../scripts/lib/drivers.mjs";
import { BrowserEnded, type Session } from "./webdriver";
import { goingOn, openWebKit } from "./webkit";

/** The kernel's names of the three programs, which it cuts after 15 characters. */
const PROGRAMS = ["WebKitWebProces", "MiniBrowser", "WebKitWebDriver"];

/** Ends the program of this name that this process started, directly or through another. */
function endOwn(name: string): void {
  const known = new Map<number, { name: string; parent: number }>();
  for (const pid of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const [, called = "", parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      known.set(Number(pid), { name: called, parent: Number(parent) });
    } catch {
      // It ended meanwhile.
    }
  }
  const isOwn = (pid: number): boolean => {
    const parent = known.get(pid)?.parent;
    return parent !== undefined && (parent === process.pid || isOwn(parent));
  };
  const found = [...known].filter(([pid, { name: called }]) => called === name && isOwn(pid));
  expect(found).not.toEqual([]);
  for (const [pid] of found) process.kill(pid, "SIGKILL");
}

describe.runIf(findWebKit().found)("in WebKit", () => {
  test.each(PROGRAMS)("a test whose %s ends begins again in a new browser, once", async (program) => {
    const inBrowser = goingOn<Session>({ open: openWebKit, close: (webkit) => webkit.close() });
    let begun = 0;
    const take = (isEnding: () => boolean) =>
      inBrowser.run(async (webkit) => {
        begun += 1;
        await webkit.visit("data:text/html,<title>here</title>");
        if (isEnding()) endOwn(program);
        expect(await webkit.run(() => document.title)).toBe("here");
      });
    await take(() => begun === 1);
    expect(begun).toBe(2);
    await expect(take(() => true)).rejects.toThrow(BrowserEnded);
    expect(begun).toBe(3);
    await inBrowser.end()?.catch(() => {});
  });
});
