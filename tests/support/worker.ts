import { env } from "cloudflare:workers";
import worker from "../../build/index.js";
import { bodyOf, type SentBody } from "./sent-body";
import { findDeadLinks, findInvalidHtml, skeletonOf } from "./valid-html";

/** The built Worker as a browser meets it: addresses, cookies, and no redirect followed. */

/** Its queues only forget: emails stay queued, and the sweep is not a test's business. */
const forgetful = { send: async () => {}, sendBatch: async () => {} };
/** Nothing is noted outside the database either: what is read there was never written. */
const noNotes = { get: async () => null, put: async () => {}, list: async () => ({ keys: [], list_complete: true }) };
const quiet = {
  ...(env as unknown as Record<string, unknown>),
  JOBS: forgetful,
  BANK_CHECKS: forgetful,
  DEAD_LETTERS: forgetful,
  NOTES: noNotes,
};

const plain = new Map<string, Record<string, unknown>>();

/** The bindings of the app at this origin. The Worker keeps its services for the bindings that it knows. */
function bindingsAt(appOrigin: string): Record<string, unknown> {
  const known = plain.get(appOrigin) ?? { ...quiet, APP_ORIGIN: appOrigin };
  plain.set(appOrigin, known);
  return known;
}

let serial = 0;

/** A network of its own for each test, so that limits per address count for that test alone. */
const anAddress = () => `2001:db8:${(serial++).toString(16)}:${Math.floor(Math.random() * 0xffff).toString(16)}::1`;

/** Skeletons of pages that were found valid. */
const valid = new Set<string>();

/** Every page that a test is answered with goes through the validator, in whatever state the test has brought it. */
async function expectValid(path: string, response: Response): Promise<void> {
  if (!response.headers.get("Content-Type")?.startsWith("text/html")) return;
  const html = await response.clone().text();
  const skeleton = skeletonOf(html);
  if (html === "" || valid.has(skeleton)) return;
  // A form that no page shows can be posted, and its answer leads to fields of that form.
  const faults = [...(await findInvalidHtml(html)), ...(response.ok ? findDeadLinks(html) : [])];
  if (faults.length > 0) throw new Error(`${path} is not valid HTML: ${faults.join("; ")}`);
  valid.add(skeleton);
}

type Sent = SentBody & {
  method?: string;
  headers?: Record<string, string>;
};

/**
 * A browser with a jar of cookies, at an address of its own, on the app at this origin, with bindings of a test's own.
 * @param answered called with each answer, before the work that goes on after it
 */
export function aBrowser(
  appOrigin = "http://app.test",
  bindings?: Record<string, unknown>,
  answered: () => void = () => {},
) {
  const address = anAddress();
  const there = bindings ? { ...quiet, ...bindings, APP_ORIGIN: appOrigin } : bindingsAt(appOrigin);
  const jar = new Map<string, string>();
  const send = async (path: string, init: Sent = {}): Promise<Response> => {
    const headers = new Headers({ "CF-Connecting-IP": address, ...init.headers });
    if (jar.size > 0 && !headers.has("Cookie")) {
      headers.set("Cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const body = bodyOf(init, headers);
    const method = init.method ?? (body === undefined ? "GET" : "POST");
    const later: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => later.push(work) };
    const response = await worker.fetch(new Request(`${appOrigin}${path}`, { method, headers, body }), there, context);
    answered();
    await Promise.all(later);
    await expectValid(path, response);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    jar,
    send,
    get: (path: string, headers?: Record<string, string>) => send(path, { headers }),
    post: (path: string, json?: unknown, headers?: Record<string, string>) =>
      send(path, { method: "POST", json, headers }),
    submit: (path: string, form: Record<string, string>, headers?: Record<string, string>) =>
      send(path, { form, headers }),
  };
}

/** The text of a page as a person reads it: no tags, no scripts, entities as characters. */
export async function textOf(response: Response): Promise<string> {
  const html = await response.text();
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}
