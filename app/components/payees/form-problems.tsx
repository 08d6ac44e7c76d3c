import { Link } from "@remix-run/react";
import { FormErrorSummary } from "~/components/forms/post-form";
import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { Callout } from "~/components/ui/callout";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { PAYEE_FIELDS } from "~/kernel/payee";

/** What is wrong with a payee's form, at its top, with the way on where there is one. */
export function FormProblems({ answer }: { answer: FormAnswer }) {
  const { code, extra, errors, formErrors } = answer;
  if (code === "DUPLICATE_PAYEE") {
    return (
      <Callout tone="warning" role="alert" title="You already have a payee with this account" className="mb-6">
        The account belongs to{" "}
        <Link
          to={appPaths.payee(String(extra?.payeeId))}
          className="font-medium text-accent-text underline underline-offset-2"
        >
          {String(extra?.payeeName)}
        </Link>
        . Open it instead, or look for a mistyped digit.
      </Callout>
    );
  }
  if (code === "SUBSCRIPTION_REQUIRED") return <SubscriptionEnded message={formErrors.join(" ")} />;
  const inOrder = Object.fromEntries(PAYEE_FIELDS.map((field) => [field, errors[field]]));
  return <FormErrorSummary errors={inOrder} formErrors={formErrors} />;
}
