import { Link, useLoaderData } from "@remix-run/react";
import { SelectControl, TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { SealReport } from "~/components/records/seal-report";
import { FoldedFilters, ListCard } from "~/components/tables/list-card";
import type { Column } from "~/components/tables/table";
import { Badge, Button, Icon, linkClass } from "~/components/ui/elements";
import { Email } from "~/components/ui/email";
import { Digits, named, PageHeader, Time } from "~/components/ui/page-parts";
import { check } from "~/http/body.server";
import { page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { reportBrokenTrail } from "~/modules/core/audit/failed-seals.server";
import { anchorSchema, type TrailReport, verifyTrail } from "~/modules/core/audit/seals.server";
import { type AuditLine, readAuditPage } from "~/modules/records/audit-trail/audit-page.server";

type AuditPage = Awaited<ReturnType<typeof readAuditPage>>;

const LINK = "text-accent-text underline underline-offset-2";

/** A day's views of full bank details open from one row. */
const COLUMNS: Column<AuditPage["items"][number]>[] = [
  {
    head: "When",
    width: "wide:w-[19%]",
    classOf: () => "brief:order-2",
    cell: (item) => {
      const line = "line" in item ? item.line : item.views[0];
      return line && <Time {...line.when} stacked />;
    },
  },
  {
    head: "What happened",
    name: null,
    classOf: () => "brief:col-span-2",
    cell: (item) => ("line" in item ? <Entry line={item.line} /> : <Views {...item} />),
  },
  {
    head: "By",
    width: "wide:w-[18%]",
    classOf: () => "brief:order-3 brief:col-span-2 brief:text-ink-soft",
    cell: (item) =>
      "line" in item ? (
        <>
          {item.line.email ? <Email value={item.line.email} /> : "PayeeProof"}
          {item.line.ipAddress && (
            <div className="text-ink-soft text-sm brief:inline">
              {" "}
              <Digits>{item.line.ipAddress}</Digits>
            </div>
          )}
        </>
      ) : null,
  },
  {
    head: "Seal",
    width: "wide:w-[13%]",
    align: "right",
    classOf: () => "brief:order-2",
    cell: (item) => ("line" in item ? <Seal seq={item.line.seq} /> : null),
  },
];

function Entry({ line }: { line: AuditLine }) {
  return (
    <>
      <span className="break-words">{line.sentence}</span>
      {line.href && (
        <>
          {" "}
          <Link
            to={line.href}
            className={`${LINK} print:hidden`}
            aria-label={`Open what this is about: ${line.sentence}`}
          >
            Open
          </Link>
        </>
      )}
    </>
  );
}

function Seal({ seq }: { seq: number | null }) {
  if (seq !== null) return <Digits>{`#${seq}`}</Digits>;
  return (
    <Badge tone="neutral" icon="clock">
      Not sealed yet
    </Badge>
  );
}

function Views({ views, heading }: { views: readonly AuditLine[]; heading: string }) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 cursor-pointer items-center gap-1.5 rounded-base text-ink-soft hover:text-ink">
        {heading}
        <Icon name="chevronDown" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <ul className="mt-2 grid gap-1.5">
        {views.map((view) => (
          <li key={view.id}>
            <span className="figures text-ink-soft text-sm">{view.when.exact}</span> {view.sentence}
            {view.ipAddress && <span className="figures text-ink-soft text-sm"> {view.ipAddress}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

export const { meta, ErrorBoundary } = named("Audit trail", "Error Loading the Audit Trail");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const asked = url.searchParams.has("check") && check(anchorSchema, Object.fromEntries(url.searchParams));
  const [shown, report] = await Promise.all([
    readAuditPage(services, actor, url),
    asked ? verifyTrail(services, actor.organizationId, asked) : undefined,
  ]);
  if (asked && report) await reportBrokenTrail(services, actor, asked, report);
  return { ...shown, report };
});

export default function AuditTrail() {
  const shown = useLoaderData<typeof loader>();
  const { items, tip, report, parts, days, about, notes, csvHref, ndjsonHref, ...hrefs } = shown;
  return (
    <>
      <PageHeader
        title="Audit trail"
        description="Who did what, when and from where. An entry is never edited or deleted. Within minutes it gets a seal; from then on, a change made outside the product can be detected too."
        actions={
          <>
            <Button to={csvHref} reloadDocument variant="secondary" icon="download">
              Download CSV
            </Button>
            {ndjsonHref && (
              <Button to={ndjsonHref} reloadDocument variant="secondary" icon="download">
                Download NDJSON
              </Button>
            )}
          </>
        }
      />
      <SealStatus report={report} tip={tip} checkHref={hrefs.checkHref} parts={parts} />
      <ListCard
        label="Audit trail"
        rows={items}
        columns={COLUMNS}
        keyOf={(item) => ("line" in item ? item.line.id : item.views[0]?.id)}
        dense
        brief
        fixed
        more={
          <div className="flex flex-wrap items-start justify-between gap-3">
            <AuditFilterForm {...shown} />
            <AuditDays days={days} />
            {about && <p className="w-full text-base text-ink-soft">{about}</p>}
          </div>
        }
        empty={{ icon: "history", title: "Nothing to show", children: notes.empty }}
        pager={{ previousHref: hrefs.newestHref, nextHref: hrefs.nextHref, summary: notes.partial }}
      />
    </>
  );
}

/** The chosen day, with links to the days before and after. */
function AuditDays({ days }: { days: AuditPage["days"] }) {
  if (!("day" in days)) {
    return (
      <span className="print:hidden">
        <Button to={days.today} variant="quiet">
          Today
        </Button>
      </span>
    );
  }
  return (
    <nav aria-label="Days" className="flex flex-wrap items-center gap-2">
      <Button to={days.previous} variant="secondary" size="sm" icon="chevronLeft" rel="prev">
        Previous day
      </Button>
      <span className="figures px-1 font-medium">{days.day}</span>
      {days.next && (
        <Button to={days.next} variant="secondary" size="sm" iconAfter="chevronRight" rel="next">
          Next day
        </Button>
      )}
    </nav>
  );
}

type FilterForm = Pick<AuditPage, "filter" | "people" | "isPeopleCut" | "payee" | "area" | "areas" | "actions">;

/**
 * Filters: payee, person, area, and days; once an area is chosen, also its actions. A link from a payee or payment
 * filters by that subject until it is cleared.
 */
function AuditFilterForm({ filter, people, isPeopleCut, payee, area, areas, actions }: FilterForm) {
  const { thing } = filter;
  const isNarrowed = Object.keys(filter).length > 0 || Boolean(payee.typed);
  return (
    <FoldedFilters summary="Payee, person, area and days" filter={[filter, payee.typed]} isNarrowed={isNarrowed}>
      <Form method="get" action={appPaths.audit} className="flex flex-wrap items-end gap-3">
        {thing && <input type="hidden" name="thing" value={`${thing.type}:${thing.id}`} />}
        {payee.id && <input type="hidden" name="former" value={payee.id} />}
        <TextInput
          name="payee"
          label="Payee"
          type="search"
          maxLength={100}
          defaultValue={payee.typed}
          error={payee.problem ? [payee.problem] : null}
          showOptional={false}
          className="w-full sm:w-56"
        />
        <Choice name="person" label="Person" all="Everyone" value={filter.person}>
          {people.map(({ userId, name }) => (
            <option key={userId} value={userId}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice name="area" label="Area" all="Everything" value={area}>
          {areas.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Choice>
        {actions.length > 0 && (
          <Choice name="action" label="What was done" all="Everything in this area" value={filter.action}>
            {actions.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Choice>
        )}
        <TextInput name="from" label="From" type="date" defaultValue={filter.from} showOptional={false} />
        <TextInput name="to" label="To" type="date" defaultValue={filter.to} showOptional={false} />
        <Button type="submit" variant="secondary">
          Show
        </Button>
        {isNarrowed && (
          <Button to={appPaths.audit} variant="quiet">
            Clear
          </Button>
        )}
        {payee.offered && (
          <ul aria-label="Matching payees" className="flex w-full flex-wrap gap-x-4 gap-y-1">
            {payee.offered.map(({ name, href }) => (
              <li key={href}>
                <Link to={href} className={LINK}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {isPeopleCut && (
          <p className="w-full text-base text-ink-soft">The list shows your first {people.length} members.</p>
        )}
      </Form>
    </FoldedFilters>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  /** The words of the option for no filter. */
  all: string;
  value: string | undefined;
  children: React.ReactNode;
}

function Choice({ name, label, all, value, children }: ChoiceProps) {
  return (
    <label htmlFor={`audit-${name}`} className="w-full text-base sm:w-56">
      <span className="mb-1.5 block font-medium">{label}</span>
      <SelectControl id={`audit-${name}`} name={name} defaultValue={value ?? ""}>
        <option value="">{all}</option>
        {children}
      </SelectControl>
    </label>
  );
}

interface SealStatusProps extends Pick<AuditPage, "tip" | "checkHref" | "parts"> {
  /** The report of a check, if one was requested. */
  report?: TrailReport;
}

/** The result of the last check of the trail's seals, and how to run another. */
function SealStatus({ report, tip, checkHref, parts }: SealStatusProps) {
  if (!report || (report.ok && !report.next && !report.checked))
    return <NotChecked tip={tip} checkHref={checkHref} parts={parts} />;
  return <SealReport report={report} checkHref={checkHref} />;
}

function NotChecked({ tip, checkHref, parts }: Omit<SealStatusProps, "report">) {
  return (
    <p className="mb-5 text-base text-ink-soft">
      {tip
        ? `${tip.count === 1 ? "1 entry is" : `${tip.count} entries are`} sealed: none can be changed or removed unnoticed. `
        : "Nothing is sealed yet; new entries are sealed every few minutes. "}
      <Link to={checkHref} className={linkClass}>
        Check the whole trail
      </Link>
      {" or "}
      <Link to={appPaths.auditSeals} className={linkClass}>
        a seal that you kept
      </Link>
      {parts.length > 1 && (
        <>
          . Export in parts:{" "}
          {parts.map(({ href, label }, index) => (
            <span key={href}>
              {index > 0 && ", "}
              <Link to={href} reloadDocument className={linkClass}>
                {label}
              </Link>
            </span>
          ))}
        </>
      )}
    </p>
  );
}
