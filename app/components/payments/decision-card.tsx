import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Textarea } from "~/components/forms/textarea";
import { Card } from "~/components/ui/card";
import type { FormAnswer } from "~/kernel/form-answer";
import { DECISIONS, MAX_REASON_LENGTH } from "~/modules/payments/payment";
import type { PaymentView } from "~/modules/payments/payment.view";

interface DecisionCardProps {
  payment: PaymentView;
  /** Who may approve instead, in a sentence; null: this person may, or no other person could. */
  approvers: string | null;
  submissionId: string;
  answer?: FormAnswer;
}

const DECIDING = Object.keys(DECISIONS);

const BARS: Record<NonNullable<PaymentView["approvalBar"]>, string> = {
  above_limit:
    "The amount is above what you may approve. A person with a higher approval limit has to approve this payment.",
  second_person_required:
    "Your organisation requires a second person. You recorded this payment, entered the payee's bank details here or in the accounting system they came from, connected that system or asked for the verification, so another person has to approve it.",
  account_changed:
    "The payee has another account now, so this payment can only be rejected. Record it again if the new account is right.",
  payee_required: "There is no payee to verify behind this account.",
};

/** Approve, reject, or ask for more verification: one reason, the buttons always in the same place. */
export function DecisionCard({ payment, approvers, submissionId, answer }: DecisionCardProps) {
  const { decisions, approvalBar, isOwn, basis, payee } = payment;
  const refused = DECIDING.some((intent) => intent === answer?.intent) ? answer : undefined;
  return (
    <Card title="Your decision" description="A held payment can be paid only after someone approves it.">
      <Form method="post" noValidate className="grid gap-4">
        <HiddenFields values={{ submissionId, basis }} />
        {approvalBar && (
          <p className="text-base">
            {BARS[approvalBar]} {approvers}
          </p>
        )}
        {decisions.includes("approve") && isOwn && (
          <p className="text-ink-soft text-sm">
            This is your own work: you recorded the payment, entered the payee's bank details here or in the accounting
            system they came from, connected that system or asked for the verification. The audit trail will say so.
          </p>
        )}
        <Textarea
          name="reason"
          label="Reason"
          hint="What you checked, and with whom. Kept in the audit trail."
          required
          rows={2}
          maxLength={MAX_REASON_LENGTH}
          defaultValue={refused?.values.reason}
          error={refused?.errors.reason}
        />
        <DecisionButtons decisions={decisions} isOwn={isOwn} />
        {decisions.includes("request_verification") && payee && (
          <p className="text-ink-soft text-sm">
            Requesting verification needs no reason. The payment comes back here when the verification of {payee.name}{" "}
            is decided.
          </p>
        )}
      </Form>
    </Card>
  );
}

/** Approving is the first choice of a second person only: for the person's own work it stands back. */
function DecisionButtons({ decisions, isOwn }: Pick<PaymentView, "decisions" | "isOwn">) {
  return (
    <div className="flex flex-wrap gap-3">
      {decisions.includes("approve") && (
        <SubmitButton
          name="intent"
          value="approve"
          variant={isOwn ? "secondary" : "primary"}
          icon="check"
          pendingText="Approving..."
        >
          Approve
        </SubmitButton>
      )}
      {decisions.includes("reject") && (
        <SubmitButton name="intent" value="reject" variant="danger" icon="x" pendingText="Rejecting...">
          Reject
        </SubmitButton>
      )}
      {decisions.includes("request_verification") && (
        <SubmitButton
          name="intent"
          value="request_verification"
          variant="secondary"
          icon="shield"
          pendingText="Asking..."
        >
          Request verification
        </SubmitButton>
      )}
    </div>
  );
}
