import { useEffect, useRef } from "react";
import { Select } from "~/components/forms/select";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Callout } from "~/components/ui/callout";
import { Link } from "~/components/ui/link";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { BulkResult } from "~/modules/verifying/review/bulk";

interface BulkBarProps {
  colleagues: readonly { userId: string; name: string }[];
  providerName: string;
  /** Banks and payees can be asked. */
  canAsk: boolean;
  /** The form that was refused, with what was typed. */
  answer?: FormAnswer;
}

/** What can be done with the ticked rows. It shows once a row is ticked, with and without scripts. */
export function BulkBar({ colleagues, providerName, canAsk, answer }: BulkBarProps) {
  const { values = {}, errors = {} } = answer ?? {};
  return (
    <fieldset
      className="sticky bottom-0 z-10 hidden flex-wrap items-end gap-x-6 gap-y-3 border-line border-t bg-surface px-5 py-3 shadow-lift group-has-[input[name=id]:checked]/bulk:flex print:hidden"
      data-screen-only
    >
      <legend className="sr-only">The ticked verifications</legend>
      <div className="flex items-end gap-2">
        <Select
          name="assignee"
          id="bulk-assignee"
          label="Assign to"
          showOptional={false}
          defaultValue={values.assignee}
          error={errors.assignee}
          placeholder="Nobody"
          options={colleagues.map(({ userId, name }) => ({ value: userId, label: name }))}
        />
        <SubmitButton name="intent" value="assign" variant="secondary" pendingText="Assigning...">
          Assign
        </SubmitButton>
      </div>
      {canAsk && (
        <div className="flex gap-2">
          <SubmitButton name="intent" value="verify-basiq" variant="secondary" icon="bank" pendingText="Starting...">
            {`Verify with ${providerName}`}
          </SubmitButton>
          <SubmitButton name="intent" value="send-link" variant="secondary" icon="mail" pendingText="Sending...">
            Send link
          </SubmitButton>
        </div>
      )}
      <div className="flex items-end gap-2">
        <TextInput
          name="reason"
          id="bulk-reason"
          label="Reason for rejecting"
          showOptional={false}
          maxLength={500}
          autoComplete="off"
          defaultValue={values.reason}
          error={errors.reason}
        />
        <SubmitButton name="intent" value="reject" variant="secondary" icon="x" pendingText="Rejecting...">
          Reject
        </SubmitButton>
      </div>
    </fieldset>
  );
}

/** What became of each item, what was refused first. It takes the focus. */
export function BulkResults({ title, results }: { title: string; results: readonly BulkResult[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (results.length > 0) box.current?.focus();
  }, [results]);
  const isAllDone = results.every(({ isDone }) => isDone);
  return (
    <div ref={box} tabIndex={-1} className="mb-6 scroll-mt-24 rounded-base">
      <Callout tone={isAllDone ? "success" : "warning"} title={title} role="status">
        <ul className="grid gap-0.5">
          {results.map(({ id, name, isDone, text }) => (
            <li key={id}>
              <Link
                to={appPaths.verification(id)}
                className="font-medium text-accent-text underline underline-offset-2"
              >
                {name}
              </Link>
              {isDone ? `: ${text}` : `: not done. ${text}`}
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}
