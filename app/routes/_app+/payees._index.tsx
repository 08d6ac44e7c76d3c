import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { type FormAnswer, keepWhatWasTyped } from "~/components/forms/form";
import { RefusedAct, SubscriptionFirst } from "~/components/forms/refused-act";
import { ChoosePayee, ChosenPayees } from "~/components/payees/chosen-payees";
import { PayeeStatusBadge } from "~/components/payees/payee-status-badge";
import { ListCard, nothingFoundSoFar } from "~/components/tables/list-card";
import { CellNote, type Column, RowLink } from "~/components/tables/table";
import { Badge, Button, buttonClass, Callout, Icon } from "~/components/ui/elements";
import type { EmptyStateProps } from "~/components/ui/empty-state";
import { Bsb, Masked, named, PageHeader } from "~/components/ui/page-parts";
import { formAction, type PageArgs, page, pageMember, pageWriter, parseForm } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { actedWords, archivePayees, type ManyActed, restorePayees } from "~/modules/payees/archive-payee.server";
import { listPostSchema } from "~/modules/payees/payee-fields.server";
import { FILTER_LABELS, PAYEE_FILTERS, type PayeeFilter, payeesCsvHref, payeesHref } from "~/modules/payees/payee-list";
import { readPayeesQuery } from "~/modules/payees/payee-list.server";
import { type PayeeLine, readPayees, showPayees } from "~/modules/payees/payee-list-page.server";
import { choiceOf } from "~/modules/verifying/bulk-checks/bulk-check.server";
import { bulkChoiceHref } from "~/modules/verifying/bulk-checks/bulk-check-page.server";
import { countPayeesToCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";
import type { Actor } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Payees", "Error Loading Payees");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, url } = scope;
  const query = readPayeesQuery(url.searchParams);
  const reading = readAhead(scope, (reader) => readPayees(services, reader, query));
  const actor = await pageMember(scope);
  const shown = await showPayees(services, actor, query, await reading(actor));
  const asksBanks = services.instantBankData !== undefined;
  return { ...shown, asksBanks, bulkHref: shown.canAdd ? bulkChoiceHref(query) : undefined };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  return formAction(scope, (form) => actOnChosen(scope, actor, form), { title: "Nothing was changed" });
});

async function actOnChosen(scope: PageArgs, actor: Actor, form: FormData) {
  const { intent, payeeId: ids } = parseForm(form, listPostSchema);
  if (intent === "check" || intent === "ask_banks") {
    const choice = choiceOf(ids, intent === "check" ? undefined : "bank");
    const { bulkCheckId } = await countPayeesToCheck(scope.services, actor, choice);
    return { to: appPaths.bulkCheck(bulkCheckId) };
  }
  const act = intent === "archive" ? archivePayees : restorePayees;
  const { done, kept } = await act(scope.services, actor, ids);
  const title = actedWords(done, new Set(ids).size, intent === "archive" ? "archived" : "restored");
  if (kept.length > 0) return { next: { acted: { title, kept } } };
  const { q, filter } = readPayeesQuery(scope.url.searchParams);
  return { to: payeesHref({ q, filter }), flash: { tone: done > 0 ? "success" : "info", title } as const };
}

export const clientAction = keepWhatWasTyped;

export default function Payees() {
  const answer = useActionData<FormAnswer>();
  const { rows, query, counts, canAdd, asksBanks, bulkHref, previousHref, nextHref } = useLoaderData<typeof loader>();
  const { q, filter } = query;
  const isNew = counts?.all === 0 && counts.archived === 0;
  return (
    <>
      <PageHeader
        title="Payees"
        description={
          <>
            Everyone your organisation pays, and how much each is trusted. See{" "}
            <Link to={appPaths.trustedNext} className="text-accent-text underline underline-offset-2">
              who will be trusted next
            </Link>
            .
          </>
        }
        actions={
          canAdd && (
            <>
              <Button to={appPaths.payeeHealth} variant="secondary" icon="shieldCheck">
                Health
              </Button>
              <Button to={appPaths.payeeRequests} variant="secondary" icon="mail">
                Ask a payee
              </Button>
              <Button to={appPaths.imports} variant="secondary" icon="upload">
                Import
              </Button>
              <Button to={appPaths.newPayee} icon="plus">
                Verify a payee
              </Button>
            </>
          )
        }
      />
      {canAdd && <SubscriptionFirst answer={answer} />}
      <RefusedAct answer={answer} />
      <ActedPayees answer={answer} />
      <ListCard
        label="Payees"
        rows={rows}
        columns={columnsOf(canAdd)}
        dense
        brief
        fixed
        isRed={(row) => row.headline.isRed}
        titleOf={({ risk }) => risk.title}
        filters={
          isNew
            ? undefined
            : {
                label: "Status",
                items: PAYEE_FILTERS.map((each) => ({
                  label: FILTER_LABELS[each],
                  to: payeesHref({ q, filter: each }),
                  current: each === filter,
                  count: counts?.[each] === undefined ? undefined : formatCount(counts[each]),
                })),
              }
        }
        search={
          isNew
            ? undefined
            : {
                label: "Search payee, account name, BSB or account number",
                defaultValue: q,
                keep: { status: filter === "all" ? undefined : filter },
                clearHref: payeesHref({ filter }),
              }
        }
        tools={
          <>
            {bulkHref && (
              <Button to={bulkHref} variant="secondary" size="sm">
                Check in bulk
              </Button>
            )}
            <a href={payeesCsvHref(query)} className={buttonClass("secondary", "sm")} download>
              CSV<span className="sr-only"> of this list</span>
            </a>
          </>
        }
        empty={nextHref ? nothingFoundSoFar("list", nextHref) : emptyOf(q, filter, canAdd)}
        around={(table) =>
          canAdd ? (
            <ChosenPayees isArchive={filter === "archived"} asksBanks={asksBanks}>
              {table}
            </ChosenPayees>
          ) : (
            table
          )
        }
        pager={{ previousHref, nextHref }}
      />
    </>
  );
}

