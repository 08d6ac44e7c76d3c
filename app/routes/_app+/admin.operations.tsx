import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { Textarea } from "~/components/forms/fields";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { CellNote, type Column, Table } from "~/components/tables/table";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, named, Time } from "~/components/ui/page-parts";
import { formAction, page, parseForm, permit, requireRole } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import { appPaths } from "~/kernel/paths/app";
import { capital, formatCount, lowerFirst } from "~/kernel/text";
import { COMPONENT_WORDS, changeNotice, noticeSchema } from "~/modules/core/operations/notice.server";
import {
  type Chart,
  type OperationsPage,
  readOperationsPage,
  runAgain,
  runAgainSchema,
} from "~/modules/core/operations/operations-page.server";
import { PARTY_COMPONENTS, SCHEDULE_LABELS } from "~/modules/core/operations/problems";
import { jobWords } from "~/modules/messages/message-actions";

const PATH = appPaths.operations;

export const { meta, ErrorBoundary } = named("Operations", "Error Loading Operations");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { givenUp, pending, failed, incidents, schedules, providers, ...rest } = await readOperationsPage(
    scope.services,
    person.timeZone,
  );
  const worded = <Row extends { kind: string }>(row: Row) => ({ ...row, words: jobWords(row.kind) });
  return {
    ...rest,
    incidents: incidents.map((one) => ({ ...one, watched: watchedWords(one.watched) })),
    schedules: schedules.map((row) => ({
      ...row,
      isLate: incidents.some(({ watched }) => watchedWords(watched).endsWith(lowerFirst(row.name))),
    })),
    providers: providers.map((row) => ({ ...row, part: partOf(row.name) })),
    pending: pending.map(worded),
    failed: failed.map(worded),
    givenUp: givenUp.map(worded),
  };
});

/** "schedule 7 * * * *" becomes "Schedule: every hour". */
const watchedWords = (watched: string) =>
  capital(watched).replace(/^Schedule (.+)$/, (all, cron) => {
    const label = SCHEDULE_LABELS[cron];
    return label ? `Schedule: ${lowerFirst(label)}` : all;
  });

/** What the product needs an outside party for. */
function partOf(party: string): string | undefined {
  const component = PARTY_COMPONENTS[party];
  return component && COMPONENT_WORDS[component].name;
}

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services } = scope;
  const { userId, origin } = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  return formAction(scope, async (form) => {
    if (String(form.get("intent")).endsWith("-notice")) {
      const change = parseForm(form, noticeSchema);
      await changeNotice(services, { userId, origin }, change);
      const title =
        change.intent === "set-notice" ? "The notice is on every page within a minute" : "The notice is removed";
      return { to: PATH, flash: { tone: "success", title } };
    }
    const count = await runAgain(services, { userId, origin }, parseForm(form, runAgainSchema));
    const title = count === 1 ? "1 job runs again" : `${count} jobs run again`;
    return { to: PATH, flash: { tone: "success", title } };
  });
});

export const clientAction = keepWhatWasTyped;

export default function Operations() {
  const operations = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AdminPage title="Operations" scope="The service itself">
      <RefusedAct answer={answer} />
      <OperationsCards {...operations} answer={answer} />
    </AdminPage>
  );
}

type Worded<Row> = Row & { words: string };

type Called = OperationsPage["providers"][number] & { part?: string; isLate?: boolean };

type Props = Omit<OperationsPage, "pending" | "failed" | "givenUp" | "schedules" | "providers"> & {
  schedules: Called[];
  providers: Called[];
  pending: Worded<OperationsPage["pending"][number]>[];
  failed: Worded<OperationsPage["failed"][number]>[];
  givenUp: Worded<OperationsPage["givenUp"][number]>[];
  answer?: FormAnswer;
};

