/// <reference types="vite/types/importMeta.d.ts" />
import { CALLS } from "~/api/calls.server";
import { pathOf } from "../support/route-path";

/** Every endpoint of the app as method and path: pages from the route files, API calls from their table. */

const sources = import.meta.glob<string>("../../app/routes/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The methods that a route file handles. */
function methodsOf(source: string): string[] {
  const call = /= (?:\/\* @__PURE__ \*\/ )?api\(\{([\s\S]*)/.exec(source);
  if (call)
    return [...(call[1] ?? "").matchAll(/(?:^|\n) {1,2}(GET|POST|PATCH|DELETE)\b/g)].map(([, method]) => method ?? "");
  const answersGet = /^export (const loader|async function loader|function loader|default )/m.test(source);
  const answersPost = /^export (const action|async function action|function action)/m.test(source);
  return [...(answersGet ? ["GET"] : []), ...(answersPost ? ["POST"] : [])];
}

const pathOfSource = (name: string) => pathOf(name.slice(name.indexOf("/routes/") + "/routes/".length));
const pathOfCall = ({ path }: { path: string }) => path.replace(/\{(\w+)\}/g, ":$1");

/** "GET /payees/:id", every one that exists, sorted. A layout shares its index's path and counts once. */
export function listEndpoints(): string[] {
  const endpoints = Object.entries(sources).flatMap(([name, source]) =>
    methodsOf(source).map((method) => `${method} ${pathOfSource(name)}`),
  );
  const calls = CALLS.map((call) => `${call.method} ${pathOfCall(call)}`);
  return [...new Set([...endpoints, ...calls])].sort();
}

/** "/payees/:id": the path of every route file and of every call, whatever its methods. */
export const listPaths = (): string[] => [
  ...new Set([...Object.keys(sources).map(pathOfSource), ...CALLS.map(pathOfCall)]),
];
