import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { RefusedAct } from "~/components/forms/refused-act";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ChosenPayees } from "~/components/payees/chosen-payees";
import { NoPayees } from "~/components/payees/no-payees";
import { PayeesTable } from "~/components/payees/payees-table";
import { PayeesToolbar } from "~/components/payees/payees-toolbar";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import type { Flash } from "~/http/flash.server";
import { formAction, parseForm } from "~/http/form-action.server";
import { pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { canWrite } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { bulkChoiceHref } from "~/modules/bulk-checks/bulk-check.view";
import { archivePayees } from "~/modules/payees/archive-payee.commands.server";
import { listPostSchema } from "~/modules/payees/payee.schema.server";
import { countsOfFilters } from "~/modules/payees/payee-list";
import { countPayees, listPayees } from "~/modules/payees/payee-list.queries.server";
import { readPayeesQuery } from "~/modules/payees/payee-list.schema.server";
import { payeesHref, toPayeeRow } from "~/modules/payees/payee-list.view";

export const meta: MetaFunction = (route) => [pageTitle(route, "Payees")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const query = readPayeesQuery(url.searchParams);
  const { q, filter } = query;
  const [list, counts] = await Promise.all([
    listPayees(services, actor, query),
    q ? undefined : countPayees(services, actor),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: list.payees.map((payee) => toPayeeRow(payee, zone)),
    query: { q, filter },
    counts: counts && countsOfFilters(counts),
    canAdd: canWrite(actor),
    bulkHref: canWrite(actor) ? bulkChoiceHref(query) : undefined,
    previousHref: list.previous && payeesHref({ q, filter, before: list.previous }),
    nextHref: list.next && payeesHref({ q, filter, after: list.next }),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const archive = async (form: FormData) => {
    const { payeeId: ids } = parseForm(form, listPostSchema);
    const { archived, kept } = await archivePayees(scope.services, actor, ids);
    const { q, filter } = readPayeesQuery(scope.url.searchParams);
    return { to: payeesHref({ q, filter }), flash: flashOf(archived, kept) };
  };
  return formAction(scope, archive, { title: "Nothing was archived" });
});

/** A lost connection is reported in the form. */
export const clientAction = keepWhatWasTyped;

function flashOf(archived: number, kept: number): Flash {
  const title = archived === 1 ? "1 payee archived" : `${archived} payees archived`;
  if (kept === 0) return { tone: "success", title, description: "Lists leave them out. Nothing was deleted." };
  const description = `${kept} stayed: a payment is unfinished, or someone changed the payee at the same moment. Open it to see.`;
  return { tone: archived === 0 ? "error" : "info", title, description };
}

export default function Payees() {
  const answer = useActionData<FormAnswer>();
  const { rows, query, counts, canAdd, bulkHref, previousHref, nextHref } = useLoaderData<typeof loader>();
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
      <RefusedAct answer={answer} />
      <Card flush>
        <PayeesToolbar {...query} counts={counts} bulkHref={bulkHref} />
        {rows.length === 0 ? (
          <NoPayees {...query} canAdd={canAdd} nextHref={nextHref} />
        ) : (
          <ChosenPayees canArchive={canAdd && query.filter !== "archived"}>
            <PayeesTable rows={rows} canChoose={canAdd && query.filter !== "archived"} />
          </ChosenPayees>
        )}
        <Pagination label="Payees" previousHref={previousHref} nextHref={nextHref} />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payees" />;
}
