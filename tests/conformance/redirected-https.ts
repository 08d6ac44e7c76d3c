import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { vi } from "vitest";

type Options = http.RequestOptions & { hostname?: string; path?: string; host?: string };

/**
 * The vendors' own clients know one address. What they ask of it is answered here: each host is a path of the simulators. Any
 * other host fails.
 */
export async function redirectHttps(hosts: Record<string, string>, answer: (request: Request) => Promise<Response>) {
  const server = serve({ fetch: answer, port: 0, hostname: "127.0.0.1" }) as http.Server;
  await new Promise((resolve) => (server.listening ? resolve(null) : server.once("listening", resolve)));
  const { port } = server.address() as AddressInfo;
  const open = http.request;

  const request = (first: string | URL | Options, second?: unknown, third?: unknown) => {
    const url = typeof first === "string" || first instanceof URL ? new URL(first) : undefined;
    const options = (url ? second : first) as Options;
    const hostname = url?.hostname ?? options.hostname ?? options.host ?? "";
    const at = hosts[hostname];
    if (at === undefined) throw new Error(`no simulator of ${hostname}`);
    const path = at + (url ? url.pathname + url.search : (options.path ?? "/"));
    const { method, headers } = options;
    const callback = [second, third].find((each) => typeof each === "function");
    return open({ method, headers, path, port, hostname: "127.0.0.1" }, callback as never);
  };
  for (const module of [http, https]) vi.spyOn(module, "request").mockImplementation(request as never);
  return () => {
    vi.restoreAllMocks();
    server.close();
  };
}
