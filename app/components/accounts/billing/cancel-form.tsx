import { Form, SubmitButton } from "~/components/forms/form";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";
import type { SubscriptionView } from "~/modules/accounts/billing/subscription.view";

/** What cancelling means, and the button that does it. In a dialog, and on a page of its own without scripts. */
export function CancelForm({
  view: { endsNow, periodEnd },
}: {
  view: Pick<SubscriptionView, "endsNow" | "periodEnd">;
}) {
  return (
    <Form method="post" action={appPaths.cancelSubscription}>
      <p className="text-base text-ink-soft">
        {endsNow || !periodEnd
          ? "Nothing was paid for, so it ends at once. Nothing will be charged."
          : `It runs until ${periodEnd.text}, and nothing more will be charged. You can take this back until then.`}
      </p>
      <p className="mt-2 text-base text-ink-soft">
        Afterwards new verifications, payments and bank checks need a subscription. What you have can always be read,
        edited, reviewed and exported.
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        <SubmitButton variant="danger" pendingText="Cancelling...">
          Yes, cancel the subscription
        </SubmitButton>
        <Button to={appPaths.subscription} variant="secondary">
          Keep it
        </Button>
      </div>
    </Form>
  );
}
