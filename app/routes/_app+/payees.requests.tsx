import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { RefusedAct } from "~/components/forms/refused-act";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { AskCard } from "~/components/payees/payee-requests/ask-card";
import { RequestsTable } from "~/components/payees/payee-requests/requests-table";
import { FilterTabs } from "~/components/tables/filter-tabs";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { PageHeader } from "~/components/ui/page-header";
import { Pagination } from "~/components/ui/pagination";
import { type Accepted, formAction, parseForm } from "~/http/form-action.server";
import { pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { type Actor, canWrite, displayName } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { submissionSchema } from "~/modules/core/commands/idempotency-key.server";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { askPayee, cancelRequest, resendRequest } from "~/modules/payees/payee-requests/ask-payee.server";
import {
  listRequests,
  newRequestSchema,
  readRequestsQuery,
  requestActSchema,
  requestConstraints,
} from "~/modules/payees/payee-requests/payee-request.server";
import { REQUEST_FILTER_LABELS, requestsHref, toRequestRow } from "~/modules/payees/payee-requests/payee-request.view";
import type { Services } from "~/services";

export const meta: MetaFunction = (route) => [pageTitle(route, "Requests for bank details")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const query = readRequestsQuery(url.searchParams);
  const { status } = query;
  const [{ rows, previous, next }, missing] = await Promise.all([
    listRequests(services, actor, query),
    canWrite(actor) ? findMissingConfirmation(services, actor) : null,
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: rows.map(({ request, asker }) => toRequestRow(request, displayName(asker), zone)),
    status,
    canChange: canWrite(actor),
    missing,
    constraints: requestConstraints,
    submissionId: services.ids.next(),
    previousHref: previous && requestsHref({ status, before: previous }),
    nextHref: next && requestsHref({ status, after: next }),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  return formAction(scope, (form) => act(scope.services, actor, form), { title: "Nothing was sent" });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

async function act(services: Services, actor: Actor, form: FormData): Promise<Accepted> {
  const to = appPaths.payeeRequests;
  const intent = form.get("intent");
  if (intent !== "resend" && intent !== "cancel") {
    const request = parseForm(form, newRequestSchema);
    const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
    await askPayee(services, actor, { request, idempotencyKey });
    return { to, flash: { tone: "success", title: "Link sent", description: sentTo(request) } };
  }
  const { requestId } = parseForm(form, requestActSchema);
  if (intent === "resend") {
    await resendRequest(services, actor, requestId);
    return {
      to,
      flash: { tone: "success", title: "A new link was sent", description: "The one before it has ended." },
    };
  }
  await cancelRequest(services, actor, requestId);
  return {
    to,
    flash: { tone: "info", title: "Request cancelled", description: "Its link takes no details any more." },
  };
}

const sentTo = ({ name, email }: { name: string; email: string | null }) =>
  `${name} is asked ${email === null ? "by text message" : "by email"}. You are told when the details arrive.`;

export default function PayeeRequests() {
  const { rows, status, canChange, missing, constraints, submissionId, previousHref, nextHref } =
    useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const isOfList = answer?.intent === "resend" || answer?.intent === "cancel";
  return (
    <>
      <PageHeader
        title="Requests for bank details"
        description="New suppliers send you their bank details through a form, never by email."
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      {isOfList && <RefusedAct answer={answer} />}
      <ConfirmFirst missing={missing} />
      {canChange && missing === null && (
        <AskCard constraints={constraints} submissionId={submissionId} answer={isOfList ? undefined : answer} />
      )}
      <Card flush>
        <div className="px-5 py-4">
          <FilterTabs
            label="Requests"
            items={(["open", "all"] as const).map((each) => ({
              label: REQUEST_FILTER_LABELS[each],
              to: requestsHref({ status: each }),
              current: each === status,
            }))}
          />
        </div>
        {rows.length === 0 ? (
          <EmptyState icon="mail" title={status === "open" ? "No request waits for an answer" : "No requests yet"}>
            Ask a new supplier for their bank details, and the request is listed here.
          </EmptyState>
        ) : (
          <RequestsTable rows={rows} canChange={canChange} canSend={missing === null} />
        )}
        <Pagination label="Requests" previousHref={previousHref} nextHref={nextHref} />
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Requests" />;
}
