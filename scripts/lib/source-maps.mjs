import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";
import { ROOT } from "./console.mjs";

const PLACE = /(?:file:\/\/)?[^\s()"]*index\.js:(\d+):(\d+)/g;

/**
 * Replaces positions in the built Worker by positions in the source files, anywhere in a text.
 * @param mapFile the source map of the build, e.g. build/index.js.map; without one, texts are unchanged
 */
export function createStackMapper(mapFile) {
  let map;
  try {
    map = new SourceMap(JSON.parse(readFileSync(mapFile, "utf8")));
  } catch {
    return (text) => text;
  }
  return (text) =>
    text.replace(PLACE, (place, line, column) => {
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!entry.originalSource) return place;
      const source = path.resolve(path.dirname(mapFile), entry.originalSource);
      return `${path.relative(ROOT, source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    });
}
