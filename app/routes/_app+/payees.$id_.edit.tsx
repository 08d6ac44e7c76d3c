import { useActionData, useLoaderData } from "@remix-run/react";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { FormProblems, KnownPayees, PayeeFields } from "~/components/payees/payee-form";
import { Button, Callout } from "~/components/ui/elements";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { type Flash, formAction, idParam, page, pageWriter, parseForm, withStepUp } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { CONTACT_AND_BANK_WINDOW_DAYS, PAYEE_FIELDS } from "~/kernel/payee";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { type Confirmation, type EditExtra, submitEdit } from "~/modules/payees/edit-payee.server";
import type { EditDecision, ShownChange } from "~/modules/payees/payee-edit";
import { newPayeeSchema, versionSchema } from "~/modules/payees/payee-fields.server";
import { findKnownFromForm, lookUpFromForm, readEditPage } from "~/modules/payees/payee-form.server";
import { askNowAbout, bankAnswerSentence } from "~/modules/verifying/bank-checks/ask-automatically.server";

interface EditConfirmationProps {
  confirm: Confirmation;
  /** Everything typed, which the confirming post sends again. */
  values: Readonly<Record<string, string>>;
  version: number;
}

/** Before new bank details or another name are saved: the changes and their consequences. Nothing is saved yet. */
function EditConfirmation({ confirm, values, version }: EditConfirmationProps) {
  const { title, description, button } = WORDS[confirm.of];
  return (
    <Card title={title} description={description}>
      <div className="grid gap-6">
        <ChangeList changes={confirm.changes} from="Now" to="New" />
        {confirm.possibleTypo && (
          <Callout tone="warning" title="Possible typo">
            {confirm.possibleTypo}
          </Callout>
        )}
        {confirm.isContactChangedToo && (
          <Callout tone="danger" title="Contact and bank details change close together">
            A fraudster who changed both would answer your call. Confirm the change on a number you already knew.
          </Callout>
        )}
        <ul className="grid list-disc gap-1.5 pl-5 text-base">
          {consequences(confirm).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <Form method="post" className="flex flex-wrap gap-3">
          <HiddenFields values={{ ...typedFields(values), version }} />
          <SubmitButton name="intent" value="confirm" variant="danger" pendingText="Saving...">
            {button}
          </SubmitButton>
          <SubmitButton name="intent" value="back" variant="secondary">
            Back to the form
          </SubmitButton>
        </Form>
      </div>
    </Card>
  );
}

const WORDS: Readonly<Record<Confirmation["of"], { title: string; description: string; button: string }>> = {
  "bank details": {
    title: "Change the bank details?",
    description: "Nothing is saved yet. Fraud often starts with a change of bank details, so all of this will happen.",
    button: "Change the bank details",
  },
  name: {
    title: "Change this payee's name?",
    description:
      "Nothing is saved yet. If you change the name, the payee is no longer trusted: its bank details were confirmed under the name it has now. A new spelling of the same name, such as capitals or “Pty Ltd” for “Pty. Limited”, would not.",
    button: "Change the name",
  },
  "name and bank details": {
    title: "Change the name and the bank details?",
    description:
      "Nothing is saved yet. Changing either ends the trust, and fraud often starts this way. All of this will happen.",
    button: "Change the name and the bank details",
  },
};

const typedFields = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(PAYEE_FIELDS.map((field) => [field, values[field] ?? ""]));

function consequences(confirm: Confirmation): string[] {
  return [
    ...(confirm.isWhitelisted ? ["The payee leaves the whitelist, and the global whitelist if it is on it."] : []),
    ...(confirm.hasPendingVerification ? ["The verification that is waiting is closed."] : []),
    ...(confirm.of === "name" ? OF_NAME : OF_DETAILS),
    teamToldSentence(confirm.othersTold),
    payeeToldSentence(confirm.of, [...confirm.payeeTold.emails, ...confirm.payeeTold.mobiles]),
  ];
}

const OF_DETAILS = [
  "A new verification of the new details opens.",
  "Payments to the payee are held until the new details are verified. Payments that are authorised but not paid are held again.",
];

const OF_NAME = [
  "A new verification of the same bank details opens under the new name.",
  "Payments to the payee are held until it is verified under the new name. Payments that are authorised but not paid are held again.",
];

function teamToldSentence(others: number): string {
  if (others === 0) return "You are the only member who can act, so no colleague is told.";
  const who =
    others === 1
      ? "One other member gets an alert, unless they have turned it off."
      : `${others} other members get an alert, except those who have turned it off.`;
  return `${who} Administrators cannot turn it off.`;
}

/** Includes former contacts, because a criminal often changes the contact first. */
function payeeToldSentence(of: Confirmation["of"], contacts: readonly string[]): string {
  if (of === "name") {
    return contacts.length === 0
      ? "The payee is not told: its bank details stay the same, and none of its contacts is replaced."
      : `The payee is told at the contact it had before that this was changed: ${contacts.join(", ")}.`;
  }
  if (contacts.length === 0) return "The payee has no email address or mobile number here, so it cannot be told.";
  return `A notice goes to everyone who was a contact of the payee in the last ${CONTACT_AND_BANK_WINDOW_DAYS} days: ${contacts.join(", ")}. The payee’s page says who was told.`;
}

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `Edit ${loaded.name}` : "Edit"}`,
  "Error Loading Payee",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageWriter(scope), "page");
  const { services } = scope;
  const shown = await readEditPage(services, actor, idParam(scope.params));
  await recordReveal(services, actor, { entityType: "payee", entityId: shown.id });
  return shown;
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageWriter(scope), "page");
  const { services } = scope;
  const id = idParam(scope.params);
  // The present values are shown beside what was typed, whether or not the form was opened before.
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
    const asked = outcome.done.endsTrust ? await askNowAbout(services, actor, id) : undefined;
    return { to: appPaths.payee(id), flash: flashOf(outcome.done, outcome.contacts, bankAnswerSentence(asked)) };
  });
});

export const clientAction = keepWhatWasTyped;

/**
 * @param answer the bank's answer about the new details; empty: it was not asked
 * @param contacts whether the former contact was told; empty: nobody was to be told
 */
function flashOf(
  { changes, bankDetailsChanged, renamed, endsTrust }: EditDecision,
  contacts: string,
  answer: string,
): Flash {
  if (changes.length === 0) return { tone: "info", title: "Nothing was changed" };
  if (!endsTrust) return { tone: "success", title: "Payee saved", description: contacts || undefined };
  const description =
    `A new verification is open. Payments are held until it is decided. ${[answer, contacts].join(" ")}`.trim();
  const title = !renamed
    ? "Bank details changed"
    : bankDetailsChanged
      ? "Name and bank details changed"
      : "Name changed";
  return { tone: "info", title, description };
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
          <PostForm answer={answer} values={values} limits={constraints} summary={false} className="grid gap-8">
            <HiddenFields values={{ version: savedFrom }} />
            <KnownPayees payeeId={id}>
              <PayeeFields />
            </KnownPayees>
            <div className="flex flex-wrap gap-3">
              <SubmitButton pendingText="Saving...">Save</SubmitButton>
              <Button to={appPaths.payee(id)} variant="quiet">
                Cancel
              </Button>
            </div>
          </PostForm>
        </Card>
      )}
    </div>
  );
}

/** Fields with their two values side by side. */
function ChangeList({ changes, from, to }: { changes: readonly ShownChange[]; from: string; to: string }) {
  return (
    <dl className="divide-y divide-line rounded-base bg-surface text-base border border-line">
      {changes.map((change) => (
        <div key={change.field} className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[9rem_1fr_1fr]">
          <dt className="font-medium">{change.field}</dt>
          <dd className="figures min-w-0 break-words text-ink-soft">
            <span className="block text-ink-soft text-xs">{from}</span>
            {change.from ?? "none"}
          </dd>
          <dd className="figures min-w-0 break-words">
            <span className="block text-ink-soft text-xs">{to}</span>
            <span className="font-medium">{change.to ?? "none"}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
