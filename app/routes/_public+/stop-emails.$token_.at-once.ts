import { redirect } from "@remix-run/cloudflare";
import { readForm } from "~/http/body.server";
import { page, withoutPage } from "~/http/page.server";
import { AppError, notFound } from "~/kernel/app-error";
import { linkPaths } from "~/kernel/paths/links";
import { openStopEmailsToken, stopAlertEmails } from "~/modules/messages/alerts/choices.server";

/** A person who opens the address gets the page that asks first. */
export const loader = /* @__PURE__ */ page(async ({ params }) => redirect(linkPaths.stopEmails(params.token ?? "")));

/**
 * Unsubscribes on behalf of a mail program: no cookie, no page, no question. Source: RFC 8058, section 3.2. There is no
 * limit per address, because the encrypted token cannot be guessed and a mail provider posts for many readers from one
 * address.
 */
export const action = /* @__PURE__ */ withoutPage(async ({ services, origin, request, params }) => {
  const form = await readForm(request);
  if (form.get("List-Unsubscribe") !== "One-Click") {
    throw new AppError("MALFORMED", "Post List-Unsubscribe=One-Click to this address.");
  }
  const userId = await openStopEmailsToken(services, params.token ?? "");
  if (userId === undefined) throw notFound();
  await stopAlertEmails(services, { userId, reason: "unsubscribed", origin });
  return new Response(null, { status: 204 });
});
