import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT, say } from "./console.mjs";

const STAMP = path.join(ROOT, "node_modules", ".installed-for");

/** Installs exactly what the lock file says, when it is not installed yet. Uses nothing but Node and npm. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 3)) {
    throw new Error(`Node ${process.versions.node} is too old: Node 20.3 or newer is needed.`);
  }
  const lock = createHash("sha256")
    .update(readFileSync(path.join(ROOT, "package-lock.json")))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === lock) return;
  say("install", "npm ci (once, and after changes of package-lock.json)");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const result = spawnSync(npm, ["ci", "--no-audit", "--no-fund"], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (result.status !== 0) throw new Error("npm ci failed: see above.");
  writeFileSync(STAMP, lock);
}
