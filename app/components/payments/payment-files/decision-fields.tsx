import { SubmitButton } from "~/components/forms/submit-button";
import { Textarea } from "~/components/forms/textarea";
import type { FormAnswer } from "~/kernel/form-answer";

interface DecisionFieldsProps {
  answer?: FormAnswer;
  /** Words of the button; absent: nothing can be approved. */
  approves?: string;
  rejects: string;
  /** Something speaks against an approval: the page does not suggest it. */
  isDoubtful?: boolean;
}

/** The reason, and the two things that can be decided. */
export function DecisionFields({ answer, approves, rejects, isDoubtful }: DecisionFieldsProps) {
  return (
    <div className="grid gap-4">
      <Textarea
        name="reason"
        label="Reason"
        hint="It stays with each payment and in the audit trail."
        required
        rows={2}
        maxLength={500}
        defaultValue={answer?.values.reason}
        error={answer?.errors.reason}
      />
      <div className="flex flex-wrap gap-3">
        {approves && (
          <SubmitButton
            name="intent"
            value="approve"
            variant={isDoubtful ? "secondary" : undefined}
            icon="check"
            pendingText="Approving..."
          >
            {approves}
          </SubmitButton>
        )}
        <SubmitButton name="intent" value="reject" variant="danger" icon="x" pendingText="Rejecting...">
          {rejects}
        </SubmitButton>
      </div>
    </div>
  );
}
