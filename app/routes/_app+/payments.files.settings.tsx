import { useActionData, useLoaderData } from "@remix-run/react";
import { approvalIn, PasskeyApproval } from "~/components/accounts/identity/passkey-approval";
import { Checkbox, MoneyInput, TextInput } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { Callout } from "~/components/ui/elements";
import { Bsb, Card, Masked, named, PageHeader } from "~/components/ui/page-parts";
import { asAdmin, formAction, page, pageWriter, parseForm } from "~/http/page.server";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { signedFieldsOf } from "~/modules/accounts/identity/signed-approval.server";
import {
  changeLimits,
  changePayer,
  changeRemittances,
  limitsFormSchema,
  payerFormSchema,
  readFileSettingsPage,
  remittancesFormSchema,
  withdrawFormSchema,
  withdrawPayingAccount,
} from "~/modules/payments/payment-files/settings.server";

interface SettingsFormProps {
  values: Record<string, string>;
  answer?: FormAnswer;
}

/** The paying account for cleared files made from a table. */
function PayerForm(form: SettingsFormProps) {
  return (
    <Card
      title="Paying account"
      description="The cleared ABA file of a CSV file or of pasted payments pays from here. An uploaded ABA file names its own."
      className="mb-6"
    >
      <PostForm {...form} intent="payer" summary={false} className="grid gap-5 sm:grid-cols-2">
        <TextInput name="bank" label="Bank" hint="Three letters, such as CBA, WBC, NAB or ANZ" required size={5} />
        <TextInput
          name="userId"
          label="Direct entry user id"
          hint="Your bank gave it to you"
          required
          digits
          size={9}
        />
        <TextInput name="userName" label="Name of the account" hint="As your bank has it" required />
        <TextInput name="remitter" label="Name that receivers see" hint="Up to 16 characters" required size={18} />
        <TextInput name="bsb" label="BSB" inputMode="numeric" autoComplete="off" required digits size={9} />
        <TextInput
          name="accountNumber"
          label="Account number"
          inputMode="numeric"
          autoComplete="off"
          required
          digits
          size={12}
        />
        <div className="sm:col-span-2">
          <SubmitButton pendingText="Saving...">Save the paying account</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

/** The accounts that uploaded files may name; for an ABA file, an administrator can declare it on the file's page. */
function PayingAccounts({
  accounts,
  version,
  hasPayer,
  isAdmin,
}: {
  accounts: readonly { bank: string; userId: string; bsb: string; accountNumber: string }[];
  /** The version of the settings that the list was read from. */
  version: number;
  hasPayer: boolean;
  isAdmin: boolean;
}) {
  return (
    <Card
      title="Accounts that files may pay from"
      description="An ABA file that names any other paying account is stopped."
      more="The same applies to the account for returned payments, the bank and the user number. To declare more accounts, upload a file that names them: its page offers them to an administrator."
      className="mb-6"
    >
      {accounts.length === 0 && (
        <p className="text-base text-ink-soft">
          {hasPayer ? "Only the paying account above." : "None yet, so files are not compared."}
        </p>
      )}
      <ul className="divide-y divide-line">
        {accounts.map((account, index) => (
          <li
            key={`${account.bank} ${account.userId} ${account.bsb} ${account.accountNumber}`}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5 text-base first:pt-0 last:pb-0"
          >
            <span className="flex flex-wrap gap-x-3">
              <Bsb value={account.bsb} /> <Masked value={account.accountNumber} />
              <span>
                {account.bank}, user number {account.userId}
              </span>
            </span>
            {isAdmin && (
              <Form method="post">
                <HiddenFields values={{ index: String(index), version: String(version) }} />
                <SubmitButton
                  name="intent"
                  value="withdraw"
                  variant="secondary"
                  size="sm"
                  pendingText="Withdrawing..."
                  aria-label={`Withdraw the account at ${account.bsb} ending in ${account.accountNumber.slice(-3)}`}
                >
                  Withdraw
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Each role's approval limit, and the working hours. */
function LimitsForm(form: SettingsFormProps) {
  const approval = approvalIn(form.answer);
  return (
    <Card
      title="Approval limits and working hours"
      description="No one can approve a held payment above the limit of their role."
      more="Payments to one payee in a day count together. Higher limits and longer working hours take effect only after a wait. Payments just under a limit, or outside working hours, are flagged."
    >
      <PostForm {...form} intent="limits" summary={false} className="grid gap-5 sm:grid-cols-2">
        <MoneyInput name="memberLimit" label="A member may approve up to" hint="Leave empty for any amount" size={12} />
        <MoneyInput
          name="adminLimit"
          label="An administrator may approve up to"
          hint="Leave empty for any amount"
          size={12}
        />
        <TextInput name="opensAt" type="time" label="Working hours start at" size={8} />
        <TextInput name="closesAt" type="time" label="Working hours end at" size={8} />
        <Checkbox name="worksWeekends" label="Saturday and Sunday are working days" className="sm:col-span-2" />
        <div className="sm:col-span-2">
          {approval ? (
            <PasskeyApproval approval={approval} />
          ) : (
            <SubmitButton pendingText="Saving...">Save limits and hours</SubmitButton>
          )}
        </div>
      </PostForm>
    </Card>
  );
}

/** Whether payees are told about payments made to them. */
function RemittancesForm(form: SettingsFormProps) {
  return (
    <Card
      title="Remittance emails"
      description="When a payment is recorded as successful, its payee gets one email."
      more="It has the amounts, references and the last digits of the account, and no link to a sign-in page. The daily limit for messages to people outside your organisation applies."
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
      const { waitsUntil } = await changeLimits(scope.services, asAdmin(actor), limits, signedFieldsOf(form));
      const title =
        waitsUntil === null
          ? "Limits and hours saved"
          : `Saved. A higher limit or longer hours wait until ${formatDateTime(waitsUntil, actor.timeZone)}`;
      return { to: appPaths.fileSettings, flash: { tone: "success", title } };
    }
    if (form.get("intent") === "remittances") {
      const { sendsRemittances } = parseForm(form, remittancesFormSchema);
      await changeRemittances(scope.services, asAdmin(actor), sendsRemittances);
      return { to: appPaths.fileSettings, flash: { tone: "success", title: "Remittance emails saved" } };
    }
    if (form.get("intent") === "withdraw") {
      const { index, version } = parseForm(form, withdrawFormSchema);
      await withdrawPayingAccount(scope.services, asAdmin(actor), { index, version });
      return { to: appPaths.fileSettings, flash: { tone: "success", title: "The account is withdrawn" } };
    }
    await changePayer(scope.services, asAdmin(actor), parseForm(form, payerFormSchema).payer);
    return { to: appPaths.fileSettings, flash: { tone: "success", title: "Paying account saved" } };
  });
});

export const clientAction = keepWhatWasTyped;

export default function FileSettings() {
  const { values, isAdmin, payingAccounts, version } = useLoaderData<typeof loader>();
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
      {isAdmin && <PayerForm values={values} answer={answer} />}
      <PayingAccounts
        accounts={payingAccounts}
        version={version}
        hasPayer={values.accountNumber !== ""}
        isAdmin={isAdmin}
      />
      {isAdmin ? (
        <>
          <LimitsForm values={values} answer={answer} />
          <RemittancesForm values={values} answer={answer} />
        </>
      ) : (
        <Callout tone="info" title="Paying account, approval limits, working hours and remittance emails">
          An administrator of your organisation sets them.
        </Callout>
      )}
    </div>
  );
}