/** The state of the service. Only for super admins. */
function OperationsCards({ answer, ...page }: Props) {
  return (
    <>
      {page.incidents.length === 0 && <Callout tone="success" title="No problem is known" />}
      {page.incidents.map(({ id, watched, detail, since }) => (
        <Callout key={id} tone="danger" title={watched}>
          {capital(detail)}. Known since <Time {...since} />.
        </Callout>
      ))}
      <FiguresCard {...page} />
      <CallsCard title="Schedules and queues" head="Name" rows={page.schedules} />
      <CallsCard title="Outside parties" head="Party" rows={page.providers} />
      <JobsCard {...page} />
      <NoticeCard notice={page.notice} answer={answer} />
    </>
  );
}

function NoticeCard({ notice, answer }: { notice: string | null; answer?: FormAnswer }) {
  return (
    <Card title="Notice on every page" description="Everybody sees it within a minute: visitors, payees and members.">
      <PostForm intent="set-notice" answer={answer} values={{ text: notice ?? "" }} className="grid gap-4">
        <Textarea name="text" label="Notice" maxLength={400} rows={3} showOptional={false} />
        <div className="flex flex-wrap gap-2">
          <SubmitButton pendingText="Saving...">Show the notice</SubmitButton>
        </div>
      </PostForm>
      {notice !== null && (
        <Form method="post" className="mt-3">
          <HiddenFields values={{ intent: "remove-notice" }} />
          <SubmitButton variant="secondary" pendingText="Removing...">
            Take it off
          </SubmitButton>
        </Form>
      )}
    </Card>
  );
}

const WIDTH = 288;
const HEIGHT = 60;

/** One line for each run of consecutive points, so that a gap in the figures is a gap in the chart. */
function pathOf({ points, most }: Chart): string {
  let path = "";
  let before = Number.NEGATIVE_INFINITY;
  for (const { x, y } of points) {
    const at = `${(x * WIDTH).toFixed(1)} ${(HEIGHT - (most === 0 ? 0 : (y / most) * (HEIGHT - 2)) - 1).toFixed(1)}`;
    path += x - before > 2 / WIDTH ? `M${at}h.8` : `L${at}`;
    before = x;
  }
  return path;
}

