import { Callout, type CalloutTone } from "~/components/ui/callout";
import { PageHeader } from "~/components/ui/page-header";
import type { FormAnswer } from "~/kernel/form-answer";
import { OUTCOME_TEXT, type PaymentOutcome } from "~/modules/accounts/billing/payment-outcome";
import type { SubscriptionView } from "~/modules/accounts/billing/subscription.view";
import { CardOnFile } from "./card-on-file";
import { InvoiceTable } from "./invoice-table";
import { PaymentForm, type PaymentFormProps } from "./payment-form";
import { PlanCard } from "./plan-card";
import { StatusCard } from "./status-card";

export interface SubscriptionPageProps {
  view: SubscriptionView;
  /** How a payment ended from which the person just came back. */
  outcome: PaymentOutcome | null;
  /** The card form, once the person went on to pay. */
  payment: PaymentFormProps | null;
  answer?: FormAnswer;
}

const OUTCOME_TONE: Record<PaymentOutcome, CalloutTone> = {
  succeeded: "success",
  processing: "info",
  requires_payment_method: "danger",
  other: "danger",
};

/** The organisation's subscription: how it stands, what it costs, who pays, and every invoice. */
export function SubscriptionPage({ view, outcome, payment, answer }: SubscriptionPageProps) {
  return (
    <>
      <PageHeader title="Subscription" description="One plan for your whole organisation." />
      <div className="grid gap-6">
        {answer && (
          <Callout tone="danger" title={answer.title} role="alert">
            <p>{answer.formErrors.join(" ")}</p>
          </Callout>
        )}
        {outcome && (
          <Callout
            tone={OUTCOME_TONE[outcome]}
            title={OUTCOME_TEXT[outcome]}
            role={outcome === "succeeded" || outcome === "processing" ? "status" : "alert"}
          />
        )}
        <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
          <div className="grid gap-6">
            {payment ? <PaymentForm {...payment} /> : <StatusCard view={view} />}
            {!payment && <CardOnFile view={view} />}
          </div>
          <PlanCard />
        </div>
        <InvoiceTable invoices={view.invoices} />
      </div>
    </>
  );
}
