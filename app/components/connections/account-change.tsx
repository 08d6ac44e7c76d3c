import { Textarea } from "~/components/forms/fields";
import { answerTo, Form, type FormAnswer, HiddenFields, PostForm, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { DecisionPlace } from "~/components/payments/decision-place";
import { Callout, linkClass } from "~/components/ui/elements";
import { Card, DefinitionList, PageHeader, Time } from "~/components/ui/page-parts";
import { appPaths } from "~/kernel/paths/app";
import type { ShownChange } from "~/modules/connections/integration.view";
import type { placeInInbox } from "~/modules/records/inbox/inbox.server";

interface AccountChangePageProps {
  id: string;
  name: string;
  changes: readonly ShownChange[];
  canWrite: boolean;
  /** Its place in the Inbox; null: it was opened from elsewhere. */
  place: ReturnType<typeof placeInInbox> | null;
  hasKeys: boolean;
  answer?: FormAnswer;
}

/** The accounting system has a different account for a payee: shows both, with the two decisions. */
export function AccountChangePage({ id, name, changes, canWrite, place, hasKeys, answer }: AccountChangePageProps) {
  return (
    <>
      <PageHeader
        title={`Which bank details of ${name} are right?`}
        breadcrumb={[
          { label: "Payees", to: appPaths.payees },
          { label: name, to: appPaths.payee(id) },
        ]}
        actions={place && <DecisionPlace label="Inbox" next="Next" place={place} hasKeys={hasKeys} />}
      />
      <RefusedAct answer={answer?.intent === "keep" ? undefined : answer} />
      {changes.length === 0 ? (
        <Callout tone="success" title="Nothing is waiting for a decision">
          The accounting system has the payee’s bank details, or a person has decided which are right.
        </Callout>
      ) : (
        <div className="grid gap-6">
          {changes.map((change) => (
            <ChangeCard key={change.key} change={change} canWrite={canWrite} answer={answer} />
          ))}
        </div>
      )}
    </>
  );
}

function ChangeCard({ change, canWrite, answer }: { change: ShownChange; canWrite: boolean; answer?: FormAnswer }) {
  const { systemName, ours, theirs, noticed, editedBy } = change;
  return (
    <Card title={`The bank account was changed in ${systemName}`}>
      <Callout tone="danger" title="Fraud often begins with a change like this" className="mb-5">
        Call the supplier on a number you knew before. Do not use a number from a recent email or invoice. Payments to
        this payee are held until you decide.
      </Callout>
      <DefinitionList
        items={[
          { term: "PayeeProof has", value: <Account {...ours} /> },
          {
            term: `${systemName} has`,
            value: theirs ? <Account {...theirs} /> : "Something that cannot be read as an account",
          },
          { term: "Noticed", value: <Time {...noticed} /> },
          { term: `Last edited in ${systemName}`, value: editedBy ?? "Its history does not say" },
        ]}
      />
      {canWrite && <Decision change={change} answer={answer} />}
    </Card>
  );
}

const Account = ({ bsb, accountNumber }: { bsb: string; accountNumber: string }) => (
  <span className="figures">
    {bsb} {accountNumber}
  </span>
);

function Decision({ change, answer }: { change: ShownChange; answer?: FormAnswer }) {
  const mine = answer?.values.key === change.key ? answerTo(answer, "keep") : undefined;
  return (
    <div className="mt-6 grid gap-6 border-line border-t pt-6 @[52rem]/main:grid-cols-2">
      <PostForm answer={mine} className="grid content-start gap-3">
        <HiddenFields values={{ key: change.key }} />
        <Textarea
          name="reason"
          label="Why the payee keeps its details"
          hint={`Then correct the account in ${change.systemName} too. Each held payment still needs its own decision.`}
          rows={2}
          required
        />
        <div>
          <SubmitButton name="intent" value="keep" variant="danger" pendingText="Saving...">
            Keep the payee’s details
          </SubmitButton>
        </div>
      </PostForm>
      {change.theirs ? (
        <Form method="post" className="grid content-start gap-3">
          <HiddenFields values={{ key: change.key }} />
          <p>
            Only if the supplier has confirmed the new account. This changes the payee like an edit: it leaves the
            whitelist, a verification opens, its contacts are told, and payments stay held until the verification is
            decided.
          </p>
          <div>
            <SubmitButton name="intent" value="use" variant="secondary" pendingText="Changing...">
              {`Use the details of ${change.systemName}`}
            </SubmitButton>
          </div>
        </Form>
      ) : (
        <p>
          Find out what should be there. Once the account in {change.systemName} is the payee’s again, this question
          closes by itself. A different account that can be read opens a new question.
        </p>
      )}
    </div>
  );
}

/** On the payee's page: says that a decision is needed. */
export function AccountChangeCallout({ changes }: { changes: readonly ShownChange[] }) {
  const [first] = changes;
  if (!first) return null;
  return (
    <Callout tone="danger" title={`${first.systemName} has a different bank account for this payee`} className="mb-6">
      Noticed <Time {...first.noticed} />
      {first.editedBy && `, last edited there by ${first.editedBy}`}. Payments to this payee are held.{" "}
      <a href={first.href} className={linkClass}>
        Decide which details are right
      </a>
    </Callout>
  );
}
