import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { FormProblems } from "~/components/payees/form-problems";
import { PayeeFields } from "~/components/payees/payee-fields";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { readForm } from "~/http/body.server";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { isId } from "~/kernel/ids";
import { describeInstitution } from "~/modules/bsb-directory/directory";
import { addPayee } from "~/modules/payees/add-payee.commands.server";
import { EMPTY_VALUES, type PayeeFormAnswer } from "~/modules/payees/payee.view";
import { parsePayeeForm, payeeConstraints, refusedForm } from "~/modules/payees/payee-form.server";
import { PAYEES_PATH } from "~/modules/payees/payees.view";
import { reviewPath } from "~/modules/review/pending-address";

export const meta: MetaFunction = (route) => [pageTitle(route, "Add a payee")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  await pageWriter(scope);
  return { submissionId: scope.services.ids.next(), constraints: payeeConstraints };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const form = await readForm(scope.request);
  const parsed = parsePayeeForm(form);
  if ("answer" in parsed) return data(parsed.answer, { status: 400 });
  const { details } = parsed;
  const submissionId = form.get("submissionId");
  const idempotencyKey = typeof submissionId === "string" && isId(submissionId) ? submissionId : undefined;
  try {
    const { verificationId } = await addPayee(services, actor, { details, idempotencyKey });
    const institution = describeInstitution(details.bsb)?.name ?? "an institution we do not know";
    const flash = await setFlash(services, {
      tone: "success",
      title: `${details.name} added`,
      description: `The account is at ${institution}. Its verification is open.`,
    });
    return redirect(reviewPath(verificationId), { status: 303, headers: { "Set-Cookie": flash } });
  } catch (error) {
    const refused = toAppError(error, services.log);
    return data(refusedForm(form, refused), { status: refused.status, headers: errorHeaders(refused) });
  }
});

export default function AddPayee() {
  const { submissionId, constraints } = useLoaderData<typeof loader>();
  const answer = useActionData<PayeeFormAnswer>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Add a payee"
        description="The details are checked, and a verification opens at once. Nobody outside is asked until you start a check."
        breadcrumb={[{ label: "Payees", to: PAYEES_PATH }]}
      />
      {answer && <FormProblems answer={answer} />}
      <Card>
        <Form method="post" noValidate className="grid gap-8">
          <HiddenFields values={{ submissionId }} />
          <PayeeFields constraints={constraints} values={EMPTY_VALUES} answer={answer} />
          <div className="flex flex-wrap gap-3">
            <SubmitButton pendingText="Adding...">Add and verify</SubmitButton>
            <Button to={PAYEES_PATH} variant="quiet">
              Cancel
            </Button>
          </div>
        </Form>
      </Card>
    </div>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading the Form" />;
}
