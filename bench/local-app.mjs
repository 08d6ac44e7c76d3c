import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { startCopy } from "../scripts/lib/copy.mjs";

/** Signs in to a running copy as the demo's admin. @returns the cookie to send with each request */
export async function signIn({ origin, stateDir }) {
  const { DEMO_PASSWORD: password } = JSON.parse(readFileSync(path.join(stateDir, "secrets.json"), "utf8"));
  const signedIn = await fetch(`${origin}/api/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "alex@harbour.example", password }),
  });
  if (!signedIn.ok) throw new Error(`sign-in answered ${signedIn.status}`);
  return signedIn.headers.getSetCookie()[0].split(";")[0];
}

/** Repeats the request if the connection was idle for so long that the server closed it. */
export const fetchAgain = (address, init) => fetch(address, init).catch(() => fetch(address, init));

/** Starts the app as `npm start` does, on data of its own, and signs in as the demo's admin. */
export async function startApp(stateDir, env = {}, ports = undefined) {
  const copy = await startCopy(stateDir, { env, ports });
  return { ...copy, cookie: await signIn(copy) };
}

/**
 * One request on a connection of its own: on a busy machine the server may close a reused one while the next upload is
 * being sent.
 */
export async function call(app, address, body) {
  const method = body === undefined ? "GET" : "POST";
  const headers = { Cookie: app.cookie, "Content-Type": "text/csv" };
  const request = http.request(app.origin + address, { method, headers, agent: false });
  request.end(body);
  const [response] = await once(request, "response");
  const answer = await text(response);
  if (response.statusCode >= 300) throw new Error(`${address} answered ${response.statusCode}: ${answer}`);
  return answer;
}
