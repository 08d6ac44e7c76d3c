import { Select, Textarea, TextInput } from "~/components/forms/fields";
import { HiddenFields, PostForm, SubmitButton } from "~/components/forms/post-form";
import type { FormAnswer } from "~/kernel/form-answer";
import type { ReviewPageData } from "./review-page";

interface CallFormProps {
  view: ReviewPageData["view"]["callBacks"];
  submissionId: string;
  answer?: FormAnswer;
}

/** What a call was about: the number, where it came from, and how the call ended. */
export function CallForm({ view, submissionId, answer }: CallFormProps) {
  return (
    <PostForm answer={answer} idPrefix="record-call" summary={false} preventScrollReset className="grid gap-4 text-ink">
      <HiddenFields values={{ submissionId: `${submissionId}-call` }} />
      {view.ownWork && <p className="text-base">{view.ownWork}</p>}
      <TextInput name="number" label="Number called" type="tel" autoComplete="off" digits required />
      <Select
        name="source"
        label="Where you found the number"
        placeholder="Choose one"
        options={view.sources}
        required
      />
      <TextInput name="spokeTo" label="Who you spoke to" maxLength={140} autoComplete="off" />
      <Select name="outcome" label="How the call ended" placeholder="Choose one" options={view.outcomes} required />
      <Textarea name="note" label="Note" rows={2} maxLength={500} />
      <div>
        <SubmitButton name="intent" value="record-call" variant="secondary" icon="phone" pendingText="Recording...">
          Record the call
        </SubmitButton>
      </div>
    </PostForm>
  );
}
