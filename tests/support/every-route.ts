import { readdirSync } from "node:fs";
import path from "node:path";
import { CALLS } from "~/api/calls.server";
import { pathOf } from "./route-path";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");

/** The path of every route file and API call, e.g. `/payees/:id/edit`, so that new ones are tested automatically. */
export function listRoutePaths(): string[] {
  const files = readdirSync(ROUTES, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const pages = files.map((name) => pathOf(name.split(path.sep).join("/")).replace(/\*$/, ":splat"));
  return [...new Set([...pages, ...CALLS.map((call) => call.path.replace(/\{(\w+)\}/g, ":$1"))])];
}

/** Replaces every parameter of a path. */
export const fillPath = (route: string, value: string) => route.replace(/:\w+/g, value);
