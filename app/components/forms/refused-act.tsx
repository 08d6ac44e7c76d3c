import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { Callout } from "~/components/ui/callout";
import { type FormAnswer, sentencesOf } from "~/kernel/form-answer";

/** Why a button of a page changed nothing. */
export function RefusedAct({ answer }: { answer?: FormAnswer }) {
  const message = answer ? sentencesOf(answer).join(" ") : "";
  if (!answer || !message) return null;
  if (answer.code === "SUBSCRIPTION_REQUIRED") return <SubscriptionEnded message={message} />;
  return (
    <Callout tone="danger" role="alert" title="Nothing was changed" className="mb-6">
      {message}
    </Callout>
  );
}
