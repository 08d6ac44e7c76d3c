import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { Select } from "~/components/forms/fields";
import {
  ButtonForm,
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { SubscriptionEnded, SubscriptionFirst } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, Table, type TableProps } from "~/components/tables/table";
import { Badge, Button, buttonClass, Callout, type IconName, linkClass, type Tone } from "~/components/ui/elements";
import { Bsb, Card, Masked, named, PageHeader, Time } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { VerdictBadge } from "~/components/verifying/verdict-badge";
import { type Flash, formAction, idParam, page, pageMember, pageWriter } from "~/http/page.server";
import { invalidInput } from "~/kernel/app-error";
import type { RowOutcome } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { pauseImport, resumeImport, startImport, stopImport } from "~/modules/payees/imports/control-import.server";
import { countsOf, KIND_LABELS, OUTCOME_LABELS, resultsHref, type ShownRow } from "~/modules/payees/imports/import";
import { readMapping } from "~/modules/payees/imports/import.server";
import { type ImportPage as Page, readImportPage } from "~/modules/payees/imports/import-page.server";
import type { Actor, WriteServices } from "~/services-and-actor";

/** One import: its columns and preview, its progress, and the result of each row. */
function ImportPage({ page, answer }: { page: Page; answer?: FormAnswer }) {
  const { file, preview, results, may } = page;
  return (
    <>
      <PageHeader
        title={file.name}
        description={
          <>
            {KIND_LABELS[file.kind]}, {formatCount(file.rowCount, "row")}. Uploaded{" "}
            {file.uploadedBy && `by ${file.uploadedBy} `}
            <Time {...file.uploadedAt} />
          </>
        }
        breadcrumb={[
          { label: "Payees", to: appPaths.payees },
          { label: "Import", to: appPaths.imports },
        ]}
        badges={<StatusBadge of="import" status={file.status} />}
      />
      {preview && <SubscriptionFirst answer={answer} />}
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
      )}
      {preview && <ColumnsCard {...preview} />}
      {preview && <PreviewCard preview={preview} rowCount={file.rowCount} may={may} />}
      {results && <Progress file={file} may={may} />}
      {results && <ResultsCard file={file} results={results} />}
    </>
  );
}

function Progress({ file, may }: Pick<Page, "file" | "may">) {
  const { status, doneCount, rowCount, notedCount } = file;
  const rows = `${formatCount(doneCount)} of ${formatCount(rowCount, "row")}`;
  return (
    <Card title={TITLES[status]} className="mb-6">
      {file.problem && <Callout tone="warning" title={file.problem} className="mb-4" />}
      <p className="mb-3 text-base" aria-live="polite">
        {rows} are done.
        {status === "running" && " This page updates automatically; you can close it and come back."}
        {notedCount > 0 &&
          ` ${notedCount === 1 ? "One row has" : `${formatCount(notedCount)} rows have`} a note about what was repaired or left out.`}
      </p>
      <progress className="mb-4 h-2 w-full" max={rowCount} value={doneCount} aria-label="Rows that are done">
        {rows}
      </progress>
      <div className="flex flex-wrap gap-3">
        {may.pause && <ButtonForm intent="pause">Pause</ButtonForm>}
        {may.resume && <ButtonForm intent="resume">Continue</ButtonForm>}
        {may.stop && <ButtonForm intent="stop">Stop</ButtonForm>}
        {doneCount > 0 && (
          <a href={appPaths.importResult(file.id)} className={buttonClass("secondary", "sm")} download>
            Download the result of each row
          </a>
        )}
        {status === "finished" && (
          <Button to={appPaths.payeeHealth} size="sm">
            See what is wrong with your payees
          </Button>
        )}
      </div>
    </Card>
  );
}

const TITLES: Readonly<Record<Page["file"]["status"], string>> = {
  ready: "Waiting to be started",
  running: "The rows are being imported",
  paused: "The import is paused",
  finished: "The import has ended",
  stopped: "The import was stopped",
};

const SHOWN_FIRST: readonly RowOutcome[] = ["added", "filled", "unchanged", "differs", "refused", "no_account"];

function ResultsCard({ file, results }: { file: Page["file"]; results: NonNullable<Page["results"]> }) {
  const counts = countsOf(file);
  const tabs = SHOWN_FIRST.filter((outcome) => counts[outcome] > 0 || outcome === results.outcome);
  return (
    <ListCard
      id="results"
      label="Rows"
      caption="Result of each row"
      rows={results.rows}
      {...ROWS}
      filters={{
        label: "Outcomes",
        items: [
          {
            label: "All",
            to: resultsHref(file.id, {}),
            current: results.outcome === null,
            count: formatCount(file.doneCount),
          },
          ...tabs.map((outcome) => ({
            label: OUTCOME_LABELS[outcome],
            to: resultsHref(file.id, { outcome }),
            current: outcome === results.outcome,
            count: formatCount(counts[outcome]),
          })),
        ],
      }}
      empty={{ icon: "list", title: "No rows here yet" }}
      pager={{ previousHref: results.firstHref, nextHref: results.nextHref }}
    />
  );
}

/** How often the page reloads during an import, in seconds. */
const REFRESH_SECONDS = "2";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.file.name} · ` : ""}Import`,
  "Error Loading Import",
  (loaded) => (loaded?.file.status === "running" ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, params, url } = scope;
  return readImportPage(services, actor, idParam(params), url.searchParams);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const importId = idParam(scope.params);
  return formAction(
    scope,
    async (form) => ({ to: appPaths.import(importId), flash: await steer(scope.services, actor, importId, form) }),
    { title: "The import did not change" },
  );
});

