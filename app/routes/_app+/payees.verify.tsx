import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { SubscriptionFirst } from "~/components/forms/refused-act";
import { FormProblems, KnownPayees, PayeeFields } from "~/components/payees/payee-form";
import { Button } from "~/components/ui/elements";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { type Flash, formAction, page, pageWriter, parseForm } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { describeInstitution } from "~/kernel/bank-account";
import { appPaths } from "~/kernel/paths/app";
import type { PayeeDetails } from "~/kernel/payee";
import { submissionSchema } from "~/modules/core/commands/run-command.server";
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
import {
  askNow,
  asksAutomatically,
  bankAnswerSentence,
} from "~/modules/verifying/bank-checks/ask-automatically.server";
import { askConfirmationOfPayee } from "~/modules/verifying/bank-checks/instant-check.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import type { Actor, Services } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Verify a payee", "Error Loading the Form");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services, url } = scope;
  const [account, missing, isAskedAnyway] = await Promise.all([
    findAccountToAdd(services, actor, url.searchParams),
    findMissingConfirmation(services, actor),
    asksAutomatically(services, actor.organizationId),
  ]);
  const values = { ...EMPTY_VALUES, ...account };
  // Nobody is asked before an administrator has confirmed their address, or without a live subscription.
  const asks = missing || actor.subscriptionEnded ? null : services.instantBankData ? "bank" : "payee";
  const shown = { submissionId: services.ids.next(), constraints: payeeConstraints, values, missing };
  return { ...shown, asks, isAskedAnyway: isAskedAnyway && asks === "bank" } as const;
});

export const action = /* @__PURE__ */ page(async (scope) =>
  formAction(
    scope,
    async (form) => {
      // Inside formAction, so that what was typed is kept even if the database is too busy to authenticate the person.
      const actor = await pageWriter(scope);
      const { services } = scope;
      const step = (await findKnownFromForm(services, actor, form)) ?? (await lookUpFromForm(services, form));
      if (step) return step;
      const details = parseForm(form, newPayeeSchema);
      const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
      const { verificationId } = await addPayee(services, actor, { details, idempotencyKey });
      const added = { verificationId, idempotencyKey };
      const isAskedAnyway = await asksAutomatically(services, actor.organizationId);
      const asked = isAskedAnyway
        ? bankAnswerSentence(await askNow(services, actor, verificationId))
        : form.get("check") === "none"
          ? ""
          : await ask(services, actor, added);
      return { to: appPaths.verification(verificationId), flash: flashOf(details, asked) };
    },
    { describe: describeAdding },
  ),
);

export const clientAction = keepWhatWasTyped;

type Opened = { verificationId: string; idempotencyKey?: string };

/** Asks the new payee's bank, otherwise the payee with a link. An obstacle is reported; the payee is added anyway. */
async function ask(services: Services, actor: Actor, { verificationId, idempotencyKey }: Opened): Promise<string> {
  try {
    if (services.instantBankData) {
      const key = idempotencyKey && `${idempotencyKey}:check`;
      const checked = await askConfirmationOfPayee(services, actor, { verificationId, idempotencyKey: key });
      return checked.state === "answered" ? "The bank was asked, and its answer is here." : "The bank is being asked.";
    }
    await startBankDataCheck(services, actor, { verificationId });
    return "The payee gets a link.";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Other organisations' vouching may have verified it already.
    return error.code === "ALREADY_DECIDED" ? "" : `No one has been asked yet. ${error.message}`;
  }
}

function flashOf({ name, bsb }: PayeeDetails, asked: string): Flash {
  const institution = describeInstitution(bsb)?.name ?? "an institution we do not know";
  return {
    tone: "info",
    title: `${name} added`,
    description: `The account is at ${institution}. ${asked || "Its verification is open."}`,
  };
}

const ASKS = {
  bank: "“Add and verify” asks the payee's bank at once whether the name belongs to the account. The payee gets no message.",
  payee: "“Add and verify” sends the payee a link, so it needs an email address or a mobile number.",
};

export default function AddPayee() {
  const { submissionId, constraints, values, missing, asks, isAskedAnyway } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Verify a payee"
        description={
          <>
            The details are checked, and a verification opens at once.{" "}
            {asks ? ASKS[asks] : "No one outside your organisation is asked."} If you do not have the details,{" "}
            <Link to={appPaths.payeeRequests} className="text-accent-text underline underline-offset-2">
              ask the payee for them
            </Link>
            .
          </>
        }
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      <ConfirmFirst missing={missing} then="You can add the payee now. It stays unchecked until then." />
      <SubscriptionFirst answer={answer} />
      {answer && <FormProblems answer={answer} />}
      <Card>
        <PostForm answer={answer} values={values} limits={constraints} summary={false} className="grid gap-8">
          <HiddenFields values={{ submissionId }} />
          <KnownPayees>
            <PayeeFields />
          </KnownPayees>
          <div className="flex flex-wrap gap-3">
            {asks && <SubmitButton pendingText="Adding...">Add and verify</SubmitButton>}
            {!isAskedAnyway && (
              <SubmitButton name="check" value="none" variant={asks ? "secondary" : "primary"} pendingText="Adding...">
                Add without a check
              </SubmitButton>
            )}
            <Button to={appPaths.payees} variant="quiet">
              Cancel
            </Button>
          </div>
        </PostForm>
      </Card>
    </div>
  );
}
