import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFirefox } from "../../scripts/lib/drivers.mjs";
import { type Ask, BrowserEnded, type Named, type Session, sessionOf, TIMEOUTS } from "./webdriver";

/**
 * Firefox by the protocol that its WebDriver speaks (Marionette): text over TCP, each message after its length.
 * @param preferences more of its preferences. Scripts of the test run apart from the page's and need none.
 */
export async function openFirefox(preferences: Record<string, boolean | number> = {}): Promise<Session> {
  const firefox = findFirefox();
  if (!firefox) throw new Error("Firefox not found");
  const profile = mkdtempSync(path.join(tmpdir(), "payeeproof-firefox-"));
  const all = { ...preferences, "marionette.port": 0, "datareporting.policy.dataSubmissionEnabled": false };
  const lines = Object.entries(all).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(path.join(profile, "user.js"), lines.join("\n"));
  const child = spawn(firefox, ["--marionette", "--headless", "--no-remote", "--profile", profile], {
    stdio: "ignore",
    env: { ...process.env, MOZ_HEADLESS_WIDTH: "1440", MOZ_HEADLESS_HEIGHT: "900" },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const end = async () => {
    child.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true });
  };
  try {
    const socket = await connectTo(path.join(profile, "MarionetteActivePort"));
    const ask = speak(socket);
    const { capabilities } = await ask.open();
    const session = sessionOf(capabilities, ask.ask);
    return {
      ...session,
      async close() {
        socket.destroy();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function connectTo(portFile: string): Promise<Socket> {
  for (let attempt = 0; attempt < 1_800; attempt++) {
    try {
      const socket = connect(Number(readFileSync(portFile, "utf8")), "127.0.0.1");
      await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
      return socket;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error("Firefox did not start");
}

type Failure = { error: string; message: string } | null;
type Message = [kind: number, id: number, failure: Failure, result: unknown];

type Waiting = { command: string; resolve(result: unknown): void; reject(error: Error): void };

function speak(socket: Socket) {
  const waiting = new Map<number, Waiting>();
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const colon = received.indexOf(":");
      const length = Number(received.subarray(0, colon).toString());
      if (colon < 0 || received.length < colon + 1 + length) return;
      const message = JSON.parse(received.subarray(colon + 1, colon + 1 + length).toString());
      received = received.subarray(colon + 1 + length);
      // The first message states the protocol.
      if (!Array.isArray(message)) continue;
      const [, id, failure, result] = message as Message;
      const { command, resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (failure) reject?.(new Error(`${command}: ${failure.error}, ${failure.message}`));
      else resolve?.(result);
    }
  });
  // The connection closes when Firefox ends, so an error of the connection says nothing more.
  socket.on("error", () => {});
  socket.once("close", () => {
    for (const { command, reject } of waiting.values()) reject(new BrowserEnded(`${command}: Firefox ended`));
  });
  let last = 0;
  const send = <T>(command: string, parameters: unknown) =>
    new Promise<T>((resolve, reject) => {
      if (socket.destroyed) return reject(new BrowserEnded(`${command}: Firefox has ended`));
      const id = ++last;
      waiting.set(id, { command, resolve: resolve as Waiting["resolve"], reject });
      const text = JSON.stringify([0, id, command, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  const ask: Ask = async <T>(command: string, parameters: Record<string, unknown> = {}) => {
    const result = await send<{ value: T }>(`WebDriver:${command}`, parameters);
    return result.value;
  };
  return { ask, open: () => send<{ capabilities: Named }>("WebDriver:NewSession", { timeouts: TIMEOUTS }) };
}
