import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { Callout } from "~/components/ui/callout";
import type { FormAnswer } from "~/kernel/form-answer";

/** Why something on a page was not done, where no field is to blame. */
export function RefusedAct({ answer }: { answer?: FormAnswer }) {
  const message = answer?.formErrors.join(" ");
  if (!answer || !message) return null;
  if (answer.code === "SUBSCRIPTION_REQUIRED") return <SubscriptionEnded message={message} />;
  return (
    <Callout tone="danger" role="alert" title="Nothing was changed" className="mb-6">
      {message}
    </Callout>
  );
}
