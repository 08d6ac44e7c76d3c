import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import type { FormAnswer } from "~/kernel/form-answer";

export const LOST_TITLE = "We do not know whether it arrived";
export const LOST_SENTENCE =
  "The connection broke before an answer came. What you typed is still here. Look at the verification before you send it again.";

/** For a form whose answer was lost on the way: a link that looks, without sending anything again. */
export function LostAnswer({ answer, selfHref }: { answer: FormAnswer; selfHref: string }) {
  return (
    <Callout
      tone="warning"
      role="alert"
      title={answer.title}
      className="mb-6"
      actions={
        <Button to={selfHref} reloadDocument variant="secondary" icon="refresh">
          Look whether it arrived
        </Button>
      }
    >
      {answer.formErrors.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Callout>
  );
}
