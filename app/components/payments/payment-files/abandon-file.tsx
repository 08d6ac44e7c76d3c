import { Form } from "~/components/forms/form";
import { SubmitButton } from "~/components/forms/submit-button";

/** Gives the file up. What it does is said before the button, so that nothing has to be confirmed. */
export function AbandonFile() {
  return (
    <details className="mt-6">
      <summary className="inline-flex min-h-10 items-center rounded-base text-ink-soft text-base">
        Give up this file
      </summary>
      <Form method="post" className="grid max-w-[70ch] justify-items-start gap-3 pt-2 text-base">
        <p>
          Nothing of it can be cleared then. It stays here with its decisions, and the same file can be uploaded again.
        </p>
        <SubmitButton name="intent" value="abandon" variant="danger" pendingText="Giving up...">
          Give up this file
        </SubmitButton>
      </Form>
    </details>
  );
}
