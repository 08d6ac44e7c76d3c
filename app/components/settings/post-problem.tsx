import { Callout } from "~/components/ui/callout";
import type { FormAnswer } from "~/kernel/form-answer";

/** Why a button of the page did nothing. */
export function PostProblem({ answer }: { answer?: FormAnswer }) {
  const sentences = answer ? [...answer.formErrors, ...Object.values(answer.errors).flat()] : [];
  if (sentences.length === 0) return null;
  return (
    <Callout tone="danger" role="alert" title="Nothing was changed">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Callout>
  );
}
