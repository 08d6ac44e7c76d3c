import { Select, Textarea, TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { HiddenFields, SubmitButton } from "~/components/forms/post-form";
import type { FormAnswer } from "~/kernel/form-answer";
import type { CallBackView } from "~/modules/verifying/call-backs/call-back.view";

interface CallFormProps {
  view: CallBackView;
  submissionId: string;
  answer?: FormAnswer;
}

/** What a call was about: the number, where it came from, and how the call ended. */
export function CallForm({ view, submissionId, answer }: CallFormProps) {
  const values = answer?.values ?? {};
  const errors = answer?.errors ?? {};
  const field = (name: string) => ({
    name,
    id: `record-call-${name}`,
    defaultValue: values[name],
    error: errors[name],
  });
  return (
    <Form method="post" preventScrollReset className="grid gap-4 text-ink" noValidate>
      <HiddenFields values={{ submissionId: `${submissionId}-call` }} />
      {view.ownWork && <p className="text-base">{view.ownWork}</p>}
      <TextInput {...field("number")} label="Number called" type="tel" autoComplete="off" digits required />
      <Select
        {...field("source")}
        label="Where you found the number"
        placeholder="Choose one"
        options={view.sources}
        required
      />
      <TextInput {...field("spokeTo")} label="Who you spoke to" maxLength={140} autoComplete="off" />
      <Select
        {...field("outcome")}
        label="How the call ended"
        placeholder="Choose one"
        options={view.outcomes}
        required
      />
      <Textarea {...field("note")} label="Note" rows={2} maxLength={500} />
      <div>
        <SubmitButton name="intent" value="record-call" variant="secondary" icon="phone" pendingText="Recording...">
          Record the call
        </SubmitButton>
      </div>
    </Form>
  );
}
