import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { SubmitButton } from "~/components/forms/submit-button";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ChangeList } from "~/components/payees/change-list";
import { EditConfirmation } from "~/components/payees/edit-confirmation";
import { FormProblems } from "~/components/payees/form-problems";
import { KnownPayees } from "~/components/payees/known-payees";
import { PayeeFields } from "~/components/payees/payee-fields";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import type { Flash } from "~/http/flash.server";
import { formAction, parseForm } from "~/http/form-action.server";
import { idParam, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { submitEdit } from "~/modules/payees/edit-form.server";
import { findKnownFromForm } from "~/modules/payees/known-payees.server";
import { getPayee } from "~/modules/payees/payee.queries.server";
import { detailsOf, newPayeeSchema, toFormValues, versionSchema } from "~/modules/payees/payee.server";
import type { EditExtra } from "~/modules/payees/payee.view";
import type { EditDecision } from "~/modules/payees/payee-edit";
import { payeeConstraints } from "~/modules/payees/payee-form.server";
import { lookUpFromForm } from "~/modules/payees/register-step.server";

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
  // What is there now is shown beside what was typed, whether or not the form was opened before.
  await recordReveal(services, actor, { entityType: "payee", entityId: id });
  return formAction(scope, async (form) => {
    const intent = form.get("intent");
    if (intent === "back") return { next: {} };
    const step = (await findKnownFromForm(services, actor, form, id)) ?? (await lookUpFromForm(services, form));
    if (step) return step;
    const details = parseForm(form, newPayeeSchema);
    const { version } = parseForm(form, versionSchema);
    const outcome = await submitEdit(services, actor, id, { details, version, isConfirmed: intent === "confirm" });
    if ("confirm" in outcome) return { next: { confirm: outcome.confirm } satisfies EditExtra };
    return { to: appPaths.payee(id), flash: flashOf(outcome.done, outcome.contacts) };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

/** @param contacts whether the former contact was told; empty: there was nothing to tell */
function flashOf({ changes, bankDetailsChanged, renamed, endsTrust }: EditDecision, contacts: string): Flash {
  if (changes.length === 0) return { tone: "info", title: "Nothing was changed" };
  if (!endsTrust) return { tone: "success", title: "Payee saved", description: contacts || undefined };
  const description = `A new verification is open. Payments are held until it is decided. ${contacts}`.trim();
  const title = !renamed
    ? "Bank details changed"
    : bankDetailsChanged
      ? "Name and bank details changed"
      : "Name changed";
  return { tone: "success", title, description };
}

export default function EditPayee() {
  const { id, name, version, values, constraints } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const extra: EditExtra = answer?.extra ?? {};
  const { confirm, conflict } = extra;
  const savedFrom = extra.version ?? Number(answer?.values.version ?? version);
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={`Edit ${name}`}
        breadcrumb={[
          { label: "Payees", to: appPaths.payees },
          { label: name, to: appPaths.payee(id) },
        ]}
      />
      {answer && !conflict && <FormProblems answer={answer} />}
      {conflict && (
        <Callout tone="warning" role="alert" title="Someone changed this payee since you opened it" className="mb-6">
          <p className="mb-3">
            What you typed is still here and was not saved. Look at the differences; saving again keeps yours.
          </p>
          <ChangeList changes={conflict} from="There now" to="Yours" />
        </Callout>
      )}
      {answer && confirm ? (
        <EditConfirmation confirm={confirm} values={answer.values} version={savedFrom} />
      ) : (
        <Card>
          <Form method="post" noValidate className="grid gap-8">
            <HiddenFields values={{ version: savedFrom }} />
            <KnownPayees answer={answer} payeeId={id}>
              <PayeeFields constraints={constraints} values={values} answer={answer} />
            </KnownPayees>
            <div className="flex flex-wrap gap-3">
              <SubmitButton pendingText="Saving...">Save</SubmitButton>
              <Button to={appPaths.payee(id)} variant="quiet">
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
