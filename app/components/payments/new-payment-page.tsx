import { Link } from "@remix-run/react";
import type { FieldConstraints } from "~/components/forms/answered-form";
import { PayeeChoices } from "~/components/payments/payee-choices";
import { PaymentForm } from "~/components/payments/payment-form";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Tabs } from "~/components/ui/tabs";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { PayeeChoice } from "~/modules/payments/new-payment.view";
import { PAY_ACCOUNT_PATH } from "~/modules/payments/payment-list.view";

type NewPaymentPageProps = { submissionId: string; answer?: FormAnswer } & (
  | { step: "choose"; q: string; choices: PayeeChoice[]; hasMore: boolean }
  | { step: "payee"; payee: PayeeChoice; constraints: FieldConstraints }
  | { step: "account"; constraints: FieldConstraints }
);

/** Recording a payment: whom to pay, then how much and what for. Every step has an address. */
export function NewPaymentPage(props: NewPaymentPageProps) {
  const { step, submissionId, answer } = props;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Record a payment"
        description="Record it before you make it. It is authorised at once, or held with the reasons."
        breadcrumb={[{ label: "Payments", to: appPaths.payments }]}
      />
      {step !== "payee" && (
        <div className="mb-6">
          <Tabs
            label="Whom to pay"
            items={[
              { label: "One of your payees", to: appPaths.newPayment, current: step === "choose" },
              { label: "Another account", to: PAY_ACCOUNT_PATH, current: step === "account" },
            ]}
          />
        </div>
      )}
      {step === "choose" && <PayeeChoices q={props.q} choices={props.choices} hasMore={props.hasMore} />}
      {step !== "choose" && (
        <PaymentForm
          submissionId={submissionId}
          constraints={props.constraints}
          answer={answer}
          payee={step === "payee" ? props.payee : undefined}
        />
      )}
      {step === "account" && (
        <Card className="mt-6">
          <p className="text-base text-ink-soft">
            An account that is not one of your payees is held until a person decides. To have it checked first,{" "}
            <Link to={appPaths.newPayee} className="font-medium text-accent-text underline underline-offset-2">
              add it as a payee
            </Link>
            .
          </p>
        </Card>
      )}
    </div>
  );
}
