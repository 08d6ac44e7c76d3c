import { useActionData, useLoaderData } from "@remix-run/react";
import { TextInput } from "~/components/forms/fields";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { PostForm, SubmitButton } from "~/components/forms/post-form";
import { named } from "~/components/layout/named";
import { Card } from "~/components/ui/card";
import { Link } from "~/components/ui/link";
import { PageHeader } from "~/components/ui/page-header";
import { formAction, parseForm } from "~/http/form-action.server";
import { pageAdmin } from "~/http/guards.server";
import { page } from "~/http/page.server";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import {
  findInvoiceSettings,
  keepDocumentsFor,
  keptFormSchema,
} from "~/modules/payments/invoices/invoice-settings.server";

export const { meta, ErrorBoundary } = named("Invoice settings", "Error Loading the Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { organizationId } = await pageAdmin(scope);
  const { keptMonths } = await findInvoiceSettings(scope.services, organizationId);
  return { keptMonths };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, async (form) => {
    const { keptMonths } = parseForm(form, keptFormSchema);
    await keepDocumentsFor(scope.services, actor, keptMonths);
    return { to: appPaths.invoiceSettings, flash: { tone: "success", title: "Settings saved" } };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function InvoiceSettings() {
  const { keptMonths } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Invoice settings"
        breadcrumb={[
          { label: "Payments", to: appPaths.payments },
          { label: "Invoices", to: appPaths.invoices },
        ]}
      />
      <div className="grid gap-6">
        <Card
          title="How long documents are kept"
          description="Documents are encrypted, and removed in the night after this time. What was read and decided stays in your records."
        >
          <PostForm answer={answer} values={{ keptMonths: String(keptMonths) }} className="grid gap-5">
            <TextInput
              name="keptMonths"
              label="Months"
              hint="From 1 to 120"
              inputMode="numeric"
              required
              className="max-w-40"
            />
            <div>
              <SubmitButton pendingText="Saving...">Save</SubmitButton>
            </div>
          </PostForm>
        </Card>
        <Card title="What stops an invoice">
          <p className="text-base">
            Each rule stops an invoice, warns or notes, as{" "}
            <Link to={appPaths.policies} className="font-medium text-accent-text underline underline-offset-2">
              your policies
            </Link>{" "}
            say.
          </p>
        </Card>
      </div>
    </div>
  );
}
