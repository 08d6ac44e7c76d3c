import { useActionData, useLoaderData } from "@remix-run/react";
import { Checkbox, MoneyInput, TextInput } from "~/components/forms/fields";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { FormErrorSummary, PostForm, SubmitButton } from "~/components/forms/post-form";
import { named } from "~/components/layout/named";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { formAction, parseForm } from "~/http/form-action.server";
import { asAdmin, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import {
  changeLimits,
  changePayer,
  changeRemittances,
  limitsFormSchema,
  payerFormSchema,
  readFileSettingsPage,
  remittancesFormSchema,
} from "~/modules/payments/payment-files/settings.server";

interface SettingsFormProps {
  values: Record<string, string>;
  answer?: FormAnswer;
}

/** The account that pays, for cleared files that are made from a table. */
function PayerForm(form: SettingsFormProps) {
  return (
    <Card
      title="Paying account"
      description="An uploaded ABA file already names the paying account. For CSV files and pasted payments, the cleared ABA file takes it from here."
      className="mb-6"
    >
      <PostForm {...form} intent="payer" summary={false} className="grid gap-5 sm:grid-cols-2">
        <TextInput name="bank" label="Bank" hint="Three letters, such as CBA, WBC, NAB or ANZ" required />
        <TextInput name="userId" label="Direct entry user id" hint="Your bank gave it to you" required />
        <TextInput name="userName" label="Name of the account" required />
        <TextInput name="remitter" label="Name that receivers see" hint="Up to 16 characters" required />
        <TextInput name="bsb" label="BSB" inputMode="numeric" autoComplete="off" required />
        <TextInput name="accountNumber" label="Account number" inputMode="numeric" autoComplete="off" required />
        <div className="sm:col-span-2">
          <SubmitButton pendingText="Saving...">Save the paying account</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

/** What each role may approve, and when payments are expected. */
function LimitsForm(form: SettingsFormProps) {
  return (
    <Card
      title="Approval limits and working hours"
      description="No one can approve a held payment above the limit of their role. Payments just under a limit, or outside working hours, are flagged."
    >
      <PostForm {...form} intent="limits" summary={false} className="grid gap-5 sm:grid-cols-2">
        <MoneyInput name="memberLimit" label="A member may approve up to" hint="Leave empty for any amount" />
        <MoneyInput name="adminLimit" label="An administrator may approve up to" hint="Leave empty for any amount" />
        <TextInput name="opensAt" type="time" label="Working hours start at" />
        <TextInput name="closesAt" type="time" label="Working hours end at" />
        <Checkbox name="worksWeekends" label="Saturday and Sunday are working days" className="sm:col-span-2" />
        <div className="sm:col-span-2">
          <SubmitButton pendingText="Saving...">Save limits and hours</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

/** Whether payees are told of payments that were made to them. */
function RemittancesForm(form: SettingsFormProps) {
  return (
    <Card
      title="Remittance emails"
      description="When a payment is recorded as successful, its payee gets one email with the amounts, references and the last digits of the account. It holds no link to sign in anywhere. The daily limit for messages to people outside your organisation applies."
      className="mt-6"
    >
      <PostForm {...form} intent="remittances" summary={false} className="grid gap-5">
        <Checkbox name="sendsRemittances" label="Send remittance emails to payees" />
        <div>
          <SubmitButton pendingText="Saving...">Save remittance emails</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

export const { meta, ErrorBoundary } = named("Settings · Payment files", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) =>
  readFileSettingsPage(scope.services, await pageWriter(scope)),
);

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
