import { useLoaderData } from "@remix-run/react";
import { named } from "~/components/layout/named";
import { ChangedRules } from "~/components/payments/changed-rules";
import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { getPaymentFile } from "~/modules/payments/payment-files/payment-file.server";
import { replayFile } from "~/modules/payments/payment-files/replay.server";
import { ruleLabel } from "~/modules/rules";

export const { meta, ErrorBoundary } = named("The decisions again · Payment file", "Error Loading Decisions");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { id, name } = await getPaymentFile(scope.services, actor, idParam(scope.params));
  const replay = await replayFile(scope.services, { organizationId: actor.organizationId, fileId: id });
  const different = replay.different.map(({ line, rules }) => ({ line, labels: rules.map(ruleLabel) }));
  return { id, name, replay: { ...replay, different, changedRules: replay.changedRules.map(ruleLabel) } };
});

export default function Replay() {
  const { id, name, replay } = useLoaderData<typeof loader>();
  const lines = replay.lines.toLocaleString("en-AU");
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="The decisions again"
        description="Each line keeps the facts that its rules saw, the version of every rule and your levels of that day. Here the rules have run again on those facts."
        breadcrumb={[
          { label: "Payment files", to: appPaths.paymentFiles },
          { label: name, to: appPaths.paymentFile(id) },
        ]}
      />
      {replay.differentCount === 0 ? (
        <Callout tone="success" title={`All ${lines} decisions come out the same`} className="mb-6" />
      ) : (
        <Callout
          tone="danger"
          title={`${replay.differentCount.toLocaleString("en-AU")} of ${lines} decisions come out differently`}
          className="mb-6"
        >
          <ul className="grid gap-1">
            {replay.different.map(({ line, labels }) => (
              <li key={line}>
                Line {line}: {labels.join("; ")}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      <ChangedRules labels={replay.changedRules} />
    </div>
  );
}
