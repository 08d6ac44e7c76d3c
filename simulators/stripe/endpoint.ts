import type { SimulatedCall } from "../party";
import { type Route, route } from "../routes";
import type { Desk } from "./desk";
import { errorBody, Refusal } from "./errors";
import { listAt, type Params, parseForm } from "./form";
import { present } from "./views";

const KEPT_MS = 24 * 60 * 60 * 1000;

type Answer = { status: number; body: string; replayed?: true };

/** Runs a call and converts a thrown refusal to the provider's error. Synchronous, so that calls do not interleave. */
function answer(run: () => unknown): Answer {
  try {
    return { status: 200, body: JSON.stringify(run()) };
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: JSON.stringify(errorBody(error)) };
    throw error;
  }
}

/**
 * The same key within 24 hours gets the first answer again; with other parameters it is refused. What was refused
 * before anything began (400, 401, 404) is not kept.
 */
function answerOnce(desk: Desk, call: SimulatedCall, run: () => unknown): Answer {
  const key = call.request.headers.get("idempotency-key");
  if (key === null || call.request.method !== "POST") return answer(run);
  const { kept } = desk.state;
  const now = desk.context.now();
  for (const [known, { at }] of Object.entries(kept)) if (now - at > KEPT_MS) delete kept[known];
  const fingerprint = `${call.path}?${call.body}`;
  const first = Object.hasOwn(kept, key) ? kept[key] : undefined;
  if (first && first.fingerprint === fingerprint) return { ...first, replayed: true };
  if (first) return answer(() => refuseOtherParameters(key));
  const given = answer(run);
  if (given.status < 400 || given.status === 402) kept[key] = { ...given, fingerprint, at: now };
  return given;
}

function refuseOtherParameters(key: string): never {
  throw new Refusal(
    400,
    "idempotency_error",
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}

export type Asked = { params: Params; expand: string[]; path: Record<string, string> };

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-allow-methods": "GET, POST",
};

type Run = (asked: Asked, call: SimulatedCall) => object;

/**
 * A route of the interface: key, form, unknown parameters, idempotency, expansion, error shape.
 * @param at the method, and the address below "/v1": "GET /customers/:id"
 * @param takes names of the parameters it takes besides `expand`; any other is refused, as the provider does
 */
export const endpoint = (desk: Desk, at: string, takes: readonly string[], run: Run): Route =>
  routeOf(desk, at, takes, run, false);

/** The same, which the browser may call too, with the publishable key and the object's client secret. */
export const browserEndpoint = (desk: Desk, at: string, takes: readonly string[], run: Run): Route =>
  routeOf(desk, at, takes, run, true);

function routeOf(desk: Desk, at: string, takes: readonly string[], run: Run, forBrowser: boolean): Route {
  const [method = "", pattern = ""] = at.split(" ");
  return route(method, `/v1${pattern}`, (call, path) => {
    const { status, body, replayed } = answerOnce(desk, call, () => {
      requireKey(call, forBrowser);
      const params = parseForm(method === "GET" ? call.url.search.slice(1) : call.body);
      refuseUnknown(params, takes);
      const expand = listAt(params, "expand");
      const result = run({ params, expand, path }, call);
      desk.context.save();
      return "data" in result && (result as { object?: string }).object === "list"
        ? result
        : present(desk, result, expand);
    });
    return new Response(body, {
      status,
      headers: {
        "content-type": "application/json",
        "request-id": `req_${call.correlationId.replaceAll("-", "")}`,
        ...(replayed && { "idempotent-replayed": "true" }),
        ...(forBrowser && CORS),
      },
    });
  });
}

export const preflight = () => new Response(null, { status: 204, headers: CORS });

function requireKey(call: SimulatedCall, forBrowser: boolean): void {
  const key = /^Bearer (\S+)$/.exec(call.request.headers.get("authorization") ?? "")?.[1];
  if (key?.startsWith("sk_") || (forBrowser && key?.startsWith("pk_"))) return;
  const message = key ? "Invalid API Key provided: ***" : "You did not provide an API key.";
  throw new Refusal(401, "invalid_request_error", message);
}

function refuseUnknown(params: Params, takes: readonly string[]): void {
  for (const name of Object.keys(params)) {
    if (name === "expand" || takes.includes(name)) continue;
    throw new Refusal(400, "invalid_request_error", `Received unknown parameter: ${name}`, {
      code: "parameter_unknown",
      param: name,
    });
  }
}
