import { Form } from "@remix-run/react";
import { Checkbox } from "~/components/forms/checkbox";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Textarea } from "~/components/forms/textarea";
import { Callout } from "~/components/ui/callout";
import type { ReviewView } from "~/modules/review/review.view";
import { DEFAULT_REJECTION_REASON } from "~/modules/verifications/verification";

/** What was typed into the form that was refused, and what is wrong with its reason. */
export type Typed = { intent: string | undefined; reason?: string; errors?: readonly string[] };

interface DecisionFormProps {
  view: ReviewView;
  /** Makes a form that is sent twice decide once. */
  submissionId: string;
  /** What the reviewer has before them, so that a decision on something older is refused. */
  basis: string;
  typed?: Typed;
}

/** Approve and reject, side by side and always in the same place. Two forms, so that Enter in one cannot press the other. */
export function DecisionForm({ view, submissionId, basis, typed }: DecisionFormProps) {
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
      <Form method="post" className="flex flex-col items-start gap-3">
        <HiddenFields values={{ submissionId, basis }} />
        {view.approval === "needs_second_person" ? (
          <Callout tone="info" title="A second person approves">
            You entered bank details, requested this verification or recorded a payment that waits for it, so another
            person has to approve it.
          </Callout>
        ) : (
          <ApproveFields view={view} typed={typed?.intent === "approve" ? typed : undefined} />
        )}
      </Form>
      <Form method="post" className="flex flex-col items-start gap-3">
        <HiddenFields values={{ submissionId }} />
        <Textarea
          id="reject-reason"
          name="reason"
          label="Reason for rejecting"
          required
          rows={2}
          maxLength={500}
          defaultValue={(typed?.intent === "reject" ? typed.reason : undefined) ?? DEFAULT_REJECTION_REASON}
          error={typed?.intent === "reject" ? typed.errors : undefined}
          className="w-full"
        />
        <SubmitButton
          name="intent"
          value="reject"
          variant={view.primary === "reject" ? "danger" : "secondary"}
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

/** Approve stands out only where a bank confirmed the name and nothing speaks against it. */
function ApproveFields({ view, typed }: { view: ReviewView; typed: Typed | undefined }) {
  return (
    <>
      {view.flags.length > 0 && (
        <Textarea
          id="approve-reason"
          name="reason"
          label="How did you confirm the details?"
          hint={
            view.asksForReason
              ? "Needed here: for example whom you called, on which number, and where the number was known from."
              : "For example whom you called, on which number, and where the number was known from."
          }
          required={view.asksForReason}
          rows={2}
          maxLength={500}
          defaultValue={typed?.reason}
          error={typed?.errors}
          className="w-full"
        />
      )}
      <Checkbox
        name="addToGlobalWhitelist"
        value="yes"
        label="Also add to the global whitelist"
        hint="Other organisations will see that one organisation trusts this account under this name, but not which one."
        defaultChecked={view.payee.whitelistGlobal}
      />
      {view.approval === "own_work" && (
        <p className="text-ink-soft text-sm">You would approve your own work. The audit trail will say so.</p>
      )}
      <SubmitButton
        name="intent"
        value="approve"
        variant={view.primary === "approve" ? "primary" : "secondary"}
        icon="check"
        pendingText="Approving..."
        className="mt-auto"
      >
        Approve
      </SubmitButton>
    </>
  );
}
