import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { appPaths } from "~/kernel/paths/app";

/** What stands in the way of a new payment or verification, and the way on. */
export function SubscriptionEnded({ message }: { message: string }) {
  return (
    <Callout
      tone="warning"
      role="alert"
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
