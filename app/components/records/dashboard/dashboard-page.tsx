import type { ComponentProps } from "react";
import { CountStrip } from "~/components/records/dashboard/count-strip";
import { DashboardFooter, QuickLinks } from "~/components/records/dashboard/dashboard-links";
import { Inbox } from "~/components/records/dashboard/inbox";
import { SetUpSteps } from "~/components/records/dashboard/set-up-steps";
import { WelcomeCard } from "~/components/records/dashboard/welcome-card";
import { appPaths } from "~/kernel/paths/app";
import { payeesHref } from "~/modules/payees/payee-list.view";
import { paymentsHref } from "~/modules/payments/payment-list.view";
import type { DashboardView } from "~/modules/records/dashboard.view";

type DashboardPageProps = ComponentProps<typeof WelcomeCard> & { view: DashboardView };

/** Where the day begins: how things stand, what waits for a person, and the way to the next payment. */
export function DashboardPage({ view, ...welcome }: DashboardPageProps) {
  const { counts, setUp, trialDaysLeft, isNew } = view;
  const show = (count: number) => count.toLocaleString("en-AU");
  return (
    <div className="grid gap-6">
      <WelcomeCard {...welcome} />
      <CountStrip
        counts={[
          {
            label: "Pending Verifications",
            value: show(counts.pendingVerifications),
            detail: counts.pendingVerifications === 0 ? "Nothing waits for review" : "Open the review queue",
            icon: "clock",
            tone: "pending",
            to: appPaths.pendingVerifications,
          },
          {
            label: "Whitelisted Payees",
            value: show(counts.whitelistedPayees),
            detail: "Paid without asking again",
            icon: "shieldCheck",
            tone: "verified",
            to: payeesHref({ filter: "whitelisted" }),
          },
          {
            label: "Held Payments",
            value: show(counts.heldPayments),
            detail: counts.heldPayments === 0 ? "Nothing is held" : "Needs a decision",
            icon: "pause",
            tone: "review",
            to: paymentsHref({ filter: "held" }),
          },
        ]}
      />
      {/* What needs a decision comes before what is left to set up. */}
      {view.inbox.length > 0 && <Inbox items={view.inbox} isNew={isNew} />}
      {setUp && welcome.canWrite && <SetUpSteps steps={setUp} trialDaysLeft={trialDaysLeft} />}
      {view.inbox.length === 0 && <Inbox items={view.inbox} isNew={isNew} />}
      <QuickLinks />
      <DashboardFooter />
    </div>
  );
}
