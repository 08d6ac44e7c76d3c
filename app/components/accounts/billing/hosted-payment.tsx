import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { appPaths } from "~/kernel/paths/app";

/** The way to the provider's own page: beside the card form, and in its place where it cannot be. */
export function HostedPayment({ isMainWay }: { isMainWay: boolean }) {
  return (
    <Form method="post" action={appPaths.subscription} reloadDocument className={isMainWay ? undefined : "mt-6"}>
      <HiddenFields values={{ intent: "hosted" }} />
      <SubmitButton
        variant={isMainWay ? "primary" : "quiet"}
        size={isMainWay ? "lg" : "sm"}
        icon="external"
        pendingText="Opening..."
      >
        Pay on Stripe's page
      </SubmitButton>
    </Form>
  );
}
