import { Link } from "@remix-run/react";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { RefusedAct } from "~/components/forms/refused-act";
import { ChangeStoryBanner } from "~/components/payees/change-story";
import { DetailsOrigin } from "~/components/payees/details-origin";
import { EvidenceLinks } from "~/components/payees/evidence/evidence-links";
import { ReasonList } from "~/components/payees/verification/reason-list";
import { DecisionCard } from "~/components/payments/decision-card";
import { OutcomeCard } from "~/components/payments/outcome-card";
import { PaymentDetailsCard } from "~/components/payments/payment-details-card";
import { PaymentFlags } from "~/components/payments/payment-flags";
import { PaymentTimeline } from "~/components/payments/payment-timeline";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { StatusBadge } from "~/components/ui/status-badge";
import type { FormAnswer } from "~/kernel/form-answer";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { paymentStanding } from "~/kernel/payment-sentences";
import type { ChangeStory } from "~/modules/payees/change-story";
import type { PaymentView } from "~/modules/payments/payment.view";

interface PaymentPageProps {
  payment: PaymentView;
  /** Who may approve instead of this person, in a sentence. */
  approvers: string | null;
  /** How the payee came to its present bank details; null: it always had them, or the payment is over. */
  change: { story: ChangeStory; phone: string | null } | null;
  submissionId: string;
  answer?: FormAnswer;
}

/** One payment: where it goes, why it is held, what may be done about it, and everything that was. */
export function PaymentPage({ payment, approvers, change, submissionId, answer }: PaymentPageProps) {
  const { status, decisions, hasOutcome, flags } = payment;
  return (
    <div className="contents" data-red={payment.isRed || undefined}>
      <PageHeader
        title={`${formatAud(payment.amount)} to ${payment.payee?.name ?? payment.account.accountName}`}
        breadcrumb={[{ label: "Payments", to: appPaths.payments }]}
        badges={<StatusBadge of="payment" status={status} />}
      />
      <RefusedAct answer={answer} />
      <FormErrorSummary errors={answer?.errors} />
      <PaymentFlags flags={flags} isAuthorised={status === "authorised"} />
      <DetailsOrigin origin={payment.origin} />
      {change && <ChangeBefore {...change} />}
      {status === "verification_requested" && <WaitingForVerification verificationId={payment.verificationId} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <div className="grid min-w-0 gap-6">
          <Reasons payment={payment} />
          {decisions.length > 0 && (
            <div data-screen-only>
              <DecisionCard payment={payment} approvers={approvers} submissionId={submissionId} answer={answer} />
            </div>
          )}
          {hasOutcome && (
            <div data-screen-only>
              <OutcomeCard
                isEarning={payment.payee !== null && payment.payee.status !== "whitelisted"}
                submissionId={submissionId}
                answer={answer}
              />
            </div>
          )}
          <PaymentDetailsCard payment={payment} />
          <div data-screen-only>
            <Button to={appPaths.paymentReplay(payment.id)} variant="secondary" size="sm">
              Run the decision again
            </Button>
          </div>
        </div>
        <Card title="History">
          <PaymentTimeline steps={payment.steps} />
          <EvidenceLinks
            pdfHref={appPaths.paymentEvidencePdf(payment.id)}
            jsonHref={appPaths.paymentEvidence(payment.id)}
            auditHref={appPaths.auditOf("payment", payment.id)}
          />
        </Card>
      </div>
    </div>
  );
}

function Reasons({ payment }: { payment: PaymentView }) {
  const { reasons, flags, earlierPaymentId } = payment;
  if (reasons.length === 0) {
    return (
      <Callout tone={flags.length > 0 ? "info" : "success"} title="No rule flagged this payment when it was recorded">
        It was authorised at once.
      </Callout>
    );
  }
  return (
    <Card title={titleOfReasons(payment)}>
      <ReasonList reasons={reasons} />
      {earlierPaymentId && (
        <p className="mt-4 text-base">
          <Link
            to={appPaths.payment(earlierPaymentId)}
            className="font-medium text-accent-text underline underline-offset-2"
          >
            Look at the earlier payment
          </Link>
        </p>
      )}
    </Card>
  );
}

function ChangeBefore({ story, phone }: NonNullable<PaymentPageProps["change"]>) {
  return (
    <>
      <ChangeStoryBanner story={story} />
      <p className="mb-6 max-w-[70ch] text-base">
        {phone === null
          ? "No phone number was on file before this change. Find one in a contract or an old invoice before you call."
          : `Ask on ${phone}, the number on file before this change.`}
      </p>
    </>
  );
}

function titleOfReasons({ reasons, status }: PaymentView): string {
  if (!reasons.some(({ level }) => level === "hold")) return "What to look at";
  return status === "held" ? "Why this payment is held" : "Why this payment was held";
}

function WaitingForVerification({ verificationId }: { verificationId: string | null }) {
  return (
    <Callout
      tone="warning"
      icon="clock"
      title={`This payment ${paymentStanding("verification_requested")}`}
      className="mb-6"
      actions={
        verificationId && (
          <Button to={appPaths.verification(verificationId)} variant="secondary">
            Go to the verification
          </Button>
        )
      }
    >
      When the verification is decided, this payment is held again and needs a decision with what is then known.
    </Callout>
  );
}
