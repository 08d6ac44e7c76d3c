import { redirect } from "@remix-run/cloudflare";
import type { SignedIn } from "~/modules/identity/sessions/session.queries.server";
import type { Services } from "~/services";
import { type Flash, setFlash } from "./flash.server";
import { ownPath } from "./own-path.server";
import { startSession } from "./session.server";

/** After sign-in and registration: the session's cookie, a word of welcome, and on to where the person was going. */
export async function enterSite(
  services: Pick<Services, "config">,
  signedIn: SignedIn,
  next: unknown,
  welcome: Pick<Flash, "title" | "description">,
): Promise<Response> {
  const headers = new Headers();
  headers.append("Set-Cookie", await startSession(services, signedIn.token));
  headers.append("Set-Cookie", await setFlash(services, { tone: "success", ...welcome }));
  return redirect(ownPath(next) ?? "/dashboard", { status: 303, headers });
}
