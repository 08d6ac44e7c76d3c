import accounts from "../conformance/basiq/accounts.json";
import connections from "../conformance/basiq/connections.json";
import connectors from "../conformance/basiq/connectors.json";
import consents from "../conformance/basiq/consents.json";
import errors from "../conformance/basiq/errors.json";
import events from "../conformance/basiq/events.json";
import identities from "../conformance/basiq/identities.json";
import jobs from "../conformance/basiq/jobs.json";
import token from "../conformance/basiq/token.json";
import users from "../conformance/basiq/users.json";
import webhooks from "../conformance/basiq/webhooks.json";
import type { Json } from "./json-shapes";

/** Basiq's published answers (tests/conformance/basiq), and a provider that returns nothing else. */

export type Documented = {
  /** "GET /users/{userId}/jobs" */
  call: string;
  source: string[];
  read: string;
  status: number;
  /** Paths of the fields that the schema requires, e.g. "data[].id". */
  required: string[];
  /** Further ones that it allows; "data.*" is everything below. */
  also?: string[];
  answers: Record<string, Json>;
};

export const DOCUMENTED = [
  ...token,
  ...users,
  ...jobs,
  ...connections,
  ...accounts,
  ...identities,
  ...consents,
  ...events,
  ...webhooks,
  ...connectors,
  ...errors,
] as unknown as Documented[];

/** The user, the connection and the job of the examples. */
export const USER = "b0a1c2d3-1111-4222-8333-944445555666";
export const CONNECTION = "c0ffee00-7777-4888-8999-aaaabbbbcccc";
export const BASE_URL = "https://au-api.basiq.io";

export function documented(call: string): Documented {
  const found = DOCUMENTED.find((each) => each.call === call);
  if (!found) throw new Error(`${call} is not among the documented calls`);
  return found;
}

export function example(call: string, name: string): Json {
  const found = documented(call).answers[name];
  if (found === undefined) throw new Error(`${call} has no example "${name}"`);
  return found;
}

/** The example that answers a call: its name, "404", or a body of the test's own. */
export type Choice = string | { body: unknown };
/** Changes an answer before it is sent. */
export type Change = (answer: Json, of: Documented) => Json;

const toPattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

/**
 * Answers as the documents do, and 404 where the test chose no example.
 * @param rename what stands for words of the examples, e.g. the user's id
 */
export function createDocumentedBasiq(
  chosen: Record<string, Choice>,
  { change = (answer) => answer, rename = {} }: { change?: Change; rename?: Record<string, string> } = {},
) {
  const asked: string[] = [];
  const choices: Record<string, Choice> = { "POST /token": "server", ...chosen };
  const answer = (status: number, body: Json): Response => {
    let text = JSON.stringify(body);
    for (const [word, other] of Object.entries(rename)) text = text.replaceAll(word, other);
    return new Response(text, { status, headers: { "content-type": "application/json" } });
  };
  return {
    asked,
    async fetch(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname}`);
      if (request.method === "DELETE") return new Response(null, { status: 204 });
      const found = Object.entries(choices).find(([call]) => {
        const [method, path = ""] = call.split(" ");
        return method === request.method && toPattern(path).test(pathname);
      });
      if (!found || found[1] === "404") return answer(404, example("ERROR", "404"));
      const [call, choice] = found;
      const body = typeof choice === "string" ? example(call, choice) : (choice.body as Json);
      return answer(documented(call).status, change(body, documented(call)));
    },
  };
}

/** An answer with only the required fields. */
export const withRequiredAlone: Change = (answer, { required }) => {
  const isKept = (path: string) =>
    required.some((one) => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`));
  const prune = (value: Json, at: string): Json => {
    if (Array.isArray(value)) return value.map((item) => prune(item, `${at}[]`));
    if (value === null || typeof value !== "object") return value;
    const kept = Object.entries(value).flatMap(([key, inner]) => {
      const path = at === "" ? key : `${at}.${key}`;
      return isKept(path) ? [[key, prune(inner, path)] as const] : [];
    });
    // What is required of nothing within is given whole, e.g. the result of a step.
    return kept.length > 0 ? Object.fromEntries(kept) : value;
  };
  return prune(answer, "");
};

/** A list without anything around it, and anything else without type and links. */
export const withoutEnvelope: Change = (answer) => {
  if (Array.isArray(answer) || answer === null || typeof answer !== "object") return answer;
  const { type: _, count: __, size: ___, links: ____, ...rest } = answer;
  return Array.isArray(rest.data) && Object.keys(rest).length === 1 ? rest.data : rest;
};
