import { useLoaderData } from "@remix-run/react";
import { DecisionAgain } from "~/components/payments/decision-again";
import { named } from "~/components/ui/page-parts";
import { idParam, page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { readInvoiceReplayPage } from "~/modules/payments/invoices/invoice-page.server";

export const { meta, ErrorBoundary } = named("The decision, run again · Invoice", "Error Loading Decision");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readInvoiceReplayPage(scope.services, await pageMember(scope), idParam(scope.params)),
);

export default function InvoiceReplay() {
  const { id, name, isKept, ...replay } = useLoaderData<typeof loader>();
  return (
    <DecisionAgain
      what="An invoice"
      breadcrumb={[
        { label: "Payments", to: appPaths.payments },
        { label: "Invoices", to: appPaths.invoices },
        { label: name, to: appPaths.supplierInvoice(id) },
      ]}
      notKept={isKept ? undefined : "The invoice is still being read."}
      {...replay}
    />
  );
}
