import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isThere } from "./browser.mjs";
import { freePort } from "./copy.mjs";

/** The other browsers and their drivers, if a system package installed them. */

const LIBRARIES = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/libexec"];

const inPath = (name) =>
  (process.env.PATH ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find(isThere);

/** WebKit's MiniBrowser is in a folder named after the library's version. */
const miniBrowser = () =>
  LIBRARIES.flatMap((folder) => {
    try {
      const versions = readdirSync(folder).filter(
        (name) => name.startsWith("webkit2gtk-") || name.startsWith("webkitgtk-"),
      );
      return versions.sort().map((name) => path.join(folder, name, "MiniBrowser"));
    } catch {
      return [];
    }
  })
    .reverse()
    .find(isThere);

/** Browsers that are installed but do not start on this machine. */
const LEFT_OUT = "BROWSERS_LEFT_OUT";

const isLeftOut = (name) => (process.env[LEFT_OUT] ?? "").split(" ").includes(name);

/** @param name of a browser to exclude from the tests */
export function leaveOut(name) {
  process.env[LEFT_OUT] = `${process.env[LEFT_OUT] ?? ""} ${name}`;
}

/** The names of Firefox's program on Debian and other systems. */
export const findFirefox = () => (isLeftOut("Firefox") ? undefined : (inPath("firefox-esr") ?? inPath("firefox")));

/**
 * What a test in WebKit needs.
 * @returns the programs, or the missing ones
 */
export function findWebKit() {
  if (isLeftOut("WebKit")) return { missing: ["WebKit"] };
  const found = { driver: inPath("WebKitWebDriver"), browser: miniBrowser(), display: inPath("Xvfb") };
  const names = { driver: "WebKitWebDriver", browser: "MiniBrowser", display: "Xvfb" };
  const missing = Object.keys(names).filter((each) => !found[each]);
  return missing.length === 0 ? { found } : { missing: missing.map((each) => names[each]) };
}

/** The browser's toolbar would keep its window from becoming as narrow as a phone. */
const NARROW = "* { min-width: 0; padding: 0; margin: 0; border-width: 0; }";

/** The driver does not report how its browser ended. */
const TELL_THE_END = '"$0" "$@"; echo "the browser ended: $?" >&2';

/** How much of the programs' output is kept. */
const KEPT_CHARACTERS = 4_000;

/** Starts WebKit's driver on a virtual display. Opening a session starts the browser. */
export async function startWebKit() {
  const { found, missing } = findWebKit();
  if (!found) throw new Error(`${missing.join(", ")} not found`);
  const started = [];
  const settings = mkdtempSync(path.join(tmpdir(), "payeeproof-webkit-"));
  let said = "";
  let isEnding = false;
  const keep = (name, child) => {
    started.push(child);
    const hear = (text) => {
      said = (said + text).slice(-KEPT_CHARACTERS);
    };
    child.on("error", (error) => hear(`${name}: ${error.message}\n`));
    child.stderr.setEncoding("utf8").on("data", hear);
    child.once("exit", (code, signal) => isEnding || hear(`${name} ended: ${signal ?? code}\n`));
  };
  const end = () => {
    isEnding = true;
    for (const child of started) child.kill();
    rmSync(settings, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    mkdirSync(path.join(settings, "gtk-3.0"));
    writeFileSync(path.join(settings, "gtk-3.0", "gtk.css"), NARROW);
    const screen = spawn(found.display, ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    keep("Xvfb", screen);
    const display = await firstLine(screen.stdio[3]);
    const port = await freePort();
    const env = {
      ...process.env,
      DISPLAY: `:${display}`,
      LIBGL_ALWAYS_SOFTWARE: "1",
      // The machine's cache of shaders may be damaged, which ends WebKit at the first page that needs it.
      MESA_SHADER_CACHE_DISABLE: "true",
      XDG_CONFIG_HOME: settings,
      // A container has no sandbox, and only the product is loaded.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    };
    // The browser writes to its driver's pipe.
    keep("the driver", spawn(found.driver, [`--port=${port}`], { env, stdio: ["ignore", "ignore", "pipe"] }));
    const address = `http://127.0.0.1:${port}`;
    await untilReady(address);
    const browserOptions = { binary: "/bin/sh", args: ["-c", TELL_THE_END, found.browser, "--automation"] };
    return {
      address,
      capabilities: { browserName: "MiniBrowser", "webkitgtk:browserOptions": browserOptions },
      /** The output of the display, the driver and the browser, and how they ended if they did. */
      said: () => said,
      end,
    };
  } catch (error) {
    end();
    throw new Error(`${error.message}\n${said}`, { cause: error });
  }
}

const firstLine = (stream) =>
  new Promise((resolve, reject) => {
    stream.once("data", (chunk) => resolve(String(chunk).trim()));
    stream.once("end", () => reject(new Error("the screen did not start")));
  });

async function untilReady(address) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(`${address}/status`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("WebKit's driver did not start");
}

/** How long a browser may take to start for the first time. */
const START_MS = 180_000;

/** Why an installed browser cannot be tested on this machine; undefined if it can. */
export async function whyNotFirefox() {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-firefox-"));
  try {
    const picture = path.join(folder, "blank.png");
    const profile = path.join(folder, "profile");
    mkdirSync(profile);
    const args = ["--headless", "--no-remote", "--profile", profile, "--screenshot", picture, "about:blank"];
    const { status, signal, error, stderr } = spawnSync(findFirefox(), args, { timeout: START_MS, encoding: "utf8" });
    if (existsSync(picture)) return undefined;
    return `${error?.message ?? `ended with ${signal ?? status}`} ${stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

export async function whyNotWebKit() {
  let webkit;
  const ask = async (path, body) => {
    const signal = AbortSignal.timeout(START_MS);
    const answer = await fetch(webkit.address + path, { method: "POST", body: JSON.stringify(body), signal });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  };
  try {
    webkit = await startWebKit();
    const { sessionId } = await ask("/session", { capabilities: { alwaysMatch: webkit.capabilities } });
    await ask(`/session/${sessionId}/url`, { url: "data:text/html,<title>here</title>" });
    const title = await ask(`/session/${sessionId}/execute/sync`, { script: "return document.title", args: [] });
    return title === "here" ? undefined : "it shows no page";
  } catch (error) {
    return `${error.message} ${webkit?.said() ?? ""}`;
  } finally {
    webkit?.end();
  }
}
