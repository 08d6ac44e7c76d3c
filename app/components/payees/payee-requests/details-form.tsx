import { describeFields, type FieldConstraints } from "~/components/forms/answered-form";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { WayOut } from "~/components/payees/payee-link/way-out";
import { Card } from "~/components/ui/card";
import type { FormAnswer } from "~/kernel/form-answer";

export interface DetailsFormProps {
  organizationName: string;
  askedBy: string;
  note: string | null;
  /** Where the link went: known, and not asked for again. */
  contact: { channel: "email" | "sms"; shown: string };
  values: Record<"name" | "accountName" | "bsb" | "accountNumber" | "abn" | "email" | "phone", string>;
  constraints: FieldConstraints;
  answer?: FormAnswer;
}

/** Where a payee types its bank details. Opening it changes nothing; only the button sends. */
export function DetailsForm({
  organizationName,
  askedBy,
  note,
  contact,
  values,
  constraints,
  answer,
}: DetailsFormProps) {
  const fields = describeFields({ constraints, answer, defaultValue: values });
  return (
    <>
      <FormErrorSummary errors={answer?.errors} formErrors={answer?.formErrors} />
      <h1 id="page-title" tabIndex={-1} className="display text-2xl sm:text-3xl">
        Send your bank details safely
      </h1>
      <p className="mt-3 text-ink-soft text-md">
        {askedBy} of {organizationName} asks where to pay you. Only {organizationName} sees what you send, and it checks
        the details before it pays.
      </p>
      {note && <p className="mt-3 text-md">It is about: {note}</p>}
      <Card className="mt-6">
        <Form method="post" noValidate reloadDocument className="grid gap-8">
          <fieldset className="grid gap-5 sm:grid-cols-2">
            <legend className="mb-4 font-semibold text-md">Your bank account</legend>
            <TextInput
              {...fields.accountName}
              label="Account name"
              hint="Exactly as your bank writes it"
              autoComplete="off"
              className="sm:col-span-2"
            />
            <TextInput {...fields.bsb} label="BSB" hint="Six digits" digits inputMode="numeric" autoComplete="off" />
            <TextInput
              {...fields.accountNumber}
              label="Account number"
              hint="Four to nine digits"
              digits
              inputMode="numeric"
              autoComplete="off"
            />
          </fieldset>
          <fieldset className="grid gap-5 sm:grid-cols-2">
            <legend className="mb-4 font-semibold text-md">You</legend>
            <TextInput {...fields.name} label="Your name or business name" autoComplete="organization" />
            <TextInput {...fields.abn} label="ABN" hint="11 digits" digits inputMode="numeric" autoComplete="off" />
            {contact.channel === "email" ? (
              <TextInput {...fields.phone} type="tel" label="Phone" autoComplete="tel" />
            ) : (
              <TextInput {...fields.email} type="email" label="Email" autoComplete="email" />
            )}
            <p className="max-w-[56ch] text-base text-ink-soft sm:col-span-2">
              {organizationName} reaches you at {contact.shown}, where this link was sent.
            </p>
          </fieldset>
          <div>
            <p className="mb-4 max-w-[56ch] text-base text-ink-soft">
              Next, your own bank asks you to share the name and number of this account. You sign in on your bank’s
              page: we never see your password, and no payments or transactions are shared.
            </p>
            <SubmitButton size="lg" icon="check" pendingText="Sending..." className="w-full sm:w-auto">
              Send my bank details
            </SubmitButton>
          </div>
        </Form>
      </Card>
      <WayOut quiet />
    </>
  );
}
