import { Form, HiddenFields, SubmitButton } from "~/components/forms/form";
import { Dialog } from "~/components/ui/dialog";
import { Badge, Button, Callout } from "~/components/ui/elements";
import { Card, type Definition, DefinitionList, Time } from "~/components/ui/page-parts";
import { useHydrated } from "~/components/use-hydrated";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { PLAN } from "~/modules/accounts/billing/subscription";
import type { SubscriptionView } from "~/modules/accounts/billing/subscription.view";

const WORDS = { subscribe: "Subscribe now", continue: "Continue to payment", pay: "Pay now" };

/**
 * The form that leads to the payment. It tells the server whether scripts run: with them, the card form follows on our
 * page; without, the provider's page. Always loads a new document, because only that page's policy allows the
 * provider's scripts.
 */
function SubscribeForm({ step }: { step: keyof typeof WORDS }) {
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

/** The state of the subscription, and the actions it allows. */
export function StatusCard({ view }: { view: SubscriptionView }) {
  const { step, trial, canCancel, canResume } = view;
  return (
    <Card title="Current status" actions={<StatusBadge view={view} />}>
      <Advice view={view} />
      <DefinitionList items={factsOf(view)} />
      {step === "subscribe" && (
        <p className="mt-4 max-w-[60ch] text-base text-ink-soft">
          Subscribing charges {formatAud(PLAN.amount)} at once{trial && !trial.isOver && " and ends the trial"}, then
          the same every month. You can cancel at any time; the service then runs to the end of the month you have paid
          for.
        </p>
      )}
      {(step || canCancel || canResume) && (
        <div className="mt-6 flex flex-wrap items-center gap-3 border-line border-t pt-5">
          {step && <SubscribeForm step={step} />}
          {canResume && (
            <Form method="post">
              <HiddenFields values={{ intent: "resume" }} />
              <SubmitButton variant="primary" pendingText="Resuming...">
                Resume subscription
              </SubmitButton>
            </Form>
          )}
          {canCancel && (
            <Dialog
              trigger="Cancel subscription"
              title="Cancel the subscription?"
              fallbackHref={appPaths.cancelSubscription}
            >
              <CancelForm view={view} />
            </Dialog>
          )}
        </div>
      )}
    </Card>
  );
}

function StatusBadge({ view: { status, trial } }: { view: SubscriptionView }) {
  if (status) return <Badge tone={status.tone}>{status.text}</Badge>;
  if (!trial) return null;
  return trial.isOver ? <Badge tone="review">Trial ended</Badge> : <Badge tone="info">Trial</Badge>;
}

function factsOf({ trial, status, periodEnd, endsAtPeriodEnd, amountDue }: SubscriptionView): Definition[] {
  const facts: Definition[] = [];
  if (status) {
    facts.push({ term: "Plan", value: `${PLAN.name}, ${formatAud(PLAN.amount)} AUD a month including GST` });
  }
  if (trial) {
    facts.push({
      term: "Trial",
      value: (
        <>
          {trial.isOver ? "Ended on " : "Trial until "}
          <Time dateTime={trial.iso} exact={trial.text} />
        </>
      ),
    });
  }
  if (amountDue) facts.push({ term: "Waiting to be paid", value: <span className="figures">{amountDue}</span> });
  if (periodEnd) {
    const value = <Time dateTime={periodEnd.iso} exact={periodEnd.text} />;
    facts.push({ term: endsAtPeriodEnd ? "Runs until" : "Next payment", value });
  }
  return facts;
}

function Advice({ view: { status, trial, endsAtPeriodEnd, periodEnd, canWrite } }: { view: SubscriptionView }) {
  const className = "mb-5";
  if (endsAtPeriodEnd && periodEnd) {
    return (
      <Callout tone="info" title={`Cancelled: runs until ${periodEnd.text}`} className={className}>
        <p>Nothing more will be charged. Until then everything works, and you can undo the cancellation.</p>
      </Callout>
    );
  }
  switch (status?.name) {
    case "past_due":
    case "unpaid":
      return (
        <Callout tone="warning" title="The last payment did not go through" className={className}>
          <p>
            New verifications, payments and bank checks are not possible until the open invoice is paid. Pay it with
            another card, or change the card on file.
          </p>
        </Callout>
      );
    case "paused":
      return (
        <Callout tone="warning" title="The subscription is paused" className={className}>
          <p>Please contact us to resume it.</p>
        </Callout>
      );
    case "canceled":
      return (
        <Callout tone="info" title="The subscription has ended" className={className}>
          <p>You can still view, edit, review and export your records. New checks need a subscription.</p>
        </Callout>
      );
    case undefined:
    case "incomplete":
    case "incomplete_expired":
      if (!trial?.isOver) return null;
      return (
        <Callout tone="warning" title="Your trial has ended" className={className}>
          <p>
            {canWrite
              ? "Subscribe to open new verifications, record payments and check bank details again."
              : "Ask a colleague with the member or administrator role to subscribe."}
          </p>
        </Callout>
      );
    default:
      return null;
  }
}

/** Explains cancelling, with the button. Shown in a dialog, or on a separate page without scripts. */
export function CancelForm({
  view: { endsNow, periodEnd },
}: {
  view: Pick<SubscriptionView, "endsNow" | "periodEnd">;
}) {
  return (
    <Form method="post" action={appPaths.cancelSubscription}>
      <p className="text-base text-ink-soft">
        {endsNow || !periodEnd
          ? "Nothing has been paid, so the subscription ends at once. Nothing will be charged."
          : `It runs until ${periodEnd.text}, and nothing more will be charged. You can undo the cancellation until then.`}
      </p>
      <p className="mt-2 text-base text-ink-soft">
        Afterwards new verifications, payments and bank checks need a subscription. You can always view, edit, review
        and export your records.
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
