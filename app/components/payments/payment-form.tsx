import { describeFields, type FieldConstraints } from "~/components/forms/answered-form";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { MoneyInput } from "~/components/forms/money-input";
import { SubmitButton } from "~/components/forms/submit-button";
import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { TextInput } from "~/components/forms/text-input";
import { Textarea } from "~/components/forms/textarea";
import { AccountFields } from "~/components/payees/account-fields";
import { ChosenPayee } from "~/components/payments/payee-choices";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { EMPTY_PAYMENT, type PayeeChoice } from "~/modules/payments/new-payment.view";

interface PaymentFormProps {
  /** Makes a form that is sent twice record once. */
  submissionId: string;
  constraints: FieldConstraints;
  answer?: FormAnswer;
  /** The payee that was chosen; without one the account is typed. */
  payee?: PayeeChoice;
}

/** The order in which the fields stand, so that the summary leads through them from the top. */
const IN_ORDER = ["accountName", "bsb", "accountNumber", "amount", "reference", "description"] as const;

/** Whom to pay, how much and what for. */
export function PaymentForm({ submissionId, constraints, answer, payee }: PaymentFormProps) {
  const fields = describeFields({ constraints, answer, defaultValue: EMPTY_PAYMENT });
  const errors = answer?.errors ?? {};
  const inOrder = Object.fromEntries(IN_ORDER.map((field) => [field, errors[field]]));
  return (
    <>
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary errors={inOrder} formErrors={answer?.formErrors} />
      )}
      <Card>
        <Form method="post" noValidate className="grid gap-8">
          <HiddenFields values={{ submissionId, payeeId: payee?.id }} />
          {payee ? (
            <ChosenPayee payee={payee} />
          ) : (
            <AccountFields
              legend="Account"
              nameHint="As the invoice gives it. If the account is a payee's, the names are compared."
              fields={fields}
            />
          )}
          <fieldset className="grid gap-5 sm:grid-cols-2">
            <legend className="mb-4 font-semibold text-md">Payment</legend>
            <MoneyInput {...fields.amount} label="Amount" hint="In dollars, such as 1,250.00" />
            <TextInput {...fields.reference} label="Reference" hint="Such as the invoice number" autoComplete="off" />
            <Textarea {...fields.description} label="Description" rows={2} className="sm:col-span-2" />
          </fieldset>
          <div className="flex flex-wrap gap-3">
            <SubmitButton pendingText="Checking...">Check and record</SubmitButton>
            <Button to={appPaths.payments} variant="quiet">
              Cancel
            </Button>
          </div>
        </Form>
      </Card>
    </>
  );
}
