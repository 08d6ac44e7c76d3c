/// <reference types="vite/types/importMeta.d.ts" />
import { CALLS } from "~/api/calls.server";
import { pathOf } from "../support/route-path";

/** Every endpoint of the app, a method and a path each: pages are read from the route files, calls from their table. */

const sources = import.meta.glob<string>("../../app/routes/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The methods that a route file answers. */
function methodsOf(source: string): string[] {
  const call = /= (?:\/\* @__PURE__ \*\/ )?api\(\{([\s\S]*)/.exec(source);
  if (call)
    return [...(call[1] ?? "").matchAll(/(?:^|\n) {1,2}(GET|POST|PATCH|DELETE)\b/g)].map(([, method]) => method ?? "");
  const answersGet = /^export (const loader|async function loader|function loader|default )/m.test(source);
  const answersPost = /^export (const action|async function action|function action)/m.test(source);
  return [...(answersGet ? ["GET"] : []), ...(answersPost ? ["POST"] : [])];
}

/** "GET /payees/:id", every one that exists, sorted. A layout shares its index's path and counts once. */
export function listEndpoints(): string[] {
  const endpoints = Object.entries(sources).flatMap(([name, source]) => {
    const file = name.slice(name.indexOf("/routes/") + "/routes/".length);
    return methodsOf(source).map((method) => `${method} ${pathOf(file)}`);
  });
  const calls = CALLS.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`);
  return [...new Set([...endpoints, ...calls])].sort();
}
