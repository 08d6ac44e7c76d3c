/// <reference types="vite/types/importMeta.d.ts" />
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { Actor } from "~/kernel/actor";
import type { Call, Example } from "~/modules/public-api/call";
import { signedIn } from "../support/account";
import { anOrganization } from "../support/factories";
import { aPerson } from "../support/people";
import { cookieOf } from "../support/requests";
import { pathOf } from "../support/route-path";
import { aWorld, type World } from "../support/simulators";

/** The API as a script meets it: a method, a path, a body. */

type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => Promise<Response>;
type Route = { loader: Handler; action: Handler };

const files = import.meta.glob<Route>("../../app/routes/api+/*.ts", { eager: true });

const ROUTES = Object.entries(files).map(([file, route]) => {
  const path = pathOf(file.slice(file.indexOf("api+/")));
  const pattern = path
    .replace(/[.]/g, "\\.")
    .replace("*", "nowhere")
    .replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return {
    route,
    pattern: new RegExp(`^${pattern}$`),
    rank: path.split("/").filter((each) => each.startsWith(":")).length,
  };
});

/** The route of a path: of several the one with the fewest parameters. */
function findRoute(pathname: string) {
  const [found] = ROUTES.filter(({ pattern }) => pattern.test(pathname)).sort((one, other) => one.rank - other.rank);
  if (!found) throw new Error(`no route answers ${pathname}`);
  const { groups = {} } = found.pattern.exec(pathname) ?? {};
  const params = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value ?? "")]);
  return { route: found.route, params: Object.fromEntries(params) as Record<string, string> };
}

export type Sent = Pick<Example, "path" | "query" | "json" | "file">;

export type Api = {
  world: World;
  actor: Actor;
  /** Makes a call as the admin. */
  send(request: Request): Promise<Response>;
  /** Makes a call as nobody. */
  sendUnsigned(request: Request): Promise<Response>;
};

/** An organisation with an admin who calls, in a world of simulators. */
export async function anApi(): Promise<Api> {
  const world = aWorld();
  const organization = await anOrganization(world);
  const { id } = await aPerson(world, { organizationId: organization.id, membership: "admin", role: "admin" });
  const person = await signedIn(world, id);
  const actor = { ...person, organizationId: organization.id, organizationName: organization.name };
  const sendUnsigned = async (request: Request) => {
    const { route, params } = findRoute(new URL(request.url).pathname);
    const origin = { ipAddress: "203.0.113.7", userAgent: "test", requestId: world.ids.next() };
    const answer = request.method === "GET" ? route.loader : route.action;
    return answer({ request, params, context: { services: world, origin, nonce: "nonce" } });
  };
  return {
    world,
    actor,
    sendUnsigned,
    async send(request) {
      request.headers.set("Cookie", await cookieOf(world, actor));
      return sendUnsigned(request);
    },
  };
}

/** The request that an example stands for. */
export function requestOf({ method, path }: Pick<Call, "method" | "path">, sent: Sent): Request {
  const { path: given = {}, query = {}, json, file } = sent;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name])));
  const url = new URL(`http://app.test/api/${filled}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = new Headers();
  if (json !== undefined) headers.set("Content-Type", "application/json");
  if (file) headers.set("Content-Type", file.type);
  return new Request(url, { method, headers, body: json === undefined ? file?.text : JSON.stringify(json) });
}
