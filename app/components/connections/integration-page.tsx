import { IntegrationBadge } from "~/components/connections/integration-list";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { RadioGroup } from "~/components/forms/radio-group";
import { RefusedAct } from "~/components/forms/refused-act";
import { SubmitButton } from "~/components/forms/submit-button";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { Link } from "~/components/ui/link";
import { Time } from "~/components/ui/time";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { ShownChange, ShownIntegration } from "~/modules/connections/integration.view";

interface IntegrationPageProps {
  integration: ShownIntegration;
  changes: readonly ShownChange[];
  /** Null where there are none, or nothing is connected. */
  notes: { isOn: boolean } | null;
  refused: readonly { id: string; name: string; note: string }[];
  answer?: FormAnswer;
}

/** One accounting system: its state, what can be done with it, and what waits for a person. */
export function IntegrationPage({ integration, changes, notes, refused, answer }: IntegrationPageProps) {
  return (
    <>
      <RefusedAct answer={answer?.intent === "choose" ? undefined : answer} />
      <StateCard integration={integration} />
      {integration.choices.length > 0 && <ChoiceCard integration={integration} answer={answer} />}
      {notes && <NotesCard isOn={notes.isOn} integration={integration} />}
      {changes.length > 0 && <ChangesCard changes={changes} name={integration.name} />}
      {refused.length > 0 && <RefusedCard refused={refused} name={integration.name} />}
    </>
  );
}

function Act({
  intent,
  children,
  variant = "secondary",
}: {
  intent: string;
  children: string;
  variant?: "secondary" | "danger";
}) {
  return (
    <Form method="post">
      <SubmitButton name="intent" value={intent} variant={variant} size="sm" pendingText="One moment...">
        {children}
      </SubmitButton>
    </Form>
  );
}

function StateCard({ integration }: { integration: ShownIntegration }) {
  const { name, status, statusWord, ledgerName, summary, isReading, lastSync, error } = integration;
  const isOn = status === "connected" || status === "broken" || status === "choosing";
  return (
    <Card title={name}>
      <p className="flex flex-wrap items-center gap-2">
        <IntegrationBadge status={status} statusWord={statusWord} />
        {ledgerName && <span className="font-medium">{ledgerName}</span>}
      </p>
      {error && <Callout tone={status === "broken" ? "danger" : "warning"} title={error} className="mt-4" />}
      {isReading && (
        <p role="status" className="mt-4">
          Suppliers and bills are being read. {summary}
        </p>
      )}
      {!isReading && lastSync && (
        <p className="mt-4 max-w-[70ch]">
          Last read <Time {...lastSync} />. {summary}
        </p>
      )}
      <p className="mt-4 max-w-[70ch] text-ink-soft text-sm">
        Suppliers with a bank account become payees, and each is verified here. They are the work of whoever edited them
        in {name}, as far as it names them, and of whoever connected it. A bank account that changes in {name} is never
        taken over by itself: the payee keeps its details, its payments are held, and a person decides. Payments are
        compared with approved bills: another account or amount is a reason to hold them. {integration.outcomeSentence}{" "}
        Nothing is deleted here because it is gone there.
      </p>
      <Acts integration={integration} />
      {isOn && (
        <details className="mt-4">
          <summary className="cursor-pointer text-accent-text text-sm underline underline-offset-2">
            Disconnect {name}
          </summary>
          <p className="my-2">PayeeProof gives up its access there. Your payees and their history stay.</p>
          <Act intent="disconnect" variant="danger">
            Disconnect
          </Act>
        </details>
      )}
    </Card>
  );
}

/** What can be done in this state; nothing while the books are to be chosen. */
function Acts({ integration: { system, name, status } }: { integration: ShownIntegration }) {
  if (status === "choosing") return null;
  return (
    <div className="mt-4 flex flex-wrap gap-3">
      {status === "connected" ? (
        <>
          <Act intent="sync">Read changes now</Act>
          <Act intent="sync-all">Read everything again</Act>
        </>
      ) : (
        <Button to={appPaths.connectIntegration(system)}>
          {status === "broken" ? "Connect again" : `Connect ${name}`}
        </Button>
      )}
    </div>
  );
}

/** Notes in the history of suppliers there. */
function NotesCard({ isOn, integration: { system, name } }: { isOn: boolean; integration: ShownIntegration }) {
  return (
    <Card title={`Notes in ${name}`}>
      <p className="max-w-[70ch]">
        {isOn
          ? `When a verification is approved, PayeeProof notes in the history of the contact in ${name} that its bank details were verified, with the date and the last digits of the account.`
          : `PayeeProof writes nothing to ${name}. You can let it note in the history of a contact when its bank details were verified, with the date and the last digits of the account. ${name} then asks you again, for permission to change contacts, because it has no narrower one.`}
      </p>
      <div className="mt-4">
        {isOn ? (
          <Act intent="stop-notes">Stop writing notes</Act>
        ) : (
          <Button to={appPaths.connectIntegrationWithNotes(system)} variant="secondary">
            Allow notes
          </Button>
        )}
      </div>
    </Card>
  );
}

function ChoiceCard({ integration, answer }: { integration: ShownIntegration; answer?: FormAnswer }) {
  const mine = answerTo(answer, "choose");
  return (
    <Card
      title="Which books?"
      description={`You allowed access to several in ${integration.name}. One of them is read.`}
    >
      <Form method="post" noValidate className="grid gap-5">
        <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
        <RadioGroup
          name="ledgerId"
          label="Books"
          required
          options={integration.choices.map(({ id, name }) => ({ value: id, label: name }))}
          error={mine?.errors.ledgerId}
        />
        <div>
          <SubmitButton name="intent" value="choose" pendingText="Connecting...">
            Read suppliers from these books
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function ChangesCard({ changes, name }: { changes: readonly ShownChange[]; name: string }) {
  return (
    <Card
      flush
      title={`Other bank details in ${name}`}
      description="Payments to these payees are held until you decide."
    >
      <ul className="divide-y divide-line border-line border-t">
        {changes.map((change) => (
          <li key={change.key} className="px-5 py-4">
            <Link to={change.href} className="font-medium text-accent-text underline underline-offset-2">
              {change.payeeName}
            </Link>
            <p className="figures mt-1 text-sm">
              Here {change.ours.bsb} {change.ours.accountNumber}, there{" "}
              {change.theirs
                ? `${change.theirs.bsb} ${change.theirs.accountNumber}`
                : "something that cannot be read as an account"}
            </p>
            <p className="mt-1 text-ink-soft text-sm">
              Noticed <Time {...change.noticed} />
              {change.editedBy && `, last edited there by ${change.editedBy}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RefusedCard({ refused, name }: { refused: IntegrationPageProps["refused"]; name: string }) {
  return (
    <Card flush title="Suppliers that were not taken over" description={`Correct their bank account in ${name}.`}>
      <ul className="divide-y divide-line border-line border-t">
        {refused.map((contact) => (
          <li key={contact.id} className="px-5 py-3">
            <p className="font-medium">{contact.name}</p>
            <p className="text-ink-soft text-sm">{contact.note}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
