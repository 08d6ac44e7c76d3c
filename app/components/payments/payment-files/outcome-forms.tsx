import { FileInput } from "~/components/forms/file-input";
import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Textarea } from "~/components/forms/textarea";
import { Card } from "~/components/ui/card";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";

interface OutcomeFormProps {
  /** Payments without an outcome. */
  waiting: number;
  submissionId: string;
  answer?: FormAnswer;
}

/** All successful but these. */
export function AllButThese({ waiting, submissionId, answer: all }: OutcomeFormProps) {
  const answer = answerTo(all, "all");
  const field = (name: string) => ({ name, defaultValue: answer?.values[name], error: answer?.errors[name] });
  return (
    <Card
      title="The bank paid all of them, except these"
      description={`${waiting.toLocaleString("en-AU")} payments of this file have no outcome yet.`}
      className="mb-6"
    >
      <Form method="post" noValidate className="grid gap-5">
        <HiddenFields values={{ submissionId }} />
        <TextInput
          {...field("except")}
          label="Lines that failed"
          hint="Such as 3, 17-19, counted as in the file that you uploaded. Leave empty if all were paid"
          showOptional={false}
        />
        <Textarea
          {...field("reason")}
          label="Why they failed"
          hint="Needed when some failed"
          rows={2}
          showOptional={false}
        />
        <TextInput
          {...field("processedOn")}
          type="date"
          label="Paid on"
          hint="Leave empty for today"
          showOptional={false}
        />
        <div>
          <SubmitButton name="intent" value="all" icon="check" pendingText="Saving...">
            Record the outcomes
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

/** The bank's own file of what came back. */
export function ReturnFile({ submissionId, answer: all }: Omit<OutcomeFormProps, "waiting">) {
  const answer = answerTo(all, "returns");
  return (
    <Card
      title="The bank sent a file of returned payments"
      description="Payments are matched by account, amount and reference, and marked failed with the bank's reason. The others keep waiting for their outcome."
    >
      <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
        <HiddenFields values={{ submissionId: `${submissionId}` }} />
        <FileInput name="file" label="Return file" error={answer?.errors.file} required />
        <div>
          <SubmitButton name="intent" value="returns" icon="upload" pendingText="Reading...">
            Read the return file
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
