import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { freePort } from "../../scripts/lib/copy.mjs";
import { findWebKit } from "../../scripts/lib/drivers.mjs";
import { openSession, type Session } from "./webdriver";

/** The browser's own buttons would keep its window from being as narrow as a phone. */
const NARROW = "* { min-width: 0; padding: 0; margin: 0; border-width: 0; }";

/** WebKit, Safari's engine, by its own driver on a screen that nobody sees. */
export async function openWebKit(): Promise<Session> {
  const { found, missing } = findWebKit();
  if (!found) throw new Error(`${missing.join(", ")} not found`);
  const started: ChildProcess[] = [];
  const settings = mkdtempSync(path.join(tmpdir(), "payeeproof-webkit-"));
  const end = () => {
    for (const child of started) child.kill();
    rmSync(settings, { recursive: true, force: true });
  };
  try {
    mkdirSync(path.join(settings, "gtk-3.0"));
    writeFileSync(path.join(settings, "gtk-3.0", "gtk.css"), NARROW);
    const screen = spawn(found.display, ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    started.push(screen);
    const display = await firstLine(screen.stdio[3] as Readable);
    const port = await freePort();
    started.push(
      spawn(found.driver, [`--port=${port}`], {
        env: { ...process.env, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: "1", XDG_CONFIG_HOME: settings },
        stdio: "ignore",
      }),
    );
    const address = `http://127.0.0.1:${port}`;
    await untilReady(address);
    const session = await openSession(address, {
      browserName: "MiniBrowser",
      "webkitgtk:browserOptions": { binary: found.browser, args: ["--automation"] },
    });
    return {
      ...session,
      close: () => session.close().finally(end),
    };
  } catch (error) {
    end();
    throw error;
  }
}

const firstLine = (stream: Readable) =>
  new Promise<string>((resolve, reject) => {
    stream.once("data", (chunk) => resolve(String(chunk).trim()));
    stream.once("end", () => reject(new Error("the screen did not start")));
  });

async function untilReady(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`${address}/status`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("WebKit's driver did not start");
}
