import { FileInput } from "~/components/forms/file-input";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Card } from "~/components/ui/card";
import type { FormAnswer } from "~/kernel/form-answer";

interface UploadCardProps {
  /** Makes a form that is sent twice upload once. */
  submissionId: string;
  answer?: FormAnswer;
}

/** Takes a file of payees in. Nothing is added by it. */
export function UploadCard({ submissionId, answer }: UploadCardProps) {
  const { file = [], ...errors } = answer?.errors ?? {};
  return (
    <>
      <FormErrorSummary title={answer?.title} errors={errors} formErrors={[...file, ...(answer?.formErrors ?? [])]} />
      <Card
        title="Upload a file"
        description="Contacts exported from Xero, cards exported from MYOB, or any table with names, BSBs and account numbers. Nothing is added yet."
        className="mb-6"
      >
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <HiddenFields values={{ submissionId }} />
          <FileInput
            name="file"
            label="File of payees"
            hint="CSV, text with semicolons or tabs, or an Excel workbook (.xlsx) of which the first sheet is read; up to 50,000 rows and 16 MB"
            accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain,text/tab-separated-values"
            showOptional={false}
          />
          <div>
            <SubmitButton icon="upload" pendingText="Reading...">
              Upload and preview
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}
