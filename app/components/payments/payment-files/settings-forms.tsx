import { Checkbox } from "~/components/forms/checkbox";
import { Form } from "~/components/forms/form";
import { MoneyInput } from "~/components/forms/money-input";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Card } from "~/components/ui/card";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import type { SettingsValues } from "~/modules/payments/payment-files/settings.view";

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
export function PayerForm({ values, answer: all }: SettingsFormProps) {
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
export function LimitsForm({ values, answer: all }: SettingsFormProps) {
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
export function RemittancesForm({ values, answer: all }: SettingsFormProps) {
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