export const clientAction = keepWhatWasTyped;

async function steer(services: WriteServices, actor: Actor, importId: string, form: FormData): Promise<Flash> {
  switch (form.get("intent")) {
    case "start":
      await startImport(services, actor, { importId, mapping: readMapping(form) ?? {} });
      return { tone: "info", title: "Import started" };
    case "pause":
      await pauseImport(services, actor, importId);
      return { tone: "info", title: "Import paused" };
    case "resume":
      await resumeImport(services, actor, importId);
      return { tone: "info", title: "The import continues" };
    case "stop":
      await stopImport(services, actor, importId);
      return { tone: "info", title: "Import stopped", description: "Payees that were added stay." };
    default:
      throw invalidInput({ intent: ["Choose what to do with this import"] });
  }
}

export default function PayeeImport() {
  return <ImportPage page={useLoaderData<typeof loader>()} answer={useActionData<FormAnswer>()} />;
}

type Preview = NonNullable<Page["preview"]>;

/** The guessed columns, for correction. Choosing only refreshes the preview. */
export function ColumnsCard({ choices, missing }: Preview) {
  return (
    <Card
      title="Which column is which?"
      description="We recognised these. Correct what is wrong and look at the preview again; your choice is remembered for files with these headings."
      className="mb-6"
    >
      {missing && (
        <Callout tone="warning" title={`${missing}.`} className="mb-5">
          Without it the rows cannot be read.
        </Callout>
      )}
      <Form method="get" className="grid gap-5">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {choices.map(({ field, label, value, options }) => (
            <Select
              key={`${field} ${value}`}
              name={`column.${field}`}
              label={label}
              options={options}
              placeholder="Not in this file"
              defaultValue={value}
              hint={field === "bsb" ? "Not needed where it is written before the account number" : undefined}
              showOptional={false}
            />
          ))}
        </div>
        <div>
          <Button type="submit" variant="secondary" icon="refresh">
            Show the preview again
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** The expected results of the first rows, and the button that starts the import. */
export function PreviewCard({ preview, rowCount, may }: { preview: Preview; rowCount: number; may: Page["may"] }) {
  const { choices, missing, rows, rowsRead } = preview;
  if (missing) return null;
  const columns = Object.fromEntries(choices.map(({ field, value }) => [`column.${field}`, value]));
  return (
    <Card
      flush
      title="What would happen"
      description={
        rowsRead < rowCount
          ? `The first ${rowsRead} of ${formatCount(rowCount, "row")}. Nothing has been added yet.`
          : `All ${formatCount(rowCount, "row")}. Nothing has been added yet.`
      }
    >
      <Table caption="What would happen to the first rows" rows={rows} {...ROWS} />
      <div className="flex flex-wrap gap-3 border-line border-t px-5 py-5">
        {may.start && (
          <Form method="post">
            <HiddenFields values={{ intent: "start", ...columns }} />
            <SubmitButton pendingText="Starting...">Import {formatCount(rowCount, "row")}</SubmitButton>
          </Form>
        )}
        {may.stop && (
          <Form method="post">
            <HiddenFields values={{ intent: "stop" }} />
            <Button type="submit" variant="quiet">
              Discard this file
            </Button>
          </Form>
        )}
      </div>
    </Card>
  );
}

const LOOKS: Readonly<Record<RowOutcome, { tone: Tone; icon: IconName }>> = {
  added: { tone: "verified", icon: "plus" },
  filled: { tone: "verified", icon: "pencil" },
  unchanged: { tone: "neutral", icon: "equals" },
  differs: { tone: "pending", icon: "notEquals" },
  no_account: { tone: "neutral", icon: "dash" },
  refused: { tone: "review", icon: "xCircle" },
};

/** Rows of a file with their results, or expected results. */
const ROWS = {
  dense: true,
  brief: true,
  fixed: true,
  keyOf: (row) => row.line,
  isRed: (row) => row.verdict !== null,
  columns: [
    { head: "Line", width: "wide:w-[7%]", classOf: () => "cell-left-out", cell: (row) => row.line },
    {
      head: "Payee",
      width: "wide:w-[30%]",
      cell: ({ payeeId, name, account }) => (
        <>
          {payeeId ? (
            <Link to={appPaths.payee(payeeId)} className={linkClass}>
              {name}
            </Link>
          ) : (
            <span className="break-words">{name || "No name"}</span>
          )}
          {account && (
            <CellNote>
              <Bsb value={account.bsb} /> <Masked value={account.number} />
            </CellNote>
          )}
        </>
      ),
    },
    {
      head: "Outcome",
      width: "wide:w-[18%]",
      classOf: () => "cell-end",
      cell: ({ outcome, verdict }) => (
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={LOOKS[outcome].tone} icon={LOOKS[outcome].icon}>
            {OUTCOME_LABELS[outcome]}
          </Badge>
          {verdict && <VerdictBadge verdict={verdict} />}
        </span>
      ),
    },
    {
      head: "Notes",
      classOf: () => "cell-last",
      cell: ({ message, register }) => (
        <>
          <span className="break-words">{message}</span>
          {register && <CellNote>{register}</CellNote>}
        </>
      ),
    },
  ],
} satisfies Omit<TableProps<Omit<ShownRow, "account"> & Partial<Pick<ShownRow, "account">>>, "caption" | "rows">;
