import { Form } from "@remix-run/react";
import { Checkbox } from "~/components/forms/checkbox";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Textarea } from "~/components/forms/textarea";
import { Callout } from "~/components/ui/callout";
import type { ReviewView } from "~/modules/review/review.view";
import { DEFAULT_REJECTION_REASON } from "~/modules/verifications/verification";

interface DecisionFormProps {
  view: ReviewView;
  /** Makes a form that is sent twice decide once. */
  submissionId: string;
  /** What the reviewer has before them, so that a decision on something older is refused. */
  basis: string;
  typedReason?: string;
  reasonErrors?: readonly string[];
}

/** Approve and reject, side by side and always in the same place. Two forms, so that Enter in one cannot press the other. */
export function DecisionForm({ view, submissionId, basis, typedReason, reasonErrors }: DecisionFormProps) {
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
      <Form method="post" className="flex flex-col items-start gap-3">
        <HiddenFields values={{ submissionId, basis }} />
        {view.approval === "needs_second_person" ? (
          <Callout tone="info" title="A second person approves">
            You asked for this verification or entered the bank details, so somebody else has to approve it.
          </Callout>
        ) : (
          <>
            <Checkbox
              name="addToGlobalWhitelist"
              value="yes"
              label="Also add to the global whitelist"
              hint="Other organisations are told that somebody trusts this account under this name, never who."
              defaultChecked={view.payee.whitelistGlobal}
            />
            {view.approval === "own_work" && (
              <p className="text-ink-soft text-sm">
                You asked for this verification or entered the bank details. The audit trail will say that you approved
                it yourself.
              </p>
            )}
            <SubmitButton name="intent" value="approve" icon="check" pendingText="Approving..." className="mt-auto">
              Approve
            </SubmitButton>
          </>
        )}
      </Form>
      <Form method="post" className="flex flex-col items-start gap-3">
        <HiddenFields values={{ submissionId }} />
        <Textarea
          name="reason"
          label="Reason for rejecting"
          required
          rows={2}
          maxLength={500}
          defaultValue={typedReason ?? DEFAULT_REJECTION_REASON}
          error={reasonErrors}
          className="w-full"
        />
        <SubmitButton
          name="intent"
          value="reject"
          variant="danger"
          icon="x"
          pendingText="Rejecting..."
          className="mt-auto"
        >
          Reject
        </SubmitButton>
      </Form>
    </div>
  );
}
