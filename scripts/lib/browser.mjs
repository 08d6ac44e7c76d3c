import { accessSync, constants } from "node:fs";

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Whether there is a program at this path. */
export function isThere(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** CHROME_PATH, else the system's browser, else the one an npm package carries (Linux x64). */
export async function findBrowser() {
  const found = [process.env.CHROME_PATH, ...SYSTEM].find((file) => file && isThere(file));
  if (found) return found;
  if (process.platform === "linux" && process.arch === "x64") {
    const { default: carried } = await import("@sparticuz/chromium");
    return carried.executablePath();
  }
  throw new Error("No browser found: set CHROME_PATH to a Chromium or Chrome.");
}

export async function launchBrowser() {
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath: await findBrowser(), args: ARGUMENTS });
}
