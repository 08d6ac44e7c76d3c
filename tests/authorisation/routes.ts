import { env } from "cloudflare:workers";
import { CALLS } from "~/api/calls.server";
import { pathOf } from "../support/route-path";

/** Every endpoint of the app as method and path: pages from the route files, API calls from their table. */

/** The route files by their names below app/routes (vitest.config.ts). */
const { ROUTE_FILES: sources } = env as unknown as { ROUTE_FILES: Readonly<Record<string, string>> };

/** The methods that a route file handles. */
function methodsOf(source: string): string[] {
  const call = /= (?:\/\* @__PURE__ \*\/ )?api\(\{([\s\S]*)/.exec(source);
  if (call)
    return [...(call[1] ?? "").matchAll(/(?:^|\n) {1,2}(GET|POST|PATCH|DELETE)\b/g)].map(([, method]) => method ?? "");
  const answersGet = /^export (const loader|async function loader|function loader|default )/m.test(source);
  const answersPost = /^export (const action|async function action|function action)/m.test(source);
  return [...(answersGet ? ["GET"] : []), ...(answersPost ? ["POST"] : [])];
}

const pathOfCall = ({ path }: { path: string }) => path.replace(/\{(\w+)\}/g, ":$1");

/** "GET /payees/:id", every one that exists, sorted. A layout shares its index's path and counts once. */
export function listEndpoints(): string[] {
  const endpoints = Object.entries(sources).flatMap(([name, source]) =>
    methodsOf(source).map((method) => `${method} ${pathOf(name)}`),
  );
  const calls = CALLS.map((call) => `${call.method} ${pathOfCall(call)}`);
  return [...new Set([...endpoints, ...calls])].sort();
}

/** "/payees/:id": the path of every route file and of every call, whatever its methods. */
export const listPaths = (): string[] => [...new Set([...Object.keys(sources).map(pathOf), ...CALLS.map(pathOfCall)])];
