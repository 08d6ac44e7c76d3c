import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Textarea } from "~/components/forms/textarea";
import { Card } from "~/components/ui/card";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { MAX_REASON_LENGTH } from "~/modules/payments/payment";

interface OutcomeCardProps {
  /** The payee is not on the whitelist yet: success counts towards it. */
  isEarning: boolean;
  submissionId: string;
  answer?: FormAnswer;
}

/** What became of an authorised payment at the bank. Two forms, so that Enter in one cannot press the other. */
export function OutcomeCard({ isEarning, submissionId, answer }: OutcomeCardProps) {
  return (
    <Card
      title="How did the payment end?"
      description={isEarning && "Three successful payments put the payee on your whitelist."}
    >
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        <SuccessForm submissionId={submissionId} answer={answerTo(answer, "successful")} />
        <FailureForm submissionId={submissionId} answer={answerTo(answer, "failed")} />
      </div>
    </Card>
  );
}

type OutcomeFormProps = { submissionId: string; answer?: FormAnswer };

function SuccessForm({ submissionId, answer }: OutcomeFormProps) {
  return (
    <Form method="post" noValidate className="flex flex-col items-start gap-4">
      <HiddenFields values={{ submissionId }} />
      <TextInput
        name="processedOn"
        type="date"
        label="Paid on"
        hint="Leave empty for today."
        defaultValue={answer?.values.processedOn}
        error={answer?.errors.processedOn}
        className="w-full"
      />
      <SubmitButton name="intent" value="successful" icon="check" pendingText="Saving..." className="mt-auto">
        Mark successful
      </SubmitButton>
    </Form>
  );
}

function FailureForm({ submissionId, answer }: OutcomeFormProps) {
  return (
    <Form method="post" noValidate className="flex flex-col items-start gap-4">
      <HiddenFields values={{ submissionId }} />
      <Textarea
        name="reason"
        label="Why it failed or was stopped"
        required
        rows={2}
        maxLength={MAX_REASON_LENGTH}
        defaultValue={answer?.values.reason}
        error={answer?.errors.reason}
        className="w-full"
      />
      <SubmitButton name="intent" value="failed" variant="danger" icon="x" pendingText="Saving..." className="mt-auto">
        Mark failed
      </SubmitButton>
    </Form>
  );
}
