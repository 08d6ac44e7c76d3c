import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { findFirefox, findWebKit } from "../../scripts/lib/drivers.mjs";
import { openFirefox } from "./firefox";
import { BrowserEnded, type Session } from "./webdriver";
import { goingOn, openWebKit } from "./webkit";

const inWebKit = { isThere: Boolean(findWebKit().found), open: openWebKit };
/** The kernel cuts the programs' names after 15 characters. */
const PROGRAMS = [
  { program: "WebKitWebProces", ...inWebKit },
  { program: "MiniBrowser", ...inWebKit },
  { program: "WebKitWebDriver", ...inWebKit },
  { program: path.basename(findFirefox() ?? ""), isThere: Boolean(findFirefox()), open: () => openFirefox() },
];

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

test.each(PROGRAMS.filter(({ isThere }) => isThere))(
  "a test whose $program ends begins again in a new browser, once",
  async ({ program, open }) => {
    const inBrowser = goingOn<Session>({ open, close: (browser) => browser.close() });
    let begun = 0;
    const take = (isEnding: () => boolean) =>
      inBrowser.run(async (browser) => {
        begun += 1;
        await browser.visit("about:blank");
        if (isEnding()) endOwn(program);
        expect(await browser.run(() => location.href)).toBe("about:blank");
      });
    await take(() => begun === 1);
    expect(begun).toBe(2);
    await expect(take(() => true)).rejects.toThrow(BrowserEnded);
    expect(begun).toBe(3);
    await inBrowser.end()?.catch(() => {});
  },
);
