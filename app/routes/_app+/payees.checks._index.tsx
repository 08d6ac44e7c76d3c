import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { BulkChecksTable } from "~/components/verifying/bulk-checks/bulk-checks-table";
import { ChoiceCard } from "~/components/verifying/bulk-checks/choice-card";
import { formAction } from "~/http/form-action.server";
import { pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { canWrite } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { readChoice } from "~/modules/verifying/bulk-checks/bulk-check.server";
import { CHOICE_OPTIONS } from "~/modules/verifying/bulk-checks/bulk-check.view";
import { listBulkCheckViews } from "~/modules/verifying/bulk-checks/bulk-check-page.server";
import { countPayeesToCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Check payees in bulk")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { q = "", filter: status, verified, paid } = readChoice(scope.url.searchParams);
  const [rows, missing] = await Promise.all([
    listBulkCheckViews(scope.services, actor),
    canWrite(actor) ? findMissingConfirmation(scope.services, actor) : null,
  ]);
  return {
    rows,
    missing,
    canChange: canWrite(actor),
    options: CHOICE_OPTIONS,
    values: { q, status, verified, paid },
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const count = async (form: FormData) => {
    const { bulkCheckId } = await countPayeesToCheck(scope.services, actor, readChoice(form));
    return { to: appPaths.bulkCheck(bulkCheckId) };
  };
  return formAction(scope, count, { title: "The payees were not counted" });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function BulkChecks() {
  const { rows, missing, canChange, options, values } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <>
      <PageHeader
        title="Check payees in bulk"
        description="Many payees confirm their details and show at their own bank that the account is theirs. Each answer arrives in the review desk."
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      <ConfirmFirst missing={missing} then="You can have the payees counted now." />
      {canChange && <ChoiceCard options={options} values={{ ...values, ...answer?.values }} answer={answer} />}
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState icon="list" title="No bulk checks yet">
            Choose which payees to check, and count them.
          </EmptyState>
        ) : (
          <BulkChecksTable rows={rows} />
        )}
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Bulk Checks" />;
}
