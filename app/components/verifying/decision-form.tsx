import { Checkbox, Textarea } from "~/components/forms/fields";
import { answerTo, type FormAnswer, HiddenFields, PostForm, SubmitButton } from "~/components/forms/form";
import { Callout, cx } from "~/components/ui/elements";
import { DEFAULT_REJECTION_REASON } from "~/modules/payees/verifications/verification";
import type { ReviewPageData } from "./review-page";

interface DecisionFormProps {
  view: ReviewPageData["view"];
  /** Ensures that a form which is sent twice decides once. */
  submissionId: string;
  /** The state that the reviewer sees, so that a decision about an older state is refused. */
  basis: string;
  /** The form that was refused, with what was typed. */
  answer?: FormAnswer;
}

/** Approve and reject, always after everything that is known: two forms, so Enter presses the right button. */
export function DecisionForm({ view, submissionId, basis, answer }: DecisionFormProps) {
  const form = { summary: false, noValidate: false, className: "flex flex-col items-start gap-2.5" } as const;
  return (
    // The side with more text is wider, so that the form covers less of the page.
    <div
      className={cx(
        "grid gap-x-8 gap-y-5",
        view.former ? "@lg/pane:grid-cols-2" : "@lg/pane:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]",
      )}
    >
      <PostForm {...form} answer={answerTo(answer, "reject")} idPrefix="reject">
        <HiddenFields values={{ submissionId, basis }} />
        <Textarea
          name="reason"
          label="Reason for rejecting"
          hint={`If left empty: “${DEFAULT_REJECTION_REASON}”.`}
          rows={2}
          maxLength={500}
          className="w-full"
        />
        {view.former && <Restoring former={view.former} />}
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
      </PostForm>
      <PostForm
        {...form}
        answer={answerTo(answer, "approve")}
        idPrefix="approve"
        values={{ addToGlobalWhitelist: view.payee.whitelistGlobal ? "yes" : "" }}
      >
        <HiddenFields values={{ submissionId, basis }} />
        <ApproveSide view={view} />
      </PostForm>
    </div>
  );
}

/** Restoring the former details approves them, so its effect and who may do it are shown beforehand. */
function Restoring({ former: { bar, hint, more, note } }: { former: NonNullable<ReviewPageData["view"]["former"]> }) {
  if (bar) {
    return (
      <Callout tone="info" title={bar.title}>
        {bar.text}
      </Callout>
    );
  }
  return (
    <>
      <Checkbox name="restoreFormer" value="yes" label="Restore the former bank details" hint={hint} more={more} />
      {note && <p className="text-ink-soft text-sm">{note}</p>}
    </>
  );
}

/** Approve is highlighted only if a bank confirmed the name and no check raised a doubt. */
function ApproveSide({ view }: { view: ReviewPageData["view"] }) {
  const { bar, confirm, globalHint, note, isOneKey } = view.approving;
  if (bar) {
    return (
      <Callout tone="info" title={bar.title}>
        {bar.text}
      </Callout>
    );
  }
  return (
    <>
      {confirm && (
        <Textarea
          name="reason"
          label={confirm.label}
          hint={confirm.hint}
          required={confirm.isRequired}
          rows={2}
          maxLength={500}
          className="w-full"
        />
      )}
      <Checkbox name="addToGlobalWhitelist" value="yes" label="Also add to the global whitelist" hint={globalHint} />
      {note && <p className="text-ink-soft text-sm">{note}</p>}
      <SubmitButton
        name="intent"
        value="approve"
        variant={view.primary === "approve" ? "primary" : "secondary"}
        icon="check"
        pendingText="Approving..."
        data-keys={isOneKey ? "one" : "two"}
        className="mt-auto"
      >
        Approve
      </SubmitButton>
    </>
  );
}
