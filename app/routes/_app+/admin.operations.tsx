import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { Textarea } from "~/components/forms/fields";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { type Column, Table } from "~/components/tables/table";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, named, Time } from "~/components/ui/page-parts";
import { formAction, page, parseForm, permit, requireRole } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import { appPaths } from "~/kernel/paths/app";
import { changeNotice, noticeSchema } from "~/modules/core/operations/notice.server";
import {
  type Chart,
  type OperationsPage,
  readOperationsPage,
  runAgain,
  runAgainSchema,
} from "~/modules/core/operations/operations-page.server";
import { jobWords } from "~/modules/messages/message-actions";

const PATH = appPaths.operations;

export const { meta, ErrorBoundary } = named("Operations", "Error Loading Operations");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { givenUp, pending, failed, ...rest } = await readOperationsPage(scope.services, person.timeZone);
  const worded = <Row extends { kind: string }>(row: Row) => ({ ...row, words: jobWords(row.kind) });
  return {
    ...rest,
    pending: pending.map(worded),
    failed: failed.map(worded),
    givenUp: givenUp.map(worded),
  };
});

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

/** A lost connection is reported in the form; what was typed stays. */
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

type Props = Omit<OperationsPage, "pending" | "failed" | "givenUp"> & {
  pending: Worded<OperationsPage["pending"][number]>[];
  failed: Worded<OperationsPage["failed"][number]>[];
  givenUp: Worded<OperationsPage["givenUp"][number]>[];
  answer?: FormAnswer;
};

/** The state of the service. Only for super admins. */
function OperationsCards({ answer, ...page }: Props) {
  return (
    <>
      {page.incidents.map(({ id, watched, detail, since }) => (
        <Callout key={id} tone="danger" title={watched}>
          {detail}, since <Time {...since} />
        </Callout>
      ))}
      <NoticeCard notice={page.notice} answer={answer} />
      <ChartsCard charts={page.charts} />
      <FiguresCard {...page} />
      <CallsCard title="Schedules and queues" head="Name" rows={page.schedules} />
      <CallsCard title="Outside parties" head="Party" rows={page.providers} />
      <JobsCard {...page} />
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

function ChartsCard({ charts }: { charts: readonly Chart[] }) {
  return (
    <Card title="The last day">
      <div className="grid gap-6 sm:grid-cols-2">
        {charts.map((chart) => (
          <figure key={chart.title}>
            <figcaption className="text-base">
              {chart.title}: <span className="figures">{chart.now.toLocaleString("en-AU")}</span>
              <span className="text-ink-soft">
                , at most <span className="figures">{chart.most.toLocaleString("en-AU")}</span>
              </span>
            </figcaption>
            {chart.points.length === 0 ? (
              <p className="text-ink-soft text-sm">Nothing was recorded in the last day.</p>
            ) : (
              <svg
                viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
                preserveAspectRatio="none"
                aria-hidden="true"
                className="mt-2 h-16 w-full border-line border-b text-accent-text"
              >
                <path d={pathOf(chart)} fill="none" stroke="currentColor" strokeWidth="1.5" />
              </svg>
            )}
          </figure>
        ))}
      </div>
    </Card>
  );
}

function FiguresCard({ oldestDueMinutes, sealLagMinutes, deadLetter, database, pending }: Props) {
  const { bytes, limitBytes } = database;
  const megabytes = (value: number) => `${Math.round(value / 1_000_000).toLocaleString("en-AU")} MB`;
  return (
    <Card title="Now">
      <ul className="grid gap-1 text-base">
        <li>The oldest due job has waited {oldestDueMinutes} minutes.</li>
        <li>The oldest entry without a seal has waited {sealLagMinutes} minutes.</li>
        {deadLetter.at && (
          <li>
            A queue last gave up on a message at <Time {...deadLetter.at} />: {deadLetter.about}.
          </li>
        )}
        <li>
          The database holds {megabytes(bytes)}
          {limitBytes === null ? "." : ` of ${megabytes(limitBytes)}, ${Math.round((100 * bytes) / limitBytes)} %.`}
        </li>
        {pending.map(({ kind, words, count }) => (
          <li key={kind}>
            Waiting: {words}, {count.toLocaleString("en-AU")}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type CallsRow = OperationsPage["providers"][number];

function CallsCard({ title, head, rows }: { title: string; head: string; rows: readonly CallsRow[] }) {
  const columns: Column<CallsRow>[] = [
    { head, cell: ({ name }) => <span className="figures">{name}</span> },
    { head: "Last success", cell: ({ lastSucceededAt: at }) => (at ? <Time {...at} /> : "None yet") },
    {
      head: "State",
      cell: ({ failingSince, lastError, lastSucceededAt }) =>
        failingSince ? (
          <>
            <Badge tone="review">Fails</Badge> since <Time {...failingSince} />: {lastError}
          </>
        ) : lastSucceededAt ? (
          <Badge tone="verified">No failure since</Badge>
        ) : (
          <Badge tone="neutral">Not known</Badge>
        ),
    },
  ];
  return (
    <Card flush title={title}>
      <Table caption={title} rows={rows} columns={columns} keyOf={({ name }) => name} />
    </Card>
  );
}

const ELSEWHERE = "Can be started again on its own page";
const WIPED = "Its content was deleted";

function JobsCard({ failed, givenUp }: Pick<Props, "failed" | "givenUp">) {
  if (failed.length === 0) return <Card title="Jobs given up">No job was given up in the last 30 days.</Card>;
  return (
    <Card
      flush
      title="Jobs given up"
      description="What a job would have sent is kept for 7 days, encrypted. A job that runs again keeps its id, so a provider does not send the same message twice."
    >
      <Table
        caption="Jobs given up, by kind"
        rows={failed}
        keyOf={({ kind }) => kind}
        columns={[
          { head: "Kind", cell: ({ words }) => words },
          { head: "Jobs", cell: ({ count }) => count.toLocaleString("en-AU") },
          {
            head: "Actions",
            actions: true,
            cell: ({ kind, again }) => again && <Again intent="run-kind" kind={kind} />,
          },
        ]}
      />
      <Table
        caption="The newest jobs given up"
        rows={givenUp}
        columns={[
          { head: "Job", cell: ({ words, id }) => <Stacked first={words} second={id} /> },
          { head: "Given up", cell: ({ at }) => <Time {...at} /> },
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
