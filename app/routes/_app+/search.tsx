import { useLoaderData } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Form } from "~/components/forms/form";
import { ACCOUNT_LINKS, pagesOf, RAIL } from "~/components/layout/navigation";
import { Button, Icon, Link } from "~/components/ui/elements";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { type FoundGroup, readSearchWords, searchEverything } from "~/modules/records/search.server";

export const { meta, ErrorBoundary } = named("Search", "Error Loading the Search");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const q = readSearchWords(scope.url.searchParams);
  return { q, groups: await searchEverything(scope.services, actor, q) };
});

export default function Search() {
  return <SearchPage {...useLoaderData<typeof loader>()} />;
}

/** Every page that the rail and the menu link to, and some below them. */
const PAGES = [
  ...RAIL.flatMap(pagesOf),
  ...ACCOUNT_LINKS,
  { label: "Verify a payee", to: appPaths.newPayee },
  { label: "Record a payment", to: appPaths.newPayment },
  { label: "Policies", to: appPaths.policies },
  { label: "Members", to: appPaths.members },
  { label: "Integrations", to: appPaths.integrations },
  { label: "Alerts", to: appPaths.alerts },
  { label: "Sample data", to: appPaths.sampleData },
  { label: "Help", to: sitePaths.help },
];

const findPages = (q: string): FoundGroup => ({
  label: "Pages",
  rows: PAGES.filter(({ label }) => q !== "" && label.toLowerCase().includes(q.toLowerCase())).map(({ label, to }) => ({
    key: to,
    title: label,
    detail: "Page",
    href: to,
  })),
  allHref: null,
});

/** The search page; works with and without scripts. */
function SearchPage({ q, groups }: { q: string; groups: readonly FoundGroup[] }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const shown = [...groups, findPages(q)].filter(({ rows }) => rows.length > 0);
  return (
    <div className="mx-auto grid max-w-3xl gap-6">
      <PageHeader title="Search" description="Payees, accounts, payments, invoices, payment files, people and pages." />
      <Form method="get" role="search" className="-mt-4 flex flex-wrap gap-2">
        <label className="relative min-w-0 flex-1">
          <span className="sr-only">Search everything</span>
          <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-ink-soft" />
          <input
            ref={field}
            type="search"
            name="q"
            key={q}
            defaultValue={q}
            autoComplete="off"
            spellCheck={false}
            className="block min-h-10 w-full rounded-base border border-control bg-surface py-2 pr-3 pl-10 text-md shadow-rest"
          />
        </label>
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </Form>
      {q !== "" && shown.length === 0 && (
        <p className="text-base">
          Nothing was found for “{q}”. Try part of a name, a BSB, an account number or a reference.
        </p>
      )}
      {shown.map((group) => (
        <Group key={group.label} {...group} />
      ))}
    </div>
  );
}

function Group({ label, rows, allHref }: FoundGroup) {
  return (
    <Card
      flush
      title={label}
      actions={
        allHref && (
          <Button to={allHref} variant="quiet" size="sm">
            Open the list
          </Button>
        )
      }
    >
      <ul className="divide-y divide-line border-line border-t">
        {rows.map(({ key, title, detail, href }) => (
          <li key={key} className="relative px-5 py-2.5 text-base has-[a:hover]:bg-sunken/70">
            <Link
              to={href}
              className="font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
            >
              {title}
            </Link>
            <p className="figures break-words text-ink-soft text-sm">{detail}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