/** The empty state of the list, and what to do about it. */
function emptyOf(q: string | undefined, filter: PayeeFilter, canAdd: boolean): EmptyStateProps {
  if (q) {
    return {
      icon: "search",
      title: "No payee found",
      action: (
        <Button to={payeesHref({ filter })} variant="secondary">
          Clear the search
        </Button>
      ),
      children: `Nothing matches “${q}”. Search by the beginning of a word, by BSB, or by the beginning or end of an account number.`,
    };
  }
  if (filter !== "all") return EMPTY[filter];
  return {
    icon: "users",
    title: "No payees yet",
    action: canAdd && (
      <>
        <Button to={appPaths.imports} icon="upload">
          Import payees
        </Button>
        <Button to={appPaths.newPayee} variant="secondary" icon="plus">
          Verify a payee
        </Button>
      </>
    ),
    children: "Add the people and businesses you pay. Each is checked before money goes out.",
  };
}

const EMPTY: Record<Exclude<PayeeFilter, "all">, EmptyStateProps> = {
  pending: {
    icon: "checkCircle",
    mood: "done",
    title: "No payees are waiting for verification",
    children: "Every payee's details have been decided on.",
  },
  disputed: {
    icon: "checkCircle",
    mood: "done",
    title: "No disputes",
    children: "No payee has said that its details are wrong.",
  },
  whitelisted: {
    icon: "list",
    title: "No payees here",
    children: "A payee joins the whitelist when its verification is approved, or after three successful payments.",
  },
  not_whitelisted: { icon: "list", title: "No payees here", children: "Every payee is on the whitelist." },
  archived: {
    icon: "list",
    title: "No archived payees",
    children: "A payee that you no longer pay can be archived in the list or on its page. Nothing is deleted.",
  },
};

/** People without write access have no tick boxes. */
const columnsOf = (canChoose: boolean): Column<PayeeLine>[] => [
  {
    head: "Payee",
    width: "wide:w-[20%]",
    cell: (row) => (
      <div className="flex gap-3">
        {canChoose && <ChoosePayee id={row.id} name={row.name} />}
        <div className="min-w-0">
          <RowLink to={appPaths.payee(row.id)}>{row.name}</RowLink>
          {row.accountName !== row.name && <CellNote>{row.accountName}</CellNote>}
        </div>
      </div>
    ),
  },
  {
    head: "Account",
    width: "wide:w-[19.5%]",
    classOf: () => "cell-end",
    cell: (row) => (
      <>
        <Bsb value={row.bsb} /> <Masked value={row.maskedAccountNumber} />
        <CellNote>{row.institution ?? "Unknown BSB"}</CellNote>
      </>
    ),
  },
  {
    head: "Status",
    width: "wide:w-[27.5%]",
    classOf: () => "cell-last",
    cell: (row) => (
      <>
        <PayeeStatusBadge status={row.status} headline={row.headline} />
        {row.grade && <CellNote>{row.grade}</CellNote>}
        {row.bank && <CellNote>{row.bank}</CellNote>}
        {row.isDraft && <CellNote>Draft, sent by the payee</CellNote>}
        {row.flagWords.map((word) => (
          <div key={word} className="mt-0.5 flex items-center gap-1 text-review text-sm">
            <Icon name="flag" className="size-3.5" />
            {word}
          </div>
        ))}
      </>
    ),
  },
  {
    head: "Risk",
    width: "wide:w-[11%]",
    classOf: ({ risk }) => (risk.tone === null ? "cell-left-out" : "cell-last"),
    cell: ({ risk }) => <Risk {...risk} />,
  },
  {
    head: "Last verified",
    classOf: () => "cell-left-out",
    cell: ({ verifiedAt }) => (verifiedAt ? <Day text={verifiedAt} /> : "Never"),
  },
  {
    head: "Last paid",
    classOf: () => "cell-left-out",
    cell: ({ paidAt }) => (paidAt ? <Day text={paidAt} /> : "Never"),
  },
];

/** The day, with its age below it; the time of day is on the payee's own page. */
function Day({ text }: { text: string }) {
  const [day, age] = text.split(", ");
  return (
    <span className="figures inline-flex flex-col sm:whitespace-nowrap">
      {day}
      <span className="text-ink-soft text-xs print:hidden">{age}</span>
    </span>
  );
}

/** One word; the row's title, and here the words for screen readers, list everything that was found. */
function Risk({ word, tone, note, title }: PayeeLine["risk"]) {
  return (
    <>
      {tone === null ? (
        <span className="text-ink-soft">{word}</span>
      ) : (
        <Badge tone={tone} icon={tone === "review" ? "flag" : "alert"}>
          {word}
        </Badge>
      )}
      <span className="sr-only">{`. ${title}`}</span>
      {note && <CellNote>{note}</CellNote>}
    </>
  );
}

/** The result for ticked payees when some did not change: each with the reason. */
function ActedPayees({ answer }: { answer?: FormAnswer }) {
  const acted = answer?.extra?.acted as (Pick<ManyActed, "kept"> & { title: string }) | undefined;
  if (!acted) return null;
  return (
    <Callout tone="warning" role="status" title={acted.title} className="mb-6">
      <ul className="grid gap-1">
        {acted.kept.map(({ payeeId, name, sentence }) => (
          <li key={payeeId}>
            <Link to={appPaths.payee(payeeId)} className="font-medium underline underline-offset-2">
              {name}
            </Link>
            : {sentence}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
