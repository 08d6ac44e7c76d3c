import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { useHydrated } from "~/components/use-hydrated";
import { appPaths } from "~/kernel/paths/app";

const WORDS = { subscribe: "Subscribe now", continue: "Continue to payment", pay: "Pay now" };

/**
 * The way to the payment. It says whether scripts run: with them the card form follows on our page, without them the
 * provider's page. Always a document of its own, because only that page's policy lets the provider in.
 */
export function SubscribeForm({ step }: { step: keyof typeof WORDS }) {
  const hydrated = useHydrated();
  return (
    <Form method="post" action={appPaths.subscription} reloadDocument>
      <HiddenFields values={{ intent: "subscribe", scripted: hydrated ? "yes" : null }} />
      <SubmitButton size="md" icon="card">
        {WORDS[step]}
      </SubmitButton>
    </Form>
  );
}
