import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { withLock } from "./build.mjs";

/** Starts a program that says "begun" and then works for a minute. */
async function begin(program: string): Promise<ChildProcess & { said: Promise<string> }> {
  const WORK = `async () => { console.log("begun"); await new Promise((resolve) => setTimeout(resolve, 60_000)); }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program.replace("WORK", WORK)], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = text(child.stdout);
  await once(child.stdout, "data");
  return Object.assign(child, { said });
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("what was begun is undone when %s ends it", async (signal) => {
  const child = await begin(
    `import { withUndo } from "./console.mjs"; await withUndo(() => console.log("undone"), WORK);`,
  );
  child.kill(signal);
  expect(await child.said).toBe("begun\nundone\n");
});

test("a build waits for as long as another one lives, and no longer", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-lock #1 100% "));
  const lock = path.join(folder, "lock.db");
  const child = await begin(`import { withLock } from "./build.mjs"; await withLock(WORK, ${JSON.stringify(lock)});`);
  const order: string[] = [];
  const mine = withLock(async () => order.push("mine"), lock);
  await new Promise((resolve) => setTimeout(resolve, 500));
  order.push("ended");
  child.kill("SIGKILL");
  await mine;
  expect(order).toEqual(["ended", "mine"]);
  rmSync(folder, { recursive: true });
});
