import { useActionData, useLoaderData } from "@remix-run/react";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { FilterTabs, ListCard } from "~/components/tables/list-card";
import { Button, cx, Icon, Link, toneText } from "~/components/ui/elements";
import { named, PageHeader, Time } from "~/components/ui/page-parts";
import { formAction, page, pageMember } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import {
  countUnread,
  findSubjectsOfAlerts,
  listAlerts,
  readAlert,
  readAllAlerts,
} from "~/modules/messages/alerts/alerts.server";
import { type AlertGroup, type AlertLine, groupByPayee, toAlertLine } from "~/modules/messages/alerts/alerts.view";
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
  const subjectOf = await findSubjectsOfAlerts(
    services,
    actor,
    list.alerts.map(({ id }) => id),
  );
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const query = new URLSearchParams({ ...(unreadOnly ? { show: "unread" } : {}), cursor: list.next ?? "" });
  return {
    groups: groupByPayee(
      list.alerts.map((alert) => toAlertLine(alert, zone, subjectOf.get(alert.id)?.verdict)),
      subjectOf,
    ),
    newest: list.alerts[0]?.id,
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

export const clientAction = keepWhatWasTyped;

export default function Alerts() {
  return <AlertsPage {...useLoaderData<typeof loader>()} answer={useActionData<FormAnswer>()} />;
}

interface AlertsPageProps {
  groups: readonly AlertGroup[];
  /** Id of the newest alert on the page. */
  newest: string | undefined;
  unreadOnly: boolean;
  unread: string;
  nextHref: string | undefined;
  /** A form that was refused, or whose answer was lost. */
  answer: FormAnswer | undefined;
}

/** A person's alerts by payee, newest first. */
function AlertsPage({ groups, newest, unreadOnly, unread, nextHref, answer }: AlertsPageProps) {
  return (
    <div className="mx-auto max-w-6xl">
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
        rows={groups}
        keyOf={({ payee }) => payee?.id ?? ""}
        item={(group) => <Group {...group} hasMore={nextHref !== undefined} />}
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

/** The alerts of one payee. If the list continues, only those on this page are counted. */
function Group({ payee, lines, hasMore }: AlertGroup & { hasMore: boolean }) {
  const count = `${lines.length} ${lines.length === 1 ? "alert" : "alerts"}${hasMore ? " on this page" : ""}`;
  return (
    <>
      <h2 className="flex flex-wrap items-baseline gap-x-3 bg-sunken px-5 py-2 text-base">
        {payee ? (
          <Link to={appPaths.payee(payee.id)} className="font-semibold hover:text-accent-text">
            {payee.name}
          </Link>
        ) : (
          <span className="font-semibold">Your organisation</span>
        )}
        <span className="figures text-ink-soft text-sm">{count}</span>
      </h2>
      <ul className="divide-y divide-line border-line border-t">
        {lines.map((line) => (
          <li key={line.id} className="flex flex-wrap items-center gap-y-1 px-5 py-2">
            <Alert line={line} of={payee?.name} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Each alert is a button: pressing it marks the alert as read and opens its subject. */
function Alert({ line, of }: { line: AlertLine; of: string | undefined }) {
  return (
    <>
      <div className="flex min-w-0 flex-[99_1_24rem] gap-3">
        <Icon name={line.icon} className={cx("mt-0.5 size-4.5", toneText[line.tone])} />
        <p className="min-w-0 text-ink-soft text-sm">
          {!line.isRead && (
            <span className="mr-2 rounded-full border border-accent-text px-1.5 text-accent-text text-xs">New</span>
          )}
          <span
            className={cx(
              "text-base",
              line.tone === "neutral" ? "text-ink" : toneText[line.tone],
              !line.isRead && "font-semibold",
            )}
          >
            {line.title}.
          </span>{" "}
          {line.body}
        </p>
      </div>
      <div className="ml-7.5 flex min-w-0 flex-auto flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 flex-1 basis-32 text-ink-soft text-sm">
          <Time {...line.when} />
        </p>
        <Form method="post">
          <HiddenFields values={{ alertId: line.id }} />
          <Button type="submit" name="intent" value="open" variant="secondary" size="sm">
            {line.hasPage ? "Open" : "Mark as read"}
            <span className="sr-only">
              : {line.title}
              {of && `, ${of}`}
            </span>
          </Button>
        </Form>
      </div>
    </>
  );
}
