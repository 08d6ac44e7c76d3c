import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { HiddenFields, PostForm, SubmitButton } from "~/components/forms/post-form";
import { named } from "~/components/layout/named";
import { FormProblems, KnownPayees, PayeeFields } from "~/components/payees/payee-form";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import type { Flash } from "~/http/flash.server";
import { formAction, parseForm } from "~/http/form-action.server";
import { pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { PayeeDetails } from "~/kernel/payee";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { submissionSchema } from "~/modules/core/commands/idempotency.server";
import { describeInstitution } from "~/modules/directories/directory";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { addPayee } from "~/modules/payees/add-payee.server";
import { newPayeeSchema } from "~/modules/payees/payee-fields.server";
import {
  describeAdding,
  EMPTY_VALUES,
  findKnownFromForm,
  lookUpFromForm,
  payeeConstraints,
} from "~/modules/payees/payee-form.server";
import { findAccountToAdd } from "~/modules/payments/payment-files/file-lines.server";
import { askNow, sayAnswerOfBank } from "~/modules/verifying/bank-checks/ask-by-itself.server";

export const { meta, ErrorBoundary } = named("Verify a payee", "Error Loading the Form");

const ASKED =
  "The payee's bank is asked at once whether the name belongs to the account. The payee is not contacted until you start a check.";
const NOT_ASKED = "No one outside your organisation is contacted until you start a check.";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services, url } = scope;
  const [account, missing, { askBanks }] = await Promise.all([
    findAccountToAdd(services, actor, url.searchParams),
    findMissingConfirmation(services, actor),
    findPolicy(services, actor.organizationId),
  ]);
  const asks = services.config.asksBanksByItself && askBanks !== "never" ? ASKED : NOT_ASKED;
  const values = { ...EMPTY_VALUES, ...account };
  return { submissionId: services.ids.next(), constraints: payeeConstraints, values, missing, asks };
});

export const action = /* @__PURE__ */ page(async (scope) =>
  formAction(
    scope,
    async (form) => {
      // Here, so that a database that is too busy to say who asks loses nothing that was typed.
      const actor = await pageWriter(scope);
      const { services } = scope;
      const step = (await findKnownFromForm(services, actor, form)) ?? (await lookUpFromForm(services, form));
      if (step) return step;
      const details = parseForm(form, newPayeeSchema);
      const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
      const { verificationId } = await addPayee(services, actor, { details, idempotencyKey });
      const asked = await askNow(services, actor, verificationId);
      return { to: appPaths.verification(verificationId), flash: flashOf(details, sayAnswerOfBank(asked)) };
    },
    { describe: describeAdding },
  ),
);

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

function flashOf({ name, bsb }: PayeeDetails, answer: string): Flash {
  const institution = describeInstitution(bsb)?.name ?? "an institution we do not know";
  return {
    tone: "success",
    title: `${name} added`,
    description: answer || `The account is at ${institution}. Its verification is open.`,
  };
}

export default function AddPayee() {
  const { submissionId, constraints, values, missing, asks } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Verify a payee"
        description={
          <>
            The details are checked, and a verification opens at once. {asks} Without the details,{" "}
            <Link to={appPaths.payeeRequests} className="text-accent-text underline underline-offset-2">
              ask the payee for them
            </Link>
            .
          </>
        }
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      <ConfirmFirst missing={missing} then="You can add the payee now. It waits as not checked until then." />
      {answer && <FormProblems answer={answer} />}
      <Card>
        <PostForm answer={answer} values={values} limits={constraints} summary={false} className="grid gap-8">
          <HiddenFields values={{ submissionId }} />
          <KnownPayees>
            <PayeeFields />
          </KnownPayees>
          <div className="flex flex-wrap gap-3">
            <SubmitButton pendingText="Adding...">Add and verify</SubmitButton>
            <Button to={appPaths.payees} variant="quiet">
              Cancel
            </Button>
          </div>
        </PostForm>
      </Card>
    </div>
  );
}
