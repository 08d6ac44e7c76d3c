import { readFileSync } from "node:fs";
import path from "node:path";
import { startCopy } from "../scripts/lib/copy.mjs";

/** Starts the app as `npm start` does, on data of its own, and signs in as the demo's admin. */
export async function startApp(stateDir, env = {}) {
  const copy = await startCopy(stateDir, { env });
  const { DEMO_PASSWORD: password } = JSON.parse(readFileSync(path.join(stateDir, "secrets.json"), "utf8"));
  const signedIn = await fetch(`${copy.origin}/api/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "alex@harbour.example", password }),
  });
  if (!signedIn.ok) throw new Error(`sign-in answered ${signedIn.status}`);
  return { ...copy, cookie: signedIn.headers.getSetCookie()[0].split(";")[0] };
}
