import { answerApi } from "~/api/calls.server";
import type { Endpoint, Example } from "~/api/endpoint.server";
import type { Actor } from "~/services-and-actor";
import { signedIn } from "../support/account";
import { anOrganization } from "../support/factories";
import { aPerson } from "../support/people";
import { cookieOf } from "../support/requests";
import { aWorld, type World } from "../support/simulators";

/** The API as a script meets it: a method, a path, a body. */

export type Sent = Pick<Example, "path" | "query" | "json" | "file">;

export type Api = {
  world: World;
  actor: Actor;
  /** Calls as the administrator. */
  send(request: Request): Promise<Response>;
  /** Calls without signing in. */
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
    const origin = { ipAddress: "203.0.113.7", userAgent: "test", requestId: world.ids.next() };
    return answerApi({ request, params: {}, context: { services: world, origin, nonce: "nonce" } });
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

/** The request that corresponds to an example. */
export function requestOf({ method, path }: Pick<Endpoint, "method" | "path">, sent: Sent): Request {
  const { path: given = {}, query = {}, json, file } = sent;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
  const url = new URL(`http://app.test${filled}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = new Headers();
  if (json !== undefined) headers.set("Content-Type", "application/json");
  if (file) headers.set("Content-Type", file.type);
  return new Request(url, { method, headers, body: json === undefined ? file?.text : JSON.stringify(json) });
}
