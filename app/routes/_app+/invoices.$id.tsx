import { useActionData, useLoaderData } from "@remix-run/react";
import { type FormAnswer, keepWhatWasTyped, loadAgainWhenRefused } from "~/components/forms/form";
import { InvoicePage } from "~/components/payments/invoices/invoice-page";
import { named } from "~/components/ui/page-parts";
import { formAction, idParam, page, pageMember, pageWriter, parseForm, withStepUp } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { submissionSchema } from "~/modules/core/commands/run-command.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import {
  decideInvoice,
  deleteInvoice,
  invoiceDecisionSchema,
  shownVersionSchema,
  verifyNewDetails,
} from "~/modules/payments/invoices/decide-invoice.server";
import { readInvoicePage } from "~/modules/payments/invoices/invoice-page.server";
import { askNow, sayAnswerOfBank } from "~/modules/verifying/bank-checks/ask-automatically.server";

/** How often the page reloads while the invoice is being read, in seconds. */
const REFRESH_SECONDS = "2";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.invoice.title} · ` : ""}Invoice`,
  "Error Loading Invoice",
  (loaded) => (loaded?.invoice.status === "reading" ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "page");
  const invoice = await readInvoicePage(scope.services, actor, idParam(scope.params));
  // The page shows the payee's full account beside the invoice's.
  if (invoice.payee) await recordReveal(scope.services, actor, { entityType: "payee", entityId: invoice.payee.id });
  return { invoice };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageWriter(scope), "page");
  const { services } = scope;
  const invoiceId = idParam(scope.params);
  const here = appPaths.supplierInvoice(invoiceId);
  return formAction(
    scope,
    async (form) => {
      const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
      if (form.get("intent") === "verify") {
        const { verificationId } = await verifyNewDetails(services, actor, { invoiceId, idempotencyKey });
        const asked = sayAnswerOfBank(await askNow(services, actor, verificationId));
        const description = asked || "Nothing else was changed.";
        return {
          to: appPaths.verification(verificationId),
          flash: { tone: "success", title: "Its verification is open", description },
        };
      }
      if (form.get("intent") === "delete") {
        await deleteInvoice(services, actor, invoiceId);
        return { to: appPaths.invoices, flash: { tone: "success", title: "Invoice deleted" } };
      }
      const { version } = parseForm(form, shownVersionSchema);
      const posted = parseForm(form, invoiceDecisionSchema);
      await decideInvoice(services, actor, { invoiceId, ...posted, version, idempotencyKey });
      const title = posted.decision === "accept" ? "Invoice accepted" : "Invoice stopped";
      return { to: here, flash: { tone: "success", title } };
    },
    { title: "Nothing was decided" },
  );
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export const shouldRevalidate = loadAgainWhenRefused;

export default function Invoice() {
  const { invoice } = useLoaderData<typeof loader>();
  return <InvoicePage invoice={invoice} answer={useActionData<FormAnswer>()} />;
}
