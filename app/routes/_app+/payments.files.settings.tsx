import { useActionData, useLoaderData } from "@remix-run/react";
import { Checkbox, MoneyInput, TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { FormErrorSummary, SubmitButton } from "~/components/forms/post-form";
import { named } from "~/components/layout/named";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { formAction, parseForm } from "~/http/form-action.server";
import { asAdmin, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { canAdminister } from "~/kernel/actor";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { changeLimits, changePayer, changeRemittances } from "~/modules/payments/payment-files/change-settings.server";
import { findFileSettings } from "~/modules/payments/payment-files/file-settings.server";
import {
  limitsFormSchema,
  payerFormSchema,
  remittancesFormSchema,
} from "~/modules/payments/payment-files/settings.server";
import { type SettingsValues, toSettingsValues } from "~/modules/payments/payment-files/settings.view";

interface SettingsFormProps {
  values: SettingsValues;
  answer?: FormAnswer;
}

/** What a field holds and what is wrong with it: as it was sent, else as it is saved. */
const fieldOf = (values: SettingsValues, answer: FormAnswer | undefined) => (name: string) => ({
  name,
  defaultValue: answer ? answer.values[name] : values[name],
  error: answer?.errors[name],
});

/** The account that pays, for cleared files that are made from a table. */
function PayerForm({ values, answer: all }: SettingsFormProps) {
  const field = fieldOf(values, answerTo(all, "payer"));
  return (
    <Card
      title="Paying account"
      description="An uploaded ABA file already names the paying account. For CSV files and pasted payments, the cleared ABA file takes it from here."
      className="mb-6"
    >
      <Form method="post" noValidate className="grid gap-5 sm:grid-cols-2">
        <TextInput {...field("bank")} label="Bank" hint="Three letters, such as CBA, WBC, NAB or ANZ" required />
        <TextInput {...field("userId")} label="Direct entry user id" hint="Your bank gave it to you" required />
        <TextInput {...field("userName")} label="Name of the account" required />
        <TextInput {...field("remitter")} label="Name that receivers see" hint="Up to 16 characters" required />
        <TextInput {...field("bsb")} label="BSB" inputMode="numeric" autoComplete="off" required />
        <TextInput {...field("accountNumber")} label="Account number" inputMode="numeric" autoComplete="off" required />
        <div className="sm:col-span-2">
          <SubmitButton name="intent" value="payer" pendingText="Saving...">
            Save the paying account
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

/** What each role may approve, and when payments are expected. */
function LimitsForm({ values, answer: all }: SettingsFormProps) {
  const answer = answerTo(all, "limits");
  const field = fieldOf(values, answer);
  const weekends = answer ? answer.values.worksWeekends : values.worksWeekends;
  return (
    <Card
      title="Approval limits and working hours"
      description="No one can approve a held payment above the limit of their role. Payments just under a limit, or outside working hours, are flagged."
    >
      <Form method="post" noValidate className="grid gap-5 sm:grid-cols-2">
        <MoneyInput {...field("memberLimit")} label="A member may approve up to" hint="Leave empty for any amount" />
        <MoneyInput
          {...field("adminLimit")}
          label="An administrator may approve up to"
          hint="Leave empty for any amount"
        />
        <TextInput {...field("opensAt")} type="time" label="Working hours start at" />
        <TextInput {...field("closesAt")} type="time" label="Working hours end at" />
        <Checkbox
          name="worksWeekends"
          label="Saturday and Sunday are working days"
          defaultChecked={weekends === "on"}
          className="sm:col-span-2"
        />
        <div className="sm:col-span-2">
          <SubmitButton name="intent" value="limits" pendingText="Saving...">
            Save limits and hours
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

/** Whether payees are told of payments that were made to them. */
function RemittancesForm({ values, answer: all }: SettingsFormProps) {
  const { sendsRemittances } = answerTo(all, "remittances")?.values ?? values;
  return (
    <Card
      title="Remittance emails"
      description="When a payment is recorded as successful, its payee gets one email with the amounts, references and the last digits of the account. It holds no link to sign in anywhere. The daily limit for messages to people outside your organisation applies."
      className="mt-6"
    >
      <Form method="post" noValidate className="grid gap-5">
        <Checkbox
          name="sendsRemittances"
          label="Send remittance emails to payees"
          defaultChecked={sendsRemittances === "on"}
        />
        <div>
          <SubmitButton name="intent" value="remittances" pendingText="Saving...">
            Save remittance emails
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

export const { meta, ErrorBoundary } = named("Settings · Payment files", "Error Loading Settings");

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
