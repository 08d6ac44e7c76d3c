import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { AlertsPage } from "~/components/messages/alerts/alerts-page";
import { formAction } from "~/http/form-action.server";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { countUnread, listAlerts, readAlert, readAllAlerts } from "~/modules/messages/alerts/alerts.server";
import { toAlertLine } from "~/modules/messages/alerts/alerts.view";
import { showUnread } from "~/modules/messages/alerts/unread";

export const meta: MetaFunction = (route) => [pageTitle(route, "Alerts")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const unreadOnly = url.searchParams.get("show") === "unread";
  const after = url.searchParams.get("cursor");
  const cursor = after !== null && isId(after) ? after : undefined;
  const [list, unread] = await Promise.all([
    listAlerts(services, actor, { unreadOnly, cursor }),
    countUnread(services, actor),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const query = new URLSearchParams({ ...(unreadOnly ? { show: "unread" } : {}), cursor: list.next ?? "" });
  return {
    lines: list.alerts.map((alert) => toAlertLine(alert, zone)),
    unreadOnly,
    unread: showUnread(unread),
    nextHref: list.next === undefined ? undefined : `${appPaths.alerts}?${query}`,
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  return formAction(scope, async (form) => {
    const id = form.get(form.get("intent") === "open" ? "alertId" : "upTo");
    if (typeof id !== "string" || !isId(id)) throw notFound();
    if (form.get("intent") === "open") return { to: await readAlert(services, actor, id) };
    await readAllAlerts(services, actor, id);
    return { to: appPaths.alerts, flash: { tone: "success", title: "All alerts are marked as read" } };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function Alerts() {
  return <AlertsPage {...useLoaderData<typeof loader>()} answer={useActionData<FormAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Alerts" />;
}