/** Each figure now, and how it was in the last day. */
function FiguresCard({ charts, database, pending, oldestDueMinutes, sealLagMinutes, deadLetter }: Props) {
  return (
    <Card title="Now, and the last day">
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {charts.map((chart) => (
          <LastDay key={chart.title} {...chart} />
        ))}
      </div>
      <div className="mt-6 grid gap-x-10 gap-y-5 border-line border-t pt-5 sm:grid-cols-2">
        <DatabaseSize {...database} />
        <div>
          <h3 className="font-medium text-base">Waiting</h3>
          <ul className="text-base">
            <li>The oldest due job has waited {formatCount(oldestDueMinutes, "minute")}.</li>
            <li>The oldest entry without a seal has waited {formatCount(sealLagMinutes, "minute")}.</li>
            {deadLetter.at && (
              <li>
                A queue last gave up on a message at <Time {...deadLetter.at} />: {deadLetter.about}.
              </li>
            )}
            {pending.map(({ kind, words, count }) => (
              <li key={kind}>
                {words}: {formatCount(count)}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  );
}

function LastDay(chart: Chart) {
  const { title, now, most, points } = chart;
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 text-base">
        <span>
          <span className="figures mr-2 font-medium text-xl">{formatCount(now)}</span>
          {title}
        </span>
        {points.length > 0 && <span className="figures text-ink-soft text-sm">at most {formatCount(most)}</span>}
      </figcaption>
      {points.length === 0 ? (
        <p className="text-ink-soft text-sm">Nothing was recorded in the last day.</p>
      ) : (
        <>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
            className="mt-2 h-16 w-full border-line border-b text-accent-text"
          >
            <path
              d={pathOf(chart)}
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          <p aria-hidden="true" className="mt-1 flex justify-between text-ink-soft text-xs">
            <span>A day ago</span>
            <span>Now</span>
          </p>
        </>
      )}
    </figure>
  );
}

function DatabaseSize({ bytes, limitBytes }: Props["database"]) {
  const megabytes = (value: number) => `${formatCount(Math.round(value / 1_000_000))} MB`;
  return (
    <div>
      <h3 className="font-medium text-base">Database</h3>
      {limitBytes === null ? (
        <p className="text-base">It holds {megabytes(bytes)}.</p>
      ) : (
        <>
          <p className="text-base">
            {megabytes(bytes)} of {megabytes(limitBytes)}, {Math.round((100 * bytes) / limitBytes)} % full
          </p>
          <progress aria-label="Database" value={bytes} max={limitBytes} className="mt-2 h-2 w-full max-w-80" />
        </>
      )}
    </div>
  );
}

function CallsCard({ title, head, rows }: { title: string; head: string; rows: readonly Called[] }) {
  const columns: Column<Called>[] = [
    {
      head,
      cell: ({ name, part }) => (
        <>
          <span className="font-medium">{part ?? name}</span>{" "}
          {part && <code className="text-ink-soft text-sm">{name}</code>}
        </>
      ),
    },
    {
      head: "State",
      classOf: () => "brief:text-right",
      cell: ({ failingSince, lastError, lastSucceededAt, isLate }) =>
        failingSince ? (
          <>
            <Badge tone="review">Fails</Badge>
            <CellNote>
              Since <Time {...failingSince} />: {lastError}
            </CellNote>
          </>
        ) : isLate ? (
          <Badge tone="review">Late</Badge>
        ) : lastSucceededAt ? (
          <Badge tone="verified">Worked last time</Badge>
        ) : (
          <Badge tone="neutral">Not used yet</Badge>
        ),
    },
    {
      head: "Last success",
      classOf: () => "brief:order-2 brief:col-span-2 brief:text-ink-soft brief:[&_time+span]:inline",
      cell: ({ lastSucceededAt: at }) => (at ? <Time {...at} /> : "None yet"),
    },
  ];
  return (
    <Card flush title={title}>
      <Table caption={title} brief rows={rows} columns={columns} keyOf={({ name }) => name} />
    </Card>
  );
}

const ELSEWHERE = "Can be started again on its own page";
const WIPED = "Its content was deleted";

function JobsCard({ failed, givenUp }: Pick<Props, "failed" | "givenUp">) {
  if (failed.length === 0) return <Card title="Abandoned jobs">No job was abandoned in the last 30 days.</Card>;
  return (
    <Card
      flush
      title="Abandoned jobs"
      description="What a job would have sent is kept for 7 days, encrypted. A job that runs again keeps its id, so a provider does not send the same message twice."
    >
      <Table
        caption="Abandoned jobs, by kind"
        rows={failed}
        keyOf={({ kind }) => kind}
        columns={[
          { head: "Kind", cell: ({ words }) => words },
          { head: "Jobs", cell: ({ count }) => formatCount(count) },
          {
            head: "Actions",
            actions: true,
            cell: ({ kind, again }) => again && <Again intent="run-kind" kind={kind} />,
          },
        ]}
      />
      <Table
        caption="The newest abandoned jobs"
        rows={givenUp}
        columns={[
          { head: "Job", cell: ({ words, id }) => <Stacked first={words} second={id} /> },
          { head: "Abandoned", cell: ({ at }) => <Time {...at} /> },
          { head: "Why", cell: ({ error, attempts }) => `${error ?? "Not recorded"} (${attempts + 1} tries)` },
          {
            head: "Actions",
            actions: true,
            cell: ({ id, again, isWiped }) =>
              !again ? ELSEWHERE : isWiped ? WIPED : <Again intent="run-job" jobId={id} />,
          },
        ]}
      />
    </Card>
  );
}

function Stacked({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <>
      {first}
      <span className="block break-all text-ink-soft text-xs">{second}</span>
    </>
  );
}

function Again(values: { intent: "run-kind"; kind: string } | { intent: "run-job"; jobId: string }) {
  return (
    <Form method="post">
      <HiddenFields values={values} />
      <SubmitButton size="sm" variant="secondary" pendingText="Running...">
        {values.intent === "run-kind" ? "Run all again" : "Run again"}
      </SubmitButton>
    </Form>
  );
}
