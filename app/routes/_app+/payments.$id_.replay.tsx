import { useLoaderData } from "@remix-run/react";
import { DecisionAgain } from "~/components/payments/decision-again";
import { named } from "~/components/ui/page-parts";
import { idParam, page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { readPaymentReplayPage } from "~/modules/payments/replay.server";

export const { meta, ErrorBoundary } = named("The decision, run again · Payment", "Error Loading Decision");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readPaymentReplayPage(scope.services, await pageMember(scope), idParam(scope.params)),
);

export default function PaymentReplay() {
  const { id, name, isKept, ...replay } = useLoaderData<typeof loader>();
  return (
    <DecisionAgain
      what="A payment"
      breadcrumb={[
        { label: "Payments", to: appPaths.payments },
        { label: name, to: appPaths.payment(id) },
      ]}
      notKept={isKept ? undefined : "The payment was recorded before the facts behind a decision were kept."}
      {...replay}
    />
  );
}
