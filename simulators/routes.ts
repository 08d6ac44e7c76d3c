import { Hono } from "hono";
import type { CallEnv, SimulatedCall } from "./party";

type Handler = (call: SimulatedCall, path: Record<string, string>) => Response | Promise<Response>;

export type Route = { method: string; pattern: string; handle: Handler };

/** One row of a party's table, e.g. `route("GET", "/users/:userId/accounts", listAccounts)`. */
export const route = (method: string, pattern: string, handle: Handler): Route => ({ method, pattern, handle });

/** An application that answers a table's routes. A handler may throw its answer. @param otherwise for anything else */
export function createRoutes(routes: readonly Route[], otherwise?: Handler): Hono<CallEnv> {
  const app = new Hono<CallEnv>();
  const all = otherwise ? [...routes, route("ALL", "*", otherwise)] : routes;
  for (const { method, pattern, handle } of all) {
    app.on(method, pattern, async (context) => {
      try {
        return await handle(context.get("call"), context.req.param());
      } catch (thrown) {
        if (thrown instanceof Response) return thrown;
        throw thrown;
      }
    });
  }
  return app;
}
