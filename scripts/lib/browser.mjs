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

/** @param showScrollBars as on a desktop, where they take up space; the library hides them otherwise */
export async function launchBrowser({ showScrollBars = false } = {}) {
  const { chromium } = await import("playwright-core");
  const ignoreDefaultArgs = showScrollBars ? ["--hide-scrollbars"] : [];
  return chromium.launch({ executablePath: await findBrowser(), args: ARGUMENTS, ignoreDefaultArgs });
}

/** The system's Firefox, through WebDriver BiDi. Its preferences set a light colour scheme. */
export async function launchFirefox(executablePath) {
  const { firefox } = await import("playwright-core");
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath,
    firefoxUserPrefs: { "ui.systemUsesDarkTheme": 0 },
  });
  // The library sets the colour scheme with a command that Debian's Firefox ESR does not support yet.
  const { _browserSession: session } = browser._connection.toImpl(browser);
  const protocol = Object.getPrototypeOf(session);
  const { send } = protocol;
  protocol.send = function (method, parameters) {
    if (method !== "emulation.setMediaFeaturesOverride") return send.call(this, method, parameters);
    const { "prefers-color-scheme": scheme } = parameters.features;
    return (scheme ?? "light") === "light"
      ? Promise.resolve({})
      : Promise.reject(new Error(`Firefox is not ${scheme}`));
  };
  return browser;
}
