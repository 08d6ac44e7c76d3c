import { useEffect, useRef } from "react";
import { toasts } from "~/components/layout/toast-store";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { Spinner } from "~/components/ui/spinner";
import { useHydrated } from "~/components/use-hydrated";
import { HostedPayment } from "./hosted-payment";
import type { ProviderPlace } from "./provider-script";
import { usePaymentElement } from "./use-payment-element";

export interface PaymentFormProps {
  place: ProviderPlace;
  clientSecret: string;
  /** "$500.00" */
  amount: string;
  /** Where the provider sends the person back to: this page. */
  returnUrl: string;
}

/** The card form: the provider's element in a frame of its own; without it, the way to the provider's page. */
export function PaymentForm({ place, clientSecret, amount, returnUrl }: PaymentFormProps) {
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const { state, isPaying, problem, confirm } = usePaymentElement(box, place, clientSecret);
  useEffect(() => {
    if (problem) toasts.show({ tone: "error", title: problem.title, description: problem.message });
  }, [problem]);
  const isShown = hydrated && state !== "unavailable";
  return (
    <Card
      title="Payment"
      description={`${amount} now, then every month until you cancel. The card is typed into a form of Stripe; we never see it.`}
    >
      {isShown && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            confirm(returnUrl);
          }}
        >
          {problem && (
            <Callout tone="danger" title={problem.title} role="alert" className="mb-5">
              <p>{problem.message}</p>
            </Callout>
          )}
          {state === "loading" && (
            <p role="status" className="flex items-center gap-2 text-base text-ink-soft">
              <Spinner className="size-4" /> Loading the card form
            </p>
          )}
          <div ref={box} className={state === "loading" ? "sr-only" : "min-h-56"} />
          {state === "ready" && (
            <Button type="submit" size="lg" icon="lock" pending={isPaying} pendingText="Paying..." className="mt-5">
              Pay {amount}
            </Button>
          )}
        </form>
      )}
      {state === "unavailable" && (
        <Callout tone="warning" title="The card form could not be loaded" role="alert" className="mb-5">
          <p>
            Your browser or network may be blocking it. Nothing was charged. You can pay on Stripe's own page instead.
          </p>
        </Callout>
      )}
      <HostedPayment isMainWay={!isShown} />
    </Card>
  );
}
