import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "~/components/forms/form";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { FormErrorSummary, HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { named } from "~/components/layout/named";
import { FilterTabs, ListCard } from "~/components/tables/list-card";
import { Button } from "~/components/ui/button";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { formAction } from "~/http/form-action.server";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { countUnread, listAlerts, readAlert, readAllAlerts } from "~/modules/messages/alerts/alerts.server";
import { type AlertLine, toAlertLine } from "~/modules/messages/alerts/alerts.view";
import { showUnread } from "~/modules/messages/alerts/unread";

export const { meta, ErrorBoundary } = named("Alerts", "Error Loading Alerts");

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

interface AlertsPageProps {
  lines: readonly AlertLine[];
  unreadOnly: boolean;
  unread: string;
  nextHref: string | undefined;
  /** A form that was refused, or whose answer was lost. */
  answer: FormAnswer | undefined;
}

/** What a person was told, newest first. */
function AlertsPage({ lines, unreadOnly, unread, nextHref, answer }: AlertsPageProps) {
  const newest = lines[0]?.id;
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader
        title="Alerts"
        description="Events that concern you. In your profile you can choose which alerts you get, and how."
        actions={
          <Button to={appPaths.alertSettings} variant="secondary" icon="settings">
            Choose alerts
          </Button>
        }
      />
      {answer && <FormErrorSummary title={answer.title} errors={answer.errors} formErrors={answer.formErrors} />}
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <FilterTabs
          label="Which alerts"
          items={[
            { label: "All", to: appPaths.alerts, current: !unreadOnly },
            { label: "Unread", to: `${appPaths.alerts}?show=unread`, current: unreadOnly, count: unread },
          ]}
        />
        {newest !== undefined && unread !== "0" && (
          <Form method="post">
            <HiddenFields values={{ upTo: newest }} />
            <SubmitButton name="intent" value="read-all" variant="secondary" size="sm" pendingText="Marking...">
              Mark all as read
            </SubmitButton>
          </Form>
        )}
      </div>
      <ListCard
        label="Alerts"
        rows={lines}
        item={(line) => <Alert line={line} />}
        itemClass="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-4"
        empty={{
          icon: "bell",
          title: unreadOnly ? "No unread alerts" : "No alerts yet",
          children: unreadOnly
            ? "You have read all your alerts."
            : "Held payments, changed bank details and results that concern you appear here.",
        }}
        pager={{ nextHref }}
      />
    </div>
  );
}

/** One alert is a button: opening it marks it as read and leads to the item. */
function Alert({ line }: { line: AlertLine }) {
  return (
    <>
      <div className="min-w-0 flex-1 basis-72">
        <p className={line.isRead ? "text-base" : "font-semibold text-base"}>
          {!line.isRead && <span className="mr-2 rounded-full border border-accent-text px-1.5 text-xs">New</span>}
          {line.title}
        </p>
        <p className="mt-0.5 text-ink-soft text-sm">{line.body}</p>
      </div>
      <p className="text-ink-soft text-sm">
        <Time {...line.when} />
      </p>
      <Form method="post">
        <HiddenFields values={{ alertId: line.id }} />
        <Button type="submit" name="intent" value="open" variant="secondary" size="sm">
          {line.hasPage ? "Open" : "Mark as read"}
          <span className="sr-only">: {line.title}</span>
        </Button>
      </Form>
    </>
  );
}
