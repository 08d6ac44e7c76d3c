import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { LimitsForm, PayerForm, RemittancesForm } from "~/components/payments/payment-files/settings-forms";
import { Callout } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import { formAction, parseForm } from "~/http/form-action.server";
import { asAdmin, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { canAdminister } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { changeLimits, changePayer, changeRemittances } from "~/modules/payments/payment-files/change-settings.server";
import { findFileSettings } from "~/modules/payments/payment-files/file-settings.server";
import {
  limitsFormSchema,
  payerFormSchema,
  remittancesFormSchema,
} from "~/modules/payments/payment-files/settings.server";
import { toSettingsValues } from "~/modules/payments/payment-files/settings.view";

export const meta: MetaFunction = (route) => [pageTitle(route, "Settings · Payment files")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const settings = await findFileSettings(scope.services, actor.organizationId);
  return { values: toSettingsValues(settings), isAdmin: canAdminister(actor) };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  return formAction(scope, async (form) => {
    if (form.get("intent") === "limits") {
      const { limits } = parseForm(form, limitsFormSchema);
      await changeLimits(scope.services, asAdmin(actor), limits);
      return { to: appPaths.fileSettings, flash: { tone: "success", title: "Limits and hours saved" } };
    }
    if (form.get("intent") === "remittances") {
      const { sendsRemittances } = parseForm(form, remittancesFormSchema);
      await changeRemittances(scope.services, asAdmin(actor), sendsRemittances);
      return { to: appPaths.fileSettings, flash: { tone: "success", title: "Remittance emails saved" } };
    }
    await changePayer(scope.services, actor, parseForm(form, payerFormSchema).payer);
    return { to: appPaths.fileSettings, flash: { tone: "success", title: "Paying account saved" } };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function FileSettings() {
  const { values, isAdmin } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Settings for payment files"
        breadcrumb={[
          { label: "Payments", to: appPaths.payments },
          { label: "Payment files", to: appPaths.paymentFiles },
        ]}
      />
      {answer && <FormErrorSummary title={answer.title} errors={answer.errors} formErrors={answer.formErrors} />}
      <PayerForm values={values} answer={answer} />
      {isAdmin ? (
        <>
          <LimitsForm values={values} answer={answer} />
          <RemittancesForm values={values} answer={answer} />
        </>
      ) : (
        <Callout tone="info" title="Approval limits, working hours and remittance emails">
          An administrator of your organisation sets them.
        </Callout>
      )}
    </div>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Settings" />;
}
