import { readdirSync } from "node:fs";
import path from "node:path";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");

/**
 * The path of every route file, e.g. `/payees/:id/edit`: what a new file adds is attacked without being asked for.
 * Source: Remix, "Route File Naming" (flat routes: dots are slashes, `[x]` is literal, `_index` and a trailing `_` say nothing).
 */
export function listRoutePaths(): string[] {
  const files = readdirSync(ROUTES).filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));
  return files.map((name) => {
    const literal: string[] = [];
    const kept = name
      .replace(/\.tsx?$/, "")
      .replace(/\[(.*?)\]/g, (_, text: string) => `\0${literal.push(text) - 1}\0`);
    const segments = kept
      .split(".")
      .filter((segment) => segment !== "_index")
      .map((segment) => segment.replace(/_$/, "").replace(/^\$$/, ":splat").replace(/^\$/, ":"));
    return `/${segments.join("/")}`.replace(/\0(\d+)\0/g, (_, index: string) => literal[Number(index)] ?? "");
  });
}

/** A path with something in the place of every parameter. */
export const fillPath = (route: string, value: string) => route.replace(/:\w+/g, value);
