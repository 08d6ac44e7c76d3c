import { useRootData } from "~/components/layout/root-data";
import { Button, Callout } from "~/components/ui/elements";
import { SUBSCRIPTION_ENDED } from "~/kernel/messages";
import { appPaths } from "~/kernel/paths/app";
import { type FormAnswer, Refusal, sentencesOf } from "./form";

/** Why a button of a page changed nothing. */
export function RefusedAct({ answer }: { answer?: FormAnswer }) {
  const message = answer ? sentencesOf(answer).join(" ") : "";
  if (!answer || !message) return null;
  if (answer.code === "SUBSCRIPTION_REQUIRED") return <SubscriptionEnded message={message} />;
  return (
    <Callout tone="danger" role="alert" title="Nothing was changed" className="mb-6">
      <Refusal>{message}</Refusal>
    </Callout>
  );
}

/** Why a new payment or verification is not possible, and what to do about it. */
export function SubscriptionEnded({ message, isAnswer = true }: { message: string; isAnswer?: boolean }) {
  return (
    <Callout
      tone="warning"
      role={isAnswer ? "alert" : undefined}
      title="Your trial or subscription has ended"
      className="mb-6"
      actions={
        <Button to={appPaths.subscription} variant="secondary">
          Go to the subscription
        </Button>
      }
    >
      {message}
    </Callout>
  );
}

/** Says above a form that it would be refused. Shows nothing while the subscription runs, or beside that refusal. */
export function SubscriptionFirst({ answer }: { answer?: FormAnswer }) {
  const hasEnded = useRootData()?.user?.subscriptionEnded;
  if (!hasEnded || answer?.code === "SUBSCRIPTION_REQUIRED") return null;
  return <SubscriptionEnded message={SUBSCRIPTION_ENDED} isAnswer={false} />;
}
