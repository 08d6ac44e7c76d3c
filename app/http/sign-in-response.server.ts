import { redirect } from "@remix-run/cloudflare";
import type { Person } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import type { SignedIn } from "~/modules/accounts/identity/session.server";
import type { Services } from "~/services";
import { type Flash, setFlash } from "./flash.server";
import { safeRedirectPath } from "./safe-redirect.server";
import { startSession } from "./session.server";

/** What the page after a sign-in says. */
export function syncAfterReturn({ firstName, username }: Person): Pick<Flash, "title" | "description"> {
  return { title: "Logged in successfully", description: `Welcome back, ${firstName || username}` };
}

/** The response to a sign-in or a registration: the session cookie, a welcome message, and a redirect to the page asked for. */
export async function createSignInResponse(
  services: Pick<Services, "config">,
  signedIn: SignedIn,
  next: unknown,
  welcome: Pick<Flash, "title" | "description">,
): Promise<Response> {
  const headers = new Headers();
  headers.append("Set-Cookie", await startSession(services, signedIn.token));
  headers.append("Set-Cookie", await setFlash(services, { tone: "success", ...welcome }));
  return redirect(safeRedirectPath(next) ?? appPaths.dashboard, { status: 303, headers });
}
