import { readFileSync, writeFileSync } from "node:fs";

/**
 * Parts of React that the Worker would load and never calls: the renderer for browsers, of which the router asks for
 * one function that only a browser runs, and the renderer of streams. Compressed they are a twentieth of the Worker.
 */
const NEVER_CALLED = ["react-dom.production.min.js", "react-dom-server.browser.production.min.js"];

/** Empties these modules in the built Worker. Their lines stay, so the source map stays right. */
export function leaveOutUncalled(file) {
  let text = readFileSync(file, "utf8");
  for (const name of NEVER_CALLED) {
    const head = `"node_modules/react-dom/cjs/${name}"(exports) {\n`;
    const start = text.indexOf(head) + head.length;
    const end = text.indexOf("\n  }\n});", start);
    if (start < head.length || end === -1) throw new Error(`the built Worker has no module ${name}`);
    text = text.slice(0, start) + text.slice(start, end).replace(/[^\n]+/g, "") + text.slice(end);
  }
  writeFileSync(file, text);
}
