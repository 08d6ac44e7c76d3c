import { Link } from "@remix-run/react";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { Callout } from "~/components/ui/callout";
import type { PayeeFormAnswer } from "~/modules/payees/payee.view";
import { payeePath } from "~/modules/payees/payees.view";

/** What is wrong with a payee's form, at its top, with the way on where there is one. */
export function FormProblems({ answer }: { answer: PayeeFormAnswer }) {
  const { duplicate, needsSubscription, errors, formErrors } = answer;
  if (duplicate) {
    return (
      <Callout tone="warning" role="alert" title="You already have a payee with this account" className="mb-6">
        The account belongs to{" "}
        <Link to={payeePath(duplicate.id)} className="font-medium text-accent-text underline underline-offset-2">
          {duplicate.name}
        </Link>
        . Open it instead, or look for a mistyped digit.
      </Callout>
    );
  }
  if (needsSubscription) return <SubscriptionEnded message={formErrors.join(" ")} />;
  return <FormErrorSummary errors={errors} formErrors={formErrors} />;
}
