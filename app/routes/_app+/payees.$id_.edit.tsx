import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ChangeList } from "~/components/payees/change-list";
import { EditConfirmation } from "~/components/payees/edit-confirmation";
import { FormProblems } from "~/components/payees/form-problems";
import { PayeeFields } from "~/components/payees/payee-fields";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { readForm } from "~/http/body.server";
import { type Flash, setFlash } from "~/http/flash.server";
import { idParam, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { recordReveal } from "~/modules/audit/reveal.commands.server";
import { submitEdit } from "~/modules/payees/edit-form.server";
import { getPayee } from "~/modules/payees/payee.queries.server";
import type { EditAnswer } from "~/modules/payees/payee.view";
import { detailsOf, toFormValues } from "~/modules/payees/payee.view.server";
import type { EditDecision } from "~/modules/payees/payee-edit";
import { payeeConstraints } from "~/modules/payees/payee-form.server";
import { PAYEES_PATH, payeePath } from "~/modules/payees/payees.view";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded ? `Edit ${loaded.name}` : "Edit"}`),
];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const payee = await getPayee(services, actor, idParam(scope.params));
  await recordReveal(services, actor, { entityType: "payee", entityId: payee.id });
  const { id, name, version } = payee;
  return { id, name, version, values: toFormValues(detailsOf(payee)), constraints: payeeConstraints };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  // What stands there now is shown beside what was typed, whether or not the form was opened before.
  await recordReveal(services, actor, { entityType: "payee", entityId: id });
  const outcome = await submitEdit(services, actor, id, await readForm(scope.request));
  if ("answer" in outcome) return data(outcome.answer, { status: outcome.status });
  const flash = await setFlash(services, flashOf(outcome.done));
  return redirect(payeePath(id), { status: 303, headers: { "Set-Cookie": flash } });
});

function flashOf({ changes, bankDetailsChanged }: EditDecision): Flash {
  if (changes.length === 0) return { tone: "info", title: "Nothing was changed" };
  if (!bankDetailsChanged) return { tone: "success", title: "Payee saved" };
  const description = "A new verification is open. Payments are held until it is decided.";
  return { tone: "success", title: "Bank details changed", description };
}

export default function EditPayee() {
  const { id, name, version, values, constraints } = useLoaderData<typeof loader>();
  const answer = useActionData<EditAnswer>();
  const confirm = answer?.confirm;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={`Edit ${name}`}
        breadcrumb={[
          { label: "Payees", to: PAYEES_PATH },
          { label: name, to: payeePath(id) },
        ]}
      />
      {answer && <FormProblems answer={answer} />}
      {answer?.conflict && (
        <Callout tone="warning" role="alert" title="Somebody changed this payee since you opened it" className="mb-6">
          <p className="mb-3">
            What you typed is still here and was not saved. Look at the differences; saving again keeps yours.
          </p>
          <ChangeList changes={answer.conflict} from="There now" to="Yours" />
        </Callout>
      )}
      {answer && confirm ? (
        <EditConfirmation confirm={confirm} values={answer.values} version={answer.version} />
      ) : (
        <Card>
          <Form method="post" noValidate className="grid gap-8">
            <HiddenFields values={{ version: answer?.version ?? version }} />
            <PayeeFields constraints={constraints} values={values} answer={answer} />
            <div className="flex flex-wrap gap-3">
              <SubmitButton pendingText="Saving...">Save</SubmitButton>
              <Button to={payeePath(id)} variant="quiet">
                Cancel
              </Button>
            </div>
          </Form>
        </Card>
      )}
    </div>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payee" />;
}
