import { useLoaderData } from "@remix-run/react";
import { named } from "~/components/layout/named";
import { ChangedRules } from "~/components/payments/changed-rules";
import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { getPayment } from "~/modules/payments/payment.server";
import { replayPayment } from "~/modules/payments/replay-payment.server";
import { ruleLabel } from "~/modules/rules";

export const { meta, ErrorBoundary } = named("The decision again · Payment", "Error Loading Decision");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const payment = await getPayment(scope.services, actor, idParam(scope.params));
  const replay = await replayPayment(scope.services, actor, payment.id);
  return {
    id: payment.id,
    name: `${formatAud(payment.amount)} to ${payment.payee?.name ?? payment.accountName}`,
    isKept: replay.isKept,
    different: replay.different.map(ruleLabel),
    changedRules: replay.changedRules.map(ruleLabel),
  };
});

export default function PaymentReplay() {
  const { id, name, isKept, different, changedRules } = useLoaderData<typeof loader>();
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
      {isKept ? (
        <Callout
          tone={different.length === 0 ? "success" : "danger"}
          title={different.length === 0 ? "The decision comes out the same" : "The decision comes out differently"}
          className="mb-6"
        >
          {different.length > 0 && different.join("; ")}
        </Callout>
      ) : (
        <Callout tone="info" title="The facts of this decision were not kept" className="mb-6">
          The payment was recorded before decisions kept what their rules saw.
        </Callout>
      )}
      <ChangedRules labels={changedRules} />
    </div>
  );
}
