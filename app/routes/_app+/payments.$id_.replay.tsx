import { useLoaderData } from "@remix-run/react";
import { named } from "~/components/layout/named";
import { ChangedRules } from "~/components/payments/changed-rules";
import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { readPaymentReplayPage } from "~/modules/payments/replay.server";

export const { meta, ErrorBoundary } = named("The decision again · Payment", "Error Loading Decision");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readPaymentReplayPage(scope.services, await pageMember(scope), idParam(scope.params)),
);

export default function PaymentReplay() {
  const { id, name, isKept, unreadableCount, different, changedRules } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="The decision again"
        description="A payment keeps the facts that its rules saw, the version of every rule and your levels of that day. Here the rules have run again on those facts."
        breadcrumb={[
          { label: "Payments", to: appPaths.payments },
          { label: name, to: appPaths.payment(id) },
        ]}
      />
      {!isKept ? (
        <Callout tone="info" title="The facts of this decision were not kept" className="mb-6">
          The payment was recorded before decisions kept what their rules saw.
        </Callout>
      ) : unreadableCount > 0 ? (
        <Callout tone="warning" title="The decision cannot be worked out again" className="mb-6">
          What its rules saw was kept in a form that is not read any more, or the record is damaged. This says nothing
          of whether the decision was right.
        </Callout>
      ) : (
        <Callout
          tone={different.length === 0 ? "success" : "danger"}
          title={different.length === 0 ? "The decision comes out the same" : "The decision comes out differently"}
          className="mb-6"
        >
          {different.length > 0 && different.join("; ")}
        </Callout>
      )}
      <ChangedRules labels={changedRules} />
    </div>
  );
}
