import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { MoneyInput } from "~/components/forms/money-input";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Textarea } from "~/components/forms/textarea";
import { SubscriptionEnded } from "~/components/payments/subscription-ended";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EMPTY_PAYMENT, type PaymentFormAnswer } from "~/modules/payments/new-payment.view";
import { MAX_DESCRIPTION_LENGTH, MAX_REFERENCE_LENGTH } from "~/modules/payments/payment";
import { PAYMENTS_PATH } from "~/modules/payments/payments.view";

interface PaymentFormProps {
  /** Makes a form that is sent twice record once. */
  submissionId: string;
  payeeId?: string;
  answer?: PaymentFormAnswer;
  /** Whom to pay. */
  children: ReactNode;
}

/** The order in which the fields stand, so that the summary leads through them from the top. */
const IN_ORDER = ["accountName", "bsb", "accountNumber", "amount", "reference", "description"] as const;

/** How much and what for, under whom to pay. */
export function PaymentForm({ submissionId, payeeId, answer, children }: PaymentFormProps) {
  const values = answer?.values ?? EMPTY_PAYMENT;
  const errors = answer?.errors ?? {};
  const inOrder = Object.fromEntries(IN_ORDER.map((field) => [field, errors[field]]));
  return (
    <>
      {answer?.needsSubscription ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary errors={inOrder} formErrors={answer?.formErrors} />
      )}
      <Card>
        <Form method="post" noValidate className="grid gap-8">
          <HiddenFields values={{ submissionId, payeeId }} />
          {children}
          <fieldset className="grid gap-5 sm:grid-cols-2">
            <legend className="mb-4 font-semibold text-md">Payment</legend>
            <MoneyInput
              name="amount"
              label="Amount"
              hint="In dollars, such as 1,250.00"
              required
              maxLength={20}
              defaultValue={values.amount}
              error={errors.amount}
            />
            <TextInput
              name="reference"
              label="Reference"
              hint="Such as the invoice number"
              required
              maxLength={MAX_REFERENCE_LENGTH}
              autoComplete="off"
              defaultValue={values.reference}
              error={errors.reference}
            />
            <Textarea
              name="description"
              label="Description"
              rows={2}
              maxLength={MAX_DESCRIPTION_LENGTH}
              defaultValue={values.description}
              error={errors.description}
              className="sm:col-span-2"
            />
          </fieldset>
          <div className="flex flex-wrap gap-3">
            <SubmitButton pendingText="Checking...">Check and record</SubmitButton>
            <Button to={PAYMENTS_PATH} variant="quiet">
              Cancel
            </Button>
          </div>
        </Form>
      </Card>
    </>
  );
}
