import { useLoaderData } from "@remix-run/react";
import { ChangedRules } from "~/components/payments/decision-again";
import { Callout } from "~/components/ui/elements";
import { named, PageHeader } from "~/components/ui/page-parts";
import { idParam, page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { readFileReplayPage } from "~/modules/payments/replay.server";

export const { meta, ErrorBoundary } = named("The decisions, run again · Payment file", "Error Loading Decisions");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readFileReplayPage(scope.services, await pageMember(scope), idParam(scope.params)),
);

export default function Replay() {
  const { id, name, ...replay } = useLoaderData<typeof loader>();
  const { differentCount, unreadableCount } = replay;
  const say = (count: number) => formatCount(count);
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="The decisions, run again"
        description="Each line keeps the facts that its rules saw, the version of every rule and the levels you had set that day. Here the rules have run again on those facts."
        breadcrumb={[
          { label: "Payment files", to: appPaths.paymentFiles },
          { label: name, to: appPaths.paymentFile(id) },
        ]}
      />
      {unreadableCount > 0 && (
        <Callout
          tone="warning"
          title={`${say(unreadableCount)} of ${say(replay.lines)} decisions cannot be worked out again`}
          className="mb-6"
        >
          The facts their rules saw were stored in a format that can no longer be read, or the record is damaged. This
          does not mean that the decisions were wrong.
        </Callout>
      )}
      {differentCount > 0 ? (
        <Callout
          tone="danger"
          title={`${say(differentCount)} of ${say(replay.lines)} decisions come out differently`}
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
      ) : (
        unreadableCount < replay.lines && (
          <Callout
            tone="info"
            title={`${unreadableCount === 0 ? "All" : "The other"} ${say(replay.lines - unreadableCount)} decisions come out the same`}
            className="mb-6"
          />
        )
      )}
      <ChangedRules labels={replay.changedRules} />
    </div>
  );
}
