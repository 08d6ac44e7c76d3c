import { readdirSync } from "node:fs";
import path from "node:path";
import { pathOf } from "./route-path";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");

/** The path of every route file, e.g. `/payees/:id/edit`: what a new file adds is attacked without being asked for. */
export function listRoutePaths(): string[] {
  const files = readdirSync(ROUTES, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  return files.map((name) => pathOf(name.split(path.sep).join("/")).replace(/\*$/, ":splat"));
}

/** A path with something in the place of every parameter. */
export const fillPath = (route: string, value: string) => route.replace(/:\w+/g, value);
