import { useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { Form, type FormAnswer, keepWhatWasTyped, SubmitButton } from "~/components/forms/form";
import { RefusedAct, SubscriptionFirst } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { RowLink } from "~/components/tables/table";
import { Button, Callout } from "~/components/ui/elements";
import { Card, named, PageHeader, Time } from "~/components/ui/page-parts";
import { type Flash, formAction, idParam, page, pageMember, pageWriter } from "~/http/page.server";
import { invalidInput } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { readPosition } from "~/modules/verifying/bulk-checks/bulk-check.server";
import { readBulkCheckPage } from "~/modules/verifying/bulk-checks/bulk-check-page.server";
import { startBulkCheck, stopBulkCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";
import type { Actor, Services } from "~/services-and-actor";

/** How often the page reloads while the check is active, in seconds. */
const REFRESH_SECONDS = { counting: "2", running: "5" } as const;

export const { meta, ErrorBoundary } = named<typeof loader>("Bulk check", "Error Loading Bulk Check", (loaded) => {
  const status = loaded?.check.status;
  const refresh = status === "counting" || status === "running" ? REFRESH_SECONDS[status] : undefined;
  return refresh ? [{ httpEquiv: "refresh", content: refresh }] : [];
});

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, params, url } = scope;
  return readBulkCheckPage(services, actor, idParam(params), readPosition(url.searchParams));
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const id = idParam(scope.params);
  const act = async (form: FormData) => ({
    to: appPaths.bulkCheck(id),
    flash: await steer(scope.services, actor, id, form),
  });
  return formAction(scope, act, { title: "Nothing was changed" });
});

export const clientAction = keepWhatWasTyped;

async function steer(services: Services, actor: Actor, id: string, form: FormData): Promise<Flash> {
  switch (form.get("intent")) {
    case "start":
      await startBulkCheck(services, actor, id);
      return { tone: "info", title: "Bulk check started" };
    case "stop":
      await stopBulkCheck(services, actor, id);
      return { tone: "info", title: "Bulk check stopped", description: "No further payee is asked." };
    default:
      throw invalidInput({ intent: ["Choose what to do with this check"] });
  }
}

export default function BulkCheck() {
  return <BulkCheckPage {...useLoaderData<typeof loader>()} answer={useActionData<FormAnswer>()} />;
}

type BulkCheckData = Awaited<ReturnType<typeof readBulkCheckPage>>;

/** One bulk check: its expected extent, its progress, and the result for each payee. */
function BulkCheckPage({
  check,
  missing,
  asked,
  notAsked,
  banks,
  firstHref,
  nextHref,
  answer,
}: BulkCheckData & { answer?: FormAnswer }) {
  return (
    <>
      <PageHeader
        title={check.choice}
        breadcrumb={[
          { label: "Payees", to: appPaths.payees },
          { label: "Bulk checks", to: appPaths.bulkChecks },
        ]}
      />
      <ConfirmFirst missing={missing} />
      <SubscriptionFirst answer={answer} />
      <RefusedAct answer={answer} />
      <Progress check={check} />
      {banks && (banks.length > 0 || firstHref) && (
        <ListCard
          id="asked"
          label="What their banks said"
          title="What their banks said"
          description="The latest first."
          className="mb-6"
          rows={banks}
          keyOf={(row) => row.position}
          dense
          fixed
          isRed={(row) => row.isAgainst}
          columns={[
            { head: "Payee", width: "wide:w-[40%]", cell: (row) => <RowLink to={row.href}>{row.name}</RowLink> },
            { head: "The bank", cell: (row) => row.word },
            { head: "When", cell: ({ at }) => (at ? <Time {...at} stacked /> : "Not yet") },
          ]}
          pager={{ previousHref: firstHref, nextHref }}
        />
      )}
      {!banks && (asked.length > 0 || firstHref) && (
        <ListCard
          id="asked"
          label="Payees that were asked"
          title="Payees that were asked"
          description="The latest first."
          className="mb-6"
          rows={asked}
          keyOf={(row) => row.position}
          dense
          fixed
          columns={[
            { head: "Payee", width: "wide:w-[40%]", cell: (row) => <RowLink to={row.href}>{row.name}</RowLink> },
            { head: "Where it stands", cell: (row) => row.word },
            { head: "Link sent", cell: ({ sentAt }) => (sentAt ? <Time {...sentAt} stacked /> : "Not yet") },
          ]}
          pager={{ previousHref: firstHref, nextHref }}
        />
      )}
      {notAsked.length > 0 && (
        <ListCard
          label="Chosen payees"
          title={check.status === "ready" ? "Chosen payees" : "Chosen payees that were not asked"}
          rows={notAsked}
          keyOf={(row) => row.payeeId}
          dense
          fixed
          columns={[
            { head: "Payee", width: "wide:w-[40%]", cell: (row) => <RowLink to={row.href}>{row.name}</RowLink> },
            { head: "Where it stands", cell: (row) => row.word },
          ]}
        />
      )}
    </>
  );
}

function Progress({ check }: { check: BulkCheckData["check"] }) {
  const { status, sentences, problem, payeeCount, askedCount, doneCount, asksBanks } = check;
  return (
    <Card title={check.statusWord} className="mb-6">
      {problem && <Callout tone="warning" title={problem} className="mb-4" />}
      <div className="mb-4 grid max-w-[80ch] gap-1 text-base" aria-live="polite">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {status === "running" && (
        <progress
          className="mb-4 h-2 w-full"
          max={Math.max(payeeCount, askedCount)}
          value={doneCount}
          aria-label="Payees that were asked"
        />
      )}
      <Form method="post" className="flex flex-wrap gap-3">
        {check.mayStart && (
          <SubmitButton name="intent" value="start" icon={asksBanks ? "bank" : "mail"} pendingText="Starting...">
            Start
          </SubmitButton>
        )}
        {check.mayStop && (
          <SubmitButton name="intent" value="stop" variant="secondary" pendingText="Stopping...">
            {status === "running" ? "Stop" : "Do not check them"}
          </SubmitButton>
        )}
        {askedCount > 0 && (
          <Button to={appPaths.pendingVerifications} variant="secondary">
            Pending verifications
          </Button>
        )}
      </Form>
    </Card>
  );
}
