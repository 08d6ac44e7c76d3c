import { FileInput } from "~/components/forms/file-input";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { Select } from "~/components/forms/select";
import { SubmitButton } from "~/components/forms/submit-button";
import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { Textarea } from "~/components/forms/textarea";
import { Card } from "~/components/ui/card";
import type { FormAnswer } from "~/kernel/form-answer";
import { ACCOUNT_FIELDS, CSV_FIELD_LABELS, CSV_FIELDS, NO_COLUMN } from "~/modules/payments/payment-files/csv/columns";

interface UploadFormProps {
  /** Makes a form that is sent twice upload once. */
  submissionId: string;
  answer?: FormAnswer;
}

type Table = { headings: string[]; signature: string };

/** The headings of a table whose columns somebody has to choose; of a choice that was refused, as the form holds them. */
function headingsOf(answer: FormAnswer | undefined): Table | undefined {
  if (!answer) return undefined;
  const { headings, signature } = answer.code === "MAPPING_REQUIRED" ? (answer.extra ?? {}) : heldTable(answer);
  return Array.isArray(headings) && typeof signature === "string"
    ? { headings: headings.map(String), signature }
    : undefined;
}

function heldTable({ values }: FormAnswer): Record<string, unknown> {
  try {
    return { headings: JSON.parse(values.headings ?? ""), signature: values.signature };
  } catch {
    return {};
  }
}

/** Takes in the file that is about to go to the bank. */
export function UploadForm({ submissionId, answer }: UploadFormProps) {
  const needed = headingsOf(answer);
  const errors = answer?.errors ?? {};
  return (
    <>
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary
          title={answer?.title}
          errors={{ ...errors, file: undefined }}
          formErrors={[...(errors.file ?? []), ...(answer?.formErrors ?? [])]}
        />
      )}
      <Card
        title="Check a file before it goes to the bank"
        description="Upload the ABA or CSV file that your accounting system made, or paste the payments. Every line is checked; nothing is sent to your bank."
        className="mb-6"
      >
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <HiddenFields
            values={{ submissionId, signature: needed?.signature, headings: needed && JSON.stringify(needed.headings) }}
          />
          <FileInput
            name="file"
            label="Payment file"
            hint="ABA (direct entry), CSV, or a list of bills exported from Xero or MYOB; up to 20,000 payments"
            accept=".aba,.txt,.csv,text/plain,text/csv"
            showOptional={false}
          />
          <Textarea
            name="pasted"
            label="Or paste the payments"
            hint="One payment a line: account name, BSB, account number, amount, reference"
            rows={3}
            defaultValue={answer?.values.pasted}
            spellCheck={false}
            showOptional={false}
          />
          {needed && <Columns headings={needed.headings} answer={answer} />}
          <div>
            <SubmitButton icon="upload" pendingText="Checking...">
              Upload and check
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}

const NONE = { value: NO_COLUMN, label: "Not in this table: pay the payee’s own account" };

function Columns({ headings, answer }: { headings: readonly string[]; answer?: FormAnswer }) {
  const options = headings.map((heading, at) => ({ value: String(at), label: heading || `Column ${at + 1}` }));
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-3 font-semibold text-md">Which column is which?</legend>
      <p className="text-base text-ink-soft sm:col-span-2">
        Your choice is remembered for every table with these headings. If you chose a file, choose it again unless its
        content stands above.
      </p>
      {CSV_FIELDS.map((field) => (
        <Select
          key={field}
          name={`column.${field}`}
          label={CSV_FIELD_LABELS[field]}
          options={ACCOUNT_FIELDS.includes(field) ? [...options, NONE] : options}
          placeholder="Choose a column"
          defaultValue={answer?.values[`column.${field}`]}
          error={answer?.errors[`column.${field}`]}
          required
        />
      ))}
    </fieldset>
  );
}
