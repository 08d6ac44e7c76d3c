import { readdirSync } from "node:fs";
import path from "node:path";
import { isThere } from "./browser.mjs";

/** The other browsers' own drivers, where a system package brought them. */

const LIBRARIES = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/libexec"];

const inPath = (name) =>
  (process.env.PATH ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find(isThere);

/** WebKit's own small browser stands in a folder with the version of the library. */
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

/** Firefox, as Debian and others name it. */
export const findFirefox = () => inPath("firefox-esr") ?? inPath("firefox");

/**
 * What a test in WebKit needs.
 * @returns the programs, or which of them are missing
 */
export function findWebKit() {
  const found = { driver: inPath("WebKitWebDriver"), browser: miniBrowser(), display: inPath("Xvfb") };
  const names = { driver: "WebKitWebDriver", browser: "MiniBrowser", display: "Xvfb" };
  const missing = Object.keys(names).filter((each) => !found[each]);
  return missing.length === 0 ? { found } : { missing: missing.map((each) => names[each]) };
}
