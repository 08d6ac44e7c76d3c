import { Link } from "@remix-run/react";
import { GradeNote } from "~/components/payees/details-origin";
import { PayeeStatusBadge } from "~/components/payees/payee-status-badge";
import { Card } from "~/components/ui/card";
import { type Definition, DefinitionList } from "~/components/ui/definition-list";
import { AccountNumber, Amount, Bsb } from "~/components/ui/digits";
import { Time } from "~/components/ui/time";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import { appPaths } from "~/kernel/paths/app";
import type { PaymentView } from "~/modules/payments/payment.view";

const linkClass = "font-medium text-accent-text underline underline-offset-2";

/** Where the money goes, how much and what for. */
export function PaymentDetailsCard({ payment }: { payment: PaymentView }) {
  return (
    <Card title="Payment">
      <DefinitionList items={[...recipientItems(payment), ...purposeItems(payment), ...outcomeItems(payment)]} />
    </Card>
  );
}

function recipientItems({ payee, nextStep, verdict, account, institution }: PaymentView): Definition[] {
  return [
    {
      term: "Payee",
      value: payee ? (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to={appPaths.payee(payee.id)} className={linkClass}>
            {payee.name}
          </Link>
          <PayeeStatusBadge status={payee.status} headline={payee.headline} />
          <GradeNote grade={payee.grade} />
        </span>
      ) : (
        <span className="flex flex-wrap gap-x-3">
          Not one of your payees
          {nextStep && (
            <Link to={nextStep.href} className={linkClass}>
              {nextStep.label}
            </Link>
          )}
        </span>
      ),
    },
    ...verdictItems(verdict),
    { term: "Account name", value: account.accountName },
    {
      term: "Account",
      value: (
        <span className="flex flex-wrap gap-x-3">
          <Bsb value={account.bsb} /> <AccountNumber value={account.accountNumber} />
          <span className="text-ink-soft">{institution ?? "No institution is known for this BSB"}</span>
        </span>
      ),
    },
  ];
}

/** Where the payee's open verification stands, and what to do about it. */
function verdictItems(verdict: PaymentView["verdict"]): Definition[] {
  if (verdict === null) return [];
  const value = (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <VerdictBadge verdict={verdict} />
      {verdict.change && <ChangeMark change={verdict.change} />}
      <Link to={appPaths.verification(verdict.verificationId)} className={linkClass}>
        Go to the verification
      </Link>
      {verdict.isRed &&
        verdict.evidence.map((sentence) => (
          <span key={sentence} className="w-full break-words text-sm">
            {sentence}
          </span>
        ))}
      <span className="w-full text-ink-soft text-sm">{verdict.next}</span>
    </span>
  );
  return [{ term: "Its verification", value }];
}

function purposeItems({ amount, reference, description }: PaymentView): Definition[] {
  const items: Definition[] = [
    { term: "Amount", value: <Amount cents={amount} className="font-medium" /> },
    { term: "Reference", value: <span className="break-words">{reference}</span> },
  ];
  if (description) items.push({ term: "Description", value: <span className="break-words">{description}</span> });
  return items;
}

function outcomeItems({ verificationId, processedAt, status, failureReason }: PaymentView): Definition[] {
  const items: Definition[] = [];
  if (verificationId) {
    const value = (
      <Link to={appPaths.verification(verificationId)} className={linkClass}>
        The verification that was asked for
      </Link>
    );
    items.push({ term: "Verification", value });
  }
  if (processedAt) items.push({ term: status === "failed" ? "Failed" : "Paid", value: <Time {...processedAt} /> });
  if (failureReason) items.push({ term: "Why it failed", value: failureReason });
  return items;
}
