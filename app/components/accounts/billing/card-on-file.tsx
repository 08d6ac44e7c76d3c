import { buttonClass } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { Icon } from "~/components/ui/icons";
import { appPaths } from "~/kernel/paths/app";
import type { SubscriptionView } from "~/modules/accounts/billing/subscription.view";

/** The card that pays, and the provider's portal to change it. Plain links: they leave the site. */
export function CardOnFile({ view: { card, hasPortal } }: { view: SubscriptionView }) {
  if (!card && !hasPortal) return null;
  return (
    <Card title="Payment method" description="Cards and billing details are kept by Stripe.">
      {card?.isExpiring && (
        <Callout tone="warning" title="This card expires soon" className="mb-4">
          <p>Change it in time, and nothing is interrupted.</p>
        </Callout>
      )}
      {card ? (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          <Icon name="card" className="text-ink-soft" />
          <span className="font-medium">{card.name}</span>
          <span className="figures text-ink-soft">expires {card.expires}</span>
        </p>
      ) : (
        <p className="text-base text-ink-soft">No card is on file yet.</p>
      )}
      {hasPortal && (
        <div className="mt-5 flex flex-wrap gap-2">
          <a href={appPaths.stripeRedirect("card")} className={buttonClass("secondary")}>
            {card ? "Change card" : "Add a card"}
          </a>
          <a href={appPaths.stripeRedirect("portal")} className={buttonClass("quiet")}>
            Billing portal
          </a>
        </div>
      )}
    </Card>
  );
}
