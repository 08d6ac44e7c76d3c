import { redirect } from "@remix-run/cloudflare";
import { toAppError } from "./errors.server";
import { type Flash, setFlash } from "./flash.server";
import { answerForm } from "./form-action.server";
import type { PageArgs } from "./page.server";

/** Where to go after a post that succeeded, and what to say there. */
export type Done = Flash & { to: string };

/**
 * Runs what a form asked for. Done: on to the next page with its message. Refused: the page again, with what was typed and
 * what is wrong; a missing row is the page's 404.
 */
export async function answerPost(scope: PageArgs, form: FormData, run: () => Promise<Done>) {
  const { services } = scope;
  try {
    const { to, ...flash } = await run();
    return redirect(to, { status: 303, headers: { "Set-Cookie": await setFlash(services, flash) } });
  } catch (error) {
    const refused = toAppError(error, services.log);
    if (refused.status === 404) throw refused;
    return answerForm(form, refused, "Nothing was changed");
  }
}
